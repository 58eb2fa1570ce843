package headers

import (
	"cmp"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"metarobots/policy"
)

// choose finds the fewest rules for the items.
func (c *compiler) choose() {
	for suffixes := maxSuffixes; ; suffixes /= 2 {
		c.findSuffixes(suffixes)
		c.shapes = make(map[string]*shape)
		c.root = c.grow("/", "/", c.items)
		if c.work = maxWork; suffixes == 0 {
			c.work = math.MaxInt
		}
		if c.solve(c.root.shape, inForce{}); c.work >= 0 {
			break
		}
	}
	c.write()
}

// write makes rules of the best choices.
func (c *compiler) write() {
	c.work, c.rules = math.MaxInt, nil
	c.walk(c.root, inForce{})
	c.settle()
}

// findSuffixes picks the suffixes that may have rules, up to a number of them, and sorts the items by them: first those
// most of whose items need a rule, then, where one can take away, those most of whose items want nothing.
func (c *compiler) findSuffixes(most int) {
	counts := make(map[string][2]int) // of items that need a rule, and of all
	for _, it := range c.items {
		if t := it.template; t != nil {
			it.label = it.value
			if t.n > 1 && t.n >= it.value.n { // of what more files want, there are fewer rules
				it.label = t
			}
		}
		if it.label == bare {
			continue
		}
		s := cmp.Or(it.label.tail, path.Ext(it.path))
		if len(s) > 1 && isPlain(strings.ReplaceAll(s, ".", "")) {
			n := counts[s]
			if n[1]++; !it.right {
				n[0]++
			}
			counts[s] = n
		}
	}
	c.suffixes = nil
	for _, s := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		m, n := counts[a], counts[b]
		return cmp.Or(n[0]-m[0], n[1]-m[1], cmp.Compare(a, b))
	}) {
		nested := func(t string) bool { return strings.HasSuffix(s, t) || strings.HasSuffix(t, s) }
		if len(c.suffixes) < most && counts[s][1] > 1 && !slices.ContainsFunc(c.suffixes, nested) &&
			every(c.items, func(it *item) bool { return c.isClear(it, s) }) {
			c.suffixes = append(c.suffixes, s)
		}
	}
	c.suffixes = append(c.suffixes, "")
	slices.Sort(c.suffixes)
	for _, it := range c.items {
		it.class = uint8(1 + slices.IndexFunc(c.suffixes[1:], func(s string) bool { return it.requests[0].ends(s) }))
		if it.label != bare && !it.label.says(c.suffixes[it.class]) {
			it.label = it.value // no rule with a star can say the template
		}
	}
}

// ends reports whether a rule for a suffix matches the request, if its folder does.
func (s request) ends(suffix string) bool {
	key := s.on.dialect.key
	return s.form != suffix && strings.HasSuffix(key(s.form), key(suffix))
}

// isClear reports whether a rule for a suffix matches all requests of an item or none, and none by a dot that Netlify
// reads as any character, so that /*.js takes x.mjs.
func (c *compiler) isClear(it *item, suffix string) bool {
	rest, ok := strings.CutSuffix(it.key, strings.ToLower(suffix[1:]))
	return !(c.netlify && ok && !strings.HasSuffix(rest, suffix[:1])) &&
		every(it.requests, func(s request) bool { return s.ends(suffix) == it.requests[0].ends(suffix) })
}

// walk goes down the folders and takes the best choices, general before specific: a folder before those in it, and
// there its own rule before those for suffixes.
func (c *compiler) walk(f *folder, in inForce) {
	for k, label := range c.solve(f.shape, in).label {
		if label == bare {
			continue
		}
		paths, covered := f.paths, in != inForce{}
		if k == 0 {
			in = everywhere(label)
		} else {
			paths, covered = []string{f.raw + "*" + c.suffixes[k]}, in[k] != bare
			in[k] = label
		}
		for _, path := range paths {
			lines := label.under(path)
			c.rules = append(c.rules, c.rule(path, lines, covered || !c.quiet || len(lines) == 0))
		}
	}
	f.in = in
	for _, sub := range f.below {
		c.walk(sub, in)
	}
}

// left reports whether an item is left to its tag: a header says the same or nothing.
func (c *compiler) left(it *item) bool { return c.giveUp && it.tagged }

// leaf returns what an item means to its folder.
func (c *compiler) leaf(it *item) leaf {
	l, rule := leaf{label: it.label, class: it.class, over: never}, c.cost(it.path)
	if it.after {
		l.over = rule
	}
	switch {
	case it.right, it.spare, c.left(it):
	case it.obstacle != nil && !it.tagged:
		l.alone = missed
	case it.block == nil:
		l.alone = rule
	}
	return l
}

// settle makes rules of the choices.
func (c *compiler) settle() {
	c.toTag, c.missed, c.why, c.lost = make(map[string]string), make(map[string]string), make(map[string]string), nil
	for _, it := range c.items {
		in := it.in.in[it.class]
		switch reached := in != bare; {
		case !reached && it.right, reached && in == it.label:
		case !reached && c.left(it):
			c.note(it, c.toTag, "")
		case !reached && it.obstacle != nil:
			c.miss(it)
		case it.block != nil:
			c.rules = append(c.rules, *it.block)
		case !reached && (it.spare && c.cost(it.path) > 0 || c.loss < c.cost(it.path)):
			c.lost = append(c.lost, it)
		default:
			c.rules = append(c.rules, c.rule(it.path, it.value.lines, it.reached || reached))
		}
	}
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
	if it.tagged {
		severity, more, without = policy.Warning, "; its meta tag alone carries the policy", c.toTag
	}
	c.note(it, without, it.obstacle.ID)
	for _, s := range it.requests {
		c.res.Report(it.obstacle.ID, severity, 0, c.wants[s.want].URL, "%s%s", it.obstacle.Message, more)
	}
}
