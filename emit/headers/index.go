package headers

import (
	"fmt"
	"slices"
	"strings"
)

// index finds the rules of a file for a request: rules without wildcards by
// their key, the others by the text before their first wildcard. So a look-up
// costs a few map accesses, however many rules there are.
type index struct {
	exact map[string][]int // places of rules by key
	heads map[string][]int // places of rules with wildcards by head
	sizes []int            // the lengths that heads have, in order
}

// newIndex reads the rules' keys and heads. A head is compared with the start of
// a key, so both must be folded alike.
func newIndex(rules []Rule) index {
	x := index{exact: make(map[string][]int), heads: make(map[string][]int)}
	for i := range rules {
		switch r := &rules[i]; {
		case r.exact != "":
			x.exact[r.exact] = append(x.exact[r.exact], i)
		case r.re != nil:
			x.heads[r.head] = append(x.heads[r.head], i)
			if !slices.Contains(x.sizes, len(r.head)) {
				x.sizes = append(x.sizes, len(r.head))
			}
		}
	}
	slices.Sort(x.sizes)
	return x
}

// maxWild is how many bytes of rules with wildcards may have one head: each of
// them is tried for each request that begins with the head.
const maxWild = 32 << 10

// tooWild says that a file cannot be matched within limits.
func (f *File) tooWild() error {
	sizes := make(map[string]int)
	for i := range f.Rules {
		if r := &f.Rules[i]; r.re != nil {
			if sizes[r.head] += len(r.Path); sizes[r.head] > maxWild {
				return fmt.Errorf("line %d: more than %d KB of rules with wildcards begin with %q: they are too many to be told apart", r.Line, maxWild>>10, r.head)
			}
		}
	}
	return nil
}

// find returns the places of the rules with that key, and of those with
// wildcards that match, in the order of the file.
func (x *index) find(key string, match func(int) bool) []int {
	var at []int
	at = append(at, x.exact[key]...)
	for _, n := range x.sizes {
		if n > len(key) {
			break
		}
		for _, i := range x.heads[key[:n]] {
			if match(i) {
				at = append(at, i)
			}
		}
	}
	slices.Sort(at)
	return at
}

// literal returns what stands before the first of the wildcards.
func literal(path string, wildcards ...string) string {
	for _, w := range wildcards {
		if i := strings.Index(path, w); i >= 0 {
			path = path[:i]
		}
	}
	return path
}
