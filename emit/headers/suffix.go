package headers

import (
	"cmp"
	"maps"
	"math/bits"
	"path"
	"slices"
	"strings"
)

// suffixes are the ends of paths that may have rules, such as ".pdf" for /docs/*.pdf, and the kinds
// into which they part all requests.
type suffixes struct {
	// names are the suffixes, sorted, behind "", number 0, which means a rule without a suffix.
	names  []string
	folded []string // the same in lower case
	kinds  []kind
}

const (
	// maxSuffixes is how many suffixes may have rules, and maxKinds how many kinds of requests they
	// may make: the sets of both have a bit for each.
	maxSuffixes, maxKinds = 4, 8
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

// suffixSet is a set of suffixes: bit k is for number k of [suffixes.names].
type suffixSet uint8

// has reports whether number k is in the set.
func (s suffixSet) has(k int) bool { return s&(1<<k) != 0 }

// kinds is a set of kinds: bit i is for number i of [suffixes.kinds].
type kinds uint8

// has reports whether number i is in the set.
func (k kinds) has(i int) bool { return k&(1<<i) != 0 }

// first returns the lowest number in the set.
func (k kinds) first() int { return bits.TrailingZeros8(uint8(k)) }

// rankSuffixes returns the suffixes for which rules are worth trying: first those with the most
// items that need a rule, then, since a rule can take the header away, those with the most items.
// With
//
//	/a.pdf noindex    /b.pdf noindex    /c.xml noindex    /d.zip served already    /e.zip served already
//
// that is .pdf, with two in need, and .zip, with none. A rule for .xml would serve one item, whose
// own rule does as well.
func (c *chooser) rankSuffixes() (ranked []string) {
	counts := c.countSuffixes()
	byNeed := func(a, b string) int {
		m, n := counts[a], counts[b]
		return cmp.Or(n.needy-m.needy, n.all-m.all, cmp.Compare(a, b))
	}
	for _, suffix := range slices.SortedFunc(maps.Keys(counts), byNeed) {
		overlaps := func(other string) bool { return c.overlap(suffix, other) }
		if counts[suffix].isWorthIt && !slices.ContainsFunc(ranked, overlaps) {
			ranked = append(ranked, suffix)
		}
	}
	return ranked
}

// suffixCount says of a suffix how many items have it.
type suffixCount struct {
	all, needy int // all items, and those of them that need a rule of ours
	// isWorthIt: a rule may serve several items, or one whose path no rule can spell.
	isWorthIt bool
}

// countSuffixes counts the items by their suffixes. An item has none if no rule with a star can
// state what it wants, or if a rule could not spell it.
func (c *chooser) countSuffixes() map[string]suffixCount {
	counts := make(map[string]suffixCount)
	for _, it := range c.items {
		suffix := suffixFor(it)
		if suffix == "" {
			continue
		}
		n := counts[suffix]
		isSecond := n.all > 0
		hasNoName := it.pathRule == impossible && !c.setting.canName(it.path)
		n.isWorthIt = n.isWorthIt || isSecond || hasNoName
		n.all++
		if !it.isServed {
			n.needy++
		}
		counts[suffix] = n
	}
	return counts
}

// suffixFor returns the suffix whose rule could state what an item wants: the tail of its template,
// or the extension of its path. It is "" if there is none.
func suffixFor(it *item) string {
	v := it.preferred()
	if v == nil {
		return ""
	}
	suffix := cmp.Or(v.tail, path.Ext(it.path))
	isOnlyDot := len(suffix) < 2
	if isOnlyDot || !isPlain(strings.ReplaceAll(suffix, ".", "")) {
		return ""
	}
	return suffix
}

// overlap reports whether a rule for one of two suffixes would match paths of the other, by its
// letters. Which requests match both because hosts read them differently, the kinds tell.
func (c *chooser) overlap(a, b string) bool {
	isForNetlifyAlone := c.setting.cloudflare == nil // to which .PDF and .pdf are one suffix
	return strings.HasSuffix(a, b) || strings.HasSuffix(b, a) ||
		isForNetlifyAlone && strings.EqualFold(a, b)
}

// dropUnclear returns the ranked suffixes that all hosts read alike, for another try. It returns
// nil if that would change nothing: if they are all among the first ones, as many as may have rules
// (most), or if these are all read alike.
func (c *chooser) dropUnclear(ranked []string, most int) []string {
	if len(ranked) <= most || every(ranked[:most], c.isClear) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(ranked), func(s string) bool { return !c.isClear(s) })
}

// isClear reports whether all hosts agree which requests of an item a rule for a suffix matches:
// all or none.
func (c *chooser) isClear(suffix string) bool {
	s := newSuffixes([]string{suffix})
	return every(c.items, func(it *item) bool {
		first := s.kindsOf(it.requests[0])[0]
		return every(it.requests, func(r request) bool {
			return s.kindsOf(r) == [2]kind{first, first}
		})
	})
}

// newSuffixes are suffixes of some names. The only kind of requests so far is that without a
// suffix.
func newSuffixes(names []string) *suffixes {
	s := &suffixes{names: append([]string{""}, slices.Sorted(slices.Values(names))...),
		kinds: []kind{{}}}
	for _, name := range s.names {
		s.folded = append(s.folded, strings.ToLower(name))
	}
	return s
}

// A placed item is an item with what the suffixes that may have rules make of it.
type placed struct {
	item  *item
	kinds kinds // of its requests: several if hosts read its suffix differently
	// label is what a rule with a star has to state for it; noRule if no such rule can.
	label  label
	folder *folder // the innermost one around it; [grower.grow] sets it
}

