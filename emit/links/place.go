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
	unknown scheme = iota // of a page whose URL is not known, and of a URL that names none
	http
	https
	elsewhere // any other: nothing that a crawler follows
)

// A place is where a URL leads: its scheme and host, with the port that the scheme implies if it
// has none. That of a page with no known URL is the zero place.
type place struct {
	scheme scheme
	host   string // normalized
	port   int
}

// elsewhere reports whether nothing leads there: another scheme, no valid URL.
func (p *place) elsewhere() bool { return p.scheme == elsewhere }

var nowhere = place{scheme: elsewhere}

// resolve returns where a URL leads that an attribute has as v. base is the place of the page, or
// of its <base>; from a base that is elsewhere (mailto:) all that is no whole URL leads there too.
// The URL is read as a browser reads it, where that decides on the host; on a page of
// https://a.example:
//
//	/x, x, #x, ?x, https:x      base: it stays on the host
//	//b.example/x, \\b.example  https, b.example, 443
//	http://u@b.example:8080/x   http, b.example, 8080
//	http:x                      http, x, 80: of another scheme than the page, "//" may be missing
//	mailto:x, http://           nowhere
//
// [Scan] asks it of each link, of the base element and of the page's own URL, which has no base.
//
// https://url.spec.whatwg.org/#concept-basic-url-parser
func resolve(v []byte, base place) place {
	if isPlainPath(v) {
		return base
	}
	linkScheme, rest := cutScheme(written(v))
	switch linkScheme {
	case elsewhere:
		return nowhere
	case unknown:
		linkScheme = base.scheme
	}
	// "https:x" and "https:/x" stay on a page of https. What is of another scheme than the base
	// names a host, with or without slashes before it.
	mustNameHost := linkScheme != base.scheme
	authority := bytes.TrimLeft(rest, `/\`) // before it any number of slashes of either kind
	namesHost := len(rest)-len(authority) >= 2 && !base.elsewhere()
	if mustNameHost || namesHost {
		return authorityPlace(authority, linkScheme)
	}
	return base
}

// isPlainPath reports whether a URL is a slash with a letter, a digit or another sign behind it
// that begins no host. So is nearly every link of a site, and nothing more has to be read of it.
func isPlainPath(v []byte) bool {
	if len(v) < 2 || v[0] != '/' {
		return false
	}
	isLetterOrMore := v[1] > '@' && v[1] != '\\' // also _ and its like, and every byte of UTF-8
	return isLetterOrMore || '0' <= v[1] && v[1] <= '9'
}

// cutScheme returns the scheme of a URL and what is behind its colon. Without a scheme it is
// unknown, and the rest is all of the URL.
func cutScheme(v []byte) (of scheme, rest []byte) {
	name, rest, hasColon := bytes.Cut(v, []byte(":"))
	switch {
	case !hasColon || !isScheme(name):
		return unknown, v
	case head.Fold(name, "http"):
		return http, rest
	case head.Fold(name, "https"):
		return https, rest
	}
	return elsewhere, rest
}

// authorityPlace is the place of a URL of a scheme by what follows its first slashes, up to the
// next one: a user's name, a host and a port. It is nowhere if that is no host.
func authorityPlace(authority []byte, linkScheme scheme) place {
	if i := bytes.IndexAny(authority, `/\?#`); i >= 0 {
		authority = authority[:i]
	}
	host := authority[bytes.LastIndexByte(authority, '@')+1:] // behind a user's name
	name, port, err := split(string(host))
	if err == nil {
		name, err = normalize(name)
	}
	linkScheme = cmp.Or(linkScheme, https) // that of a page whose URL is not known is likely https
	switch {
	case err != nil:
		return nowhere
	case port == 0 && linkScheme == https:
		port = 443
	case port == 0:
		port = 80
	}
	return place{scheme: linkScheme, host: name, port: port}
}

// written is a URL without what a browser takes out of it before it reads it: tabs and line ends,
// and blanks around it. Character references are decoded if there are any before the query, where
// they may be part of a host.
func written(v []byte) []byte {
	end := bytes.IndexAny(v, "?#")
	if end < 0 {
		end = len(v)
	}
	if bytes.ContainsAny(v[:end], "&\x00\t\n\r") {
		isTakenOut := func(c byte) bool { return c == '\t' || c == '\n' || c == '\r' }
		v = slices.DeleteFunc(head.Decode(nil, v), isTakenOut)
	}
	return bytes.TrimFunc(v, func(c rune) bool { return c <= ' ' })
}

// isScheme reports whether a name has the form of a scheme.
//
// https://url.spec.whatwg.org/#scheme-start-state
func isScheme(name []byte) bool {
	for i, c := range name {
		lower := c | 0x20
		isLetter := 'a' <= lower && lower <= 'z'
		isOtherSign := '0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'
		if isFirst := i == 0; !isLetter && (isFirst || !isOtherSign) {
			return false
		}
	}
	return len(name) > 0
}
