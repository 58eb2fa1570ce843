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
		if i = indexMeta(src, i); i < 0 {
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

// apart returns eight bytes; one is zero where a holds a "<" and b an "m" or "M".
func apart(a, b uint64) uint64 {
	return (a ^ '<'*ones) | ((b | 0x20*ones) ^ 'm'*ones)
}

// indexMeta returns the offset of the next "<m" in any case at or after i, -1 where there is none. It looks at sixteen
// bytes at a time: a body has a "<" for every thirty bytes, too many to stop at each.
func indexMeta(src []byte, i int) int {
	for ; i+17 <= len(src); i += 16 {
		s := src[i : i+17 : i+17]
		v := apart(binary.LittleEndian.Uint64(s), binary.LittleEndian.Uint64(s[1:]))
		w := apart(binary.LittleEndian.Uint64(s[8:]), binary.LittleEndian.Uint64(s[9:]))
		if ((v-ones)&^v|(w-ones)&^w)&highs != 0 { // a byte of v or w is zero
			break
		}
	}
	for ; i+1 < len(src); i++ {
		if src[i] == '<' && src[i+1]|0x20 == 'm' {
			return i
		}
	}
	return -1
}
