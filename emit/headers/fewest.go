package headers

import (
	"cmp"
	"math"
	"slices"
)

// The package comment explains how the least price of a folder is counted: the first part of the
// algorithm of Draves, King, Venkatachary and Zill, "Constructing Optimal IP Routing Tables", with
// kinds added. Its second part is in write.go.
// https://www.microsoft.com/en-us/research/publication/constructing-optimal-ip-routing-tables/

const (
	// maxWork is how many parts of shapes are added up; after that there are rules for fewer
	// suffixes.
	maxWork = 8_000_000
	// maxLabels is how many labels are tried for a folder; maxSuffixLabels for each of its
	// suffixes, whose combinations are all tried.
	maxLabels, maxSuffixLabels = 64, 4
)

// state is that in which a folder is solved: what the rules with stars around it say to requests of
// each kind, by the kind's number. In the zero state, no rule says anything.
type state [maxKinds]label

// sameForAll is the state after a rule for all of a folder: one label for all kinds.
func sameForAll(l label) (in state) {
	for kind := range in {
		in[kind] = l
	}
	return in
}

// afterRuleFor returns the state after a rule that gives requests of some kinds a label.
func (in state) afterRuleFor(l label, of kinds) state {
	for ; of != 0; of &= of - 1 {
		in[of.first()] = l
	}
	return in
}

// reach is what rules with stars do to the requests of an item.
type reach uint8

const (
	reachesNone reach = iota // no request is reached, so none is misled
	reachesPart              // some get what they want, no rule reaches the others
	reachesAll               // each request gets what it wants
	misleads                 // a request gets another value
)

// reach returns what the rules in force do to requests of some kinds that all want a label. It goes
// through the set of kinds from the lowest number.
func (in state) reach(of kinds, wanted label) reach {
	reachesAny, areAllReached := false, true
	for ; of != 0; of &= of - 1 {
		switch in[of.first()] {
		case noRule:
			areAllReached = false
		case wanted:
			reachesAny = true
		default:
			return misleads
		}
	}
	switch {
	case !reachesAny:
		return reachesNone
	case !areAllReached:
		return reachesPart
	}
	return reachesAll
}

// price counts rules, and fractions of them.
type price = int64

const (
	one price = 1 << 6
	// missed is the price of a file without its value: more than any number of rules, unless these
	// do not suffice, see [compiler.ration].
	missed = one << 20
	// never is the price of what no rule can mend, so that it is never chosen.
	never = one << 38
)

// leaf is what an item means to its folder: what it wants, and its price by what the rules with
// stars do to it. Nothing is to be paid if they reach all its requests.
type leaf struct {
	label label
	kinds kinds
	// The prices if the rules with stars reach none of its requests, reach a part, or mislead one.
	ifNone, ifPart, ifMisled price
}

// leaves are some that are alike.
type leaves struct {
	leaf  leaf
	count price // how many; a price, since prices are multiplied by it
}

// countLeaves counts those that are alike.
func countLeaves(all []leaf) (counted []leaves) {
	slices.SortFunc(all, leaf.compare)
	for _, l := range all {
		if last := len(counted) - 1; last >= 0 && counted[last].leaf == l {
			counted[last].count++
		} else {
			counted = append(counted, leaves{l, 1})
		}
	}
	return counted
}

// compare orders leaves, in whatever way: equal ones come together.
func (l leaf) compare(other leaf) int {
	return cmp.Or(cmp.Compare(l.label, other.label), cmp.Compare(l.kinds, other.kinds),
		cmp.Compare(l.ifNone, other.ifNone), cmp.Compare(l.ifPart, other.ifPart),
		cmp.Compare(l.ifMisled, other.ifMisled))
}

// costs are the prices of the rules of a folder: of the one for all of it, then of those for each
// suffix, by its number; never if there can be none.
type costs [maxSuffixes + 1]price

// choice is what to write for a folder, and the price of all that is in it: the label of the rule
// for all of it, then those of the rules for each suffix, by its number; noRule for none.
type choice struct {
	price  price
	labels [maxSuffixes + 1]label
}

// shape is what the choice for a folder depends on: folders that look alike share it, and are
// solved once.
type shape struct {
	costs  costs
	parts  []*shape // of the folders in it
	leaves []leaves // each leaf once
	kinds  kinds    // of all items in it
	// matched are the kinds of them that the folder's rule for each suffix matches, by its number.
	matched [maxSuffixes + 1]kinds
	// wants is how many items want a label, those without a rule of their own counted twice.
	wants  map[label]price
	labels []label          // those that are tried for its rules, the most wanted first
	solved map[state]choice // what was solved so far
	number int              // among the shapes of a tree
}

