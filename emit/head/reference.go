package head

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"
)

// plain reports whether an attribute value needs no decoding.
func plain(v []byte) bool {
	for _, c := range v {
		if c == '&' || c == '\r' || c == 0 {
			return false
		}
	}
	return true
}

// decode appends the value a parser gives the attribute whose source is v:
// line ends normalized, U+0000 replaced, character references read as they are
// in an attribute.
//
// https://html.spec.whatwg.org/multipage/parsing.html#character-reference-state
func decode(dst, v []byte) []byte {
	for len(v) > 0 {
		n := 1
		switch v[0] {
		case '\r':
			dst = append(dst, '\n')
			if len(v) > 1 && v[1] == '\n' {
				n = 2
			}
		case 0:
			dst = append(dst, "\uFFFD"...)
		case '&':
			dst, n = reference(dst, v)
		default:
			if n = bytes.IndexAny(v, "&\r\x00"); n < 0 {
				n = len(v)
			}
			dst = append(dst, v[:n]...)
		}
		v = v[n:]
	}
	return dst
}

// reference appends what the "&" at the start of v stands for, and returns how
// many bytes of v that took.
func reference(dst, v []byte) ([]byte, int) {
	if len(v) > 1 && v[1] == '#' {
		return numeric(dst, v)
	}
	n := 1
	for n < len(v) && alphanumeric(v[n]) {
		n++
	}
	switch {
	case n == 1:
	case n < len(v) && v[n] == ';':
		if s, ok := charName(string(v[:n+1])); ok {
			return append(dst, s...), n + 1
		}
	case n < len(v) && v[n] == '=':
		// "&copy=" in a URL is a parameter, not a sign
		// (https://html.spec.whatwg.org/multipage/parsing.html#named-character-reference-state).
	default:
		// For the same reason nothing but the whole run of letters can match.
		if s, ok := charName(string(v[:n])); ok {
			return append(dst, s...), n
		}
	}
	return append(dst, v[:n]...), n
}

func alphanumeric(c byte) bool {
	return class[c]&isLetter != 0 || '0' <= c && c <= '9'
}

// charName decodes a reference as a whole. The standard library reads the longest
// prefix it knows, as is right in text; what is left over of a prefix tells it
// from a whole one.
func charName(ref string) (string, bool) {
	s := html.UnescapeString(ref)
	switch {
	case s == ref:
		return "", false
	case ref == "&semi;":
		return s, true
	case strings.HasSuffix(ref, ";"):
		return s, !strings.HasSuffix(s, ";")
	}
	return s, utf8.RuneCountInString(s) == 1 // all that may lack the semicolon are one character
}

// numeric appends the character of the numeric reference at the start of v.
//
// https://html.spec.whatwg.org/multipage/parsing.html#numeric-character-reference-end-state
func numeric(dst, v []byte) ([]byte, int) {
	n, base := 2, rune(10)
	if n < len(v) && v[n]|0x20 == 'x' {
		n, base = 3, 16
	}
	digits, r := n, rune(0)
	for ; n < len(v); n++ {
		d := digit(v[n])
		if d >= base {
			break
		}
		if r <= utf8.MaxRune {
			r = r*base + d
		}
	}
	if n == digits {
		return append(dst, v[:n]...), n
	}
	if n < len(v) && v[n] == ';' {
		n++
	}
	if 0x80 <= r && r < 0xA0 {
		r = windows1252[r-0x80]
	}
	if r == 0 {
		r = utf8.RuneError
	}
	return utf8.AppendRune(dst, r), n // which replaces surrogates and what is out of range
}

// digit returns the value of a digit of any base, a large one for no digit.
func digit(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return 99
}

// windows1252 is what the references of the C1 controls stand for.
var windows1252 = [32]rune{
	0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
	0x8F,
	0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E,
	0x0178,
}
