package headers

import (
	"slices"
	"strings"
)

// folder is what a rule with a star can be for. There are two for a folder of the site: its inside, whose text ends
// with a slash, and around it its name, which also begins what stands beside it: /blog holds /blog.html and /blogx.
// Netlify reads /blog/* that way.
type folder struct {
	items []item // all in it
	text  string // what their keys begin with
	raw   string // as a rule spells it

	rule     string // the path of its own rule, empty for none
	merge    *Rule  // the user's block of that path
	suffixes uint8  // those that may have a rule, as bits of inForce

	own     []*item // those in no folder below
	below   []*folder
	parts   []part          // of its own items
	classes uint8           // of all requests in it
	wants   map[int32]int32 // how many leaves in it want a label
	labels  []int32         // of rules that are tried
	solved  map[inForce]choice
	reset   *choice // the best with a rule for the folder
}

// slash stands for it in keys: so what is inside a folder comes before what stands beside it.
const slash = "\x00"

// grow makes the folder of all items whose keys begin with a text, and those below. One for a single item is left out,
// since the item's own rule does as well.
func (c *compiler) grow(text, raw string, items []item) *folder {
	f := &folder{items: items, text: text, raw: raw, wants: make(map[int32]int32), solved: make(map[inForce]choice)}
	c.findRules(f)
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
		if to > i+1 || n <= len(it.key) && it.lack.id != "" {
			f.below = append(f.below, c.grow(it.key[:n], it.path[:n], items[i:to]))
		} else {
			f.own = append(f.own, it)
		}
		i = to
	}
	c.count(f)
	return f
}

// begins reports whether the first n bytes of an item's key are a folder, its name or its inside. The items that follow
// are given.
func (it *item) begins(n int, rest []item) bool {
	if it.key[n-1] == slash[0] || n < len(it.key) {
		return it.key[n-1] == slash[0] || it.key[n] == slash[0]
	}
	slashed := func(s request) bool { return strings.HasSuffix(s.form, "/") }
	return len(rest) > 0 && strings.HasPrefix(rest[0].key, it.key+slash) || slices.ContainsFunc(it.requests, slashed)
}

// findRules finds out how the rules of a folder are written.
func (c *compiler) findRules(f *folder) {
	name := strings.TrimSuffix(f.raw, "/")
	other := func(it item) bool { return c.cloudflare != nil && !strings.HasPrefix(it.path, name) }
	if c.exact || slices.ContainsFunc(f.items, other) {
		return // Cloudflare has two folders of different spelling
	}
	root, inside := f.text == slash, strings.HasSuffix(f.text, slash)
	beside := slices.ContainsFunc(f.items, func(it item) bool { return !strings.HasPrefix(it.path, name+"/") })
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
		if f.rule == "" && c.mayStar(f.raw, end) {
			f.rule = f.raw + end
		}
	}
	if root && f.rule == "" && c.mayMerge() {
		f.rule, f.merge = "/*", c.userBlocks["/*"]
	}
	for k, s := range c.suffixes {
		if inside && c.mayStar(f.raw, "*."+s) {
			f.suffixes |= 2 << k
		}
	}
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
	return block != nil && len(c.front) == 0 && !block.speaks() && every(c.user.engines, func(e *engine) bool {
		later := func(r Rule) bool { return r.Line > block.Line && r.speaks() }
		same := e.file.at(block)
		return same != nil && same.Path == "/*" && !slices.ContainsFunc(e.file.Rules, later)
	})
}

func every[T any](all []T, is func(T) bool) bool {
	return !slices.ContainsFunc(all, func(one T) bool { return !is(one) })
}
