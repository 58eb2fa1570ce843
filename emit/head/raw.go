package head

import (
	"bytes"

	"golang.org/x/net/html/atom"
)

// raw reads the text of an element whose content is no markup, from src[i:], and
// its end tag. It returns the offset after that tag, len(src) where there is none.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-elements-that-contain-only-text
func raw(src []byte, i int, n atom.Atom) int {
	if n == atom.Plaintext {
		return len(src)
	}
	if n == atom.Script {
		i = script(src, i)
	} else {
		for i < len(src) {
			k := bytes.IndexByte(src[i:], '<')
			if k < 0 {
				return len(src)
			}
			i += k
			if closes(src, i, n.String()) {
				break
			}
			i++
		}
	}
	if i >= len(src) {
		return len(src)
	}
	var t token
	t.next(src, i)
	return t.to
}

// closes reports whether "</name" stands at src[i:] and is the end of that name.
func closes(src []byte, i int, name string) bool {
	return i+1 < len(src) && src[i+1] == '/' && opens(src, i+1, name)
}

// opens reports whether name follows src[i] and ends there.
func opens(src []byte, i int, name string) bool {
	j := i + 1 + len(name)
	return j < len(src) && class[src[j]]&stopsName != 0 && Fold(src[i+1:j], name)
}

// script returns the offset of the end tag that closes the script whose text begins at src[i:], len(src) where there is
// none. After "<!--" a script in the text hides its own end tag, until "-->".
//
// https://html.spec.whatwg.org/multipage/parsing.html#script-data-state
func script(src []byte, i int) int {
	for i < len(src) {
		k := bytes.IndexByte(src[i:], '<')
		if k < 0 {
			return len(src)
		}
		i += k
		if closes(src, i, "script") {
			return i
		}
		if !bytes.HasPrefix(src[i:], []byte("<!--")) {
			i++
			continue
		}
		to, closed := escaped(src, i+4)
		if closed {
			return to
		}
		i = to
	}
	return len(src)
}

// escaped reads on after the "<!--" of a script. It returns where the escape ends,
// or the offset of the end tag that closes the script within it.
func escaped(src []byte, i int) (to int, closed bool) {
	dashes, double := 2, false
	for i < len(src) {
		switch c := src[i]; {
		case c == '-':
			dashes++
		case c == '>' && dashes >= 2:
			return i + 1, false
		case c == '<' && closes(src, i, "script"):
			if !double {
				return i, true
			}
			double, dashes = false, 0
			i += len("</script") // and the byte after it, below
		case c == '<' && !double && opens(src, i, "script"):
			double, dashes = true, 0
			i += len("<script")
		default:
			dashes = 0
		}
		i++
	}
	return len(src), false
}
