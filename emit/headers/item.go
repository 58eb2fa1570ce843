package headers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// item is one path that an exact rule can have, with the request paths that the
// rule covers: often several, on several hosts.
type item struct {
	path  string
	key   string // where it stands in the tree
	wants []int  // more than one where files share the path; they want the same
	spots []spot
	label int32 // what is wanted; bare where no rule can say it

	ok      uint64 // the spots, as bits, that are right without a rule of ours
	classes uint8  // suffixes of the spots: see [leaf]
	served  uint8

	// id and msg say why the item cannot have the rule it needs.
	id, msg string
	// alone is its own rule where no rule of ours applies, after where one does.
	alone, after own
}

// own is a rule of an item's own.
type own struct {
	ok bool
	// plan is the rule; nil: it is a plain block at the end of the file.
	plan *plan
}

// ownPlan returns an item's own rule; over says that another rule of ours applies.
func (c *compiler) ownPlan(it *item, over bool) plan {
	o := it.alone
	if over {
		o = it.after
	}
	if o.plan != nil {
		return *o.plan
	}
	return plan{block: block{it.path, ruleLines(Name, over && c.cloudflare() != nil, c.lines(it))}}
}

// right reports whether all spots of an item are right without rules of ours.
func (it *item) right() bool { return it.ok == 1<<len(it.spots)-1 }

// gather lists the items of all wants, in the order of the tree.
func (c *compiler) gather() {
	c.quiet = c.quiet && c.everywhere == nil
	c.label()
	for i := range c.wants {
		if c.wants[i].Free {
			continue
		}
		for _, g := range c.groups(i) {
			c.items = append(c.items, item{path: g.path, key: c.fold(g.path), wants: []int{i}, spots: g.spots})
		}
	}
	order := func(a, b item) int { return cmp.Or(strings.Compare(a.key, b.key), strings.Compare(a.path, b.path)) }
	if !slices.IsSortedFunc(c.items, order) { // as most sites nearly are
		slices.SortStableFunc(c.items, order)
	}
	c.share()
	for i := range c.items {
		c.examine(&c.items[i])
	}
	c.findSuffixes(maxSuffixes)
}

// label numbers the wanted texts, in their order.
func (c *compiler) label() {
	lines := make(map[string][]string)
	for i := range c.wants {
		w := &c.wants[i]
		joined := strings.Join(w.Values, ", ")
		if old, ok := lines[joined]; !w.Free && (!ok || slices.Compare(w.Values, old) < 0) {
			lines[joined] = w.Values
		}
	}
	texts := make([]string, 0, len(lines))
	for joined := range lines {
		texts = append(texts, joined)
	}
	slices.Sort(texts)
	c.labels, c.values = make(map[string]int32), make([][]string, 1)
	for _, joined := range texts {
		// Only where a rule can take away can one say nothing.
		if joined == "" && c.netlify() || badValues(lines[joined]) != "" {
			continue
		}
		c.labels[joined] = int32(len(c.values))
		c.values = append(c.values, lines[joined])
	}
}

// fold returns a path as the tree orders it: what no rule can tell apart is one.
func (c *compiler) fold(path string) string {
	if c.netlify() {
		return Netlify.key(path)
	}
	return path
}

// group is one exact rule's path and the want's spots that it covers.
type group struct {
	path  string
	spots []spot
}

// groups returns the rules that name all request paths of a want.
func (c *compiler) groups(i int) []group {
	var gs []group
	for d, e := range c.engines {
	form:
		for _, f := range e.forms[i] {
			for g := range gs {
				if gs[g].path == f || e.key(gs[g].path) == e.key(f) {
					gs[g].spots = append(gs[g].spots, spot{d, f})
					continue form
				}
			}
			gs = append(gs, group{f, []spot{{d, f}}})
		}
	}
	return gs
}

