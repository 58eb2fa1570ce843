package head

import "bytes"

// A Scanner reads pages, one after another. The zero Scanner is ready to use; what
// it holds is memory for the next page.
type Scanner struct {
	// Relations and Title ask for those of the [Facts] that have these names.
	Relations, Title bool

	// Text is the page that was scanned last, or of one that has an Encoding what it
	// says, with ASCII bytes for ASCII characters.
	Text []byte

	page reading
	lang string // of the last page that said one
	buf  []byte
}

type reading struct {
	facts   Facts
	kind    func(name []byte) Kind
	charset string // label of the first encoding declaration
	opened  bool   // the head is open
	settled bool   // facts.Insert stands after the encoding declaration
	titled  bool   // a title was seen
	work    int    // bytes read of tags that may be metas
	line    int    // how many lines end in Text[:counted]
	counted int
}

// Scan reads src. kind says what the name of a meta is; the name is decoded,
// trimmed and lower case, and is kind's only during the call.
//
// A page without anything that was asked for is scanned without allocating, unless it has an Encoding.
func (s *Scanner) Scan(src []byte, kind func(name []byte) Kind) Facts {
	s.reset(kind)
	body := s.begin(src)
	if encoding := s.page.facts.Encoding; encoding != "" {
		s.reset(kind)
		s.page.facts.Encoding, s.Text = encoding, readable(src, encoding)
		body = s.start()
	}
	if s.candidate(s.Text, body) {
		s.rest(s.Text, body, false)
	}
	f := s.page.facts
	s.page.facts = Facts{} // it is the caller's
	return f
}

// begin reads src up to the end of its head, and returns that offset. Of a page
// with an Encoding it finds out no more than that.
func (s *Scanner) begin(src []byte) (body int) {
	s.Text = src
	if s.page.facts.Encoding = Wide(src); s.page.facts.Encoding != "" {
		return 0
	}
	body = s.start()
	s.page.facts.Encoding = s.stateful(src)
	return body
}

// byteOrderMark is taken off before parsing (https://encoding.spec.whatwg.org/#decode).
const byteOrderMark = "\uFEFF"

// start reads the text up to the end of its head, and returns that offset.
func (s *Scanner) start() (body int) {
	i := 0
	if bytes.HasPrefix(s.Text, []byte(byteOrderMark)) {
		i = len(byteOrderMark)
	}
	return s.head(s.Text, i)
}

// reset makes s new, but for what it is asked for and the memory it holds.
func (s *Scanner) reset(kind func(name []byte) Kind) {
	s.Text, s.page = nil, reading{kind: kind}
}

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
