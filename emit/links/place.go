package links

import (
	"bytes"
	"cmp"
	"slices"

	"metarobots/emit/head"
)

// A scheme is what matters of a URL's scheme.
type scheme uint8

const (
	unknown scheme = iota // of a page whose URL is not known
	http
	https
	elsewhere // any other: nothing that a crawler follows
)

// A place is where a URL leads. That of a page with no known URL is the zero place.
type place struct {
	scheme scheme
	host   []byte // normalized
	port   int
}

// elsewhere reports whether nothing leads there: another scheme, no valid URL.
func (p *place) elsewhere() bool { return p.scheme == elsewhere }

func (p *place) set(at place) {
	p.scheme, p.host, p.port = at.scheme, append(p.host[:0], at.host...), at.port
}

var nowhere = place{scheme: elsewhere}

// A reader reads URLs. What it returns is valid until it reads the next one.
type reader struct {
	decoded, name []byte
}

// read resolves a URL, as it is written in an attribute, against the place of its
// base, so far as that decides on the host.
//
// https://url.spec.whatwg.org/#concept-basic-url-parser
func (r *reader) read(v []byte, base *place) place {
	if len(v) > 1 && v[0] == '/' && (v[1] > '@' && v[1] != '\\' || '0' <= v[1] && v[1] <= '9') {
		return *base // nearly every link of a site: a path
	}
	end := bytes.IndexAny(v, "?#") // of what may name a host, and hold character references and what a browser takes out
	if end < 0 {
		end = len(v)
	}
	if bytes.ContainsAny(v[:end], "&\x00\t\n\r") {
		r.decoded = head.Decode(r.decoded[:0], v)
		v = slices.DeleteFunc(r.decoded, func(c byte) bool { return c == '\t' || c == '\n' || c == '\r' })
	}
	v = bytes.TrimFunc(v, func(c rune) bool { return c <= ' ' })
	of, apart := base.scheme, false
	if name, rest, ok := bytes.Cut(v, []byte(":")); ok && isScheme(name) {
		switch {
		case head.Fold(name, "http"):
			of = http
		case head.Fold(name, "https"):
			of = https
		default:
			return nowhere
		}
		// "https:x" and "https:/x" stay on a page of https.
		v, apart = rest, of != base.scheme || bytes.HasPrefix(rest, []byte("//"))
	}
	authority := bytes.TrimLeft(v, `/\`) // before it any number of slashes of either kind
	if !apart && (base.elsewhere() || len(v)-len(authority) < 2) {
		return *base
	}
	if i := bytes.IndexAny(authority, `/\?#`); i >= 0 {
		authority = authority[:i]
	}
	return r.host(cmp.Or(of, https), authority[bytes.LastIndexByte(authority, '@')+1:])
}

// isScheme reports whether a name has the form of a scheme.
//
// https://url.spec.whatwg.org/#scheme-start-state
func isScheme(name []byte) bool {
	for i, c := range name {
		if (c|0x20 < 'a' || 'z' < c|0x20) && (i == 0 || (c < '0' || '9' < c) && bytes.IndexByte([]byte("+-."), c) < 0) {
			return false
		}
	}
	return len(name) > 0
}

// host reads the host and the port of a URL of http or https.
func (r *reader) host(s scheme, v []byte) place {
	name, port, err := split(v)
	if err != nil {
		return nowhere
	}
	if r.name, err = normalize(r.name[:0], name); err != nil {
		return nowhere
	}
	if port == 0 {
		if port = 80; s == https {
			port = 443
		}
	}
	return place{s, r.name, port}
}
