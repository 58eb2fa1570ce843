package headers

import "slices"

// choose finds the fewest rules for the items.
func (c *compiler) choose() {
	if len(c.engines) == 0 {
		c.chooseNone()
		return
	}
	for {
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
	c.left, c.missed = make(map[int]bool), make(map[int]bool)
	for i, w := range c.wants {
		if !w.Free && !w.HTML && !w.Found && len(w.Values) > 0 {
			c.missed[i] = true
		}
	}
}

// noteTags leaves HTML files to their tags that cannot have all the rules they
// need, and reports whether there were any. Half a header would not do.
func (c *compiler) noteTags(found *choices) (any bool) {
	for i := range c.items {
		it := &c.items[i]
		l := c.leaf(it)
		if right, _ := l.right(found.states[i]); right || it.alone.ok {
			continue
		}
		for _, w := range it.wants {
			if _, ok := c.leftTo[w]; !ok && c.stance(w) == strict && c.wants[w].HTML && len(c.wants[w].Values) > 0 {
				c.leftTo[w], c.why[w] = it.id, it.msg
				any = true
			}
		}
	}
	return any
}

// choices are the rules for a tree, and which pattern counts at each item.
type choices struct {
	patterns []pattern
	// states are those at the items; last has for each suffix the pattern, from
	// 1, that counts.
	states []state
	last   []state
}

// walk goes down the tree and takes the best choices.
func (c *compiler) walk(t *tree) *choices {
	found := &choices{states: make([]state, len(c.items)), last: make([]state, len(c.items))}
	if t.cover.solve(t.nodes[0].shape, state{}); t.cover.spent() {
		return found
	}
	var down func(i int32, st, last state)
	down = func(i int32, st, last state) {
		n := &t.nodes[i]
		ch := t.cover.solve(n.shape, st)
		if ch.prefix != bare {
			found.patterns = append(found.patterns, pattern{text: n.text, path: n.raw + n.prefix, label: ch.prefix, merge: n.merge, covered: last != state{}})
			st, last = uniform(ch.prefix), uniform(int32(len(found.patterns)))
		}
		for k, label := range ch.suffix {
			if label != bare {
				s := c.suffixes[k-1]
				found.patterns = append(found.patterns, pattern{text: n.text, path: n.raw + "*." + s, suffix: s, label: label, covered: last[k] != bare})
				st[k], last[k] = label, int32(len(found.patterns))
			}
		}
		for k := n.item; k >= 0; k = t.after[k] {
			found.states[k], found.last[k] = st, last
		}
		for k := n.kid; k != 0; k = t.nodes[k].next {
			down(k, st, last)
		}
	}
	down(0, state{}, state{})
	return found
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
		x := newIndex(rules)
		for i := range c.items {
			for _, s := range c.items[i].spots {
				if s.dialect != d {
					continue
				}
				at := x.find(e.key(s.form), func(i int) bool { return e.Match(&rules[i], "", s.form) })
				got := int32(0)
				if len(at) > 0 {
					got = int32(order[at[len(at)-1]] + 1)
				}
				if want := f.last[i][c.class(s)]; got != want {
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
	c.touched, c.left, c.missed, c.previews = make(map[int]bool), make(map[int]bool), make(map[int]bool), make(map[int]bool)
	for i := range c.items {
		it := &c.items[i]
		l := c.leaf(it)
		right, untouched := l.right(found.states[i])
		if !untouched {
			c.touch(it)
		}
		switch {
		case right:
			// Its tag may make good what the header leaves out.
			if l.served = it.served; !l.rightUnder(found.states[i]) {
				c.leave(it)
			}
		case !untouched:
			c.plans = append(c.plans, c.ownPlan(it, true))
		case !it.alone.ok:
			c.fail(it)
		default:
			c.plans = append(c.plans, c.ownPlan(it, false))
			c.touch(it)
		}
	}
	for i, id := range c.leftTo {
		if c.left[i] {
			c.problem(Problem{ID: id, Severity: SeverityWarning, Path: c.wants[i].Path,
				Message: c.why[i] + "; its meta tag alone carries the policy"})
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
		if c.stance(i) == aloof && c.auto() {
			c.previews[i] = true
		}
	}
}

// fail reports files that go without.
func (c *compiler) fail(it *item) {
	for _, i := range it.wants {
		c.missed[i] = true
		c.problem(Problem{ID: it.id, Severity: SeverityError, Path: c.wants[i].Path, Message: it.msg})
	}
}
