package headers

import (
	"encoding/binary"
	"slices"
)

// The fewest rules for a tree of request paths, in two passes as by Draves, King,
// Venkatachary and Zill, "Constructing Optimal IP Routing Tables"
// (https://www.microsoft.com/en-us/research/publication/constructing-optimal-ip-routing-tables/):
// what a subtree costs under each value that may come down to it, then, from the
// root, the choice that attains it. Subtrees that look alike are one shape and
// are solved once.

// A label stands for a wanted text. Two are none.
const (
	bare  int32 = 0  // no rule of ours applies
	wrong int32 = -1 // a text that nothing below wants
)

// The rules for suffixes at one node are tried in all combinations, so there is
// a limit to them.
const (
	// maxSuffixes is how many suffixes of a site may have rules.
	maxSuffixes = 4
	// maxWork is how many parts are gone through for all states; after that there
	// are rules for fewer suffixes, at last for none.
	maxWork = 4_000_000
	// maxCombinations is how many are tried at a node; what is least wanted is
	// left out.
	maxCombinations = 256
)

// state is the label in force at a place of the tree: at 0 for request paths
// without one of the suffixes, then for those with each.
type state [maxSuffixes + 1]int32

func uniform(label int32) (s state) {
	for k := range s {
		s[k] = label
	}
	return s
}

// price counts rules. A file that goes without its value costs more than any
// number of rules; what no rules can mend is never chosen.
type price = int64

const (
	missed price = 1 << 24
	never  price = 1 << 50
)

func times(p price, n int32) price {
	if p >= never {
		return never
	}
	return min(never, p*price(n))
}

// leaf is one request path, or a few that one exact rule names.
type leaf struct {
	label   int32 // what it wants; bare where no rule can give it that
	classes uint8 // the suffixes its paths have, as bits of state
	served  uint8 // of these, the ones right under no rule of ours
	// What its own rule costs under no rule of ours, and under a wrong one.
	alone, over price
}

// right reports whether a state gives a leaf what it wants, and whether no rule
// of ours has a part in it.
func (l *leaf) right(s state) (right, untouched bool) {
	right, untouched = true, true
	for k, label := range s {
		bit := uint8(1) << k
		switch {
		case l.classes&bit == 0:
		case label == bare:
			right = right && l.served&bit != 0
		default:
			untouched = false
			right = right && label == l.label
		}
	}
	return right, untouched
}

func (l *leaf) rightUnder(s state) bool {
	right, _ := l.right(s)
	return right
}

func (l *leaf) price(s state) price {
	right, untouched := l.right(s)
	switch {
	case right:
		return 0
	case untouched:
		return l.alone
	}
	return l.over
}

// How a node's prefix rule can be written.
type prefixKind uint8

const (
	noPrefix prefixKind = iota
	// ownPrefix is a rule of ours.
	ownPrefix
	// mergedPrefix are lines in a block of the user's. They cost no rule, but
	// stand before ours, so no rule of ours may be more general.
	mergedPrefix
)

// part is a number of subtrees of one shape.
type part struct{ shape, n int32 }

// wanted counts the leaves of a subtree that want a label: all, and those with
// each suffix.
type wanted struct {
	label int32
	n     [maxSuffixes + 1]int32
}

// choice is what to write at a node.
type choice struct {
	price  price
	prefix int32 // label, or bare for no rule
	suffix state // from 1; bare for no rule
}

// shape is what subtrees that look alike have in common.
type shape struct {
	leaf    *leaf // then the rest is not set, but for classes and wants
	parts   []part
	prefix  prefixKind
	suffix  uint8 // the suffixes that may have a rule here, as bits of state
	classes uint8
	wants   []wanted // in order of their labels
	options [maxSuffixes + 1][]int32

	memo  map[state]choice
	reset *choice // the best with a prefix rule
	// by lists for each label the parts that want it; under another label all
	// parts cost sum, without those of which any costs never.
	by     map[int32][]int32
	sum    price
	nevers int
}

// cover holds the shapes of a tree.
type cover struct {
	shapes []shape
	leaves map[leaf]int32
	nodes  map[string]int32
	key    []byte // room for one
	few    int    // parts that are gone through without a list
	work   int    // parts gone through
	limit  int    // of work; 0: none
}

