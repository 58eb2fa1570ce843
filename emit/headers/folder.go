package headers

import (
	"slices"
	"strings"
)

// folder is what a rule with a star can be for. There are two for a folder of the site: its inside, whose text ends
// with a slash, and around it its name, which also begins what stands beside it: /blog holds /blog.html and /blogx.
// Netlify reads /blog/* that way.
type folder struct {
	raw   string // as a rule spells it
	end   string // of the path of its own rule, behind raw
	merge *Rule  // the user's block of that path
	costs costs

	below []*folder
	shape *shape
	in    inForce // what the rules with stars say in it
}

// grow makes the folder of all items whose keys begin with a text, and those below. One for a single item is left out,
// since the item's own rule does as well.
func (c *compiler) grow(text, raw string, items []item) *folder {
	f, own := &folder{raw: raw, costs: costs{never, never, never, never, never}}, []*item(nil)
	c.findRules(f, text, items)
	for i := 0; i < len(items); {
		it, to, n := &items[i], i+1, len(text)+1
		for ; n <= len(it.key); n++ {
			if it.begins(n, items[i+1:]) {
				for to < len(items) && strings.HasPrefix(items[to].key, it.key[:n]) {
					to++
				}
				break
			}
		}
		if to > i+1 || n <= len(it.key) && it.obstacle != nil {
			f.below = append(f.below, c.grow(it.key[:n], it.path[:n], items[i:to]))
		} else {
			it.in = f
			own = append(own, it)
		}
		i = to
	}
	f.shape = c.shapeOf(f, own)
	return f
}

// begins reports whether the first n bytes of an item's key are a folder, its name or its inside. The items that follow
// are given.
func (it *item) begins(n int, rest []item) bool {
	if it.key[n-1] == '/' || n < len(it.key) {
		return it.key[n-1] == '/' || it.key[n] == '/'
	}
	slashed := func(s request) bool { return strings.HasSuffix(s.form, "/") }
	return slices.ContainsFunc(it.requests, slashed) || len(rest) > 0 &&
		(strings.HasPrefix(rest[0].key, it.key+"/") || rest[0].key == it.key && rest[0].begins(n, rest[1:]))
}

// findRules finds out how the rules of a folder are written.
func (c *compiler) findRules(f *folder, text string, items []item) {
	name := strings.TrimSuffix(f.raw, "/")
	other := func(it item) bool { return c.cloudflare != nil && !strings.HasPrefix(it.path, name) }
	if c.exact || slices.ContainsFunc(items, other) {
		return // Cloudflare has two folders of different spelling
	}
	root, inside := text == "/", strings.HasSuffix(text, "/")
	beside := slices.ContainsFunc(items, func(it item) bool { return !strings.HasPrefix(it.path, name+"/") })
	ends := []string{"*"}
	switch {
	case root && len(c.front) > 0, !root && inside && c.netlify:
		ends = nil // it has its rule, or its name has
	case !c.netlify || inside:
	case !beside: // both mean the same; the first is how people write it
		ends = []string{"/*", "*"}
	case c.cloudflare == nil:
		ends = []string{"*", "/*"}
	}
	for _, end := range ends {
		if f.end == "" && c.mayStar(f.raw, end) {
			f.end, f.costs[0] = end, c.cost(f.raw+end)
		}
	}
	if root && f.end == "" && c.mayMerge() {
		f.end, f.merge, f.costs[0] = "*", c.userBlocks["/*"], one
	}
	for k, s := range c.suffixes[1:] {
		// A name ends where a slash begins: of a suffix that has one, the folder's name gets the rule.
		unmatched := func(it item) bool { return strings.HasSuffix(it.path, s) && len(it.path) < len(f.raw+s) }
		if (root || inside == (s[0] == '.')) && c.mayStar(f.raw, "*"+s) &&
			(root || !slices.ContainsFunc(items, unmatched)) {
			f.costs[k+1] = c.cost(f.raw + "*" + s)
		}
	}
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
	return c.userBlocks[raw+end] == nil && (isPlain(raw) || every(c.user.engines, func(e *engine) bool {
		r, err := e.dialect.rule(raw + end)
		return err == nil && len(raw+end) <= CloudflareLine && r.head == e.dialect.key(text)
	}))
}

// mayMerge reports whether the lines of a rule for the whole site can stand in the user's block of its path: no rule of
// theirs may bring a value after it.
func (c *compiler) mayMerge() bool {
	block := c.userBlocks["/*"]
	return block != nil && len(c.front) == 0 && !block.concerns() && every(c.user.engines, func(e *engine) bool {
		later := func(r Rule) bool { return r.Line > block.Line && r.concerns() }
		same := e.file.at(block.Line)
		return same != nil && same.Path == "/*" && !slices.ContainsFunc(e.file.Rules, later)
	})
}

func every[T any](all []T, is func(T) bool) bool {
	return !slices.ContainsFunc(all, func(one T) bool { return !is(one) })
}
