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
	decoded, host []byte
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
	switch s, rest := cutScheme(v); {
	case s == unknown:
		return r.relative(v, base)
	case s == elsewhere:
		return nowhere
	case s == base.scheme && !bytes.HasPrefix(rest, []byte("//")):
		return r.relative(rest, base) // "https:x" and "https:/x" stay on a page of https
	default:
		return r.authority(s, rest)
	}
}

// cutScheme returns the scheme of an absolute URL and what follows its colon; unknown for a relative one.
//
// https://url.spec.whatwg.org/#scheme-start-state
func cutScheme(v []byte) (scheme, []byte) {
	for i, c := range v {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			switch {
			case head.Fold(v[:i], "http"):
				return http, v[i+1:]
			case head.Fold(v[:i], "https"):
				return https, v[i+1:]
			}
			return elsewhere, nil
		default:
			return unknown, nil
		}
	}
	return unknown, nil
}

func slash(v []byte, i int) bool { return i < len(v) && (v[i] == '/' || v[i] == '\\') }

// relative resolves a URL without a scheme.
//
// https://url.spec.whatwg.org/#relative-state
func (r *reader) relative(v []byte, base *place) place {
	if base.elsewhere() || !slash(v, 0) || !slash(v, 1) {
		return *base
	}
	return r.authority(cmp.Or(base.scheme, https), v)
}

// authority reads the host of a URL of http or https; before it any number of slashes of either kind.
//
// https://url.spec.whatwg.org/#special-authority-ignore-slashes-state
func (r *reader) authority(s scheme, v []byte) place {
	for slash(v, 0) {
		v = v[1:]
	}
	if i := bytes.IndexAny(v, `/\?#`); i >= 0 {
		v = v[:i]
	}
	v = v[bytes.LastIndexByte(v, '@')+1:]
	name, port, err := split(v)
	if err != nil {
		return nowhere
	}
	host, err := normalize(r.host[:0], name)
	if err != nil {
		return nowhere
	}
	r.host = host
	if port == 0 {
		if port = 80; s == https {
			port = 443
		}
	}
	return place{s, host, port}
}