// spent reports whether the work was more than the limit: then no answer counts.
func (c *cover) spent() bool { return c.limit > 0 && c.work > c.limit }

func newCover() *cover {
	return &cover{leaves: make(map[leaf]int32), nodes: make(map[string]int32), few: 8}
}

// leaf returns the shape of a leaf.
func (c *cover) leaf(l leaf) int32 {
	id, ok := c.leaves[l]
	if !ok {
		id = int32(len(c.shapes))
		c.leaves[l] = id
		s := shape{leaf: &l, classes: l.classes}
		if l.label > bare {
			w := wanted{label: l.label}
			for k := range w.n {
				if k == 0 || l.classes&(1<<k) != 0 {
					// No rule of its own: a more general one is not in vain.
					if w.n[k] = 1; l.over == never || l.alone >= missed {
						w.n[k] = 2
					}
				}
			}
			s.wants = []wanted{w}
		}
		c.shapes = append(c.shapes, s)
	}
	return id
}

// node returns the shape of a node with the given shapes below it.
func (c *cover) node(below []int32, prefix prefixKind, suffix uint8) int32 {
	slices.Sort(below)
	key := append(c.key[:0], byte(prefix), suffix)
	for i, id := range below {
		if i == 0 || id != below[i-1] {
			n := 1
			for i+n < len(below) && below[i+n] == id {
				n++
			}
			key = binary.LittleEndian.AppendUint32(key, uint32(id))
			key = binary.LittleEndian.AppendUint32(key, uint32(n))
		}
	}
	c.key = key
	if id, ok := c.nodes[string(key)]; ok {
		return id
	}
	var parts []part
	for key = key[2:]; len(key) > 0; key = key[8:] {
		parts = append(parts, part{int32(binary.LittleEndian.Uint32(key)), int32(binary.LittleEndian.Uint32(key[4:]))})
	}
	key = c.key
	id := int32(len(c.shapes))
	c.nodes[string(key)] = id
	s := shape{parts: parts, prefix: prefix, suffix: suffix, memo: make(map[state]choice)}
	at := make(map[int32]int)
	for _, p := range parts {
		s.classes |= c.shapes[p.shape].classes
		for _, w := range c.shapes[p.shape].wants {
			i, ok := at[w.label]
			if !ok {
				i = len(s.wants)
				at[w.label] = i
				s.wants = append(s.wants, wanted{label: w.label})
			}
			for k := range w.n {
				s.wants[i].n[k] += w.n[k] * p.n
			}
		}
	}
	slices.SortFunc(s.wants, func(a, b wanted) int { return int(a.label - b.label) })
	s.pickOptions()
	c.shapes = append(c.shapes, s)
	return id
}

// pickOptions lists the labels that rules for suffixes may carry: those that
// more than one leaf wants.
func (s *shape) pickOptions() {
	suffixes := 0
	for k := 1; k <= maxSuffixes; k++ {
		if s.suffix&s.classes&(1<<k) == 0 {
			continue
		}
		for _, w := range s.wants {
			if w.n[k] > 1 {
				s.options[k] = append(s.options[k], w.label)
			}
		}
		if len(s.options[k]) > 0 {
			suffixes++
		}
	}
	each := [maxSuffixes + 1]int{maxCombinations, maxCombinations - 1, 15, 5, 3}[suffixes] // and none
	for k, labels := range s.options {
		if len(labels) > each {
			n := make(map[int32]int32, len(s.wants))
			for _, w := range s.wants {
				n[w.label] = w.n[k]
			}
			slices.SortStableFunc(labels, func(a, b int32) int { return int(n[b] - n[a]) })
			s.options[k] = labels[:each]
			slices.Sort(s.options[k])
		}
	}
}

// normal makes states equal that mean the same to a shape.
func (s *shape) normal(st state) state {
	for k, label := range st {
		switch {
		case s.classes&(1<<k) == 0:
			st[k] = bare
		case label > bare && !s.has(label):
			st[k] = wrong
		}
	}
	return st
}

