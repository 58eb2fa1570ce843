package head

import (
	"bytes"

	"golang.org/x/net/html/atom"
)

// A kind is the sort of a token.
type kind uint8

const (
	eof     kind = iota // the end of the page; a tag cut off there is dropped by the standard
	text                // characters
	start               // <name …>
	end                 // </name …>
	comment             // a comment of any form, and "</>", which is nothing at all
	doctype             // <!doctype …>
)

// A token is one token of the page, by offsets.
type token struct {
	kind     kind
	name     atom.Atom // of a tag; 0 for one that HTML does not know
	cut      bool      // the page ended within it
	from, to int       // the token is src[from:to]
	attrs    int       // where a tag's name ends, and its attributes begin; of a tag alone
}

// class is what a byte can be in a tag.
var class = func() (c [256]uint8) {
	for _, b := range []byte(" \t\n\f\r") {
		c[b] = isSpace | stopsName | stopsAttr | stopsValue
	}
	c['/'] = stopsName | stopsAttr
	c['>'] = stopsName | stopsAttr | stopsValue
	c['='] = stopsAttr
	for b := byte('a'); b <= 'z'; b++ {
		c[b], c[b-'a'+'A'] = isLetter, isLetter
	}
	return c
}()

const (
	isSpace    = 1 << iota // ASCII white space
	stopsName              // ends a tag's name
	stopsAttr              // ends an attribute's name
	stopsValue             // ends an unquoted value
	isLetter               // an ASCII letter
)

func space(c byte) bool { return class[c]&isSpace != 0 }

func letter(c byte) bool { return class[c]&isLetter != 0 }

func skipSpace(src []byte, i int) int {
	for i < len(src) && space(src[i]) {
		i++
	}
	return i
}

// next reads the token at src[i:] into t, as the standard's tokenizer does in its data state, where
// "<" may begin markup: what a script and its like hold is not to be read by next, the caller skips
// it by raw. It fills in kind, name, from, to and cut of t, and attrs if the kind is start or end.
//
//	<p …>                                        start
//	</p …>                                       end
//	<!doctype …>                                 doctype
//	<!-- … -->, <! …>, <? …>, </1>, </>          comment
//	all else; at the page's end "<" and "</"     text, up to the next "<" before a letter, !, / or ?
//	the page's end, i >= len(src)                eof, where from and to are len(src)
//	a tag that the page's end cuts off           eof with cut, where from is its "<"
//	a comment or doctype that it cuts off        its kind with cut
//
// https://html.spec.whatwg.org/multipage/parsing.html#data-state
func (t *token) next(src []byte, i int) {
	t.cut, t.name, t.from, t.to = false, 0, i, len(src)
	if i >= len(src) {
		t.kind, t.from = eof, len(src)
		return
	}
	if src[i] != '<' || i+1 == len(src) {
		t.text(src)
		return
	}
	switch c, isLast := src[i+1], i+2 == len(src); {
	case letter(c):
		t.kind = start
		t.tag(src, i+1)
	case c == '/' && !isLast && letter(src[i+2]):
		t.kind = end
		t.tag(src, i+2)
	case c == '/' && !isLast: // "</1>", and "</>", which ends at its own ">"
		t.bogus(src, comment)
	case c == '!' && bytes.HasPrefix(src[i+2:], []byte("--")):
		t.comment(src)
	case c == '!' && len(src) >= i+9 && Fold(src[i+2:i+9], "doctype"):
		t.bogus(src, doctype) // a ">" ends it even within a quoted identifier
	case c == '!', c == '?':
		t.bogus(src, comment)
	default: // "<1", or "</" as the last of the page
		t.text(src)
	}
}

// text reads text whose first byte is at t.from, up to the next "<" that can begin something else:
// a "</" at the page's end does not, and is text by itself.
func (t *token) text(src []byte) {
	j := t.from + 1
	for j < len(src) {
		k := bytes.IndexByte(src[j:], '<')
		if k < 0 {
			j = len(src)
			break
		}
		j += k
		if j+1 < len(src) {
			if c := src[j+1]; letter(c) || c == '!' || c == '/' || c == '?' {
				break
			}
		}
		j++
	}
	t.kind, t.to = text, j
}

// tag reads a tag whose name begins at n, for next, which has set the kind. A tag that the end of
// the page cuts off is no token, so its kind becomes eof.
func (t *token) tag(src []byte, n int) {
	j := n + 1
	for j < len(src) && class[src[j]]&stopsName == 0 {
		j++
	}
	t.attrs, t.name = j, lookup(src[n:j])
	if t.to = Attrs(src, j, nil); t.to < 0 {
		t.kind, t.cut, t.to = eof, true, len(src)
	}
}

// bogus reads a token of kind k up to its first ">": a comment in another form than "<!--", a
// processing instruction, a doctype. If there is none, the token is cut.
func (t *token) bogus(src []byte, k kind) {
	t.kind = k
	n := bytes.IndexByte(src[t.from+2:], '>')
	if t.cut = n < 0; !t.cut {
		t.to = t.from + 2 + n + 1
	}
}

// comment reads what begins with "<!--": it ends at "-->", whose dashes may be those of the
// beginning, as in "<!-->", or at "--!>" if that comes first. If there is neither, it is cut.
//
// https://html.spec.whatwg.org/multipage/parsing.html#comment-start-state
func (t *token) comment(src []byte) {
	t.kind = comment
	n := bytes.Index(src[t.from+len("<!"):], []byte("-->"))
	if t.cut = n < 0; !t.cut {
		t.to = t.from + len("<!") + n + len("-->")
	}
	begin := t.from + len("<!--")
	if n := bytes.Index(src[begin:t.to], []byte("--!>")); n >= 0 {
		t.cut, t.to = false, begin+n+len("--!>")
	}
}

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
