package headers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The fewest rules for a tree of folders: what a folder costs under each value that may come down to it, then, from the
// root, the choice that attains it. As in Draves, King, Venkatachary and Zill, "Constructing Optimal IP Routing
// Tables",
// https://www.microsoft.com/en-us/research/publication/constructing-optimal-ip-routing-tables/.

// A label is the value that a rule with a star says.
var (
	bare  *value     // no rule of ours applies
	wrong = &value{} // a value that nothing below wants
)

const (
	// maxSuffixes is how many suffixes of a site may have rules.
	maxSuffixes = 4
	// maxWork is how many parts of shapes are added up; after that there are rules for fewer suffixes.
	maxWork = 8_000_000
	// maxLabels is how many labels are tried for a folder; fewer for its suffixes, of which all combinations are tried.
	maxLabels, maxSuffixLabels = 64, 4
)

// inForce are the labels that come down to a place: at 0 for request paths without one of the suffixes, then for those
// with each. A rule for a folder sets them all, one for a suffix its own.
type inForce [maxSuffixes + 1]*value

// everywhere is one label in force for all requests.
func everywhere(l *value) inForce { return inForce{l, l, l, l, l} }

// price counts rules, and fractions of them. A file without its value costs more than any number of rules, unless these
// do not suffice, see [compiler.ration]; what no rules can mend is never chosen.
type price = int64

const (
	one    price = 1 << 6
	missed       = one << 20
	never        = one << 38
)

// leaf is what an item means to its folder.
type leaf struct {
	label *value // what it wants; bare where no rule with a star can give it that
	class uint8  // the place of its suffix in inForce
	// What it costs to have it right under no rule of ours, and under a wrong one.
	alone, over price
}

func (c *compiler) price(l leaf, in inForce) price {
	switch label := in[l.class]; {
	case label == bare:
		return min(l.alone, c.loss)
	case label == l.label:
		return 0
	}
	return l.over
}

// costs are the prices of the rules of a folder: of its own, then of those for suffixes; never where there can be none.
type costs [maxSuffixes + 1]price

// choice is what to write for a folder: the label of its rule, then those of the rules for suffixes; bare for no rule.
type choice struct {
	price price
	label inForce
}

// folder is what a rule with a star can be for. There are two for a folder of the site: its inside, whose text ends
// with a slash, and around it its name, which also begins what stands beside it: /blog holds /blog.html and /blogx.
// Netlify reads /blog/* that way.
type folder struct {
	raw   string   // as a rule spells it
	paths []string // of the rules that together are for all of it; none if there are none
	below []*folder
	shape *shape
	in    inForce // what the rules with stars say in it
}

// shape is what makes the choice for a folder: folders that look alike share it, and are solved once.
type shape struct {
	costs   costs
	parts   []*shape         // of the folders below
	leaves  map[leaf]price   // how many there are of each
	classes uint8            // of all items in it, as bits of inForce
	wants   map[*value]price // how many items want a label
	labels  []*value         // that are tried, the most wanted first
	solved  map[inForce]choice
}

// grow makes the folder of all items whose keys begin with a text, and those below. One for a single item is left out,
// since the item's own rule does as well.
func (c *compiler) grow(text, raw string, items []*item) *folder {
	f := &folder{raw: raw}
	s := &shape{leaves: make(map[leaf]price), wants: make(map[*value]price), solved: make(map[inForce]choice)}
	s.costs = c.findRules(f, text, items)
	for i := 0; i < len(items); {
		it, to, n := items[i], i+1, len(text)+1
		for ; n <= len(it.key); n++ {
			if it.begins(n, items[i+1:]) {
				for to < len(items) && strings.HasPrefix(items[to].key, it.key[:n]) {
					to++
				}
				break
			}
		}
		if to > i+1 || n <= len(it.key) && it.obstacle != nil {
			sub := c.grow(it.key[:n], it.path[:n], items[i:to])
			f.below, s.parts = append(f.below, sub), append(s.parts, sub.shape)
		} else {
			it.in = f
			s.leaves[c.leaf(it)]++
		}
		i = to
	}
	s.findLabels()
	key := fmt.Append(nil, s.costs, s.leaves, s.parts)
	f.shape = cmp.Or(c.shapes[string(key)], s)
	c.shapes[string(key)] = f.shape
	return f
}

// findLabels picks the labels that its rules may have.
func (s *shape) findLabels() {
	for l, n := range s.leaves {
		s.classes |= 1 << l.class
		if l.over == never || l.alone >= missed {
			n *= 2 // it has no rule of its own, so that one for a folder is worth trying
		}
		s.wants[l.label] += n
	}
	for _, sub := range s.parts {
		s.classes |= sub.classes
		for label, n := range sub.wants {
			s.wants[label] += n
		}
	}
	for label, n := range s.wants {
		if n > 1 && label != bare { // an item's own rule does as well as one for a single item
			s.labels = append(s.labels, label)
		}
	}
	slices.SortFunc(s.labels, func(a, b *value) int {
		return cmp.Or(cmp.Compare(s.wants[b], s.wants[a]), cmp.Compare(a.text, b.text))
	})
	s.labels = s.labels[:min(len(s.labels), maxLabels)]
}