// share makes one item of those that one rule covers, where they want the same.
func (c *compiler) share() {
	same := func(a, b *item) bool {
		return a.key == b.key && (a.path == b.path || !c.portable()) && c.joined(a) == c.joined(b) &&
			len(a.spots)+len(b.spots) < 64
	}
	kept := c.items[:0]
	for _, it := range c.items {
		at := len(kept) - 1
		for at >= 0 && kept[at].key == it.key && !same(&kept[at], &it) {
			at--
		}
		if at < 0 || !same(&kept[at], &it) {
			kept = append(kept, it)
			continue
		}
		to := &kept[at]
		to.wants = append(to.wants, it.wants...)
		to.spots = append(slices.Clip(to.spots), it.spots...)
	}
	c.items = kept
}

// joined is the text that an item's wants want.
func (c *compiler) joined(it *item) string { return strings.Join(c.wants[it.wants[0]].Values, ", ") }

// lines are the values that an item's wants want.
func (c *compiler) lines(it *item) []string { return c.wants[it.wants[0]].Values }

// examine finds out what an item gets without us, and whether and how it can
// have a rule of its own.
func (c *compiler) examine(it *item) {
	joined := c.joined(it)
	it.label = c.labels[joined]
	for n, s := range it.spots {
		if !slices.ContainsFunc(it.wants, func(i int) bool { return !c.served(i, s, joined) }) {
			it.ok |= 1 << n
		}
		if it.label != bare && !c.takes(it, s, joined) {
			it.label = bare
		}
	}
	if msg := badValues(c.lines(it)); msg != "" {
		it.id, it.msg = IDValue, msg
		return
	}
	if it.id, it.msg = c.unnameable(it, joined); it.id != "" {
		return
	}
	if !it.right() {
		if it.alone = c.way(it, joined); !it.alone.ok {
			it.id, it.msg = IDFound, c.foundMessage(it)
		}
	}
	it.after = c.wayAfter(it, joined)
}

// served reports whether a spot of a want needs no rule of ours.
func (c *compiler) served(i int, s spot, joined string) bool {
	if c.quiet {
		return joined == ""
	}
	got := c.text(s, c.base(s))
	if got == joined || sameSet(got, joined) {
		return true
	}
	return (joined == "" || c.wants[i].Found && c.uniform(i)) && got == c.text(s, c.own(s))
}

// uniform reports whether the user's rules say one and the same at every request
// path of a want: only then can they be what [Want.Found] speaks of.
func (c *compiler) uniform(i int) bool {
	first := ""
	for d, e := range c.engines {
		for _, f := range e.forms[i] {
			s := spot{d, f}
			got := c.text(s, c.own(s))
			if got == "" || first != "" && got != first {
				return false
			}
			first = got
		}
	}
	return true
}

// takes reports whether a pattern of ours gives a spot exactly its text.
func (c *compiler) takes(it *item, s spot, joined string) bool {
	switch {
	case c.quiet:
		return true
	case joined == "":
		return c.text(s, c.own(s)) == "" // else what the user says is to stay
	case c.engines[s.dialect].Dialect == Cloudflare:
		return true // by taking away
	}
	return !c.odd || c.text(s, with(c.base(s), ourRule(nil, Name, true, surround{before: c.lines(it)}))) == joined
}

// unnameable says why no exact rule can mean an item alone, or "".
func (c *compiler) unnameable(it *item, joined string) (id, msg string) {
	for _, e := range c.engines {
		if !e.nameable(it.path) {
			return IDName, fmt.Sprintf("no rule of %s can name %s exactly", e.Name(), it.path)
		}
		for _, other := range e.keys[e.key(it.path)] {
			if slices.Contains(it.wants, other) {
				continue
			}
			if o := &c.wants[other]; strings.Join(o.Values, ", ") != joined {
				return IDOverlap, fmt.Sprintf("a rule for %s would reach %s too, which is to be served with %q, not %q (%s)",
					it.path, o.Path, strings.Join(o.Values, ", "), joined, e.Name())
			}
		}
	}
	return "", ""
}

