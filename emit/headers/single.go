package headers

import (
	"maps"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// Patterns for single files, besides those of the tree: held against all files of the site.

// solePattern finds a pattern with one star that among all files of the site matches just the requests of an item, or
// "": for a rule of its own where the user's block of the same path says something that no line in it can take back, or
// stands before a rule of ours that it must follow.
func (c *compiler) solePattern(it *item) string {
	for at := len(it.path); at > 0; at-- {
		path := it.path[:at] + "*" + it.path[at:]
		its := func(other *item, _ request) bool { return other == it }
		if c.userBlocks[path] == nil && c.takes(path, at, its)[it] == len(it.requests) {
			return path
		}
	}
	return ""
}

// isWild reports whether a path, written as a rule, means more than itself to a dialect.
func (c *compiler) isWild(path string) bool {
	return slices.ContainsFunc(c.user.engines, func(e *engine) bool { return !e.literal(path, false) })
}

// meansOne reports whether the path of an item, of whose characters some are wildcards in a rule, takes no other file
// of the site: then the rule can stand for it. It may take the item's file at a path that has a rule of its own, so it
// stands before those, and takes away what came before it.
func (c *compiler) meansOne(it *item) bool {
	wild := strings.IndexAny(it.path, ":*")
	return wild > 0 && c.quiet && c.userBlocks[it.path] == nil &&
		c.takes(it.path, wild, func(other *item, s request) bool {
			own := func(own request) bool { return own.want == s.want }
			return other == it || slices.ContainsFunc(it.requests, own)
		})[it] == len(it.requests)
}

// maxMatches is how many items are compared with patterns in one run; after that no pattern is found to be exact.
const maxMatches = 4_000_000

// takes counts, by item, the requests of files that are not free which a pattern matches whose first wildcard stands at
// an offset; nil where one is among them that may not be.
func (c *compiler) takes(path string, wild int, may func(it *item, s request) bool) map[*item]int {
	rules := make([]*Rule, len(c.user.engines))
	for d, e := range c.user.engines {
		r, err := e.rule(path)
		if err != nil {
			return nil
		}
		rules[d] = r
	}
	taken := make(map[*item]int)
	// Nothing else begins as the pattern does.
	head := c.fold(strings.TrimSuffix(path[:wild], "/"))
	at := sort.Search(len(c.items), func(i int) bool { return compareKeys(c.items[i].key, head) >= 0 })
	for ; at < len(c.items) && strings.HasPrefix(c.items[at].key, head); at++ {
		if c.matched++; c.matched > maxMatches {
			return nil
		}
		it := &c.items[at]
		for _, s := range it.requests {
			if !c.user.engines[s.dialect].Match(rules[s.dialect], "", s.form) {
				continue
			}
			if taken[it]++; !may(it, s) {
				return nil
			}
		}
	}
	return taken
}

// mergeOwn puts one rule in place of several that name one path each and say the same: a pattern with one star, of what
// their paths begin and end with, that matches just these paths. It costs its readers more than exact paths, so it is
// done where the rules do not fit the host's limit.
func (c *compiler) mergeOwn() {
	same := make(map[string][]int) // places of rules by what they say
	for i, o := range c.rules {
		if says := strings.Join(o.head(), "\n"); o.item != nil {
			same[says] = append(same[says], i)
		}
	}
	merged, most := make(map[*item]bool), c.matched+maxMerging
	for _, says := range slices.Sorted(maps.Keys(same)) {
		group, failed := same[says], make(map[string]bool)
		open := make(map[*item]bool, len(group)) // those that a pattern may match
		for _, i := range group {
			open[c.rules[i].item] = true
		}
		for n, i := range group {
			if !open[c.rules[i].item] || c.matched > most {
				continue
			}
			if path, items := c.widest(group[n:], open, failed); path != "" {
				c.rules[i].path, c.rules[i].item = path, nil
				for _, it := range items {
					delete(open, it)
					merged[it] = true
				}
			}
		}
	}
	c.rules = slices.DeleteFunc(c.rules, func(o ours) bool { return merged[o.item] })
}

// maxMerge is how many rules are tried with one, maxMerging after how many comparisons none is tried any more.
const (
	maxMerge   = 64
	maxMerging = 200_000
)

// widest returns the pattern that matches most of the open items, that of the first rule of a group among them, and
// those items. Patterns that failed are not tried again.
func (c *compiler) widest(group []int, open map[*item]bool, failed map[string]bool) (path string, items []*item) {
	for _, i := range group[1:min(maxMerge, len(group))] {
		head, tail := ends(c.rules[group[0]].path, c.rules[i].path)
		pattern := head + "*" + tail
		if pattern == path || failed[pattern] {
			continue
		}
		if all := c.merge(head, tail, open); len(all) > max(1, len(items)) {
			path, items = pattern, all
		} else if len(all) == 0 {
			failed[pattern] = true
		}
	}
	return path, items
}

// merge returns the open items that a pattern with a star between two texts matches, if it matches no other.
func (c *compiler) merge(head, tail string, open map[*item]bool) (items []*item) {
	if c.userBlocks[head+"*"+tail] != nil || !c.mayStar(head, "*"+tail) || !plainTail.MatchString(tail) {
		return nil
	}
	all := c.takes(head+"*"+tail, len(head), func(it *item, s request) bool {
		key := c.user.engines[s.dialect].key // nothing leans on a dot that matches any character
		return open[it] && strings.HasSuffix(key(s.form), key(tail))
	})
	for it, requests := range all {
		if items = append(items, it); requests < len(it.requests) {
			return nil
		}
	}
	return items
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
