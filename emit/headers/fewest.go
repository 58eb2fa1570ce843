package headers

import (
	"cmp"
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
	// maxWork is how many folders and leaves are added up; after that there are rules for no suffixes.
	maxWork = 10_000_000
)

// inForce are the labels that come down to a place: at 0 for request paths without one of the suffixes, then for those
// with each. A rule for a folder sets them all, one for a suffix its own.
type inForce [maxSuffixes + 1]int32

// price counts rules. A file that goes without its value costs more than any number of rules; what no rules can mend is
// never chosen.
type price = int64

const (
	missed price = 1 << 20
	never  price = 1 << 40
)

// leaf is what the requests for one exact path mean to its folder: those with one suffix, or none.
type leaf struct {
	label  int32 // what they want; bare where no rule with a star can give them that
	class  uint8 // the place of their suffix in inForce
	served bool  // they are right under no rule of ours
	// What a rule of their own costs under no rule of ours, and under a wrong one.
	alone, over price
}

// part is a number of leaves that are the same to their folder.
type part struct {
	leaf
	n price
}

func (l *leaf) price(in inForce) price {
	switch label := in[l.class]; {
	case label == bare && l.served, label > bare && label == l.label:
		return 0
	case label == bare:
		return l.alone
	}
	return l.over
}

// choice is what to write for a folder: the label of its rule, then those of the rules for suffixes; bare for no rule.
type choice struct {
	price price
	label inForce
}

// maxLabels is how many labels are tried for a folder, the most wanted first; fewer for its suffixes, of which all
// combinations are tried.
const maxLabels, maxSuffixLabels = 64, 4

// count counts what the items of a folder want, and picks the labels that its rules may carry. A leaf's own rule does as
// well as one for a single leaf.
func (c *compiler) count(f *folder) {
	leaves := make(map[leaf]price)
	for _, it := range f.own {
		for class := range uint8(maxSuffixes + 1) {
			l, ok := c.leaf(it, class)
			if !ok {
				continue
			}
			leaves[l]++
			f.classes |= 1 << class
			if f.wants[l.label]++; l.over == never || l.alone >= missed {
				f.wants[l.label]++ // it has no rule of its own, so that one for a folder is worth trying
			}
		}
	}
	for _, sub := range f.below {
		f.classes |= sub.classes
		for label, n := range sub.wants {
			f.wants[label] += n
		}
	}
	for l, n := range leaves {
		f.parts = append(f.parts, part{l, n})
	}
	for label, n := range f.wants {
		if n > 1 && label != bare {
			f.labels = append(f.labels, label)
		}
	}
	slices.SortFunc(f.labels, func(a, b int32) int {
		return cmp.Or(cmp.Compare(f.wants[b], f.wants[a]), c.compare(a, b))
	})
	f.labels = f.labels[:min(len(f.labels), maxLabels)]
}

// everywhere is one label in force for all requests.
func everywhere(label int32) (in inForce) {
	for k := range in {
		in[k] = label
	}
	return in
}

// solve returns the best choice for a folder under labels, unless the work is done.
func (c *compiler) solve(f *folder, in inForce) choice {
	for k, label := range in { // labels that mean the same here become equal
		if f.classes&(1<<k) == 0 {
			in[k] = bare
		} else if label > bare && f.wants[label] == 0 {
			in[k] = wrong
		}
	}
	best, ok := f.solved[in]
	if ok || c.work < 0 {
		return best
	}
	// Of equal choices the first stays, which is the narrowest: rules further down, then for suffixes, then for all.
	best = choice{price: never + 1}
	c.try(f, in, choice{}, 1, &best)
	if f.rule != "" && f.reset == nil && best.price > 1 {
		f.reset = &choice{price: never} // it does not depend on what comes down
		for _, label := range f.labels {
			c.try(f, everywhere(label), choice{1, inForce{label}}, 1, f.reset)
		}
	}
	if f.reset != nil && f.reset.price < best.price {
		best = *f.reset
	}
	f.solved[in] = best
	return best
}

// try prices a choice, then with rules for suffixes from k on, and keeps what is better than the best.
func (c *compiler) try(f *folder, in inForce, ch choice, k int, best *choice) {
	c.work -= len(f.parts) + len(f.below)
	sum := ch.price
	for i := range f.parts {
		sum += f.parts[i].price(in) * f.parts[i].n
	}
	for i := 0; i < len(f.below) && sum < best.price; i++ {
		sum += c.solve(f.below[i], in).price
	}
	if sum < best.price {
		*best = choice{min(sum, never), ch.label}
	}
	for ; k <= maxSuffixes; k++ {
		if f.suffixes&f.classes&(1<<k) == 0 {
			continue
		}
		for _, label := range f.labels[:min(len(f.labels), maxSuffixLabels)] {
			if label == in[k] || ch.price+1 >= best.price || c.work < 0 {
				continue
			}
			next, with := in, ch
			next[k], with.label[k], with.price = label, label, ch.price+1
			c.try(f, next, with, k+1, best)
		}
	}
}
