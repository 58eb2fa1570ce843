package headers

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// The fewest rules for a tree of request paths, in two passes as by Draves, King, Venkatachary and Zill, "Constructing
// Optimal IP Routing Tables"
// (https://www.microsoft.com/en-us/research/publication/constructing-optimal-ip-routing-tables/): what a subtree costs
// under each value that may come down to it, then, from the root, the choice that attains it. Subtrees that look alike
// are one shape and are solved once.

// A label stands for a wanted text. Two are none.
const (
	bare  int32 = 0  // no rule of ours applies
	wrong int32 = -1 // a text that nothing below wants
)

// The rules for suffixes at one node are tried in all combinations, so there is a limit to them.
const (
	// maxSuffixes is how many suffixes of a site may have rules.
	maxSuffixes = 4
	// maxWork is how many parts are gone through for all states; after that there are rules for fewer suffixes, at last
	// for none.
	maxWork = 4_000_000
	// maxCombinations is how many are tried at a node; what is least wanted is left out.
	maxCombinations = 256
)

// state is the label in force at a place of the tree: at 0 for request paths without one of the suffixes, then for
// those with each.
type state [maxSuffixes + 1]int32

func uniform(label int32) (s state) {
	for k := range s {
		s[k] = label
	}
	return s
}

// price counts rules. A file that goes without its value costs more than any number of rules; what no rules can mend is
// never chosen.
type price = int64

const (
	missed price = 1 << 20
	never  price = 1 << 40
)

// leaf is one request path, or a few that one exact rule names.
type leaf struct {
	label   int32 // what it wants; bare where no rule can give it that
	classes uint8 // the suffixes its paths have, as bits of state
	served  uint8 // of these, the ones right under no rule of ours
	// What its own rule costs under no rule of ours, and under a wrong one.
	alone, over price
}

// right reports whether a state gives a leaf what it wants, and whether no rule of ours has a part in it.
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

// shape is what subtrees that look alike have in common.
type shape struct {
	leaf  *leaf // then the rest is not set, but for classes and wants
	parts []part
	// prefix is what a prefix rule costs here: never where there can be none, nothing where its lines go into a block
	// of the user's. That stands before ours, so no rule of ours may be more general.
	prefix  price
	suffix  uint8 // the suffixes that may have a rule here, as bits of state
	classes uint8
	wants   map[int32]counts
	// options are the labels that a prefix rule may carry, then those of the rule for each suffix.
	options [maxSuffixes + 1][]int32

	memo  map[state]choice
	reset *choice // the best with a prefix rule
}

// part is a number of subtrees of one shape.
type part struct{ shape, n int32 }

// counts are how many leaves of a subtree want a label: all, and those with each suffix.
type counts [maxSuffixes + 1]int32

// choice is what to write at a node.
type choice struct {
	price price
	// label is that of the prefix rule, then those of the rules for suffixes; bare for no rule.
	label state
}

// cover holds the shapes of a tree.
type cover struct {
	shapes []*shape
	leaves map[leaf]int32
	nodes  map[string]int32
	key    []byte // room for one
	work   int    // parts gone through
	limit  int    // of work; 0: none
}

func newCover() *cover { return &cover{leaves: make(map[leaf]int32), nodes: make(map[string]int32)} }

// spent reports whether the work was more than the limit: then no answer counts.
func (c *cover) spent() bool { return c.limit > 0 && c.work > c.limit }

// leaf returns the shape of a leaf.
func (c *cover) leaf(l leaf) int32 {
	if id, ok := c.leaves[l]; ok {
		return id
	}
	s := &shape{leaf: &l, classes: l.classes}
	if l.label > bare {
		n, all := int32(1), counts{}
		if l.over == never || l.alone >= missed {
			n = 2 // no rule of its own: a more general one is not in vain
		}
		for k := range all {
			if k == 0 || l.classes&(1<<k) != 0 {
				all[k] = n
			}
		}
		s.wants = map[int32]counts{l.label: all}
	}
	c.shapes = append(c.shapes, s)
	c.leaves[l] = int32(len(c.shapes) - 1)
	return c.leaves[l]
}

