package headers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
)

// item is one path that an exact rule can have, with the request paths that the
// rule covers: often several, on several hosts. A site has one or two for each
// of its files, so an item holds no more than it must; its path, key, spots and
// wants are asked of the compiler.
type item struct {
	text  string   // the longest of its path and its spots
	want  [1]int32 // the first of its wants
	label int32    // what is wanted; bare where no rule can say it
	extra int32    // from 1 in compiler.more; below 0 in compiler.folds; 0: none

	kind    uint8 // in compiler.kinds; with the flags
	ok      uint8 // the spots, as bits, that are right without a rule of ours, but see more
	classes uint8 // suffixes of the spots: see [leaf]
	served  uint8
}

// The flags of item.kind say that an item can have its own rule where no rule of
// ours applies, and where one does.
const (
	alone    uint8 = 1 << 6
	after    uint8 = 1 << 7
	maxKinds       = 1 << 6
)

// kind is how the path and the spots of an item come of its text. The first kind
// has none: the text is the path, and the spots are in more.
type kind struct {
	short bool // the path is the text without its last slash
	spots []kindSpot
}

type kindSpot struct {
	dialect int
	short   bool
}

// more is what few items have.
type more struct {
	fold  string  // the key, where it is no part of the path
	wants []int32 // where files share the path; they want the same
	spots []spot  // where they are not of a kind
	ok    uint64  // of those
	// id and msg say why the item cannot have the rule it needs.
	id, msg string
	// alone and after are its own rule where no rule of ours applies, and where one
	// does; nil: it is a plain block at the end of the file.
	alone, after *plan
}

// own is a rule of an item's own.
type own struct {
	ok bool
	// plan is the rule; nil: it is a plain block at the end of the file.
	plan *plan
}

// path is what an item's own rule is for.
func (c *compiler) path(it *item) string {
	if c.kinds[it.kind%maxKinds].short {
		return it.text[:len(it.text)-1]
	}
	return it.text
}

