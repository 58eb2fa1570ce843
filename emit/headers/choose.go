package headers

import "metarobots/emit/robotstag"

// A chooser finds the fewest rules for items.
type chooser struct {
	setting *setting
	wants   []robotstag.Want
	values  *values
	items   []*item
	// left is the HTML that is left to its tags, so that it needs no rule.
	left robotstag.Left
}

// A solution is a tree of folders, solved: the rules that attain its price can be written.
type solution struct {
	chooser  *chooser
	suffixes *suffixes
	items    []placed
	root     *folder
	shapes   map[string]*shape
	solver   solver
	price    price
	// isDone: the work that a solver may do was enough.
	isDone bool
}

// choose finds the fewest rules for the items: with as many suffixes as can be solved.
func (c *chooser) choose() *solution {
	ranked := c.rankSuffixes()
	for most := maxSuffixes; ; most /= 2 {
		best := c.solveWith(ranked, most)
		if !best.isDone {
			continue
		}
		// A suffix that the hosts read differently may have taken the place of one that saves more
		// rules.
		if clearOnes := c.dropUnclear(ranked, most); clearOnes != nil {
			if other := c.solveWith(clearOnes, most); other.isDone && other.price < best.price {
				best = other
			}
		}
		return best
	}
}

// solveWith solves the tree of folders with rules for some suffixes: at most so many of the first
// ones. Without suffixes it always gets done.
func (c *chooser) solveWith(ranked []string, most int) *solution {
	s := &solution{chooser: c, shapes: make(map[string]*shape)}
	s.suffixes, s.items = c.placeItems(ranked[:min(most, len(ranked))])
	grower := grower{setting: c.setting, chooser: c, suffixes: s.suffixes, shapes: s.shapes}
	s.root = grower.grow("/", "/", s.items)
	s.solver = solver{suffixes: s.suffixes, values: c.values, loss: missed, work: maxWork}
	if most == 0 {
		s.solver.work = unlimited
	}
	s.price = s.solver.solve(s.root.shape, inForce{}).price
	s.isDone = s.solver.work >= 0
	return s
}

// chooseAgain makes a file that goes without its value cost no more than a loss. The rules are to
// be written again then.
func (s *solution) chooseAgain(loss price) {
	s.solver.loss = loss
	for _, shape := range s.shapes {
		clear(shape.solved)
	}
}

// outcome is what becomes of an item without a rule with a star that gives it its value.
type outcome uint8

const (
	isServed     outcome = iota // it needs no rule
	isLeftToTag                 // its tag carries the policy; a header says the same or nothing
	hasObstacle                 // it needs a rule, and none can be made
	hasLines                    // lines of ours in the owner's block of its path are its rule
	goesWithout                 // its value is optional and would cost a rule
	needsOwnRule                // a rule for its path
)

// outcomeOf is what becomes of an item.
func (c *chooser) outcomeOf(it *item) outcome {
	switch {
	case it.isServed:
		return isServed
	case c.isLeft(it):
		return isLeftToTag
	case it.own == impossible:
		return hasObstacle
	case it.own == inOwnersBlock:
		return hasLines
	case it.isOptional && c.setting.costOf(it.path) > 0:
		return goesWithout
	}
	return needsOwnRule
}

// isLeft reports whether an item needs no rule, because all its files are left to their tags.
func (c *chooser) isLeft(it *item) bool {
	return c.left > robotstag.LeftNone && every(it.requests, func(r request) bool {
		w := &c.wants[r.want]
		return len(w.Values) > 0 && c.left.Has(w)
	})
}

// leafOf returns what an item means to its folder.
func (c *chooser) leafOf(it *placed) leaf {
	rule := c.setting.costOf(it.item.path)
	l := leaf{label: it.label, kinds: it.kinds, ifMisled: never}
	if it.item.own == overridesOurs {
		l.ifMisled = rule
	}
	outcome := c.outcomeOf(it.item)
	switch {
	case it.item.isOptional:
	case outcome == needsOwnRule, outcome == hasObstacle && it.item.hasTag:
		l.ifNone = rule
	case outcome == hasObstacle:
		l.ifNone = missed
	}
	l.ifPart = l.ifNone
	if outcome == needsOwnRule || outcome == hasLines {
		l.ifPart = l.ifMisled // its rule comes after the rules that reach it
	}
	return l
}