// node returns the shape of a node with the given shapes below it.
func (c *cover) node(below []int32, prefix price, suffix uint8) int32 {
	slices.Sort(below)
	c.key = append(c.key[:0], byte(min(prefix, 2)), suffix)
	for _, id := range below {
		c.key = binary.LittleEndian.AppendUint32(c.key, uint32(id))
	}
	if id, ok := c.nodes[string(c.key)]; ok {
		return id
	}
	s := &shape{prefix: prefix, suffix: suffix, wants: make(map[int32]counts), memo: make(map[state]choice)}
	for i, id := range below {
		if i == 0 || id != below[i-1] {
			s.parts = append(s.parts, part{shape: id})
		}
		s.parts[len(s.parts)-1].n++
	}
	for _, p := range s.parts {
		s.classes |= c.shapes[p.shape].classes
		for label, n := range c.shapes[p.shape].wants {
			sum := s.wants[label]
			for k := range n {
				sum[k] += n[k] * p.n
			}
			s.wants[label] = sum
		}
	}
	s.pickOptions()
	id := int32(len(c.shapes))
	c.shapes = append(c.shapes, s)
	c.nodes[string(c.key)] = id
	return id
}

// pickOptions lists the labels that rules may carry, in their order: those that more than one leaf wants, since a
// leaf's own rule does as well.
func (s *shape) pickOptions() {
	suffixes := 0
	for k := range s.options {
		if k > 0 && s.suffix&s.classes&(1<<k) == 0 || k == 0 && s.prefix == never {
			continue
		}
		for label, n := range s.wants {
			if n[k] > 1 {
				s.options[k] = append(s.options[k], label)
			}
		}
		if k > 0 && len(s.options[k]) > 0 {
			suffixes++
		}
	}
	each := [...]int{1, maxCombinations - 1, 15, 5, 3}[suffixes] // and none
	for k, labels := range s.options {
		slices.SortFunc(labels, func(a, b int32) int {
			return cmp.Or(cmp.Compare(s.wants[b][k], s.wants[a][k]), cmp.Compare(a, b))
		})
		most := each
		if k == 0 {
			most = maxCombinations
		}
		s.options[k] = labels[:min(len(labels), most)]
		slices.Sort(s.options[k])
	}
}

// normal makes states equal that mean the same to a shape.
func (s *shape) normal(st state) state {
	for k, label := range st {
		if s.classes&(1<<k) == 0 {
			st[k] = bare
		} else if label > bare && s.wants[label] == (counts{}) {
			st[k] = wrong
		}
	}
	return st
}

// solve returns the best choice for a shape under a state.
func (c *cover) solve(id int32, st state) choice {
	s := c.shapes[id]
	if s.leaf != nil {
		return choice{price: s.leaf.price(st)}
	}
	st = s.normal(st)
	best, ok := s.memo[st]
	if ok || c.spent() {
		return best
	}
	// Of equal choices the first stays, which is the narrowest: rules further down, then suffixes, then a prefix.
	best = choice{price: c.below(s, st)}
	c.suffixes(s, st, choice{}, 1, &best)
	if s.prefix > 0 || st == (state{}) {
		if r := c.bestReset(s); r.price < best.price {
			best = r
		}
	}
	s.memo[st] = best
	return best
}

// bestReset returns the best choice with a prefix rule. It does not depend on what comes down.
func (c *cover) bestReset(s *shape) choice {
	if s.reset != nil {
		return *s.reset
	}
	best := choice{price: never}
	for _, label := range s.options[0] {
		st, ch := uniform(label), choice{s.prefix, state{label}}
		if p := ch.price + c.below(s, st); p < best.price {
			best = choice{p, ch.label}
		}
		c.suffixes(s, st, ch, 1, &best)
	}
	s.reset = &best
	return best
}

// suffixes adds rules for suffixes from k on to a choice, whose price is that of its rules so far, and keeps what is
// better than the best.
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
			next[k], with.label[k] = label, label
			with.price++
			if p := with.price + c.below(s, next); p < best.price {
				*best = choice{p, with.label}
			}
			c.suffixes(s, next, with, k+1, best)
		}
	}
}

// below returns what the parts of a shape cost under a state.
func (c *cover) below(s *shape, st state) (sum price) {
	c.work += len(s.parts)
	for _, p := range s.parts {
		if sum += c.solve(p.shape, st).price * price(p.n); sum >= never {
			return never
		}
	}
	return sum
}
