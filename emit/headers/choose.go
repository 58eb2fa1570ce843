package headers

import (
	"cmp"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// choose finds the fewest rules for the items.
func (c *compiler) choose() {
	var root *folder
	for suffixes := maxSuffixes; ; suffixes /= 2 {
		root = c.tree(suffixes)
		if c.work = maxWork; suffixes == 0 {
			c.work = math.MaxInt
		}
		if c.solve(root.shape, inForce{}); c.work >= 0 {
			break
		}
	}
	c.work, c.rules = math.MaxInt, nil
	c.walk(root, inForce{})
	c.settle()
}

// tree makes the folders of all items, with rules for some suffixes.
func (c *compiler) tree(suffixes int) *folder {
	c.findSuffixes(suffixes)
	c.shapes = make(map[any]*shape)
	return c.grow("/", "/", c.items)
}

// findSuffixes picks the suffixes that may have rules, up to a number of them, and sorts the requests by them: first
// those most of whose items need a rule, then, where one can take away, those most of whose items want nothing.
func (c *compiler) findSuffixes(most int) {
	counts := make(map[string][2]int) // of items that need a rule, and of all
	for i := range c.items {
		it := &c.items[i]
		s, most := path.Ext(it.path), maxSuffix
		if it.template > 0 {
			it.label = c.popular(it)
		}
		if v := &c.values[it.label]; v.template && v.tail != "" {
			s, most = v.tail, 3*maxSuffix
		}
		if len(s) < 2 || len(s) > 1+most || !isPlain(strings.ReplaceAll(s, ".", "")) || it.label == bare {
			continue
		}
		n := counts[s]
		if n[1]++; !it.right() {
			n[0]++
		}
		counts[s] = n
	}
	var chosen []string
	for _, s := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		m, n := counts[a], counts[b]
		return cmp.Or(n[0]-m[0], n[1]-m[1], cmp.Compare(a, b))
	}) {
		// Netlify reads its dot as any character, so that /*.js takes x.mjs.
		blurred := func(it item) bool {
			rest, ok := strings.CutSuffix(it.key, strings.ToLower(s[1:]))
			return c.netlify && ok && !strings.HasSuffix(rest, ".")
		}
		nested := func(t string) bool { return strings.HasSuffix(s, t) || strings.HasSuffix(t, s) }
		if len(chosen) < most && counts[s][1] > 1 && !slices.ContainsFunc(c.items, blurred) &&
			!slices.ContainsFunc(chosen, nested) {
			chosen = append(chosen, s)
		}
	}
	c.suffixes = append(chosen, "")
	slices.Sort(c.suffixes)
	for i := range c.items {
		it := &c.items[i]
		for n := range it.requests {
			s := &it.requests[n]
			key := s.on.dialect.key
			s.class = uint8(1 + slices.IndexFunc(c.suffixes[1:], func(suffix string) bool {
				return s.form != suffix && strings.HasSuffix(key(s.form), key(suffix))
			}))
			if !c.values[it.label].says(c.suffixes[s.class]) {
				it.label = it.value // no rule with a star can say the template
			}
		}
	}
}

// maxSuffix is how long a suffix may be.
const maxSuffix = 8

// walk goes down the folders and takes the best choices, general before specific: a folder before those in it, and
// there its own rule before those for suffixes.
func (c *compiler) walk(f *folder, in inForce) {
	for k, label := range c.solve(f.shape, in).label {
		if label == bare {
			continue
		}
		path, place, covered := f.raw+f.end, f.merge, in != inForce{}
		if k == 0 {
			in = everywhere(label)
		} else {
			path, place, covered = f.raw+"*"+c.suffixes[k], nil, in[k] != bare
			in[k] = label
		}
		lines := c.values[label].under(path)
		o := c.rule(path, lines, covered || !c.quiet || len(lines) == 0)
		o.place = place
		c.rules = append(c.rules, *o)
	}
	f.in = in
	for _, sub := range f.below {
		c.walk(sub, in)
	}
}

