package headers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// folder is what a rule with a star can be for. There are two for a folder of the site: its inside, whose text ends
// with a slash, and around it its name, which also begins what stands beside it: /blog holds /blog.html and /blogx.
// Netlify reads /blog/* that way.
//
// For both hosts at once, /Docs/ and /docs/ are one folder, since Netlify does not tell them apart. Cloudflare does, so
// that each rule for the folder is written once for each spelling that occurs.
type folder struct {
	raw   string   // as a rule spells it
	paths []string // of the rules that together are for all of it; none if there are none
	below []*folder
	shape *shape
	in    inForce // what the rules with stars say in it
	// guessed says that this rests on a reading which Netlify does not document: its emulator has /v2.1/* match
	// /v2.10/a.pdf. guessedBeside says so of what is beside a folder of that name.
	guessed, guessedBeside bool

	// The paths of its rules for suffixes, by their numbers, if there are several spellings.
	suffixPaths map[int][]string
}

// pathsOf returns the paths of its own rule, for 0, or of that for suffix number k.
func (f *folder) pathsOf(k int, suffix string) []string {
	switch {
	case k == 0:
		return f.paths
	case f.suffixPaths != nil:
		return f.suffixPaths[k]
	}
	return []string{f.raw + "*" + suffix}
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
	s.costs[0] += c.repeats(f, items) * one
	s.findLabels()
	s.matched = c.matched(text, items, s.kinds)
	key := fmt.Append(nil, s.costs, s.matched, s.leaves, s.parts)
	f.shape = cmp.Or(c.shapes[string(key)], s)
	c.shapes[string(key)] = f.shape
	return f
}

// repeats is how many more rules the rule for a folder may take, because not all that it matches is documented.
func (c *compiler) repeats(f *folder, items []*item) (n price) {
	if !f.mayGuess() {
		return 0
	}
	for _, it := range items {
		if it.in == f && f.isBeside(it.path) {
			n++
		}
	}
	for _, sub := range f.below {
		if f.isBeside(sub.raw) {
			n++
		}
	}
	return n
}

// mayGuess reports whether the folder's rule may match more than Netlify documents.
func (f *folder) mayGuess() bool { return len(f.paths) == 1 && f.paths[0] == f.raw+"/*" }

// isBeside reports whether a path begins as the folder's name does, and is neither the folder's nor in it.
func (f *folder) isBeside(path string) bool {
	return !strings.HasPrefix(strings.ToLower(path)+"/", strings.ToLower(f.raw)+"/")
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
	root, inside := text == "/", strings.HasSuffix(text, "/")
	spellings := c.spellings(f.raw, items)
	free := func(path string) bool { return c.userBlocks[path] == nil }
	switch {
	case root && len(c.front) > 0, !root && inside && c.netlify: // it has its rule, or its name has
	case root && !free("/*"):
		if c.blocks == nil && every(everyPath, free) {
			f.paths, costs[0] = everyPath, price(len(everyPath))*one
		}
	default:
		f.paths, costs[0] = c.starred(spellings, func(raw string) []string { return c.ends(raw, inside, items) })
	}
	if len(spellings) > 1 {
		f.suffixPaths = make(map[int][]string)
	}
	for k := 1; k < len(c.suffixes); k++ {
		s := c.suffixes[k]
		// A name ends where a slash begins: of a suffix that has one, the folder's name gets the rule.
		unmatched := func(it *item) bool { return strings.HasSuffix(it.path, s) && len(it.path) < len(f.raw+s) }
		if !root && (inside != (s[0] == '.') || slices.ContainsFunc(items, unmatched)) {
			continue
		}
		spellings := spellings
		if len(spellings) > 1 {
			other := func(it *item) bool { return !c.isMatched(it, k) }
			spellings = c.spellings(f.raw, slices.DeleteFunc(slices.Clone(items), other))
		}
		paths, cost := c.starred(spellings, func(string) []string { return []string{"*" + s} })
		if costs[k] = cost; f.suffixPaths != nil {
			f.suffixPaths[k] = paths
		}
	}
	return costs
}

// maxSpellings is how many spellings a folder may have to get rules.
const maxSpellings = 8

// spellings returns how items that lie in a folder spell it, if both hosts matter; else one spelling will do. There are
// none if there are too many.
func (c *compiler) spellings(raw string, items []*item) []string {
	if c.cloudflare == nil || !c.netlify {
		return []string{raw}
	}
	var all []string
	for _, it := range items {
		if s := it.path[:len(raw)]; !slices.Contains(all, s) {
			all = append(all, s)
		}
		if len(all) > maxSpellings {
			return nil
		}
	}
	slices.Sort(all)
	return all
}

// ends returns how a rule for a whole folder may go on after a spelling of it, the best first.
func (c *compiler) ends(raw string, inside bool, items []*item) []string {
	beside := func(it *item) bool {
		return !strings.HasPrefix(it.path, raw+"/") && (c.cloudflare == nil || strings.HasPrefix(it.path, raw))
	}
	switch {
	case inside || !c.netlify:
		return []string{"*"}
	case !slices.ContainsFunc(items, beside):
		return []string{"/*", "*"} // both mean the same; the first is how people write it
	case c.cloudflare == nil:
		return []string{"*", "/*"}
	}
	return []string{"*"}
}

// starred returns the paths of a rule with a star, one for each spelling of its folder, and what they cost together.
func (c *compiler) starred(spellings []string, ends func(raw string) []string) (paths []string, cost price) {
	for _, raw := range spellings {
		all := ends(raw)
		i := slices.IndexFunc(all, func(end string) bool { return c.mayStar(raw, end) })
		if i < 0 {
			return nil, never
		}
		paths, cost = append(paths, raw+all[i]), cost+c.cost(raw+all[i])
	}
	if paths == nil {
		return nil, never
	}
	return paths, cost
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
