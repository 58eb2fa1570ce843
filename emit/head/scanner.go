// Package head finds the robots metas and the canonical links of an HTML page and exchanges them,
// leaving every other byte of the page as it was.
//
// A meta counts only where the HTML standard's tree construction makes an element of it
// (https://html.spec.whatwg.org/multipage/parsing.html#tree-construction, scripting enabled): not
// in a comment, a script, a style, a title, a template or a noscript. The standard also says where
// the head ends, and that is seldom where "</head>" is: the first text, the first element that
// cannot be in a head, ends it.
//
// The work is done in two parts. The head is read by a short loop (head.go) that knows the
// insertion modes before, in and after the head, allocates only what it takes in, and stops at the
// head's end. The
// rest of the page is only searched for the bytes of a meta the caller asked for. Where such bytes
// exist, golang.org/x/net/html makes the tree of the page, with a mark in each meta, and the marks
// that become attributes of a meta in the tree tell which are real: only a tree can tell a meta in
// a style from one in the style of an svg. A page that it makes none of, or too large a one, is
// read tag by tag.
//
// # Words of this package
//
//   - An offset is a place in the bytes of the page, src; src[i:] is the page from i on. A tag is
//     src[from:to], and its attributes begin at attrs, where its name ends.
//   - A token is what the standard's tokenizer makes of the bytes at an offset: text, a start or
//     end tag, a comment, a doctype. atom is x/net's number for a name of HTML; 0 is any other
//     name.
//   - Raw text is what elements such as script and title hold: no markup. raw returns where it
//     ends, behind the end tag.
//   - Foreign is what svg and math hold, where HTML's rules do not apply.
//   - The fields of a meta are those of its attributes that matter here, each an [Attr]: Given says
//     that it is there, and s.value is what it says, decoded.
//   - Asked for is a meta whose name the caller's kind function calls Robots or Inert ([Kind]), or,
//     of [Scanner.Elements], a tag that the caller's function wants.
//   - A [Mistake] is how a meta differs from the one that its author meant, as name="robot".
//   - s.page is what is known of the page so far: its facts, and what only the scan needs. The head
//     is open once something has opened it; Insert is where.
//   - An [Element] is the start tag of an element; it breaks if it may have ended an svg or math.
//   - x/net is golang.org/x/net/html, which makes the tree of a page.
package head

import "bytes"

// A Scanner reads pages, one after another. The zero Scanner is ready to use; what
// it holds is memory for the next page.
type Scanner struct {
	// Relations and Title ask for those of the [Facts] that have these names.
	Relations, Title, Snippets bool

	// Text is the page that was scanned last, or of one that has an Encoding what it
	// says, with ASCII bytes for ASCII characters.
	Text []byte

	page      reading
	relations []Relation // of the page that is being read
	lang      string     // of the last page that said one
	buf       []byte
}

type reading struct {
	facts   Facts
	kind    func(name []byte) Kind
	charset string // label of the first encoding declaration
	opened  bool   // the head is open
	titled  bool   // a title was seen
	based   bool   // a base element with an address was seen
	// areAllMetasTaken: those of the body were taken in with the head, which has a template.
	areAllMetasTaken bool

	work int // bytes read of tags that may be metas
	// metaBytes are those of the metas of each kind.
	metaBytes [Inert + 1]int
	line      int // how many lines end in Text[:counted]
	counted   int
}

// Scan reads src. kind says what the name of a meta is; the name is decoded,
// trimmed and lower case, and is kind's only during the call.
//
// A page without anything that was asked for is scanned without allocating, unless it has an
// Encoding.
func (s *Scanner) Scan(src []byte, kind func(name []byte) Kind) Facts {
	body := s.begin(src, kind)
	if encoding := s.page.facts.Encoding; encoding != "" {
		s.reset(readable(src, encoding), kind)
		s.page.facts.Encoding = encoding
		body = s.head()
	}
	mayHoldMeta, mayIgnoreSnippets := s.search(s.Text, body)
	if mayHoldMeta {
		s.rest(s.Text, body, headIsOver)
	}
	if mayIgnoreSnippets {
		s.snippets(s.Text, body)
	}
	f := s.page.facts
	f.Relations = append(f.Relations, s.relations...) // of just their size
	s.page.facts = Facts{}                            // it is the caller's
	return f
}

// begin resets s, reads src up to the end of its head, and returns that offset. Of a page with an
// Encoding it finds out no more than that.
func (s *Scanner) begin(src []byte, kind func(name []byte) Kind) (body int) {
	s.reset(src, kind)
	if s.page.facts.Encoding = Wide(src); s.page.facts.Encoding == "" {
		body = s.head()
		s.page.facts.Encoding = s.stateful(src)
	}
	return body
}

// reset makes s as new for a page, except what it is asked for and the memory it holds.
func (s *Scanner) reset(text []byte, kind func(name []byte) Kind) {
	s.Text, s.page, s.relations = text, reading{kind: kind}, s.relations[:0]
}

// byteOrderMark is taken off before parsing (https://encoding.spec.whatwg.org/#decode).
const byteOrderMark = "\uFEFF"

// lineOf returns the line of an offset that is not before the last one asked for.
func (s *Scanner) lineOf(offset int) int {
	s.page.line += bytes.Count(s.Text[s.page.counted:offset], []byte("\n"))
	s.page.counted = offset
	return 1 + s.page.line
}

// Line returns the 1-based line of an offset.
func Line(src []byte, offset int) int {
	return 1 + bytes.Count(src[:max(0, min(offset, len(src)))], []byte("\n"))
}