// findLabels sets kinds and wants of a shape, whose leaves and parts are set, and picks the labels
// that rules of the folder may have: the most wanted ones, without those that a single item wants
// whose own rule does as well. wants is an empty map before.
func (s *shape) findLabels(values *values) {
	for _, l := range s.leaves {
		n := l.count
		s.kinds |= l.leaf.kinds
		if l.leaf.ifMisled == never || l.leaf.ifNone >= missed {
			n *= 2 // it has no rule of its own, so that one for a folder is worth trying
		}
		s.wants[l.leaf.label] += n
	}
	for _, part := range s.parts {
		s.kinds |= part.kinds
		for label, n := range part.wants {
			s.wants[label] += n
		}
	}
	for label, n := range s.wants {
		// An item's own rule does as well as one for a single item, and noRule is for what no rule
		// with a star can state.
		if n > 1 && label != noRule {
			s.labels = append(s.labels, label)
		}
	}
	slices.SortFunc(s.labels, func(a, b label) int {
		return cmp.Or(cmp.Compare(s.wants[b], s.wants[a]),
			cmp.Compare(values.labelled(a).text, values.labelled(b).text))
	})
	s.labels = s.labels[:min(len(s.labels), maxLabels)]
}

// reduceFor returns the state with labels made equal that mean the same to a shape, so that it is
// solved less often.
func (in state) reduceFor(s *shape) state {
	for kind, label := range in {
		if !s.kinds.has(kind) {
			in[kind] = noRule
		} else if label != noRule && s.wants[label] == 0 {
			in[kind] = unwanted
		}
	}
	return in
}

// A solver finds the best choice for shapes.
type solver struct {
	suffixes *suffixes
	values   *values
	// loss is what a file costs at most: the price of going without its value.
	loss price
	// work is how many parts of shapes may still be added up; below zero, answers mean nothing.
	work int
}

// solve returns the best choice for folders of a shape in a state. If there is no work left, the
// answer means nothing ([solution.isComplete]). Of equal choices it takes the narrowest: rules
// further down, then for suffixes, then for all.
func (sv *solver) solve(s *shape, in state) choice {
	in = in.reduceFor(s)
	best, isKnown := s.solved[in]
	if isKnown || sv.work < 0 {
		return best
	}
	best = choice{price: never + 1} // no choice has that: the first, without a rule, is better
	const firstSuffix = 1
	sv.try(s, in, choice{}, firstSuffix, &best)
	for _, label := range s.labels {
		if s.costs[0] < best.price && sv.values.labelled(label).canStateFor("") {
			withRule := choice{price: s.costs[0]}
			withRule.labels[0] = label
			sv.try(s, sameForAll(label), withRule, firstSuffix, &best)
		}
	}
	s.solved[in] = best
	return best
}

// try prices a choice, and keeps it as the best if it is better. Then it tries the choice with
// rules for more suffixes, from number k on: each of their combinations once. The choice comes with
// the price of its own rules, and in is the state that these make for the parts of the folder. Of
// two rules for suffixes that match one kind of requests the later number's counts:
// [setting.orderOf] sorts rules as [suffixes.names] are.
func (sv *solver) try(s *shape, in state, c choice, k int, best *choice) {
	if sum := sv.priceOfAll(s, in, c.price, best.price); sum < best.price {
		*best = choice{sum, c.labels}
	}
	for ; k < len(sv.suffixes.names); k++ {
		if s.costs[k] == never || s.matched[k] == 0 {
			continue
		}
		for _, label := range s.labels[:min(len(s.labels), maxSuffixLabels)] {
			withRule := c
			withRule.labels[k], withRule.price = label, c.price+s.costs[k]
			canState := sv.values.labelled(label).canStateFor(sv.suffixes.names[k])
			if withRule.price >= best.price || sv.work < 0 || !canState {
				continue
			}
			next := in.afterRuleFor(label, s.matched[k])
			changesAnything := next != in
			if changesAnything {
				sv.try(s, next, withRule, k+1, best)
			}
		}
	}
}

// priceOfAll returns the sum of a price and those of all parts of a shape in a state, at most
// never. Once the sum has reached a limit it stops, since the choice is then no better than what
// the caller has.
func (sv *solver) priceOfAll(s *shape, in state, sum, limit price) price {
	sv.work -= len(s.parts) + len(s.leaves)
	for i := range s.leaves {
		each := sv.priceOf(&s.leaves[i].leaf, in)
		if each == never { // the sum of many would overflow
			return never
		}
		sum += each * s.leaves[i].count
	}
	for i := 0; i < len(s.parts) && sum < limit; i++ {
		sum += sv.solve(s.parts[i], in).price
	}
	return min(sum, never)
}

// priceOf is the price of an item in a state. A rule for it that costs more than the loss is not
// written: it goes without. But what gets a wrong value cannot go without, nor what gets its own
// for a part of its requests if no rule can give it to the others.
func (sv *solver) priceOf(l *leaf, in state) price {
	switch in.reach(l.kinds, l.label) {
	case reachesNone:
		return min(l.ifNone, sv.loss)
	case reachesPart:
		if l.ifPart < never {
			return min(l.ifPart, sv.loss)
		}
		return never
	case reachesAll:
		return 0
	}
	return l.ifMisled
}

// unlimited is the work of a solver that is to come to an end.
const unlimited = math.MaxInt
