package headers

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// mayStar reports whether a rule with one star, a node's text as it is spelled and then the end, means to every dialect
// what the tree takes it for.
func (c *compiler) mayStar(raw, end string) bool {
	if c.exact || c.banned[raw+end] {
		return false
	}
	text, _, _ := strings.Cut(raw+end, "*")
	return isPlain(raw) || // as almost all are
		!slices.ContainsFunc(c.user.engines, func(e *engine) bool { return !e.literal(text, true) })
}

// isPlain reports whether a text has nothing in it that means more than itself to any dialect.
func isPlain(s string) bool {
	return encode(s, "-_/") == s && !strings.Contains(s, "//") && len(s) < CloudflareLine/2
}

// mayMerge reports whether a pattern's lines can stand in the user's block of its path: then no later rule of the
// user's may bring a value.
func (c *compiler) mayMerge(userBlock *Rule, path string) bool {
	if len(c.front) > 0 || c.otherSpelling() || userBlock.speaks() {
		return false
	}
	for _, e := range c.user.engines {
		same := e.file.at(userBlock)
		later := func(r Rule) bool { return r.Line > userBlock.Line && r.speaks() }
		if same == nil || same.Path != path || slices.ContainsFunc(e.file.Rules, later) {
			return false
		}
	}
	return true
}

// suffixMask returns the suffixes that may have a rule at a node.
func (c *compiler) suffixMask(n *node) (mask uint8) {
	if !strings.HasSuffix(n.text, "/") {
		return 0
	}
	for k, s := range c.suffixes {
		if c.mayStar(n.raw, "*."+s) && c.userBlocks[n.raw+"*."+s] == nil {
			mask |= 2 << k
		}
	}
	return mask
}

// findSuffixes picks up to n suffixes that may have rules, the most wanted first, and sorts the requests by them.
func (c *compiler) findSuffixes(n int) {
	c.suffixes = c.candidates(n)
	for i := range c.items {
		for n := range c.items[i].requests {
			s := &c.items[i].requests[n]
			e := c.user.engines[s.dialect]
			is := func(suffix string) bool { return e.hasSuffix(s.form, suffix) }
			s.class = uint8(slices.IndexFunc(c.suffixes, is) + 1)
			s.loose = s.class > 0 && !strings.HasSuffix(e.key(s.form), e.key("."+c.suffixes[s.class-1]))
		}
	}
}

// candidates returns the suffixes of at least two items that a rule could mean, first those most of whose items need
// one, then, where a rule can take away, those most of whose items want nothing. Two that Netlify cannot tell apart, as
// .mjs and .js, exclude each other. So does a file whose name is no more than the suffix: whether a rule of Netlify's
// matches that depends on the directory.
func (c *compiler) candidates(most int) []string {
	type count struct{ need, all int }
	counts := make(map[string]count)
	named := make(map[string]bool)
	for i := range c.items {
		it := &c.items[i]
		if name := it.key[strings.LastIndexByte(it.key, '/')+1:]; len(name) <= maxSuffix && c.netlify {
			named[name] = true
		}
		s := strings.TrimPrefix(path.Ext(it.path), ".")
		if s == "" || len(s) > maxSuffix || !isPlain(s) || it.label == bare {
			continue
		}
		n := counts[s]
		if n.all++; !it.right() {
			n.need++
		}
		counts[s] = n
	}
	var all []string
	for s, n := range counts {
		if n.all > 1 && !named[strings.ToLower(s)] {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		m, n := counts[a], counts[b]
		return cmp.Or(n.need-m.need, n.all-m.all, cmp.Compare(a, b))
	})
	var picked []string
	for _, s := range all {
		blurred := func(other string) bool {
			a, b := strings.ToLower(s), strings.ToLower(other)
			return c.netlify && (strings.HasSuffix(a, b) || strings.HasSuffix(b, a))
		}
		if len(picked) < most && !slices.ContainsFunc(picked, blurred) {
			picked = append(picked, s)
		}
	}
	slices.SortFunc(picked, func(a, b string) int { return cmp.Or(len(a)-len(b), cmp.Compare(a, b)) })
	return picked
}

// maxSuffix is how long a suffix may be.
const maxSuffix = 8
