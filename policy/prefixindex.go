package policy

import "slices"

// A PrefixIndex finds rules by the literal prefix of the paths that they match. A site of many
// pages and many rules would take too long if each page was compared with each rule.
type PrefixIndex struct {
	rules   map[string][]int
	lengths []int // of the prefixes
}

// Add adds a rule by the prefix of what it matches.
func (x *PrefixIndex) Add(prefix string, rule int) {
	if x.rules == nil {
		x.rules = map[string][]int{}
	}
	x.rules[prefix] = append(x.rules[prefix], rule)
	if !slices.Contains(x.lengths, len(prefix)) {
		x.lengths = append(x.lengths, len(prefix))
	}
}

// Of appends the rules that may match a path.
func (x *PrefixIndex) Of(to []int, path string) []int {
	for _, n := range x.lengths {
		if n <= len(path) {
			to = append(to, x.rules[path[:n]]...)
		}
	}
	return to
}
