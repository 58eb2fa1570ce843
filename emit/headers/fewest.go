package headers

import (
	"cmp"
	"slices"
)

// How the fewest rules are found.
//
// A rule with a star is for a folder (/docs/*) or for a suffix in a folder (/docs/*.pdf). Rules are
// written from the general to the specific, and a later one overrides an earlier one. So what a
// request gets depends on the rules of the folders around it, from the root down, and last on a
// rule for its own path.
//
// Which rules of a folder match a request depends on the request's [kind] alone: the set of
// suffixes whose rules match it. So what comes down to a folder is one value for each kind: what
// the rules above give requests of that kind. We call that the state, [inForce]. A rule for the
// folder sets the values of all kinds, a rule for a suffix those of the kinds with that suffix.
//
// Under a given state, the parts of a folder, its items and the folders in it, do not affect each
// other. So the least price of a folder is a minimum over the rules that it may have: their own
// price, and the least prices of the parts under the state that these rules make.
// [compiler.solve] counts that from the leaves up. [compiler.walk] goes down from the root and
// writes the rules that attain it. This is the algorithm of Draves, King, Venkatachary and Zill,
// "Constructing Optimal IP Routing Tables", with kinds added:
// https://www.microsoft.com/en-us/research/publication/constructing-optimal-ip-routing-tables/
//
// An item is what one rule for a single path serves. Its requests may be of several kinds, because
// Netlify ignores letter case and takes the dot of a suffix for any character, and Cloudflare does
// neither. An item has its value only if the state gives it to each of its kinds. Otherwise it
// needs a rule of its own; if it can have none that helps, the price is "never", and the state is
// avoided.
//
// An example, for both hosts at once (portable):
//
//	/docs/a.pdf noindex    /docs/b.pdf noindex    /docs/c.txt
//	/img/d.pdf  noindex    /img/x.PDF  noindex, nofollow
//
// Rules for one suffix, .pdf, are worth trying. Requests are of two kinds, "no suffix" and ".pdf".
// The rule /*.pdf matches /img/x.PDF on Netlify and not on Cloudflare, so that x.PDF is of both
// kinds; all other items are of one. The state is a pair: what requests without the suffix get, and
// what those with it get. At the root it is (no rule, no rule).
//
//	/docs/ under (no rule, no rule): 1, by /docs/*.pdf. By single paths it would be 2.
//	       under (no rule, noindex): 0. All is right: c.txt gets nothing, as it should.
//	       under (noindex, noindex): never. On Netlify no rule can take the header from c.txt.
//	/img/  under (no rule, no rule): 2, a rule for each path.
//	       under (no rule, noindex): 1. d.pdf is right. x.PDF would get noindex on Netlify alone,
//	                                 and has a rule of its own.
//	/      without a rule: 1 + 2. With /*.pdf: 1, and 0 + 1 under (no rule, noindex).
//
// So the rules are /*.pdf and /img/x.PDF. Now let x.PDF want no header. Then /img/ under
// (no rule, noindex) costs "never", the root has no rule, and the rules are /docs/*.pdf and
// /img/d.pdf. The odd name has cost its own folder and those around it a rule, and /docs/ none.

const (
	// maxSuffixes is how many suffixes of a site may have rules, and maxKinds how many kinds of
	// requests they may make. The sets of both have a bit for each.
	maxSuffixes, maxKinds = 4, 8
	// maxWork is how many parts of shapes are added up; after that there are rules for fewer
	// suffixes.
	maxWork = 8_000_000
	// maxLabels is how many labels are tried for a folder; fewer for its suffixes, of which all
	// combinations are tried.
	maxLabels, maxSuffixLabels = 64, 4
)

// A label is the value that a rule with a star gives. These two are no values.
var (
	noRule   *value     // no rule with a star reaches the request
	unwanted = &value{} // any value that nothing in a folder wants
)

// inForce is what the rules with stars say in a folder to requests of each kind.
type inForce [maxKinds]*value

// everywhere is one label in force for all kinds.
func everywhere(l *value) (in inForce) {
	for kind := range in {
		in[kind] = l
	}
	return in
}

// with returns what is in force after a rule that gives requests of some kinds a label.
func (in inForce) with(label *value, of kinds) inForce {
	for ; of != 0; of &= of - 1 {
		in[of.first()] = label
	}
	return in
}

// reach is what rules with stars do to the requests of an item.
type reach uint8

const (
	reachesNone reach = iota // no request is reached
	reachesPart              // some get their value, no rule reaches the others
	reachesAll               // each request gets its value
	misleads                 // a request gets another value
)

// reach returns what the rules in force do to requests of some kinds that want a value.
func (in inForce) reach(of kinds, wanted *value) reach {
	some, all := false, true
	for ; of != 0; of &= of - 1 {
		switch in[of.first()] {
		case noRule:
			all = false
		case wanted:
			some = true
		default:
			return misleads
		}
	}
	switch {
	case !some:
		return reachesNone
	case !all:
		return reachesPart
	}
	return reachesAll
}