// badValues says why values cannot stand in a _headers file, or "".
func badValues(values []string) string {
	for _, v := range values {
		for _, r := range v {
			if r < ' ' || r > '~' {
				return fmt.Sprintf("the value %q has a character that is not printable ASCII", v)
			}
		}
		switch {
		case v == "" || trim(v) != v || commas(v) != v:
			return fmt.Sprintf("the value %q is empty or has blanks where engines change them", v)
		case len(Name+": "+v) > CloudflareLine:
			return fmt.Sprintf("a value of %d characters makes a line longer than %d", len(v), CloudflareLine)
		}
	}
	return ""
}

// way finds an exact rule for an item that no pattern of ours reaches: at the
// end of the file, lines in the user's block of the same path, or a rule with a
// star that matches just the same.
func (c *compiler) way(it *item, joined string) own {
	rival := c.rivals[it.path]
	switch {
	case rival == nil && c.quiet:
		return own{ok: true}
	case rival == nil:
		name, detach, ok := c.try(it.spots, joined, nil, surround{before: c.lines(it)}, nil)
		return own{ok, &plan{block: block{it.path, ruleLines(name, detach, c.lines(it))}}}
	}
	if edits := c.merge(it.spots, joined, rival, c.lines(it)); edits != nil {
		return own{true, &plan{edits: edits}}
	}
	return c.twin(it, joined, nil)
}

// wayAfter finds an exact rule for an item that a pattern of ours reaches.
func (c *compiler) wayAfter(it *item, joined string) own {
	over := &Rule{Headers: []Header{{Name: Name, Value: "x"}}}
	switch {
	case joined == "" && it.label == bare:
		return own{} // no rule can say nothing
	case c.rivals[it.path] != nil:
		return c.twin(it, joined, over)
	case !c.odd:
		return own{ok: true}
	}
	name, _, ok := c.try(it.spots, joined, nil, surround{before: c.lines(it)}, over)
	return own{ok, &plan{block: block{it.path, ruleLines(name, c.cloudflare() != nil, c.lines(it))}}}
}

func (c *compiler) foundMessage(it *item) string {
	for _, s := range it.spots {
		for _, v := range c.engines[s.dialect].combine(c.own(s), c.opt.Host, s.form) {
			return fmt.Sprintf("the X-Robots-Tag rule of line %d stands in the way of the value for %s (remove it: the policy covers the file)",
				c.user.line(v.Line), it.path)
		}
	}
	return fmt.Sprintf("no rule can give %s the wanted value beside the one for /*", it.path)
}

// A stance is how much is done for the header of a want.
type stance uint8

const (
	// strict: it is to have its value.
	strict stance = iota
	// loose: its tag carries the policy; the header says the same or nothing.
	loose
	// aloof: its tag carries the policy, and no header of ours reaches it.
	aloof
)

func (c *compiler) stance(i int) stance {
	w := &c.wants[i]
	_, tag := c.leftTo[i]
	switch {
	case !w.HTML || len(w.Values) == 0:
		return strict
	case c.portable() && !w.Noindex && c.opt.Scope != ScopeAll:
		return aloof // portable cannot say the preview block of Cloudflare (N6)
	case tag || c.giveUp || c.opt.Scope == ScopeFiles:
		return loose
	}
	return strict
}

// leaf returns what an item means to the tree.
func (c *compiler) leaf(it *item) leaf {
	st := aloof
	for _, i := range it.wants {
		st = min(st, c.stance(i))
	}
	l := leaf{label: it.label, classes: it.classes, served: it.served, over: never}
	if it.after.ok {
		l.over = 1
	}
	switch {
	case st == aloof:
		l.label, l.served, l.over = bare, it.classes, never
	case st == loose:
		l.served = it.classes
	case it.right():
	case !it.alone.ok:
		l.alone, l.over = missed, never
	case it.alone.plan == nil || it.alone.plan.block.path != "":
		l.alone = 1
	}
	return l
}