// placeItems settles which suffixes may have rules and what that makes of each item, in the order
// of the items. It drops the last of the ranked suffixes as long as they would make too many kinds.
func (c *chooser) placeItems(ranked []string) (*suffixes, []placed) {
	for {
		s := newSuffixes(ranked)
		if items, areFew := s.place(c.items); areFew {
			return s, items
		}
		ranked = ranked[:len(ranked)-1]
	}
}

// place finds the kinds of all requests, and what each item's label is. areFew is false if there
// would be more kinds than a set can hold.
func (s *suffixes) place(items []*item) (all []placed, areFew bool) {
	all = make([]placed, 0, len(items))
	for _, it := range items {
		p := placed{item: it}
		for _, r := range it.requests {
			for _, k := range s.kindsOf(r) {
				number := s.numberOf(k)
				if number >= maxKinds {
					return nil, false
				}
				p.kinds |= 1 << number
			}
		}
		p.label = s.labelFor(&p)
		all = append(all, p)
	}
	return all, true
}

// numberOf is the number of a kind, which it adds to the kinds if it is new.
func (s *suffixes) numberOf(k kind) int {
	number := slices.Index(s.kinds, k)
	if number < 0 {
		number, s.kinds = len(s.kinds), append(s.kinds, k)
	}
	return number
}

// labelFor is the label of what a rule with a star has to state for an item, whose kinds are known:
// that of its template only if a rule for its suffix can state it, and [noRule] if no such rule
// can.
func (s *suffixes) labelFor(p *placed) label {
	v := p.item.preferred()
	switch {
	case v == nil:
		return noRule
	case !v.canStateFor(s.suffixOf(p)):
		return p.item.value.label
	default:
		return v.label
	}
}

// kindsOf returns the kind of a request, twice. On Netlify the two may differ: its engine takes the
// dot of a suffix for any character, so that /*.js matches x.mjs. Rules are to be right by that,
// and also if its servers take a dot for a dot.
func (s *suffixes) kindsOf(r request) [2]kind {
	if r.engine.dialect == Cloudflare {
		k := s.cloudflareKind(r.path)
		return [2]kind{k, k}
	}
	return s.netlifyKinds(r.engine.dialect.key(r.path))
}

// cloudflareKind is the kind of a request on Cloudflare: by the suffixes with which its path ends.
func (s *suffixes) cloudflareKind(path string) (found kind) {
	for k := 1; k < len(s.names); k++ {
		if strings.HasSuffix(path, s.names[k]) && path != s.names[k] {
			found.suffixes |= 1 << k
		}
	}
	return found
}

// netlifyKinds are the kinds of a request on Netlify, by the key of its path: what it is if the dot
// of a suffix is a dot, and if it is any character.
//
//	/docs/x.js     .js, .js
//	/docs/x.mjs    none, .js
//	/docs/js       none, .js by the rules of the folders above: /*.js matches it, /docs/*.js does not
func (s *suffixes) netlifyKinds(key string) [2]kind {
	var ifDot, ifAnyCharacter kind
	for k := 1; k < len(s.folded); k++ {
		suffixWithoutDot := s.folded[k][1:]
		before, hasSuffix := strings.CutSuffix(key, suffixWithoutDot)
		if !hasSuffix || before == "/" { // in /js, nothing is left for the dot of /*.js
			continue
		}
		ifAnyCharacter.suffixes |= 1 << k
		switch before[len(before)-1] { // what is in the place of the dot
		case '.':
			ifDot.suffixes |= 1 << k
		case '/':
			ifAnyCharacter.above |= 1 << k
		}
	}
	return [2]kind{ifDot, ifAnyCharacter}
}

// matchedIn returns, for each suffix by its number, the kinds of items in a folder that the
// folder's rule for the suffix matches. Keys of the folder begin with keyPrefix; present are the
// kinds of its items.
//
// A suffix that a kind has by the rules of folders above alone (/docs/pdf has .pdf by the rule
// /*.pdf) counts if an item of the kind is in a folder below this one. Items of the kind that are
// in this folder itself are then thought to match too. That is safe, because they are of a kind
// without the suffix as well: at worst they get a path rule that they do not need.
func (s *suffixes) matchedIn(keyPrefix string, items []placed, present kinds) (
	matched [maxSuffixes + 1]kinds) {
	for i, kind := range s.kinds {
		if !present.has(i) {
			continue
		}
		isDeeper := func(it placed) bool {
			return it.kinds.has(i) && strings.LastIndexByte(it.item.key, '/') >= len(keyPrefix)
		}
		set := kind.suffixes
		if kind.above != 0 && !slices.ContainsFunc(items, isDeeper) {
			set &^= kind.above
		}
		for k := range s.names {
			if set.has(k) {
				matched[k] |= 1 << i
			}
		}
	}
	return matched
}

// matches reports whether a rule for suffix number k matches a request of the item, in a folder
// around it.
func (s *suffixes) matches(k int, it *placed) bool {
	for i, kind := range s.kinds {
		if it.kinds.has(i) && kind.suffixes.has(k) {
			return true
		}
	}
	return false
}

// suffixOf returns the suffix of an item whose rules match it, or "". Its caller needs that for
// templates, which only Cloudflare can fill in: there an item is of one kind, and no suffix ends
// with another, so that there is one at most.
func (s *suffixes) suffixOf(it *placed) string {
	for k, name := range s.names {
		if s.matches(k, it) {
			return name
		}
	}
	return ""
}
