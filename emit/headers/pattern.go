package headers

import (
	"cmp"
	"slices"
	"strings"
)

// pattern is a rule of ours with a star.
type pattern struct {
	text   string // of its node
	path   string
	suffix string
	label  int32
	merge  *Rule
	// covered says that another rule of ours applies where it does.
	covered bool
}

// comparePatterns orders general before specific: a node's text before what
// begins with it, and at one node the prefix before a suffix.
func comparePatterns(a, b *pattern) int {
	return cmp.Or(cmp.Compare(a.text, b.text), cmp.Compare(len(a.suffix), len(b.suffix)), cmp.Compare(a.path, b.path))
}

// mayStar reports whether a rule with one star, a node's text as it is spelled and then the end,
// means to every dialect what the tree takes it for.
func (c *compiler) mayStar(raw, end string) bool {
	if len(c.banned) > 0 && c.banned[raw+end] {
		return false
	}
	if isPlain(raw) {
		return true // as almost all are
	}
	text, _, _ := strings.Cut(raw+end, "*")
	return !slices.ContainsFunc(c.engines, func(e *engine) bool { return !e.starrable(text) })
}

// isPlain reports whether a directory's text has nothing in it that means more
// than itself to any dialect.
func isPlain(s string) bool {
	for i := range len(s) {
		if b := s[i]; b != '/' && b != '-' && b != '_' && (b < '0' || b > '9') && (b < 'A' || b > 'Z') && (b < 'a' || b > 'z') ||
			b == '/' && i > 0 && s[i-1] == '/' {
			return false
		}
	}
	return len(s) < CloudflareLine/2
}

// mayMerge reports whether a pattern's lines can stand in the user's block of
// its path: then no later rule of the user's may bring a value.
func (c *compiler) mayMerge(rival *Rule, path string) bool {
	if len(c.everywhere) > 0 || c.odd || rival.speaks() {
		return false
	}
	for _, e := range c.engines {
		same := false
		for i := range e.user.Rules {
			r := &e.user.Rules[i]
			same = same || r.Line == rival.Line && r.Path == path
			if r.Line > rival.Line && r.speaks() {
				return false
			}
		}
		if !same {
			return false
		}
	}
	return true
}

// suffixMask returns the suffixes that may have a rule at a node.
func (c *compiler) suffixMask(n *node) (mask uint8) {
	if !n.slash() {
		return 0
	}
	for k, s := range c.suffixes {
		if c.mayStar(n.raw, "*."+s) && c.rivals[n.raw+"*."+s] == nil {
			mask |= 2 << k
		}
	}
	return mask
}

// findSuffixes picks up to n suffixes that may have rules, the most wanted first,
// and sorts the items by them.
func (c *compiler) findSuffixes(n int) {
	if c.suffixes = nil; !c.exact && n > 0 {
		c.suffixes = c.candidates(n)
	}
	for i := range c.items {
		it := &c.items[i]
		it.classes = 0
		var wrong uint8
		for n, s := range it.spots {
			class := uint8(1) << c.class(s)
			it.classes |= class
			if it.ok&(1<<n) == 0 {
				wrong |= class
			}
		}
		it.served = it.classes &^ wrong
	}
}

// candidates returns the suffixes of at least two items that a rule could mean,
// first those most of whose items need one, then, where a rule can take away,
// those most of whose items want nothing. Two that a request path has both, as
// .mjs and .js on Netlify, exclude each other.
func (c *compiler) candidates(most int) []string {
	type count struct{ need, all int }
	counts := make(map[string]count)
	for i := range c.items {
		it := &c.items[i]
		s := suffixOf(it.path)
		if s == "" || it.label == bare {
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
		if n.all > 1 {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		m, n := counts[a], counts[b]
		return cmp.Or(n.need-m.need, n.all-m.all, cmp.Compare(a, b))
	})
	var picked []string
	for _, s := range all[:min(len(all), 4*maxSuffixes)] {
		if len(picked) < most && c.distinct(append(slices.Clip(picked), s)) {
			picked = append(picked, s)
		}
	}
	slices.Sort(picked)
	return picked
}

// suffixOf returns what stands after the last dot of a name, if it is plain.
func suffixOf(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	s := name[strings.LastIndexByte(name, '.')+1:]
	for i := range len(s) {
		if c := s[i] | 0x20; (c < 'a' || c > 'z') && (s[i] < '0' || s[i] > '9') {
			return ""
		}
	}
	if len(s) == len(name) || len(s) > 8 {
		return ""
	}
	return s
}

// distinct reports whether no request path has two of the suffixes, or is named
// like one: that a rule of Netlify's matches or not, by the directory.
func (c *compiler) distinct(suffixes []string) bool {
	last := suffixes[len(suffixes)-1]
	for i := range c.items {
		for _, s := range c.items[i].spots {
			e := c.engines[s.dialect]
			if !e.hasSuffix(s.form, last) {
				continue
			}
			if name := s.form[strings.LastIndexByte(s.form, '/')+1:]; strings.EqualFold(name, last) {
				return false
			}
			for _, other := range suffixes[:len(suffixes)-1] {
				if e.hasSuffix(s.form, other) {
					return false
				}
			}
		}
	}
	return true
}

// print returns a pattern's block, or the lines for the user's block.
func (c *compiler) print(p *pattern) plan {
	values := c.values[p.label]
	detach := c.cloudflare() != nil && (p.covered || !c.quiet || len(values) == 0)
	if p.merge != nil {
		return plan{edits: c.mergeEdits(p.merge, Name, detach, surround{before: values})}
	}
	return plan{block: block{p.path, ruleLines(Name, detach, values)}}
}
