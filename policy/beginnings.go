package policy

import "slices"

// Beginnings are the places of rules by what all that they match begins with: so that a site of many pages and many
// rules does not hold each against each.
type Beginnings struct {
	by   map[string][]int
	ends []end // of the texts: what does not end as one of them need not be looked up
}

// An end is the length of a text and its last byte.
type end struct {
	length int
	last   byte
}

// Add adds a rule.
func (b *Beginnings) Add(text string, rule int) {
	if b.by == nil {
		b.by = map[string][]int{}
	}
	b.by[text] = append(b.by[text], rule)
	e := end{length: len(text)}
	if text != "" {
		e.last = text[len(text)-1]
	}
	if !slices.Contains(b.ends, e) {
		b.ends = append(b.ends, e)
	}
}

// Of appends the rules that may match a path.
func (b *Beginnings) Of(to []int, path string) []int {
	for _, e := range b.ends {
		if n := e.length; n <= len(path) && (n == 0 || path[n-1] == e.last) {
			to = append(to, b.by[path[:n]]...)
		}
	}
	return to
}