// price counts rules, and fractions of them. A file without its value costs more than any number of
// rules, unless these do not suffice, see [compiler.ration]; what no rules can mend is never
// chosen.
type price = int64

const (
	one    price = 1 << 6
	missed       = one << 20
	never        = one << 38
)

// leaf is what an item means to its folder: what it wants, and its price by what the rules with
// stars do to it. Nothing is to be paid if they reach all its requests.
type leaf struct {
	label                    *value // what it wants; noRule if no rule with a star can give it that
	kinds                    kinds
	notReached, inPart, over price
}

func (c *compiler) price(l leaf, in inForce) price {
	switch in.reach(l.kinds, l.label) {
	case reachesNone:
		return min(l.notReached, c.loss)
	case reachesPart:
		if l.inPart < never {
			return min(l.inPart, c.loss)
		}
		return never
	case reachesAll:
		return 0
	}
	return l.over
}

// costs are the prices of the rules of a folder: of its own, then of those for suffixes; never if
// there can be none.
type costs [maxSuffixes + 1]price

// choice is what to write for a folder: the label of its rule, then those of the rules for
// suffixes; noRule for none.
type choice struct {
	price price
	label [maxSuffixes + 1]*value
}

// shape is what makes the choice for a folder: folders that look alike share it, and are solved
// once.
type shape struct {
	costs  costs
	parts  []*shape       // of the folders below
	leaves map[leaf]price // how many there are of each
	kinds  kinds          // of all items in it
	// Of these, the ones that a rule for a suffix matches.
	matched [maxSuffixes + 1]kinds
	wants   map[*value]price // how many items want a label
	labels  []*value         // that are tried, the most wanted first
	solved  map[inForce]choice
}

// findLabels picks the labels that rules of the folder may have.
func (s *shape) findLabels() {
	for l, n := range s.leaves {
		s.kinds |= l.kinds
		if l.over == never || l.notReached >= missed {
			n *= 2 // it has no rule of its own, so that one for a folder is worth trying
		}
		s.wants[l.label] += n
	}
	for _, sub := range s.parts {
		s.kinds |= sub.kinds
		for label, n := range sub.wants {
			s.wants[label] += n
		}
	}
	for label, n := range s.wants {
		if n > 1 && label != noRule { // an item's own rule does as well as one for a single item
			s.labels = append(s.labels, label)
		}
	}
	slices.SortFunc(s.labels, func(a, b *value) int {
		return cmp.Or(cmp.Compare(s.wants[b], s.wants[a]), cmp.Compare(a.text, b.text))
	})
	s.labels = s.labels[:min(len(s.labels), maxLabels)]
}

// solve returns the best choice for folders of a shape under what is in force, unless there is no
// work left to do it.
func (c *compiler) solve(s *shape, in inForce) choice {
	for kind, label := range in { // labels that mean the same here become equal
		if !s.kinds.has(kind) {
			in[kind] = noRule
		} else if label != noRule && s.wants[label] == 0 {
			in[kind] = unwanted
		}
	}
	best, ok := s.solved[in]
	if ok || c.work < 0 {
		return best
	}
	// Of equal choices the first stays, which is the narrowest: rules further down, then for
	// suffixes, then for all.
	best = choice{price: never + 1}
	c.try(s, in, choice{}, 1, &best)
	for _, label := range s.labels {
		if s.costs[0] < best.price && label.says("") {
			own := choice{price: s.costs[0]}
			own.label[0] = label
			c.try(s, everywhere(label), own, 1, &best)
		}
	}
	s.solved[in] = best
	return best
}

// try prices a choice, then with rules for suffixes from number k on, and keeps what is better than
// the best.
func (c *compiler) try(s *shape, in inForce, ch choice, k int, best *choice) {
	c.work -= len(s.parts) + len(s.leaves)
	sum := ch.price
	for l, n := range s.leaves {
		sum += c.price(l, in) * n
	}
	for i := 0; i < len(s.parts) && sum < best.price; i++ {
		sum += c.solve(s.parts[i], in).price
	}
	if sum < best.price {
		*best = choice{min(sum, never), ch.label}
	}
	for ; k < len(c.suffixes); k++ {
		if s.costs[k] == never || s.matched[k] == 0 {
			continue
		}
		for _, label := range s.labels[:min(len(s.labels), maxSuffixLabels)] {
			sum := ch.price + s.costs[k]
			if sum >= best.price || c.work < 0 || !label.says(c.suffixes[k]) {
				continue
			}
			next, with := in.with(label, s.matched[k]), ch
			with.label[k], with.price = label, sum
			if next != in {
				c.try(s, next, with, k+1, best)
			}
		}
	}
}
