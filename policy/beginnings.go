package policy

import "slices"

// Beginnings are the places of rules by what all that they match begins with: so that a site of many pages and many
// rules does not hold each against each.
type Beginnings struct {
	by      map[string][]int
	lengths []int // of the texts
}

// Add adds a rule.
func (b *Beginnings) Add(text string, rule int) {
	if b.by == nil {
		b.by = map[string][]int{}
	}
	b.by[text] = append(b.by[text], rule)
	if !slices.Contains(b.lengths, len(text)) {
		b.lengths = append(b.lengths, len(text))
	}
}

// Of appends the rules that may match a path.
func (b *Beginnings) Of(to []int, path string) []int {
	for _, n := range b.lengths {
		if n <= len(path) {
			to = append(to, b.by[path[:n]]...)
		}
	}
	return to
}
