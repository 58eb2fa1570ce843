package servers

import (
	"regexp"
	"slices"
	"strings"
)

// unpack reads an expression of ours back, of which each alternative names one
// path: texts has the two extremes of what it matches, one in which nothing is
// encoded that need not be, in upper case, and one in which all is, in lower case.
// An expression that says more is run, as the host would.
func unpack(a answer, before, expression, after string) (rule, error) {
	r := rule{answer: a}
	body := strings.TrimPrefix(expression, patternMark)
	if body == ".*" {
		r.matches = func(string) bool { return true }
		return r, nil
	}
	for rest, more := body, true; more; {
		var loose, strict string
		var ok bool
		if loose, strict, rest, ok = unpackOne(rest); !ok {
			e, err := regexp.Compile(before + expression + after)
			if err != nil {
				return r, err
			}
			r.matches, r.texts = e.MatchString, nil
			return r, nil
		}
		r.texts = append(r.texts, "/"+loose, "/"+strict)
		rest, more = strings.CutPrefix(rest, "|")
	}
	return r, nil
}

// unpackOne reads up to the next "|".
func unpackOne(s string) (loose, strict, rest string, ok bool) {
	var l, u []byte
	for s != "" && s[0] != '|' {
		a, b, size := unpackByte(s)
		if size == 0 {
			return "", "", "", false
		}
		l, u, s = append(l, a...), append(u, b...), s[size:]
	}
	return string(l), string(u), s, true
}

var (
	unpackHex    = regexp.MustCompile(`^%(?:([0-9])|\[([A-F])([a-f])\])(?:([0-9])|\[([A-F])([a-f])\])`)
	unpackEither = regexp.MustCompile(`^\(\?:(?:\\(.)|([^\\]))\|(%[^)]*)\)`)
)

// unpackByte reads the expression for one byte of a path; size is 0 where it is
// none.
func unpackByte(s string) (loose, strict string, size int) {
	switch s[0] {
	case '\\':
		if len(s) > 1 && !isPlain(s[1], "") {
			return s[1:2], s[1:2], 2
		}
		return "", "", 0
	case '%':
		if m := unpackHex.FindStringSubmatch(s); m != nil {
			return "%" + m[1] + m[2] + m[4] + m[5], "%" + m[1] + m[3] + m[4] + m[6], len(m[0])
		}
	case '(':
		m := unpackEither.FindStringSubmatch(s)
		if m == nil {
			return "", "", 0
		}
		loose, strict, size = unpackByte(m[3])
		if char := m[1] + m[2]; size == len(m[3]) && percent(char, "", "0123456789ABCDEF") == loose {
			return char, strict, len(m[0])
		}
		return "", "", 0
	default:
		if slices.Contains([]byte(".*+?[]{}()^$"), s[0]) {
			return "", "", 0
		}
	}
	return s[:1], s[:1], 1
}
