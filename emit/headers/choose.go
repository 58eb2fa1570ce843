package headers

import (
	"slices"

	"metarobots/policy"
)

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
	c.left, c.missed = newSet(len(c.wants)), newSet(len(c.wants))
	for i, w := range c.wants {
		if !w.Free && !w.HTML && !w.Found && len(w.Values) > 0 {
			c.missed.add(i)
		}
	}
}

// noteTags leaves HTML files to their tags that cannot have all the rules they
// need, and reports whether there were any. Half a header would not do.
func (c *compiler) noteTags(found *choices) (any bool) {
	for i := range c.items {
		it := &c.items[i]
		l := c.leaf(it)
		if right, _ := l.right(found.place(i).state); right || it.kind&alone != 0 {
			continue
		}
		for _, w := range c.wantsOf(it) {
			w := int(w)
			if _, ok := c.leftTo[w]; !ok && c.stance(w) == strict && c.wants[w].HTML && len(c.wants[w].Values) > 0 {
				m := c.seldom(it)
				c.leftTo[w], c.why[w] = m.id, m.msg
				any = true
			}
		}
	}
	return any
}

// choices are the rules for a tree, and which pattern counts at each item.
type choices struct {
	patterns []pattern
	// at is the place of each item; many share one.
	at     []int32
	places []place
}

// place is what comes down to items: the state, and for each suffix the pattern,
// from 1, that counts.
type place struct{ state, last state }

func (f *choices) place(item int) *place { return &f.places[f.at[item]] }

// walk goes down the tree and takes the best choices.
func (c *compiler) walk(t *tree) *choices {
	found := &choices{at: make([]int32, len(c.items)), places: make([]place, 1)}
	if t.cover.solve(t.nodes[0].shape, state{}); t.cover.spent() {
		return found
	}
	var down func(i, at int32)
	down = func(i, at int32) {
		n := &t.nodes[i]
		st, last := found.places[at].state, found.places[at].last
		ch := t.cover.solve(n.shape, st)
		if ch.prefix != bare {
			found.patterns = append(found.patterns, pattern{text: n.text, path: t.raw(n) + n.prefix.String(), label: ch.prefix, merge: t.merges[i], covered: last != state{}})
			st, last = uniform(ch.prefix), uniform(int32(len(found.patterns)))
		}
		for k, label := range ch.suffix {
			if label != bare {
				s := c.suffixes[k-1]
				found.patterns = append(found.patterns, pattern{text: n.text, path: t.raw(n) + "*." + s, suffix: s, label: label, covered: last[k] != bare})
				st[k], last[k] = label, int32(len(found.patterns))
			}
		}
		if now := (place{st, last}); now != found.places[at] {
			at = int32(len(found.places))
			found.places = append(found.places, now)
		}
		for k := n.item; k >= 0; k = t.after[k] {
			found.at[k] = at
		}
		for k := n.kid; k != 0; k = t.nodes[k].next {
			down(k, at)
		}
	}
	down(0, 0)
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
		var room [8]spot
		for i := range c.items {
			for _, s := range c.spots(&c.items[i], room[:]) {
				if s.dialect != d {
					continue
				}
				at := x.find(e.key(s.form), func(i int) bool { return e.Match(&rules[i], "", s.form) })
				got := int32(0)
				if len(at) > 0 {
					got = int32(order[at[len(at)-1]] + 1)
				}
				if want := f.place(i).last[c.class(s)]; got != want {
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
	c.touched, c.left, c.missed, c.previews = newSet(n), newSet(n), newSet(n), newSet(n)
	for i := range c.items {
		it := &c.items[i]
		l := c.leaf(it)
		right, untouched := l.right(found.place(i).state)
		if !untouched {
			c.touch(it)
		}
		switch {
		case right:
			// Its tag may make good what the header leaves out.
			if l.served = it.served; !l.rightUnder(found.place(i).state) {
				c.leave(it)
			}
		case !untouched:
			c.plans = append(c.plans, c.ownPlan(it, true))
		case it.kind&alone == 0:
			c.fail(it)
		default:
			c.plans = append(c.plans, c.ownPlan(it, false))
			c.touch(it)
		}
	}
	for i, id := range c.leftTo {
		if c.left.has(i) {
			c.report(policy.Finding{ID: id, Severity: policy.Warning, URL: c.wants[i].URL,
				Message: c.why[i] + "; its meta tag alone carries the policy"})
		}
	}
}

func (c *compiler) touch(it *item) {
	for _, i := range c.wantsOf(it) {
		c.touched.add(int(i))
	}
}

// leave leaves HTML files to their tags.
func (c *compiler) leave(it *item) {
	for _, i := range c.wantsOf(it) {
		c.left.add(int(i))
		if c.stance(int(i)) == aloof && c.auto() {
			c.previews.add(int(i))
		}
	}
}

// fail reports files that go without.
func (c *compiler) fail(it *item) {
	m := c.seldom(it)
	for _, i := range c.wantsOf(it) {
		c.missed.add(int(i))
		c.report(policy.Finding{ID: m.id, Severity: policy.Error, URL: c.wants[i].URL, Message: m.msg})
	}
}
