package headers

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
)

// The fewest rules for a tree of folders, in two passes as by Draves, King, Venkatachary and Zill, "Constructing Optimal
// IP Routing Tables"
// (https://www.microsoft.com/en-us/research/publication/constructing-optimal-ip-routing-tables/): what a folder costs
// under each value that may come down to it, then, from the root, the choice that attains it.

// A label is the number of a value that a rule with a star says.
const (
	bare  int32 = 0  // no rule of ours applies
	wrong int32 = -1 // a value that nothing below wants
)

const (
	// maxSuffixes is how many suffixes of a site may have rules.
	maxSuffixes = 4
	// maxWork is how many parts of shapes are added up; after that there are rules for fewer suffixes.
	maxWork = 8_000_000
)

// inForce are the labels that come down to a place: at 0 for request paths without one of the suffixes, then for those
// with each. A rule for a folder sets them all, one for a suffix its own.
type inForce [maxSuffixes + 1]int32

// price counts rules, and fractions of them. A file that goes without its value costs more than any number of rules,
// unless the rules do not suffice, see [compiler.ration]; what no rules can mend is never chosen.
type price = int64

const (
	one    price = 1 << 6
	missed       = one << 20
	never        = one << 38
)

// leaf is what the requests for one exact path mean to its folder: those with one suffix, or none.
type leaf struct {
	label int32 // what they want; bare where no rule with a star can give them that
	class uint8 // the place of their suffix in inForce
	// What it costs to have them right, or go without, under no rule of ours, and under a wrong one.
	alone, over price
}

func (l *leaf) price(in inForce) price {
	switch label := in[l.class]; {
	case label == bare:
		return l.alone
	case label == l.label:
		return 0
	}
	return l.over
}

// costs are the prices of the rules of a folder: of its own, then of those for suffixes; never where there can be none.
type costs [maxSuffixes + 1]price

// shape is what folders that look alike have in common, or leaves: it is solved once.
type shape struct {
	id      int32
	leaf    *leaf // of a leaf; then only classes and wants are set
	parts   []part
	classes uint8           // of all requests in it, as bits of inForce
	wants   map[int32]price // how many leaves want a label
	costs   costs
	labels  []int32 // that are tried, the most wanted first
	solved  map[inForce]choice
}

// part is a number of subfolders or leaves of one shape.
type part struct {
	shape *shape
	n     price
}

// choice is what to write for a folder: the label of its rule, then those of the rules for suffixes; bare for no rule.
type choice struct {
	price price
	label inForce
}

// maxLabels is how many labels are tried for a folder; fewer for its suffixes, of which all combinations are tried.
const maxLabels, maxSuffixLabels = 64, 4

// shapeOf returns the shape of a folder with items of its own.
func (c *compiler) shapeOf(f *folder, own []*item) *shape {
	var all []*shape
	for _, it := range own {
		for class := range uint8(maxSuffixes + 1) {
			if l, ok := c.leaf(it, class); ok {
				all = append(all, c.leafShape(l))
			}
		}
	}
	for _, sub := range f.below {
		all = append(all, sub.shape)
	}
	slices.SortFunc(all, func(a, b *shape) int { return cmp.Compare(a.id, b.id) })
	key := fmt.Append(nil, f.costs)
	for _, part := range all {
		key = binary.LittleEndian.AppendUint32(key, uint32(part.id))
	}
	s, known := c.shape(string(key))
	if known {
		return s
	}
	s.costs, s.solved = f.costs, make(map[inForce]choice)
	for i, p := range all {
		if i == 0 || p != all[i-1] {
			s.parts = append(s.parts, part{shape: p})
		}
		s.parts[len(s.parts)-1].n++
		s.classes |= p.classes
		for label, n := range p.wants {
			s.wants[label] += n
		}
	}
	for label, n := range s.wants {
		if n > 1 { // a leaf's own rule does as well as one for a single leaf
			s.labels = append(s.labels, label)
		}
	}
	slices.SortFunc(s.labels, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.wants[b], s.wants[a]), c.compare(a, b))
	})
	s.labels = s.labels[:min(len(s.labels), maxLabels)]
	return s
}

func (c *compiler) leafShape(l leaf) *shape {
	s, known := c.shape(l)
	switch s.leaf, s.classes = &l, 1<<l.class; {
	case known || l.label <= bare:
	case l.over == never || l.alone >= missed:
		s.wants[l.label] = 2 // it has no rule of its own, so that one for a folder is worth trying
	default:
		s.wants[l.label] = 1
	}
	return s
}

// shape returns the shape of a key, and whether it was known.
func (c *compiler) shape(key any) (s *shape, known bool) {
	if s, known = c.shapes[key]; !known {
		s = &shape{id: int32(len(c.shapes)), wants: make(map[int32]price)}
		c.shapes[key] = s
	}
	return s, known
}

// everywhere is one label in force for all requests.
func everywhere(label int32) (in inForce) {
	for k := range in {
		in[k] = label
	}
	return in
}

// solve returns the best choice for a shape under labels, unless the work is done.
func (c *compiler) solve(s *shape, in inForce) choice {
	if s.leaf != nil {
		return choice{price: s.leaf.price(in)}
	}
	for k, label := range in { // labels that mean the same here become equal
		if s.classes&(1<<k) == 0 {
			in[k] = bare
		} else if label > bare && s.wants[label] == 0 {
			in[k] = wrong
		}
	}
	best, ok := s.solved[in]
	if ok || c.work < 0 {
		return best
	}
	// Of equal choices the first stays, which is the narrowest: rules further down, then for suffixes, then for all.
	best = choice{price: never + 1}
	c.try(s, in, choice{}, 1, &best)
	for _, label := range s.labels {
		if s.costs[0] < best.price && c.values[label].says("") {
			c.try(s, everywhere(label), choice{s.costs[0], inForce{label}}, 1, &best)
		}
	}
	s.solved[in] = best
	return best
}

// try prices a choice, then with rules for suffixes from k on, and keeps what is better than the best.
func (c *compiler) try(s *shape, in inForce, ch choice, k int, best *choice) {
	c.work -= len(s.parts)
	sum := ch.price
	for i := 0; i < len(s.parts) && sum < best.price; i++ {
		sum += c.solve(s.parts[i].shape, in).price * s.parts[i].n
	}
	if sum < best.price {
		*best = choice{min(sum, never), ch.label}
	}
	for ; k <= maxSuffixes; k++ {
		if s.costs[k] == never || s.classes&(1<<k) == 0 {
			continue
		}
		for _, label := range s.labels[:min(len(s.labels), maxSuffixLabels)] {
			sum := ch.price + s.costs[k]
			if label == in[k] || sum >= best.price || c.work < 0 || !c.values[label].says(c.suffixes[k]) {
				continue
			}
			next, with := in, ch
			next[k], with.label[k], with.price = label, label, sum
			c.try(s, next, with, k+1, best)
		}
	}
}
