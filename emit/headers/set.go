package headers

import (
	"iter"
	"math/bits"
)

// set is a set of wants by their places, a bit for each: a map would take more
// than what is told of them.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) add(i int) { s[i/64] |= 1 << (i % 64) }

func (s set) has(i int) bool { return s != nil && s[i/64]&(1<<(i%64)) != 0 }

func (s set) len() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// all returns the members in their order.
func (s set) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for k, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(64*k + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}
