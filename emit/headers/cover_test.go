package headers

import (
	"math/rand/v2"
	"testing"
)

// randomCover builds a random tree and returns its root.
func randomCover(r *rand.Rand, c *cover, depth int) int32 {
	if depth == 0 || r.IntN(3) == 0 {
		l := leaf{
			label:   int32(r.IntN(5)),
			classes: 1 << r.IntN(3),
			over:    pick(r, 1, 1, 1, never),
			alone:   pick[price](r, 0, 1, 1, missed),
		}
		l.served = l.classes * uint8(r.IntN(2))
		return c.leaf(l)
	}
	var below []int32
	for range 1 + r.IntN(14) {
		below = append(below, randomCover(r, c, depth-1))
	}
	return c.node(below, pick(r, never, 1, 1, 0), uint8(r.IntN(8)&^1))
}

// No rule makes a tree dearer, and looking alike is being alike.
func TestCover_MoreRulesAreNeverDearer(t *testing.T) {
	for seed := range uint64(500) {
		c := newCover()
		root := randomCover(rand.New(rand.NewPCG(seed, 3)), c, 3)
		s := *c.shapes[root]
		if s.leaf != nil {
			continue
		}
		var below []int32
		for _, p := range s.parts {
			for range p.n {
				below = append(below, p.shape)
			}
		}
		if again := c.node(below, s.prefix, s.suffix); again != root {
			t.Fatalf("seed %d: the same parts make another shape", seed)
		}
		with := c.solve(c.node(below, 1, 0xFE), state{}).price
		without := c.solve(c.node(below, never, 0), state{}).price
		if got := c.solve(root, state{}).price; got > without || with > got && s.prefix != 0 {
			t.Errorf("seed %d: %d with all rules, %d as it is, %d without", seed, with, got, without)
		}
	}
}
