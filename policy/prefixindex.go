package policy

import "slices"

// A PrefixIndex finds rules by the literal prefix of the paths that they match. A site of many pages and many rules
// would take too long if each page was compared with each rule.
type PrefixIndex struct {
	by   map[string][]int
	ends []end // of the prefixes, so that few parts of a path are looked up
}

// An end is the length of a prefix and its last byte.
type end struct {
	length int
	last   byte
}

// Add adds a rule by the prefix of what it matches.
func (b *PrefixIndex) Add(prefix string, rule int) {
	if b.by == nil {
		b.by = map[string][]int{}
	}
	b.by[prefix] = append(b.by[prefix], rule)
	e := end{length: len(prefix)}
	if prefix != "" {
		e.last = prefix[len(prefix)-1]
	}
	if !slices.Contains(b.ends, e) {
		b.ends = append(b.ends, e)
	}
}

// Of appends the rules that may match a path.
func (b *PrefixIndex) Of(to []int, path string) []int {
	for _, e := range b.ends {
		if n := e.length; n <= len(path) && (n == 0 || path[n-1] == e.last) {
			to = append(to, b.by[path[:n]]...)
		}
	}
	return to
}