// solve returns the best choice for folders of a shape under labels, unless the work is done.
func (c *compiler) solve(s *shape, in inForce) choice {
	for k, label := range in { // labels that mean the same here become equal
		if s.classes&(1<<k) == 0 {
			in[k] = bare
		} else if label != bare && s.wants[label] == 0 {
			in[k] = wrong
		}
	}
	best, ok := s.solved[in]
	if ok || c.work < 0 {
		return best
	}
	// Of equal choices the first stays, which is the narrowest: rules further down, then for suffixes, then for all.
	best = choice{price: never + 1}
	c.try(s, in, choice{}, 1, &best)
	for _, label := range s.labels {
		if s.costs[0] < best.price && label.says("") {
			c.try(s, everywhere(label), choice{s.costs[0], inForce{label}}, 1, &best)
		}
	}
	s.solved[in] = best
	return best
}

// try prices a choice, then with rules for suffixes from k on, and keeps what is better than the best.
func (c *compiler) try(s *shape, in inForce, ch choice, k int, best *choice) {
	c.work -= len(s.parts) + len(s.leaves)
	sum := ch.price
	for l, n := range s.leaves {
		sum += c.price(l, in) * n
	}
	for i := 0; i < len(s.parts) && sum < best.price; i++ {
		sum += c.solve(s.parts[i], in).price
	}
	if sum < best.price {
		*best = choice{min(sum, never), ch.label}
	}
	for ; k <= maxSuffixes; k++ {
		if s.costs[k] == never || s.classes&(1<<k) == 0 {
			continue
		}
		for _, label := range s.labels[:min(len(s.labels), maxSuffixLabels)] {
			sum := ch.price + s.costs[k]
			if label == in[k] || sum >= best.price || c.work < 0 || !label.says(c.suffixes[k]) {
				continue
			}
			next, with := in, ch
			next[k], with.label[k], with.price = label, label, sum
			c.try(s, next, with, k+1, best)
		}
	}
}

// begins reports whether the first n bytes of an item's key are a folder, its name or its inside. The items that follow
// are given.
func (it *item) begins(n int, rest []*item) bool {
	if it.key[n-1] == '/' || n < len(it.key) {
		return it.key[n-1] == '/' || it.key[n] == '/'
	}
	slashed := func(s request) bool { return strings.HasSuffix(s.form, "/") }
	return slices.ContainsFunc(it.requests, slashed) || len(rest) > 0 &&
		(strings.HasPrefix(rest[0].key, it.key+"/") || rest[0].key == it.key && rest[0].begins(n, rest[1:]))
}

// findRules finds out how the rules of a folder are written, and what they cost.
func (c *compiler) findRules(f *folder, text string, items []*item) costs {
	costs := costs{never, never, never, never, never}
	name := strings.TrimSuffix(f.raw, "/")
	other := func(it *item) bool { return c.cloudflare != nil && !strings.HasPrefix(it.path, name) }
	if slices.ContainsFunc(items, other) {
		return costs // Cloudflare has two folders of different spelling
	}
	root, inside := text == "/", strings.HasSuffix(text, "/")
	ends := []string{"*"}
	switch {
	case root && len(c.front) > 0, !root && inside && c.netlify:
		ends = nil // it has its rule, or its name has
	case root && c.userBlocks["/*"] != nil:
		free := func(path string) bool { return c.userBlocks[path] == nil }
		if ends = nil; c.blocks == nil && every(everyPath, free) {
			f.paths, costs[0] = everyPath, price(len(everyPath))*one
		}
	case !c.netlify || inside:
	case every(items, func(it *item) bool { return strings.HasPrefix(it.path, name+"/") }):
		ends = []string{"/*", "*"} // both mean the same; the first is how people write it
	case c.cloudflare == nil:
		ends = []string{"*", "/*"}
	}
	for _, end := range ends {
		if f.paths == nil && c.mayStar(f.raw, end) {
			f.paths, costs[0] = []string{f.raw + end}, c.cost(f.raw+end)
		}
	}
	for k, s := range c.suffixes[1:] {
		// A name ends where a slash begins: of a suffix that has one, the folder's name gets the rule.
		unmatched := func(it *item) bool { return strings.HasSuffix(it.path, s) && len(it.path) < len(f.raw+s) }
		if (root || inside == (s[0] == '.')) && c.mayStar(f.raw, "*"+s) &&
			(root || !slices.ContainsFunc(items, unmatched)) {
			costs[k+1] = c.cost(f.raw + "*" + s)
		}
	}
	return costs
}

// cost is the price of a rule for a path.
func (c *compiler) cost(path string) price {
	if c.blocks[path] {
		return 0
	}
	return one
}

// mayStar reports whether a rule of ours can be a text that is taken literally and an end with a star.
func (c *compiler) mayStar(raw, end string) bool {
	text, _, _ := strings.Cut(raw+end, "*")
	literal := func(e *engine) bool {
		r, err := e.dialect.ReadRule(raw + end)
		return err == nil && len(raw+end) <= CloudflareLine && r.head == e.dialect.key(text)
	}
	return c.userBlocks[raw+end] == nil && (isPlain(raw) || every(c.user.engines, literal))
}

func every[T any](all []T, is func(T) bool) bool {
	return !slices.ContainsFunc(all, func(one T) bool { return !is(one) })
}
