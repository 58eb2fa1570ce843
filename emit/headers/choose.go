package headers

import (
	"cmp"
	"slices"

	"metarobots/policy"
)

// maxRounds is how often the rules are chosen anew because a dialect reads a pattern in another way than the tree;
// after that there are only exact rules.
const maxRounds = 32

// choose finds the fewest rules for the items.
func (c *compiler) choose() {
	for round := 1; ; round++ {
		c.exact = c.exact || round > maxRounds
		found, ok := c.walk(c.grow())
		switch {
		case !ok:
			c.findSuffixes(len(c.suffixes) / 2)
		case c.check(found) && !c.noteTags():
			c.settle(found)
			return
		}
	}
}

// noteTags leaves HTML files to their tags that cannot have all the rules they need, and reports whether there were
// any. Half a header would not do.
func (c *compiler) noteTags() (any bool) {
	for i := range c.items {
		it := &c.items[i]
		l, _ := c.leaf(it)
		if right, _ := l.right(it.in.place.state()); right || it.ways.lack.id == "" {
			continue
		}
		for _, s := range it.requests {
			w := &c.wants[s.want]
			if _, ok := c.leftTo[s.want]; !ok && c.need(s.want) == strict && w.HTML && len(w.Values) > 0 {
				c.leftTo[s.want] = it.ways.lack
				any = true
			}
		}
	}
	return any
}

// place is what comes down to an item: for each suffix the rule with a star that counts.
type place [maxSuffixes + 1]*ours

func (p *place) state() (s state) {
	for k, rule := range p {
		if rule != nil {
			s[k] = rule.label
		}
	}
	return s
}

// walk goes down the tree and takes the best choices, general before specific: a node before those within, and there
// the prefix before the suffixes. It reports whether they could be found within limits.
func (c *compiler) walk(t *builder) (found []*ours, ok bool) {
	if t.cover.solve(t.nodes[0].shape, state{}); t.cover.spent() {
		return nil, false
	}
	slices.SortFunc(t.nodes, func(a, b *node) int { return cmp.Compare(a.text, b.text) })
	none := new(place)
	for _, n := range t.nodes {
		if n.place = none; n.around != nil {
			n.place = n.around.place
		}
		at := *n.place
		for k, label := range t.cover.solve(n.shape, at.state()).label {
			if label == bare {
				continue
			}
			o := &ours{label: label, name: Name, before: c.values[label].lines}
			covered := at[k] != nil
			if k == 0 {
				o.path, o.place, covered = n.raw+n.end, n.merge, at != place{}
				at = place{o, o, o, o, o}
			} else {
				o.path = n.raw + "*." + c.suffixes[k-1]
				at[k] = o
			}
			o.detach = c.cloudflare != nil && (covered || !c.quiet || len(o.before) == 0)
			found = append(found, o)
		}
		if at != *n.place {
			own := at
			n.place = &own
		}
	}
	return found, true
}

// check asks the dialects whether the patterns match what the tree took them to match: for each request path the last
// that matches must be the one that counts. A pattern that fails is banned.
func (c *compiler) check(found []*ours) (good bool) {
	banned := len(c.banned)
	ban := func(p *ours) {
		if p != nil {
			c.banned[p.path] = true
		}
	}
	files := make([]File, len(c.user.engines))
	for d, e := range c.user.engines {
		files[d].Rules = make([]Rule, len(found))
		for i, p := range found {
			if r, err := e.rule(p.path); err != nil {
				ban(p)
			} else {
				files[d].Rules[i] = *r
			}
		}
		files[d].index()
	}
	for i := range c.items {
		it := &c.items[i]
		for _, s := range it.requests {
			e, f := c.user.engines[s.dialect], &files[s.dialect]
			var got *ours
			for _, i := range f.candidates(e.key(s.form)) {
				if e.Match(&f.Rules[i], "", s.form) {
					got = found[i]
				}
			}
			if want := it.in.place[s.class]; got != want {
				ban(got)
				ban(want)
			}
		}
	}
	return len(c.banned) == banned
}

// settle makes rules of the choices.
func (c *compiler) settle(found []*ours) {
	c.rules, c.outcomes = nil, make([]outcome, len(c.wants))
	for _, o := range found {
		c.rules = append(c.rules, *o)
	}
	for i := range c.items {
		it := &c.items[i]
		l, served := c.leaf(it)
		right, untouched := l.right(it.in.place.state())
		l.served = served
		all, _ := l.right(it.in.place.state())
		missed := !right && untouched && it.ways.alone == nil
		for _, s := range it.requests {
			f := &c.outcomes[s.want]
			f.touched = f.touched || !untouched || !right && !missed
			f.missed = f.missed || missed
			f.left = f.left || right && !all
			f.preview = f.preview || right && !all && c.need(s.want) == tagOnly && c.opt.Auto()
			if missed {
				c.res.Report(it.ways.lack.id, policy.Error, 0, c.wants[s.want].URL, "%s", it.ways.lack.msg)
			}
		}
		if !right && !missed {
			c.rules = append(c.rules, c.rule(it, !untouched || c.wild[it.requests[0].want]))
		}
	}
	slices.SortStableFunc(c.rules[len(found):], func(a, b ours) int {
		if a.wild != b.wild {
			return map[bool]int{true: -1, false: 1}[a.wild]
		}
		return cmp.Compare(a.path, b.path)
	})
	for i, why := range c.leftTo {
		if c.outcomes[i].left {
			c.res.Report(why.id, policy.Warning, 0, c.wants[i].URL,
				"%s; its meta tag alone carries the policy", why.msg)
		}
	}
}
