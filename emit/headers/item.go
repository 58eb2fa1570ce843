package headers

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
)

// value is a text that files are to be served with.
type value struct {
	text  string // as one line
	lines []string
	bad   string // why it cannot stand in a file
}

// request is a request path as one dialect's host serves it.
type request struct {
	form    string
	want    int32 // the file that is served there
	dialect uint8
	class   uint8 // the place of its suffix in a [state]
	loose   bool  // only where the suffix's dot is any character
	right   bool  // the file is served with its value without a rule of ours
}

// item is one path that an exact rule can have, with the request paths that the rule covers: often several, on several
// hosts.
type item struct {
	path     string    // what its own rule is for
	key      string    // its place in the tree: the path as the last dialect folds it, one for what no rule tells apart
	requests []request // the files want the same
	value    int32     // what they want
	label    int32     // the same; bare where no pattern can say it

	ways *ways
	in   *node // the innermost
}

// right reports whether all requests of an item are right without rules of ours.
func (it *item) right() bool {
	return !slices.ContainsFunc(it.requests, func(s request) bool { return !s.right })
}

// gather lists the items of all wants, in the order of the tree.
func (c *compiler) gather() {
	c.readValues()
	n := len(c.wants)
	if c.netlify {
		n *= 2 // a page and its folder
	}
	c.items = make([]item, 0, n)
	for i := range c.wants {
		if !c.wants[i].Free {
			c.add(i)
		}
	}
	// What one rule covers, and wants the same, stands together.
	slices.SortFunc(c.items, func(a, b item) int {
		path, value := strings.Compare(a.path, b.path), cmp.Compare(a.value, b.value)
		if !c.portable {
			path, value = value, path
		}
		return cmp.Or(compareKeys(a.key, b.key), path, value, cmp.Compare(a.requests[0].want, b.requests[0].want))
	})
	kept := c.items[:0]
	for _, it := range c.items {
		n := len(kept) - 1
		if n >= 0 && kept[n].key == it.key && kept[n].value == it.value && (kept[n].path == it.path || !c.portable) {
			kept[n].requests = append(kept[n].requests, it.requests...)
		} else {
			kept = append(kept, it)
		}
	}
	c.items = kept
	for from, to := 0, 0; from < len(c.items); from = to {
		for to = from + 1; to < len(c.items) && c.items[to].key == c.items[from].key; {
			to++
		}
		c.examine(c.items[from:to])
	}
	c.findSuffixes(maxSuffixes)
}

// readValues lists the wanted texts from 1, in their order.
func (c *compiler) readValues() {
	known := make(map[string][]string)
	for i := range c.wants {
		values := c.wants[i].Values
		text := strings.Join(values, ", ")
		if old, ok := known[text]; !ok || slices.Compare(values, old) < 0 {
			known[text] = values
		}
	}
	at := make(map[string]int32)
	c.values = make([]value, 1)
	for _, text := range slices.Sorted(maps.Keys(known)) {
		at[text] = int32(len(c.values))
		c.values = append(c.values, value{text, known[text], badValues(known[text])})
	}
	c.wanted = make([]int32, len(c.wants))
	for i := range c.wants {
		c.wanted[i] = at[strings.Join(c.wants[i].Values, ", ")]
	}
}

// add adds the items of a want: the rules that name all its request paths.
func (c *compiler) add(want int) {
	from := len(c.items)
	for d, e := range c.user.engines {
		served, _ := Forms(e.Dialect, c.wants[want].Path)
		for _, f := range served {
			s := request{form: f, want: int32(want), dialect: uint8(d)}
			covers := func(it item) bool { return it.path == f || e.key(it.path) == e.key(f) }
			if at := slices.IndexFunc(c.items[from:], covers); at >= 0 {
				c.items[from+at].requests = append(c.items[from+at].requests, s)
				continue
			}
			c.items = append(c.items, item{path: f, key: c.fold(f), value: c.wanted[want], requests: []request{s}})
		}
	}
}

// isRight reports whether a request needs no rule of ours under the rules for it.
func (c *compiler) isRight(s request, base []*Rule) bool {
	wanted, got := c.values[c.wanted[s.want]].text, c.user.says(s, base)
	if c.same(got, wanted) {
		return true
	}
	return (wanted == "" || c.wants[s.want].Found && c.uniform(s.want)) && got == c.user.says(s, c.user.own(s))
}

// same is [robotstag.Same], which many files ask for the same two texts.
func (c *compiler) same(a, b string) bool {
	if a == b {
		return true
	}
	same, ok := c.sames[[2]string{a, b}]
	if !ok {
		same = robotstag.Same(a, b)
		c.sames[[2]string{a, b}] = same
	}
	return same
}

// uniform reports whether the user's rules say one and the same at every request path of a want: only then can they be
// what [robotstag.Want.Found] speaks of.
func (c *compiler) uniform(want int32) bool {
	var all []string
	for d, e := range c.user.engines {
		served, _ := Forms(e.Dialect, c.wants[want].Path)
		for _, f := range served {
			s := request{form: f, dialect: uint8(d)}
			all = append(all, c.user.says(s, c.user.own(s)))
		}
	}
	return all[0] != "" && len(slices.Compact(all)) == 1
}