// key is where an item stands in the tree: its path as [compiler.fold] has it.
func (c *compiler) key(it *item) string {
	switch {
	case it.extra < 0:
		return c.folds[-it.extra-1]
	case it.extra > 0 && c.more[it.extra-1].fold != "":
		return c.more[it.extra-1].fold
	}
	path := c.path(it)
	if len(path) > 1 && c.netlify() {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

// spots returns the request paths of an item, in the room where there is any.
func (c *compiler) spots(it *item, room []spot) []spot {
	if it.kind%maxKinds == 0 {
		return c.more[it.extra-1].spots
	}
	room = room[:0]
	for _, k := range c.kinds[it.kind%maxKinds].spots {
		form := it.text
		if k.short {
			form = form[:len(form)-1]
		}
		room = append(room, spot{k.dialect, form})
	}
	return room
}

// wantsOf returns the wants of an item.
func (c *compiler) wantsOf(it *item) []int32 {
	if it.extra > 0 && c.more[it.extra-1].wants != nil {
		return c.more[it.extra-1].wants
	}
	return it.want[:]
}

// seldom returns what few items have, to be read.
func (c *compiler) seldom(it *item) more {
	if it.extra > 0 {
		return c.more[it.extra-1]
	}
	return more{}
}

// extend returns what few items have, to be written, until the next call.
func (c *compiler) extend(it *item) *more {
	if it.extra <= 0 {
		m := more{}
		if it.extra < 0 {
			m.fold = c.folds[-it.extra-1]
		}
		c.more = append(c.more, m)
		it.extra = int32(len(c.more))
	}
	return &c.more[it.extra-1]
}

// ownPlan returns an item's own rule; over says that another rule of ours applies.
func (c *compiler) ownPlan(it *item, over bool) plan {
	m := c.seldom(it)
	p := m.alone
	if over {
		p = m.after
	}
	if p != nil {
		return *p
	}
	return plan{block: block{c.path(it), ruleLines(Name, over && c.cloudflare() != nil, c.lines(it))}}
}

// isOK reports whether a spot of an item is right without rules of ours.
func (c *compiler) isOK(it *item, n int) bool {
	if it.kind%maxKinds == 0 {
		return c.more[it.extra-1].ok&(1<<n) != 0
	}
	return it.ok&(1<<n) != 0
}

// right reports whether all spots of an item are right without rules of ours.
func (c *compiler) right(it *item) bool {
	if it.kind%maxKinds == 0 {
		m := &c.more[it.extra-1]
		return m.ok == 1<<len(m.spots)-1
	}
	return it.ok == 1<<len(c.kinds[it.kind%maxKinds].spots)-1
}

// gather lists the items of all wants, in the order of the tree.
func (c *compiler) gather() {
	c.quiet = c.quiet && c.everywhere == nil
	c.label()
	c.kinds = make([]kind, 1)
	n := 0
	for i := range c.wants {
		if n++; c.netlify() && strings.HasSuffix(c.wants[i].Path, ".html") {
			n++ // a page and its folder
		}
	}
	c.items = make([]item, 0, n)
	for i := range c.wants {
		if c.wants[i].Free {
			continue
		}
		for _, g := range c.groups(i) {
			c.items = append(c.items, c.newItem(i, g))
		}
	}
	order := func(a, b item) int {
		return cmp.Or(strings.Compare(c.key(&a), c.key(&b)), strings.Compare(c.path(&a), c.path(&b)))
	}
	if !slices.IsSortedFunc(c.items, order) { // as most sites nearly are
		slices.SortStableFunc(c.items, order)
	}
	c.share()
	room := make([]spot, 8)
	for i := range c.items {
		c.examine(i, room)
	}
	c.findSuffixes(maxSuffixes)
}

// newItem is the item of a want's group.
func (c *compiler) newItem(i int, g group) item {
	it := item{text: g.path, want: [1]int32{int32(i)}}
	for _, s := range g.spots {
		if len(s.form) > len(it.text) {
			it.text = s.form
		}
	}
	if it.kind = c.kindOf(g, it.text); it.kind == 0 {
		it.text = g.path
		c.extend(&it).spots = g.spots
	}
	key := c.key(&it)
	switch fold := c.fold(g.path); {
	case fold == key:
	case it.extra > 0:
		c.extend(&it).fold = fold
	default:
		c.folds = append(c.folds, fold)
		it.extra = int32(-len(c.folds))
	}
	return it
}

// kindOf finds or makes the kind of a group whose longest text is given; 0 is none.
func (c *compiler) kindOf(g group, text string) uint8 {
	fits := func(form string) bool {
		return form == text || len(form) == len(text)-1 && form == text[:len(form)] && text[len(form)] == '/'
	}
	if len(g.spots) > 8 || !fits(g.path) || slices.ContainsFunc(g.spots, func(s spot) bool { return !fits(s.form) }) {
		return 0
	}
	short := func(form string) bool { return len(form) < len(text) }
	for at := 1; at < len(c.kinds); at++ {
		k := &c.kinds[at]
		if k.short == short(g.path) && slices.EqualFunc(k.spots, g.spots, func(k kindSpot, s spot) bool { return k == kindSpot{s.dialect, short(s.form)} }) {
			return uint8(at)
		}
	}
	if len(c.kinds) == maxKinds {
		return 0
	}
	k := kind{short: short(g.path)}
	for _, s := range g.spots {
		k.spots = append(k.spots, kindSpot{s.dialect, short(s.form)})
	}
	c.kinds = append(c.kinds, k)
	return uint8(len(c.kinds) - 1)
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
		for _, f := range e.served(&c.wants[i]) {
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
		return c.key(a) == c.key(b) && (c.path(a) == c.path(b) || !c.portable()) && c.joined(a) == c.joined(b) &&
			len(c.spots(a, nil))+len(c.spots(b, nil)) < 64
	}
	kept := c.items[:0]
	for i := range c.items {
		it := &c.items[i]
		at := len(kept) - 1
		for at >= 0 && c.key(&kept[at]) == c.key(it) && !same(&kept[at], it) {
			at--
		}
		if at < 0 || !same(&kept[at], it) {
			kept = append(kept, *it)
			continue
		}
		to := &kept[at]
		path, spots := c.path(to), slices.Concat(c.spots(to, nil), c.spots(it, nil))
		m := c.extend(to)
		if to.text, to.kind, m.spots = path, 0, spots; m.wants == nil {
			m.wants = to.want[:1:1]
		}
		m.wants = append(m.wants, c.wantsOf(it)...)
	}
	c.items = kept
}

// joined is the text that an item's wants want.
func (c *compiler) joined(it *item) string { return strings.Join(c.wants[it.want[0]].Values, ", ") }

// lines are the values that an item's wants want.
func (c *compiler) lines(it *item) []string { return c.wants[it.want[0]].Values }

// examine finds out what an item gets without us, and whether and how it can
// have a rule of its own.
func (c *compiler) examine(at int, room []spot) {
	it := &c.items[at]
	joined := c.joined(it)
	it.label = c.labels[joined]
	spots := c.spots(it, room)
	for n, s := range spots {
		if !slices.ContainsFunc(c.wantsOf(it), func(i int32) bool { return !c.served(int(i), s, joined) }) {
			if it.ok |= 1 << n; it.kind == 0 {
				c.extend(it).ok |= 1 << n
			}
		}
		if it.label != bare && !c.takes(it, s, joined) {
			it.label = bare
		}
	}
	if msg := badValues(c.lines(it)); msg != "" {
		m := c.extend(it)
		m.id, m.msg = robotstag.IDValue, msg
		return
	}
	if id, msg := c.unnameable(at, joined); id != "" {
		m := c.extend(it)
		m.id, m.msg = id, msg
		return
	}
	if !c.right(it) {
		o := c.way(it, spots, joined)
		if o.plan != nil {
			c.extend(it).alone = o.plan
		}
		if o.ok {
			it.kind |= alone
		} else {
			msg := c.foundMessage(it, spots)
			m := c.extend(it)
			m.id, m.msg = robotstag.IDFound, msg
		}
	}
	o := c.wayAfter(it, spots, joined)
	if o.plan != nil {
		c.extend(it).after = o.plan
	}
	if o.ok {
		it.kind |= after
	}
}

// served reports whether a spot of a want needs no rule of ours.
func (c *compiler) served(i int, s spot, joined string) bool {
	if c.quiet {
		return joined == ""
	}
	got := c.text(s, c.base(s))
	if got == joined || robotstag.Same(got, joined) {
		return true
	}
	return (joined == "" || c.wants[i].Found && c.uniform(i)) && got == c.text(s, c.own(s))
}

// uniform reports whether the user's rules say one and the same at every request
// path of a want: only then can they be what [robotstag.Want.Found] speaks of.
func (c *compiler) uniform(i int) bool {
	first := ""
	for d, e := range c.engines {
		for _, f := range e.served(&c.wants[i]) {
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
func (c *compiler) unnameable(at int, joined string) (id, msg string) {
	it := &c.items[at]
	path := c.path(it)
	// Whatever a rule of this path reaches has its key, so it stands beside the item.
	from, to := at, at+1
	for key := c.key(it); from > 0 && c.key(&c.items[from-1]) == key; {
		from--
	}
	for key := c.key(it); to < len(c.items) && c.key(&c.items[to]) == key; {
		to++
	}
	for d, e := range c.engines {
		if !e.nameable(path) {
			return robotstag.IDName, fmt.Sprintf("no rule of %s can name %s exactly", e.Name(), path)
		}
		if to-from == 1 {
			continue
		}
		first := int32(-1) // of the wants that it must not reach
		for i := from; i < to; i++ {
			beside := &c.items[i]
			reached := slices.ContainsFunc(c.spots(beside, nil), func(s spot) bool { return s.dialect == d && e.key(s.form) == e.key(path) })
			if i == at || !reached || c.joined(beside) == joined {
				continue
			}
			for _, other := range c.wantsOf(beside) {
				if !slices.Contains(c.wantsOf(it), other) && (first < 0 || other < first) {
					first = other
				}
			}
		}
		if first >= 0 {
			o := &c.wants[first]
			return robotstag.IDOverlap, fmt.Sprintf("a rule for %s would reach %s too, which is to be served with %q, not %q (%s)",
				path, o.Name(), strings.Join(o.Values, ", "), joined, e.Name())
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
func (c *compiler) way(it *item, spots []spot, joined string) own {
	rival := c.rivals[c.path(it)]
	switch {
	case rival == nil && c.quiet:
		return own{ok: true}
	case rival == nil:
		name, detach, ok := c.try(spots, joined, nil, surround{before: c.lines(it)}, nil)
		return own{ok, &plan{block: block{c.path(it), ruleLines(name, detach, c.lines(it))}}}
	}
	if edits := c.merge(spots, joined, rival, c.lines(it)); edits != nil {
		return own{true, &plan{edits: edits}}
	}
	return c.twin(it, spots, joined, nil)
}

// wayAfter finds an exact rule for an item that a pattern of ours reaches.
func (c *compiler) wayAfter(it *item, spots []spot, joined string) own {
	over := &Rule{Headers: []Header{{Name: Name, Value: "x"}}}
	switch {
	case joined == "" && it.label == bare:
		return own{} // no rule can say nothing
	case c.rivals[c.path(it)] != nil:
		return c.twin(it, spots, joined, over)
	case !c.odd:
		return own{ok: true}
	}
	name, _, ok := c.try(spots, joined, nil, surround{before: c.lines(it)}, over)
	return own{ok, &plan{block: block{c.path(it), ruleLines(name, c.cloudflare() != nil, c.lines(it))}}}
}

func (c *compiler) foundMessage(it *item, spots []spot) string {
	for _, s := range spots {
		for _, v := range c.engines[s.dialect].combine(c.own(s), c.opt.Host, s.form) {
			return fmt.Sprintf("the X-Robots-Tag rule of line %d stands in the way of the value for %s (remove it: the policy covers the file)",
				c.user.line(v.Line), c.path(it))
		}
	}
	return fmt.Sprintf("no rule can give %s the wanted value beside the one for /*", c.path(it))
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
	for _, i := range c.wantsOf(it) {
		st = min(st, c.stance(int(i)))
	}
	l := leaf{label: it.label, classes: it.classes, served: it.served, over: never}
	if it.kind&after != 0 {
		l.over = 1
	}
	switch {
	case st == aloof:
		l.label, l.served, l.over = bare, it.classes, never
	case st == loose:
		l.served = it.classes
	case c.right(it):
	case it.kind&alone == 0:
		l.alone, l.over = missed, never
	default:
		if p := c.seldom(it).alone; p == nil || p.block.path != "" {
			l.alone = 1
		}
	}
	return l
}
