package headers

import "metarobots/emit/robotstag"

// A chooser finds the fewest rules for items.
type chooser struct {
	setting *setting
	wants   []robotstag.Want
	values  *values
	items   []*item
	// leftToTags is which HTML is left to its meta tags, so that it needs no rule.
	// [compiler.fitRobots] raises it if rules do not fit.
	leftToTags robotstag.Left
}

// A solution is a tree of folders, solved: the rules that attain its price can be written.
type solution struct {
	chooser  *chooser
	suffixes *suffixes
	items    []placed
	root     *folder
	shapes   map[string]*shape // of the folders, by [shape.key]
	solver   solver
	price    price
	// isComplete: the solver's work was enough. Else the price and the rules mean nothing.
	isComplete bool
}

// choose finds the fewest rules for the items, with as many suffixes as can be solved: 4, or fewer
// if that takes too much work. Without suffixes it always gets done.
func (c *chooser) choose() *solution {
	ranked := c.rankSuffixes()
	for most := maxSuffixes; ; most /= 2 {
		best := c.solveWith(ranked, most)
		if !best.isComplete {
			continue
		}
		// A suffix that the hosts read differently may have taken the place of one that saves more
		// rules.
		if clearOnes := c.dropUnclear(ranked, most); clearOnes != nil {
			other := c.solveWith(clearOnes, most)
			if other.isComplete && other.price < best.price {
				best = other
			}
		}
		return best
	}
}

// solveWith solves the tree of folders with rules for some suffixes: at most so many of the first
// ones. With none of them the work is not limited.
func (c *chooser) solveWith(ranked []string, most int) *solution {
	s := &solution{chooser: c, shapes: make(map[string]*shape)}
	s.suffixes, s.items = c.placeItems(ranked[:min(most, len(ranked))])
	grower := grower{setting: c.setting, chooser: c, suffixes: s.suffixes, shapes: s.shapes}
	s.root = grower.grow("/", "/", s.items)
	s.solver = solver{suffixes: s.suffixes, values: c.values, loss: missed, work: maxWork}
	if most == 0 {
		s.solver.work = unlimited
	}
	nothingInForce := state{}
	s.price = s.solver.solve(s.root.shape, nothingInForce).price
	s.isComplete = s.solver.work >= 0
	return s
}

// limitLoss makes a file that goes without its value cost no more than a loss, and forgets what was
// solved with another one. [solution.write] solves the tree again and writes the rules.
func (s *solution) limitLoss(loss price) {
	s.solver.loss = loss
	for _, shape := range s.shapes {
		clear(shape.solved)
	}
}

// outcome is what becomes of an item to which no rule with a star gives its value.
type outcome uint8

const (
	isServed       outcome = iota // it needs no rule
	isLeftToTag                   // its tag carries the policy; a header says the same or nothing
	hasObstacle                   // it needs a rule, and none can be made
	hasRuleInBlock                // lines of ours in the owner's block of its path are its rule
	goesWithout                   // its value is optional and would cost a rule
	needsPathRule                 // a rule for its path
)

// outcomeOf is what becomes of an item.
func (c *chooser) outcomeOf(it *item) outcome {
	switch {
	case it.isServed:
		return isServed
	case c.isLeftToTag(it):
		return isLeftToTag
	case it.pathRule == impossible:
		return hasObstacle
	case it.pathRule == inOwnersBlock:
		return hasRuleInBlock
	case it.isOptional && c.setting.costOf(it.path) > 0:
		return goesWithout
	}
	return needsPathRule
}

// isLeftToTag reports whether an item needs no rule, because all its files are left to their tags.
func (c *chooser) isLeftToTag(it *item) bool {
	return c.leftToTags > robotstag.LeftNone && every(it.requests, func(r request) bool {
		w := &c.wants[r.want]
		return len(w.Values) > 0 && c.leftToTags.Has(w)
	})
}

// leafOf returns what an item means to the price of its folder: what its requests want, and what is
// to be paid by what rules with stars do to them.
func (c *chooser) leafOf(it *placed) leaf {
	rule := c.setting.costOf(it.item.path)
	l := leaf{label: it.label, kinds: it.kinds, ifMisled: never}
	if it.item.pathRule == canOverride {
		l.ifMisled = rule
	}
	outcome := c.outcomeOf(it.item)
	switch {
	case it.item.isOptional: // to go without costs nothing
	case outcome == needsPathRule:
		l.ifNone = rule
	case outcome == hasObstacle && it.item.hasTag:
		l.ifNone = rule // only the header is lost: to save that is worth one rule with a star
	case outcome == hasObstacle:
		l.ifNone = missed
	}
	l.ifPart = l.ifNone
	if outcome == needsPathRule || outcome == hasRuleInBlock {
		l.ifPart = l.ifMisled // its rule comes after those that reach a part, and has to override them
	}
	return l
}
