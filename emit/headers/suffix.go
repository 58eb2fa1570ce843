package headers

import (
	"cmp"
	"maps"
	"math/bits"
	"path"
	"slices"
	"strings"
)

// kind is what the rules for suffixes tell requests apart by. Most requests are of a kind without a
// suffix or with one. On Netlify it can be more, because it ignores letter case: the rules for .PDF
// and for .pdf both match /x.PDF.
type kind struct {
	suffixes suffixSet // whose rules match the request, in the folders around it
	// Of these, the ones whose rule for the innermost folder does not match it: if a dot matches
	// any character, /*.pdf matches /docs/pdf by its second slash, and /docs/*.pdf does not.
	above suffixSet
}

// suffixSet is a set of the suffixes that may have rules: bit k is for number k of
// [compiler.suffixes].
type suffixSet uint8

func (s suffixSet) has(k int) bool { return s&(1<<k) != 0 }

// kinds is a set of kinds: bit i is for number i of [compiler.kinds].
type kinds uint8

func (k kinds) has(i int) bool { return k&(1<<i) != 0 }

// first returns the lowest number in the set.
func (k kinds) first() int { return bits.TrailingZeros8(uint8(k)) }

// rankSuffixes returns the suffixes for which rules are worth trying: first those most of whose
// items need a rule, then, where a rule can take the header away, those most of whose items want
// nothing.
func (c *compiler) rankSuffixes() (ranked []string) {
	type count struct {
		needy, all int  // items that need a rule, and all items
		worth      bool // a rule may serve several items, or one whose path no rule can spell
	}
	counts := make(map[string]count)
	for _, it := range c.items {
		label := it.pickLabel()
		if label == noRule {
			continue
		}
		s := cmp.Or(label.tail, path.Ext(it.path))
		if len(s) > 1 && isPlain(strings.ReplaceAll(s, ".", "")) {
			n := counts[s]
			n.worth = n.worth || n.all > 0 || it.obstacle != nil && !c.canName(it.path)
			if n.all++; !it.served {
				n.needy++
			}
			counts[s] = n
		}
	}
	for _, s := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		m, n := counts[a], counts[b]
		return cmp.Or(n.needy-m.needy, n.all-m.all, cmp.Compare(a, b))
	}) {
		known := func(t string) bool { // a rule for one would be a rule for the other
			return strings.HasSuffix(s, t) || strings.HasSuffix(t, s) || c.cloudflare == nil && strings.EqualFold(s, t)
		}
		if counts[s].worth && !slices.ContainsFunc(ranked, known) {
			ranked = append(ranked, s)
		}
	}
	return ranked
}

// useSuffixes settles which suffixes may have rules, of those that are given the first ones.
func (c *compiler) useSuffixes(ranked []string, most int) {
	ranked = ranked[:min(most, len(ranked))]
	for !c.findKinds(ranked) {
		ranked = ranked[:len(ranked)-1]
	}
	for _, it := range c.items {
		if it.label = it.pickLabel(); it.label != noRule && !it.label.says(c.suffixOf(it)) {
			it.label = it.value // no rule with a star can say the template
		}
	}
}

// clearOf returns the suffixes that all hosts read alike, if some of the first ones are not, and
// there are others.
func (c *compiler) clearOf(ranked []string, most int) []string {
	if len(ranked) <= most || every(ranked[:most], c.isClear) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(ranked), func(s string) bool { return !c.isClear(s) })
}

// isClear reports whether all hosts agree which requests of an item a rule for a suffix matches:
// all or none.
func (c *compiler) isClear(suffix string) bool {
	suffixes, folded := []string{"", suffix}, []string{"", strings.ToLower(suffix)}
	return every(c.items, func(it *item) bool {
		first := it.requests[0].kinds(suffixes, folded)[0]
		return every(it.requests, func(s request) bool { return s.kinds(suffixes, folded) == [2]kind{first, first} })
	})
}

// findKinds finds the kinds of all requests by the suffixes that may have rules. It reports whether
// there are few enough.
func (c *compiler) findKinds(suffixes []string) bool {
	c.suffixes = append([]string{""}, slices.Sorted(slices.Values(suffixes))...)
	c.kinds = append(c.kinds[:0], kind{})
	folded := make([]string, len(c.suffixes))
	for k, s := range c.suffixes {
		folded[k] = strings.ToLower(s)
	}
	for _, it := range c.items {
		it.kinds = 0
		for _, s := range it.requests {
			for _, k := range s.kinds(c.suffixes, folded) {
				i := slices.Index(c.kinds, k)
				if i < 0 {
					i, c.kinds = len(c.kinds), append(c.kinds, k)
				}
				if i >= maxKinds {
					return false
				}
				it.kinds |= 1 << i
			}
		}
	}
	return true
}

// kinds returns the kind of a request, twice. On Netlify the two may differ: its engine takes the
// dot of a suffix for any character, so that /*.js matches x.mjs. Rules are to be right by that,
// and also if its servers take a dot for a dot.
func (s request) kinds(suffixes, folded []string) [2]kind {
	var dot, char kind
	if s.on.dialect == Cloudflare {
		for k := 1; k < len(suffixes); k++ {
			if strings.HasSuffix(s.form, suffixes[k]) && s.form != suffixes[k] {
				dot.suffixes |= 1 << k
			}
		}
		return [2]kind{dot, dot}
	}
	key := s.on.dialect.key(s.form)
	for k := 1; k < len(folded); k++ {
		before, ok := strings.CutSuffix(key, folded[k][1:])
		if !ok || before == "/" { // of /js, /*.js leaves nothing for its dot
			continue
		}
		char.suffixes |= 1 << k
		switch before[len(before)-1] {
		case '.':
			dot.suffixes |= 1 << k
		case '/':
			char.above |= 1 << k
		}
	}
	return [2]kind{dot, char}
}

// matched returns the kinds of items in a folder that its rules for each suffix match.
func (c *compiler) matched(text string, items []*item, in kinds) (matched [maxSuffixes + 1]kinds) {
	for i, kind := range c.kinds {
		if !in.has(i) {
			continue
		}
		deeper := func(it *item) bool { return it.kinds.has(i) && strings.LastIndexByte(it.key, '/') >= len(text) }
		set := kind.suffixes
		if kind.above != 0 && !slices.ContainsFunc(items, deeper) {
			set &^= kind.above
		}
		for k := range c.suffixes {
			if set.has(k) {
				matched[k] |= 1 << i
			}
		}
	}
	return matched
}

// isMatched reports whether a rule for suffix number k matches a request of the item, in a folder
// around it.
func (c *compiler) isMatched(it *item, k int) bool {
	for i, kind := range c.kinds {
		if it.kinds.has(i) && kind.suffixes.has(k) {
			return true
		}
	}
	return false
}

// suffixOf returns the suffix of an item whose rules match it, or "". It is asked for templates,
// which only Cloudflare can fill in: there an item is of one kind, and no suffix ends with another.
func (c *compiler) suffixOf(it *item) string {
	for k, s := range c.suffixes {
		if c.isMatched(it, k) {
			return s
		}
	}
	return ""
}
