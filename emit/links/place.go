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
	host   string // normalized
	port   int
}

// elsewhere reports whether nothing leads there: another scheme, no valid URL.
func (p *place) elsewhere() bool { return p.scheme == elsewhere }

var nowhere = place{scheme: elsewhere}

// resolve reads a URL, as it is written in an attribute, against the place of its base, so far as that decides on the
// host.
//
// https://url.spec.whatwg.org/#concept-basic-url-parser
func resolve(v []byte, base place) place {
	if len(v) > 1 && v[0] == '/' && (v[1] > '@' && v[1] != '\\' || '0' <= v[1] && v[1] <= '9') {
		return base // nearly every link of a site: a path
	}
	end := bytes.IndexAny(v, "?#") // of what may name a host, and hold character references and what a browser takes out
	if end < 0 {
		end = len(v)
	}
	if bytes.ContainsAny(v[:end], "&\x00\t\n\r") {
		v = slices.DeleteFunc(head.Decode(nil, v), func(c byte) bool { return c == '\t' || c == '\n' || c == '\r' })
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
		return base
	}
	if i := bytes.IndexAny(authority, `/\?#`); i >= 0 {
		authority = authority[:i]
	}
	name, port, err := split(string(authority[bytes.LastIndexByte(authority, '@')+1:]))
	if err == nil {
		name, err = normalize(name)
	}
	switch of = cmp.Or(of, https); {
	case err != nil:
		return nowhere
	case port == 0 && of == https:
		port = 443
	case port == 0:
		port = 80
	}
	return place{of, name, port}
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