func (s *shape) has(label int32) bool {
	_, ok := slices.BinarySearchFunc(s.wants, label, func(w wanted, l int32) int { return int(w.label - l) })
	return ok
}

// solve returns the best choice for a shape under a state.
func (c *cover) solve(id int32, st state) choice {
	s := &c.shapes[id]
	switch {
	case s.leaf != nil:
		return choice{price: s.leaf.price(st)}
	case c.spent():
		return choice{}
	}
	st = s.normal(st)
	if best, ok := s.memo[st]; ok {
		return best
	}
	// Of equal choices the first stays, which is the narrowest: rules further
	// down, then suffixes, then a prefix.
	best := choice{price: c.below(s, st)}
	c.suffixes(s, st, choice{}, 1, &best)
	if s.prefix == ownPrefix || s.prefix == mergedPrefix && st == s.normal(state{}) {
		if r := c.bestReset(s); r.price < best.price {
			best = r
		}
	}
	s.memo[st] = best
	return best
}

// bestReset returns the best choice with a prefix rule. It does not depend on
// what comes down.
func (c *cover) bestReset(s *shape) choice {
	if s.reset != nil {
		return *s.reset
	}
	best := choice{price: never}
	rule := price(1)
	if s.prefix == mergedPrefix {
		rule = 0
	}
	for _, w := range s.wants {
		if w.n[0] < 2 {
			continue // its own rule does as well
		}
		st := s.normal(uniform(w.label))
		ch := choice{price: rule, prefix: w.label}
		if p := min(never, rule+c.below(s, st)); p < best.price {
			best = ch
			best.price = p
		}
		c.suffixes(s, st, ch, 1, &best)
	}
	s.reset = &best
	return best
}

// suffixes adds rules for suffixes from k on to a choice, whose price is that of
// its rules so far, and keeps what is better than the best.
func (c *cover) suffixes(s *shape, st state, ch choice, k int, best *choice) {
	for ; k <= maxSuffixes; k++ {
		for _, label := range s.options[k] {
			if c.spent() {
				return
			}
			if label == st[k] || ch.price+1 >= best.price {
				continue
			}
			next, with := st, ch
			next[k], with.suffix[k] = label, label
			with.price++
			if p := min(never, with.price+c.below(s, next)); p < best.price {
				*best = with
				best.price = p
			}
			c.suffixes(s, next, with, k+1, best)
		}
	}
}

// below returns what the parts of a shape cost under a state.
func (c *cover) below(s *shape, st state) price {
	touched := true
	for k, label := range st {
		touched = touched && (label != bare || s.classes&(1<<k) == 0)
	}
	if !touched || len(s.parts) < c.few {
		c.work += len(s.parts)
		sum := price(0)
		for _, p := range s.parts {
			if sum += times(c.solve(p.shape, st).price, p.n); sum >= never {
				return never
			}
		}
		return sum
	}
	c.list(s)
	var parts []int32
	for k, label := range st {
		if !slices.Contains(st[:k], label) {
			parts = append(parts, s.by[label]...)
		}
	}
	slices.Sort(parts)
	c.work += 1 + len(parts)
	sum, nevers := s.sum, s.nevers
	for _, i := range slices.Compact(parts) {
		p := s.parts[i]
		if was := times(c.solve(p.shape, uniform(wrong)).price, p.n); was >= never {
			nevers--
		} else {
			sum -= was
		}
		is := times(c.solve(p.shape, st).price, p.n)
		if is >= never {
			return never
		}
		sum += is
	}
	if nevers > 0 {
		return never
	}
	return min(never, sum)
}

// list prepares a shape of many parts: of them only those that want a label can
// tell it from any other.
func (c *cover) list(s *shape) {
	if s.by != nil {
		return
	}
	s.by = make(map[int32][]int32)
	for i, p := range s.parts {
		for _, w := range c.shapes[p.shape].wants {
			s.by[w.label] = append(s.by[w.label], int32(i))
		}
		if was := times(c.solve(p.shape, uniform(wrong)).price, p.n); was >= never {
			s.nevers++
		} else {
			s.sum += was
		}
	}
}
