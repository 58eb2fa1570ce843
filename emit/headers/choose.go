package headers

import (
	"slices"

	"metarobots/policy"
)

// maxRounds is how often the rules are chosen anew because a dialect reads a pattern
// in another way than the tree; after that there are only exact rules.
const maxRounds = 32

// choose finds the fewest rules for the items.
func (c *compiler) choose() {
	if len(c.engines) == 0 {
		c.chooseNone()
		return
	}
	for round := 1; ; round++ {
		if round > maxRounds && !c.exact {
			c.exact = true
			c.findSuffixes(0)
		}
		t := c.tree()
		found := c.walk(t)
		if t.cover.spent() {
			c.findSuffixes(len(c.suffixes) / 2)
			continue
		}
		if found.check(c) && !c.noteTags(found) {
			c.settle(found)
			return
		}
	}
}

// chooseNone is for a host without headers.
func (c *compiler) chooseNone() {
	c.left, c.missed = make(wantSet, len(c.wants)), make(wantSet, len(c.wants))
	for i, w := range c.wants {
		c.missed[i] = !w.Free && !w.HTML && !w.Found && len(w.Values) > 0
	}
}

// noteTags leaves HTML files to their tags that cannot have all the rules they
// need, and reports whether there were any. Half a header would not do.
func (c *compiler) noteTags(found *choices) (any bool) {
	for i := range c.items {
		it := &c.items[i]
		l := c.leaf(it)
		if l.rightUnder(found.places[i].state) || it.lack == nil {
			continue
		}
		for _, w := range it.wants {
			if _, ok := c.leftTo[w]; !ok && c.stance(w) == strict && c.wants[w].HTML && len(c.wants[w].Values) > 0 {
				c.leftTo[w] = *it.lack
				any = true
			}
		}
	}
	return any
}

// choices are the rules for a tree, and which pattern counts at each item.
type choices struct {
	patterns []pattern
	places   []*place // of the items; many share one
}

// place is what comes down to an item: the state, and for each suffix the pattern,
// from 1, that counts.
type place struct{ state, last state }

// walk goes down the tree and takes the best choices.
func (c *compiler) walk(t *tree) *choices {
	found := &choices{places: make([]*place, len(c.items))}
	if t.cover.solve(t.nodes[0].shape, state{}); t.cover.spent() {
		return found
	}
	places := map[*node]*place{nil: {}} // of the nodes with a rule
	at := func(n *node) *place {
		for places[n] == nil {
			n = n.around
		}
		return places[n]
	}
	for _, n := range t.nodes {
		if p := c.take(t, n, at(n), found); p != nil {
			places[n] = p
		}
	}
	for i, n := range t.items {
		found.places[i] = at(n)
	}
	return found
}

// take makes the best choice at a node, to which a place comes down; nil: no rule.
func (c *compiler) take(t *tree, n *node, down *place, found *choices) *place {
	ch := t.cover.solve(n.shape, down.state)
	if ch.prefix == bare && ch.suffix == (state{}) {
		return nil
	}
	at := *down
	if ch.prefix != bare {
		found.patterns = append(found.patterns, pattern{text: n.text, path: n.raw + n.prefix, label: ch.prefix, merge: n.merge,
			covered: at.last != state{}})
		at = place{uniform(ch.prefix), uniform(int32(len(found.patterns)))}
	}
	for k, label := range ch.suffix {
		if label != bare {
			s := c.suffixes[k-1]
			found.patterns = append(found.patterns, pattern{text: n.text, path: n.raw + "*." + s, suffix: s, label: label,
				covered: at.last[k] != bare})
			at.state[k], at.last[k] = label, int32(len(found.patterns))
		}
	}
	return &at
}

// check asks the dialects whether the patterns match what the tree took them to
// match: for each request path the last that matches must be the one that counts.
// A pattern that fails is banned.
func (f *choices) check(c *compiler) bool {
	if len(f.patterns) == 0 {
		return true
	}
	order := make([]int, len(f.patterns))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return comparePatterns(&f.patterns[a], &f.patterns[b]) })
	good := true
	ban := func(n int32) {
		if n > 0 {
			c.banned[f.patterns[n-1].path] = true
			good = false
		}
	}
	for d, e := range c.engines {
		rules := make([]Rule, len(order))
		for i, n := range order {
			r, err := e.rule(f.patterns[n].path)
			if err != nil {
				ban(int32(n + 1))
				continue
			}
			rules[i] = *r
		}
		all := newFile(rules)
		for i := range c.items {
			for _, s := range c.items[i].spots {
				if s.dialect != d {
					continue
				}
				got := int32(0)
				for _, i := range all.candidates(e.key(s.form)) {
					if e.Match(&rules[i], "", s.form) {
						got = int32(order[i] + 1)
					}
				}
				if want := f.places[i].last[c.class(s)]; got != want {
					ban(got)
					ban(want)
				}
			}
		}
	}
	return good
}

// class is the place in a state of a spot's suffix.
func (c *compiler) class(s spot) int {
	for k, suffix := range c.suffixes {
		if c.engines[s.dialect].hasSuffix(s.form, suffix) {
			return k + 1
		}
	}
	return 0
}

// settle makes rules of the choices.
func (c *compiler) settle(found *choices) {
	c.patterns, c.plans = found.patterns, nil
	slices.SortFunc(c.patterns, func(a, b pattern) int { return comparePatterns(&a, &b) })
	n := len(c.wants)
	c.touched, c.left, c.missed, c.previews = make(wantSet, n), make(wantSet, n), make(wantSet, n), make(wantSet, n)
	for i := range c.items {
		it := &c.items[i]
		l := c.leaf(it)
		right, untouched := l.right(found.places[i].state)
		if !untouched {
			c.touch(it)
		}
		switch {
		case right:
			// Its tag may make good what the header leaves out.
			if l.served = it.served; !l.rightUnder(found.places[i].state) {
				c.leave(it)
			}
		case !untouched:
			c.plans = append(c.plans, c.ownPlan(it, true))
		case it.alone == nil:
			c.fail(it)
		default:
			c.plans = append(c.plans, c.ownPlan(it, false))
			c.touch(it)
		}
	}
	for i, why := range c.leftTo {
		if c.left[i] {
			c.report(policy.Finding{ID: why.id, Severity: policy.Warning, URL: c.wants[i].URL,
				Message: why.msg + "; its meta tag alone carries the policy"})
		}
	}
}

func (c *compiler) touch(it *item) {
	for _, i := range it.wants {
		c.touched[i] = true
	}
}

// leave leaves HTML files to their tags.
func (c *compiler) leave(it *item) {
	for _, i := range it.wants {
		c.left[i] = true
		c.previews[i] = c.previews[i] || c.stance(i) == tagOnly && c.auto()
	}
}

// fail reports files that go without.
func (c *compiler) fail(it *item) {
	for _, i := range it.wants {
		c.missed[i] = true
		c.report(policy.Finding{ID: it.lack.id, Severity: policy.Error, URL: c.wants[i].URL, Message: it.lack.msg})
	}
}
