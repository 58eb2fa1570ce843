package headers

import (
	"math"

	"metarobots/policy"
)

// choose finds the fewest rules for the items.
func (c *compiler) choose() {
	ranked := c.rankSuffixes()
	for most := maxSuffixes; ; most /= 2 {
		price, done := c.plan(ranked, most)
		if !done {
			continue
		}
		// A suffix that the hosts read differently may have taken the place of one that saves more rules.
		if clear := c.clearOf(ranked, most); clear != nil {
			if other, done := c.plan(clear, most); !done || other >= price {
				c.plan(ranked, most)
			}
		}
		break
	}
	c.write()
}

// plan solves the tree of folders with rules for some suffixes, the first ones of those that are given. It returns the
// price, and whether it got done with the work that one may have.
func (c *compiler) plan(ranked []string, most int) (p price, done bool) {
	c.useSuffixes(ranked, most)
	c.shapes = make(map[string]*shape)
	c.root = c.grow("/", "/", c.items)
	if c.work = maxWork; most == 0 {
		c.work = math.MaxInt
	}
	p = c.solve(c.root.shape, inForce{}).price
	return p, c.work >= 0
}

// write makes rules of the best choices.
func (c *compiler) write() {
	c.work, c.rules = math.MaxInt, nil
	c.walk(c.root, inForce{}, false)
	c.settle()
}

// walk goes down the folders and takes the best choices, general before specific: a folder before those in it, and
// there its own rule before those for suffixes. guessed says that what is in force in the folder rests on a reading
// that Netlify does not document ([folder.guessed]).
func (c *compiler) walk(f *folder, in inForce, guessed bool) {
	chosen := c.solve(f.shape, in).label
	hasRule := chosen[0] != noRule
	if guessed && !hasRule {
		hasRule, guessed = c.repeat(f, in)
	} else if hasRule {
		guessed = false
	}
	for k, label := range chosen {
		if label == noRule {
			continue
		}
		overrides := in != inForce{}
		if k == 0 {
			in = everywhere(label)
		} else {
			overrides = in.reach(f.shape.matched[k], label) != reachesNone
			in = in.with(label, f.shape.matched[k])
		}
		for _, path := range f.pathsOf(k, c.suffixes[k]) {
			lines := label.under(path)
			c.rules = append(c.rules, c.rule(path, lines, overrides || !c.quiet || len(lines) == 0))
		}
	}
	f.in, f.guessed = in, guessed
	f.guessedBeside = guessed || hasRule && f.mayGuess()
	for _, sub := range f.below {
		c.walk(sub, in, guessed || f.guessedBeside && f.isBeside(sub.raw))
	}
}

// repeat writes the rule that is in force in a folder once more, for that folder, unless nothing there wants what it
// says. It reports whether it did, and whether what is in force still rests on another rule.
func (c *compiler) repeat(f *folder, in inForce) (hasRule, guessed bool) {
	label := in[f.shape.kinds.first()]
	switch {
	case label == noRule || f.shape.wants[label] == 0:
		return false, false
	case len(f.paths) == 0 || in != everywhere(label):
		return false, true
	}
	for _, path := range f.paths {
		c.rules = append(c.rules, c.rule(path, label.under(path), true))
	}
	return true, false
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

func (c *compiler) outcome(it *item) outcome {
	switch {
	case it.served:
		return isServed
	case c.isLeft(it):
		return isLeftToTag
	case it.obstacle != nil:
		return hasObstacle
	case it.block != nil:
		return hasLines
	case it.optional && c.cost(it.path) > 0:
		return goesWithout
	}
	return needsOwnRule
}

// leaf returns what an item means to its folder.
func (c *compiler) leaf(it *item) leaf {
	l, rule := leaf{label: it.label, kinds: it.kinds, over: never}, c.cost(it.path)
	if it.canFollowOurs {
		l.over = rule
	}
	outcome := c.outcome(it)
	switch {
	case it.optional:
	case outcome == needsOwnRule, outcome == hasObstacle && it.hasTag:
		l.notReached = rule
	case outcome == hasObstacle:
		l.notReached = missed
	}
	l.inPart = l.notReached
	if outcome == needsOwnRule || outcome == hasLines {
		l.inPart = l.over // its rule stands after the rules that reach it
	}
	return l
}

// settle makes the rules for single paths, and notes the files that go without.
func (c *compiler) settle() {
	c.toTag, c.missed, c.why, c.lost = make(map[string]string), make(map[string]string), make(map[string]string), nil
	for _, it := range c.items {
		reach := it.reach()
		isGuess := it.in.guessed || it.in.guessedBeside && it.in.isBeside(it.path)
		outcome := c.outcome(it)
		if reach == reachesAll {
			if isGuess && outcome == needsOwnRule && it.canFollowOurs && it.value.text != "" {
				c.rules = append(c.rules, c.ownRule(it))
			}
			continue
		}
		if reach == misleads {
			outcome = needsOwnRule
		}
		switch outcome {
		case isServed:
		case isLeftToTag:
			c.note(it, c.toTag, "")
		case hasObstacle:
			c.miss(it)
		case hasLines:
			c.rules = append(c.rules, *it.block)
		case goesWithout:
			c.lost = append(c.lost, it)
		case needsOwnRule:
			if reach != misleads && c.loss < c.cost(it.path) {
				c.lost = append(c.lost, it)
				continue
			}
			c.rules = append(c.rules, c.ownRule(it))
		}
	}
}

// ownRule is a rule for an item's path.
func (c *compiler) ownRule(it *item) added {
	return c.rule(it.path, it.value.lines, it.reachedByOwner || it.reach() != reachesNone)
}

// note notes the files of an item, and why they go without.
func (c *compiler) note(it *item, files map[string]string, why string) {
	for _, s := range it.requests {
		files[c.wants[s.want].Path] = why
	}
}

// miss reports that an item has no rule.
func (c *compiler) miss(it *item) {
	if c.blocks != nil {
		c.note(it, c.why, whyLost[it.obstacle.ID])
		return
	}
	severity, more, without := policy.Error, "", c.missed
	if it.hasTag {
		severity, more, without = policy.Warning, "; its meta tag alone carries the policy", c.toTag
	}
	c.note(it, without, it.obstacle.ID)
	for _, s := range it.requests {
		c.res.Report(it.obstacle.ID, severity, 0, c.wants[s.want].URL, "%s", it.obstacle.Message).Detail = more
	}
}
