package headers

import (
	"cmp"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
)

// item is one path that an exact rule can have, with the request paths that the
// rule covers: often several, on several hosts.
type item struct {
	path  string // what its own rule is for
	key   string // where it stands in the tree: its path as [compiler.fold] has it
	spots []spot
	wants []int // the files, which want the same
	label int32 // what is wanted; bare where no rule can say it

	ok      uint64 // the spots, as bits, that are right without a rule of ours
	classes uint8  // suffixes of the spots: see [leaf]
	served  uint8

	// alone and after are its own rule where no rule of ours applies, and where one
	// does; nil where it can have none.
	alone, after *plan
	lack         *lack // why the item cannot have the rule it needs
}

// maxSpots is how many request paths an item can have, one bit of ok for each.
const maxSpots = 63

// right reports whether all spots of an item are right without rules of ours.
func (it *item) right() bool { return it.ok == 1<<len(it.spots)-1 }

// gather lists the items of all wants, in the order of the tree.
func (c *compiler) gather() {
	c.quiet = c.quiet && c.everywhere == nil
	c.label()
	n := len(c.wants)
	for i := range c.wants {
		if c.netlify() && strings.HasSuffix(c.wants[i].Path, ".html") {
			n++ // a page and its folder
		}
	}
	c.items = make([]item, 0, n)
	var room [][]spot
	for i := range c.wants {
		if !c.wants[i].Free {
			room = c.add(i, room)
		}
	}
	order := func(a, b item) int {
		return cmp.Or(strings.Compare(a.key, b.key), strings.Compare(a.path, b.path))
	}
	if !slices.IsSortedFunc(c.items, order) { // as most sites nearly are
		slices.SortStableFunc(c.items, order)
	}
	c.share()
	for from, to := 0, 0; from < len(c.items); from = to {
		for to = from + 1; to < len(c.items) && c.items[to].key == c.items[from].key; {
			to++
		}
		claims := c.claims(c.items[from:to])
		for i := from; i < to; i++ {
			c.examine(&c.items[i], claims)
		}
	}
	c.findSuffixes(maxSuffixes)
}

// label numbers the wanted texts, in their order.
func (c *compiler) label() {
	lines := make(map[string][]string)
	c.joined = make([]string, len(c.wants))
	for i := range c.wants {
		w := &c.wants[i]
		joined := strings.Join(w.Values, ", ")
		c.joined[i] = joined
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

// add adds the items of a want: the rules that name all its request paths. It
// lends and returns lists.
func (c *compiler) add(want int, room [][]spot) [][]spot {
	groups := room[:0]
	for d, e := range c.engines {
		for _, f := range e.served(&c.wants[want]) {
			at := slices.IndexFunc(groups, func(g []spot) bool { return g[0].form == f || e.key(g[0].form) == e.key(f) })
			if at < 0 {
				at = len(groups)
				if groups = groups[:min(at+1, cap(groups))]; len(groups) == at {
					groups = append(groups, nil)
				}
				groups[at] = groups[at][:0]
			}
			groups[at] = append(groups[at], spot{d, f})
		}
	}
	for _, g := range groups {
		path := g[0].form
		c.items = append(c.items, item{path: path, key: c.fold(path), wants: []int{want}, spots: slices.Clone(g)})
	}
	return groups
}

// text is what an item's wants want, as one line, and lines are their values.
func (c *compiler) text(it *item) string    { return c.joined[it.wants[0]] }
func (c *compiler) lines(it *item) []string { return c.wants[it.wants[0]].Values }

// share makes one item of those that one rule covers, where they want the same.
func (c *compiler) share() {
	type class struct{ path, text string }
	last := make(map[class]int)
	kept := c.items[:0]
	for _, it := range c.items {
		if len(kept) > 0 && kept[len(kept)-1].key != it.key {
			clear(last)
		}
		is := class{it.path, c.text(&it)}
		if !c.portable() {
			is.path = ""
		}
		if at, ok := last[is]; ok && len(kept[at].spots)+len(it.spots) <= maxSpots {
			to := &kept[at]
			to.spots = append(to.spots, it.spots...)
			to.wants = append(to.wants, it.wants...)
			continue
		}
		last[is] = len(kept)
		kept = append(kept, it)
	}
	c.items = kept
}

// reach is what a rule that spells out a path reaches: the requests of one key.
type reach struct {
	dialect int
	key     string
}

// claim is the first want of a text among those that a rule reaches.
type claim struct {
	want int
	text string
}

// claims finds, among items of one key, the first two texts that are wanted of
// what a rule reaches; nil for one item, which has no rival.
func (c *compiler) claims(items []item) map[reach][]claim {
	if len(items) == 1 {
		return nil
	}
	all := make(map[reach][]claim)
	for i := range items {
		it := &items[i]
		is := claim{slices.Min(it.wants), c.text(it)}
		for _, s := range it.spots {
			at := reach{s.dialect, c.engines[s.dialect].key(s.form)}
			all[at] = firstTwo(all[at], is)
		}
	}
	return all
}

// firstTwo adds a claim to the first ones of two texts.
func firstTwo(claims []claim, is claim) []claim {
	if i := slices.IndexFunc(claims, func(o claim) bool { return o.text == is.text }); i >= 0 {
		claims[i].want = min(claims[i].want, is.want)
	} else {
		claims = append(claims, is)
	}
	slices.SortFunc(claims, func(a, b claim) int { return a.want - b.want })
	return claims[:min(len(claims), 2)]
}

// served reports whether a spot of a want needs no rule of ours.
func (c *compiler) served(i int, s spot) bool {
	joined := c.joined[i]
	if c.quiet {
		return joined == ""
	}
	got := c.says(s, c.base(s))
	if c.same(got, joined) {
		return true
	}
	return (joined == "" || c.wants[i].Found && c.uniform(i)) && got == c.says(s, c.own(s))
}

// same is [robotstag.Same], which many files ask for the same two texts.
func (c *compiler) same(a, b string) bool {
	if a == b {
		return true
	}
	same, ok := c.sames[[2]string{a, b}]
	if !ok {
		same = robotstag.Same(a, b)
		c.sames[[2]string{a, b}] = same
	}
	return same
}

// uniform reports whether the user's rules say one and the same at every request
// path of a want: only then can they be what [robotstag.Want.Found] speaks of.
func (c *compiler) uniform(i int) bool {
	first := ""
	for d, e := range c.engines {
		for _, f := range e.served(&c.wants[i]) {
			s := spot{d, f}
			got := c.says(s, c.own(s))
			if got == "" || first != "" && got != first {
				return false
			}
			first = got
		}
	}
	return true
}
