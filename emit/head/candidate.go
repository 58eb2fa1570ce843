package head

import "encoding/binary"

// candidate reports whether src[i:] holds a "<meta" that would be an asked meta if it
// were markup. What a tag says does not depend on what comes before it; only whether it
// is one does. So a body without a candidate holds no meta and need not be parsed.
//
// Of tags within tags, each read to the end of them all, it gives up after a while.
func (s *Scanner) candidate(src []byte, i int) bool {
	budget := 4 * len(src)
	var t token
	for ; ; i++ {
		if i = tagOfMeta.index(src, i); i < 0 {
			return false
		}
		if !opens(src, i, "meta") {
			continue
		}
		t.next(src, i)
		s.page.work += t.to - i
		if budget -= t.to - i; budget < 0 {
			return true
		}
		if t.kind == start {
			if f := read(src, t.attrs); s.identify(&f) != (asked{}) {
				return true
			}
		}
	}
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// A pair is a character that is no letter and the letter behind it, each eight times, the letter in
// lower case.
type pair struct{ first, letter uint64 }

func newPair(first, letter byte) pair { return pair{uint64(first) * ones, uint64(letter) * ones} }

var tagOfMeta = newPair('<', 'm')

// apart returns eight bytes; one is zero where a holds the first character and b the letter, in any
// case.
func (p pair) apart(a, b uint64) uint64 { return (a ^ p.first) | ((b | 0x20*ones) ^ p.letter) }

// index returns the offset of the next pair at or after i, -1 where there is none. It looks at
// sixteen bytes at a time: a body has a "<" for every thirty bytes, too many to stop at each.
func (p pair) index(src []byte, i int) int {
	for ; i+17 <= len(src); i += 16 {
		s := src[i : i+17 : i+17]
		v := p.apart(binary.LittleEndian.Uint64(s), binary.LittleEndian.Uint64(s[1:]))
		w := p.apart(binary.LittleEndian.Uint64(s[8:]), binary.LittleEndian.Uint64(s[9:]))
		if ((v-ones)&^v|(w-ones)&^w)&highs != 0 { // a byte of v or w is zero
			break
		}
	}
	for ; i+1 < len(src); i++ {
		if src[i] == byte(p.first) && src[i+1]|0x20 == byte(p.letter) {
			return i
		}
	}
	return -1
}
