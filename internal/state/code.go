package state

import (
	"encoding/binary"

	"metarobots/emit/patch"
)

// A coder appends values to out or, where it reads, takes them from the beginning of rest: what a value is made of is
// said once for both. It neither reflects nor copies, since it is on the way of every page.
type coder struct {
	out   []byte // what is written
	rest  string // what is still to be read
	reads bool
	bad   bool // rest was too short
	// known are shared texts that stood there before, and numbers their places, from 1, for a coder that writes.
	known   []string
	numbers map[string]int
}

// number codes a number that is not negative.
func (c *coder) number(n *uint64) {
	if !c.reads {
		c.out = binary.AppendUvarint(c.out, *n)
		return
	}
	*n = 0
	for i := 0; i < len(c.rest) && i < binary.MaxVarintLen64; i++ {
		*n |= uint64(c.rest[i]&0x7f) << (7 * i)
		if c.rest[i] < 0x80 {
			c.rest = c.rest[i+1:]
			return
		}
	}
	c.bad, c.rest = true, ""
}

// integer codes any number.
func integer[T ~int | ~int32 | ~int64 | ~uint8 | ~uint64](c *coder, n *T) {
	zigzag := uint64(int64(*n)<<1 ^ int64(*n)>>63)
	if c.number(&zigzag); c.reads {
		*n = T(int64(zigzag>>1) ^ -int64(zigzag&1))
	}
}

func (c *coder) flag(b *bool) {
	n := uint64(0)
	if *b {
		n = 1
	}
	c.number(&n)
	*b = n == 1
}

// string codes a text in full.
func (c *coder) text(s *string) {
	n := uint64(len(*s))
	if c.number(&n); !c.reads {
		c.out = append(c.out, *s...)
	} else if n > uint64(len(c.rest)) {
		c.bad, c.rest = true, ""
	} else {
		*s, c.rest = c.rest[:n], c.rest[n:]
	}
}

// shared codes a text that many values may have: its number where it is known.
func (c *coder) shared(s *string) {
	n := uint64(c.numbers[*s])
	if c.number(&n); n == 0 {
		c.text(s)
		c.known = append(c.known, *s)
		if !c.reads {
			c.numbers[*s] = len(c.known)
		}
	} else if c.reads && n <= uint64(len(c.known)) {
		*s = c.known[n-1]
	} else if c.reads {
		c.bad = true
	}
}

// list codes a list, each of whose elements takes a byte at least.
func list[T any](c *coder, all *[]T, code func(*T)) {
	n := uint64(len(*all))
	if c.number(&n); c.reads {
		if n > uint64(len(c.rest)) {
			c.bad, n = true, 0
		}
		if *all = nil; n > 0 {
			*all = make([]T, n)
		}
	}
	for i := range *all {
		code(&(*all)[i])
	}
}

// optional codes what may be missing.
func optional[T any](c *coder, v **T, code func(*T)) {
	there := *v != nil
	if c.flag(&there); !there {
		return
	}
	if c.reads {
		*v = new(T)
	}
	code(*v)
}

func (c *coder) left(l *Left) {
	integer(c, &l.Sum)
	list(c, &l.Patch.Texts, c.shared)
	list(c, &l.Patch.Steps, c.step)
	c.flag(&l.Made)
	c.flag(&l.NoIndex)
}

func (c *coder) step(s *patch.Step) {
	integer(c, &s.Skip)
	integer(c, &s.Old)
	integer(c, &s.New)
}
