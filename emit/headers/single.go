package headers

import (
	"regexp"
	"slices"
	"sort"
	"strings"
)

// Patterns for single files, besides those of the tree: held against all files of the site.

// twin finds a pattern with one star that among all files of the site matches just the spots of an item, or "": for a
// rule of its own where the user's block of the same path says something that no line in it can take back, or stands
// before a rule of ours that it must follow.
func (c *compiler) twin(it *item) string {
	for at := len(it.path); at > 0; at-- {
		path := it.path[:at] + "*" + it.path[at:]
		if c.rivals[path] == nil && !c.twins[path] && c.onlyMatches(path, it, at) {
			c.twins[path] = true
			return path
		}
	}
	return ""
}

// isWild reports whether a path, written as a rule, means more than itself to a dialect.
func (c *compiler) isWild(path string) bool {
	return slices.ContainsFunc(c.user.engines, func(e *engine) bool { return !e.literal(path, false) })
}

// meansOne reports whether the path of an item, of whose characters some are wildcards in a rule, takes no other file of
// the site: then the rule can stand for it. It may take the item's file at a path that has a rule of its own, so it
// stands before those, and takes away what came before it.
func (c *compiler) meansOne(it *item) bool {
	wild := strings.IndexAny(it.path, ":*")
	return wild > 0 && c.quiet && c.rivals[it.path] == nil && c.matches(it.path, wild,
		func(other *item, s spot, matched bool) bool {
			own := func(own spot) bool { return own.want == s.want }
			return matched == (other == it) || matched && slices.ContainsFunc(it.spots, own)
		})
}

// onlyMatches reports whether a pattern with a star at an offset matches the spots of an item in every dialect and no
// other request path of a file that is not free.
func (c *compiler) onlyMatches(path string, it *item, star int) bool {
	return c.matches(path, star, func(other *item, _ spot, matched bool) bool { return matched == (other == it) })
}

// maxMatches is how many items are compared with patterns in one run; after that no pattern is found to be exact.
const maxMatches = 4_000_000

// matches reports whether it is good what a pattern whose first wildcard stands at an offset matches, and what not, of
// the spots of all files that are not free.
func (c *compiler) matches(path string, wild int, good func(it *item, s spot, matched bool) bool) bool {
	rules := make([]*Rule, len(c.user.engines))
	for d, e := range c.user.engines {
		r, err := e.rule(path)
		if err != nil {
			return false
		}
		rules[d] = r
	}
	// Nothing else begins as the pattern does.
	head := c.fold(strings.TrimSuffix(path[:wild], "/"))
	at := sort.Search(len(c.items), func(i int) bool { return compareKeys(c.items[i].key, head) >= 0 })
	for ; at < len(c.items) && strings.HasPrefix(c.items[at].key, head); at++ {
		if c.matched++; c.matched > maxMatches {
			return false
		}
		it := &c.items[at]
		for _, s := range it.spots {
			if !good(it, s, c.user.engines[s.dialect].Match(rules[s.dialect], "", s.form)) {
				return false
			}
		}
	}
	return true
}

// mergeOwn puts one rule in place of several that name one path each and say the same: a pattern with one star, of what
// their paths begin and end with, that matches just these paths. It costs its readers more than exact paths, so it is
// done where the rules do not fit the host's limit.
func (c *compiler) mergeOwn() {
	same := make(map[string][]int) // places of rules that say the same
	for i, o := range c.rules {
		if o.item != nil {
			says := strings.Join(o.head(), "\n")
			same[says] = append(same[says], i)
		}
	}
	gone := make(map[*item]bool)
	most := c.matched + maxMerging
	for i := range c.rules {
		if it := c.rules[i].item; it == nil || gone[it] || c.exact || c.matched > most {
			continue
		}
		group := same[strings.Join(c.rules[i].head(), "\n")]
		if path, merged := c.widest(i, group, gone); len(merged) > 1 {
			for _, it := range merged {
				gone[it] = true
			}
			c.rules[i].path, c.rules[i].item = path, nil
		}
	}
	c.rules = slices.DeleteFunc(c.rules, func(o ours) bool { return gone[o.item] })
}

// maxMerge is how many rules are tried with one, maxMerging after how many comparisons none is tried any more.
const (
	maxMerge   = 64
	maxMerging = 200_000
)

// widest returns the pattern that matches most of the items whose rules are a group, among them that of one rule.
func (c *compiler) widest(rule int, group []int, gone map[*item]bool) (path string, merged []*item) {
	of := make(map[*item]bool, len(group))
	for _, i := range group {
		of[c.rules[i].item] = true
	}
	at := slices.Index(group, rule) + 1
	for _, i := range group[at:min(at+maxMerge, len(group))] {
		head, tail := ends(c.rules[rule].path, c.rules[i].path)
		pattern := head + "*" + tail
		if c.rivals[pattern] != nil || !c.mayStar(head, "*"+tail) || !plainTail.MatchString(tail) {
			continue
		}
		matched := make(map[*item]int)
		if !c.matches(pattern, len(head), func(it *item, s spot, is bool) bool {
			if key := c.user.engines[s.dialect].key; is {
				matched[it]++
				// Nothing leans on a dot that matches any character.
				return of[it] && !gone[it] && strings.HasSuffix(key(s.form), key(tail))
			}
			return matched[it] == 0
		}) {
			continue
		}
		var all []*item
		for it, spots := range matched {
			if spots == len(it.spots) {
				all = append(all, it)
			}
		}
		if len(all) == len(matched) && len(all) > len(merged) {
			path, merged = pattern, all
		}
	}
	return path, merged
}

// plainTail is what may stand behind a star and mean itself, but for the dot.
var plainTail = regexp.MustCompile(`^[-0-9A-Za-z_~%./]*$`)

// ends returns what two texts begin and end with.
func ends(a, b string) (head, tail string) {
	n, m := 0, 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for m < min(len(a), len(b))-n && a[len(a)-1-m] == b[len(b)-1-m] {
		m++
	}
	return a[:n], a[len(a)-m:]
}
