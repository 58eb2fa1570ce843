package head

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// search looks through a body, src[i:], for what the tree of the page has to be made for: a meta
// that was asked for, and data-nosnippet on an element on which Google does not read it. It answers
// for both by the bytes alone, whatever they are in the tree: false is sure, true is not. Of metas
// it finds none if all have been taken in before.
func (s *Scanner) search(src []byte, i int) (mayHoldMeta, mayIgnoreSnippets bool) {
	metas := metaSearch{scanner: s, src: src, bytesLeft: 4 * len(src), isOver: s.page.areAllMetasTaken}
	snippets := snippetSearch{src: src, from: i, isOver: !s.Snippets}
	for at := indexTA(src, i); at >= 0; at = indexTA(src, at+1) {
		if begin := at - len("<me"); begin >= i && !metas.isOver && src[begin] == '<' {
			metas.look(begin)
		}
		if begin := at - len("da"); begin >= i && !snippets.isOver {
			snippets.look(begin)
		}
		if metas.isOver && snippets.isOver {
			break
		}
	}
	return metas.mayHold, snippets.mayHold
}

// A metaSearch looks for a "<meta" that would be an asked meta if it were markup. What a tag says
// does not depend on what comes before it; only whether it is one does.
type metaSearch struct {
	scanner   *Scanner
	src       []byte
	bytesLeft int // to read: tags may be within tags, each to be read to the end of them all
	token     token
	isOver    bool
	mayHold   bool // also if it gave up
}

// look looks at a tag that begins at an offset.
func (m *metaSearch) look(begin int) {
	if !opens(m.src, begin, "meta") {
		return
	}
	t := &m.token
	t.next(m.src, begin)
	m.scanner.page.work += t.to - begin
	if m.bytesLeft -= t.to - begin; m.bytesLeft < 0 {
		m.isOver, m.mayHold = true, true
		return
	}
	if t.kind == start {
		if f := read(m.src, t.attrs); m.scanner.identify(&f) != (asked{}) {
			m.isOver, m.mayHold = true, true
		}
	}
}

// A snippetSearch looks for data-nosnippet behind the name of an element on which Google does not
// read it.
type snippetSearch struct {
	src     []byte
	from    int // the end of the last such name, or the beginning of the body
	isOver  bool
	mayHold bool
}

// look looks at the name of an attribute that begins at an offset.
func (s *snippetSearch) look(begin int) {
	end := begin + len(noSnippet)
	if end > len(s.src) || !Fold(s.src[begin:end], noSnippet) {
		return
	}
	before := s.src[s.from:begin]
	s.from = end
	open := bytes.LastIndexByte(before, '<')
	if open < 0 {
		return
	}
	name := before[open+1:]
	for i, c := range name {
		if class[c]&stopsName != 0 {
			name = name[:i]
			break
		}
	}
	if len(name) > 0 && letter(name[0]) && !readsSnippet(lookup(name)) {
		s.isOver, s.mayHold = true, true
	}
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// indexTA returns the offset of the next "ta" at or after i, in any case, -1 if there is none. Both
// "<meta" and "data-nosnippet" have it, so one pass finds both: to go through the bodies twice was
// an eighth of a check. It compares sixteen pairs of bytes at a time, since a body has a "<" for
// every thirty bytes and a "t" for every fifteen: too many to stop at each.
func indexTA(src []byte, i int) int {
	for ; i+17 <= len(src); i += 16 {
		s := src[i : i+17 : i+17]
		v := withoutTA(binary.LittleEndian.Uint64(s), binary.LittleEndian.Uint64(s[1:]))
		w := withoutTA(binary.LittleEndian.Uint64(s[8:]), binary.LittleEndian.Uint64(s[9:]))
		if zeros := (v - ones) &^ v & highs; zeros != 0 {
			return i + bits.TrailingZeros64(zeros)/8
		}
		if zeros := (w - ones) &^ w & highs; zeros != 0 {
			return i + 8 + bits.TrailingZeros64(zeros)/8
		}
	}
	for ; i+1 < len(src); i++ {
		if src[i]|0x20 == 't' && src[i+1]|0x20 == 'a' {
			return i
		}
	}
	return -1
}

// withoutTA returns eight bytes; one is zero if the byte there is a "t" in a and an "a" in b, in
// any case. The lowest of the bits that (x - ones) &^ x & highs leaves is that of the first zero
// byte.
func withoutTA(a, b uint64) uint64 {
	return ((a | 0x20*ones) ^ 't'*ones) | ((b | 0x20*ones) ^ 'a'*ones)
}