// coverage is how much is done for the header of an item.
type coverage uint8

const (
	strict  coverage = iota // it is to have its value
	loose                   // its tag carries the policy; the header says the same or nothing
	tagOnly                 // its tag carries the policy, and no header of ours reaches it
)

// coverage returns how much is done for an item, and what is to be in force there.
func (c *compiler) coverage(it *item) (coverage, int32) {
	most := tagOnly
	for _, s := range it.requests {
		switch w := &c.wants[s.want]; {
		case !w.HTML || len(w.Values) == 0:
			most = strict
		case c.values[it.value].opens && c.opt.Scope != robotstag.ScopeAll:
			// Portable cannot say the preview block of Cloudflare (N6).
		case c.giveUp:
			most = min(most, loose)
		default:
			most = strict
		}
	}
	if most == tagOnly {
		return most, bare
	}
	return most, it.label
}

// tagged reports whether all requests of an item are for files whose tags can carry what their headers do not.
func (c *compiler) tagged(it *item) bool {
	return every(it.requests, func(s request) bool { return c.wants[s.want].HTML && len(c.wants[s.want].Values) > 0 })
}

// leaf returns what the requests of an item with one suffix, or none, mean to its folder.
func (c *compiler) leaf(it *item, class uint8) (l leaf, any bool) {
	coverage, label := c.coverage(it)
	l = leaf{label: label, class: class, over: never}
	rule, right := c.cost(it.path), true
	for _, s := range it.requests {
		if s.class == class {
			any, right = true, right && s.right
		} else if s.class < class {
			rule = 0 // it has been counted
		}
	}
	if it.after && coverage < tagOnly {
		l.over = rule
	}
	switch {
	case right, coverage >= loose:
	case it.obstacle != nil && !c.tagged(it):
		l.alone = c.loss
	case it.block == nil:
		l.alone = min(rule, c.loss)
	}
	return l, any
}

// settle makes rules of the choices.
func (c *compiler) settle() {
	c.outcomes, c.lost = make([]outcome, len(c.wants)), nil
	for i := range c.items {
		it := &c.items[i]
		coverage, label := c.coverage(it)
		served, done, touched := true, true, false
		for _, s := range it.requests {
			right, reached := it.in.in[s.class] == label, it.in.in[s.class] != bare
			if !reached {
				right = s.right
			}
			served, touched = served && right, touched || reached
			done = done && (right || !reached && coverage != strict)
		}
		missing := !done && !touched && it.obstacle != nil
		tag := done && !served || missing && c.tagged(it)
		for _, s := range it.requests {
			o := &c.outcomes[s.want]
			o.touched = o.touched || touched || !done && !missing
			o.missed = o.missed || missing && !tag
			o.left = o.left || tag
			o.preview = o.preview || done && tag && coverage == tagOnly && c.opt.Auto()
			if missing && c.blocks != nil {
				o.lost = whyLost[it.obstacle.ID]
			} else if missing {
				severity, more := policy.Error, ""
				if tag {
					severity, more = policy.Warning, "; its meta tag alone carries the policy"
				}
				c.res.Report(it.obstacle.ID, severity, 0, c.wants[s.want].URL, "%s%s", it.obstacle.Message, more)
			}
		}
		switch {
		case done || missing:
		case it.block != nil:
			c.rules = append(c.rules, *it.block)
		case !touched && c.loss < c.cost(it.path):
			c.lost = append(c.lost, it)
		default:
			c.rules = append(c.rules, c.exactRule(it, touched))
		}
	}
}

// exactRule is an item's own rule, which may follow another of ours.
func (c *compiler) exactRule(it *item, touched bool) added {
	return *c.rule(it.path, c.values[it.value].lines, it.reached || touched)
}

// rule is a block of ours. Where Cloudflare reads the file, it can take away first what earlier rules set.
func (c *compiler) rule(path string, values []string, detach bool) *added {
	return &added{path: path, header: c.header.Name, name: c.name, before: values, detach: detach && c.cloudflare != nil}
}
