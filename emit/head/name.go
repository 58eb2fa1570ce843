package head

import "golang.org/x/net/html/atom"

// lookup returns the name that b spells, in any case; 0 for one that HTML does not know.
func lookup(b []byte) atom.Atom {
	var lower [len("blockquote")]byte // no name that matters here is longer
	if len(b) > len(lower) {
		return 0
	}
	for i, c := range b {
		lower[i] = toLower(c)
	}
	return atom.Lookup(lower[:len(b)])
}

// Fold reports whether b is lower, its ASCII letters in any case. Names compare
// by ASCII case alone: U+212A KELVIN SIGN is no k
// (https://infra.spec.whatwg.org/#ascii-case-insensitive).
func Fold(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i, c := range b {
		if toLower(c) != lower[i] {
			return false
		}
	}
	return true
}

func toLower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
