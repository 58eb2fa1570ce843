package head

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// raw reads the text of an element whose content is no markup, from src[i:], and
// its end tag. It returns the offset after that tag, len(src) where there is none.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-elements-that-contain-only-text
func raw(src []byte, i int, n atom.Atom) int {
	from := i
	if n == atom.Plaintext {
		return len(src)
	}
	if i = endTag(src, i, n.String()); n == atom.Script {
		i = script(src, from, i)
	}
	if i == len(src) {
		return i
	}
	var t token
	t.next(src, i)
	return t.to
}

// endTag returns the offset of the next end tag of that name, len(src) where there is none.
func endTag(src []byte, i int, name string) int {
	for ; ; i++ {
		k := bytes.Index(src[i:], []byte("</"))
		if k < 0 {
			return len(src)
		}
		if i += k; opens(src, i+1, name) {
			return i
		}
	}
}

// opens reports whether name follows src[i] and ends there.
func opens(src []byte, i int, name string) bool {
	j := i + 1 + len(name)
	return j < len(src) && class[src[j]]&stopsName != 0 && Fold(src[i+1:j], name)
}

// script returns the offset of the end tag that closes the script whose text begins at src[i:],
// len(src) where there is none. The next end tag is given. After "<!--" a script in the text hides
// its own end tag, until "-->", which x/net knows.
//
// https://html.spec.whatwg.org/multipage/parsing.html#script-data-state
func script(src []byte, i, end int) int {
	if !bytes.Contains(src[i:end], []byte("<!--")) {
		return end
	}
	for most := 2 * (end - i); ; most *= 2 { // of a script as short as most are, the rest of the page is not copied
		text := src[i:min(i+most, len(src))]
		z := html.NewTokenizer(bytes.NewReader(append([]byte("<script>"), withoutBare(bytes.Clone(text))...)))
		z.Next()
		z.Next()
		if n := len(z.Raw()); n < len(text) || len(text) == len(src)-i {
			return i + n
		}
	}
}

// withoutBare puts another byte in the place of each "<" that begins nothing: in a script's comment
// x/net takes it for the comment's end.
func withoutBare(page []byte) []byte {
	for i := 1; i < len(page); i++ {
		if c := page[i]; page[i-1] == '<' && !letter(c) && c != '/' && c != '!' && c != '?' {
			page[i-1] = '_'
		}
	}
	return page
}
