package servers

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// An entry of a map gives a value to one path, or to all paths that begin and end with a text.
type entry struct {
	begin, end string
	exact      bool // begin is the whole path
	value      string
}

// never is the cost of what cannot be written.
const never = 1 << 40

// cover gives paths their values by the fewest entries: those of single paths, which go before all others, folders, of
// which the longest counts, and folders together with an ending, which go before those without. Ones and folders are
// chosen by dynamic programming over the tree of folders, endings one after another where they save something. The
// server tries expressions one by one, so more than most of them are taken only where each saves several entries.
//
// The entries of single paths come first, then in the order in which they are to be tried. It knows paths alone that
// it is given: any other may get any value.
func cover(paths []string, wanted func(path string) string, standard string, writable func(e entry) bool,
	most int) []entry {
	c := &covering{wanted: wanted, standard: standard, writable: writable, weight: 1}
	byEnding := make(map[string][]string)
	for _, p := range paths {
		e := endOf(p)
		byEnding[e] = append(byEnding[e], p)
	}
	delete(byEnding, "") // no expression matches its paths alone
	endings := slices.SortedFunc(maps.Keys(byEnding), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(byEnding[b]), len(byEnding[a])), cmp.Compare(a, b))
	})
	best, least := c.solve(paths, nil)
	var chosen []string
	for _, end := range endings[:min(len(endings), 8)] {
		single := func(e entry) bool { return e.exact && endOf(e.begin) == end }
		if !slices.ContainsFunc(best, single) {
			continue // nothing to save
		}
		if entries, cost := c.solve(paths, append(slices.Clone(chosen), end)); cost < least {
			best, least, chosen = entries, cost, append(chosen, end)
		}
	}
	for expressions(best) > most && c.weight < len(paths) {
		c.weight *= 2
		best, _ = c.solve(paths, chosen)
	}
	return best
}

// expressions counts the entries that are no single paths.
func expressions(entries []entry) (n int) {
	for _, e := range entries {
		if !e.exact {
			n++
		}
	}
	return n
}

// endOf is what a path ends with from its last slash or dot on; "" where its last name has no dot.
func endOf(path string) string {
	at := strings.LastIndexAny(path, "/.")
	if path[at] == '/' && at+1 < len(path) {
		return ""
	}
	return path[at:]
}

// covering is what [cover] was asked, and what a folder costs against a path.
type covering struct {
	wanted   func(path string) string
	standard string
	writable func(e entry) bool
	weight   int
}

// solve covers paths, those of some endings apart from the others.
func (c *covering) solve(paths []string, endings []string) (entries []entry, cost int) {
	apart := make(map[string][]string) // by ending, the others by ""
	for _, p := range paths {
		end := endOf(p)
		if !slices.Contains(endings, end) {
			end = ""
		}
		apart[end] = append(apart[end], p)
	}
	var folders []entry
	general := make(map[string]string) // the values of folders without an ending
	below := func(path string) string {
		for at := strings.LastIndexByte(path, '/'); at >= 0; at = strings.LastIndexByte(path[:at], '/') {
			if v, ok := general[path[:at+1]]; ok {
				return v
			}
		}
		return c.standard
	}
	for i, end := range slices.Concat([]string{""}, endings) {
		root := &folder{begin: "/", end: end}
		root.fill(c, apart[end], below)
		cost += root.under(outside)
		root.choose(c, outside, &entries, &folders)
		if i == 0 {
			for _, f := range folders {
				general[f.begin] = f.value
			}
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.begin, b.begin) })
	slices.SortFunc(folders, func(a, b entry) int {
		return cmp.Or(cmp.Compare(min(1, len(b.end)), min(1, len(a.end))), cmp.Compare(len(b.begin), len(a.begin)),
			cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end))
	})
	return append(entries, folders...), cost
}

// outside is in the place of a value where no folder of a tree gives one.
const outside = "\x00"

// folder is a part of the tree, and how many entries it takes by the value that counts there from above.
type folder struct {
	begin, end string
	paths      []string
	falls      []string // what paths get where the value is outside
	folders    []*folder

	costs  map[string]int // where one of the values counts that are wanted below, or outside
	others int            // where any other value counts
	best   int            // where the folder gets the value of its own that costs least
	value  string
}

// under is the cost where a value counts from above, which the folder may replace by its own.
func (f *folder) under(value string) int { return min(f.inherited(value), f.best) }

// inherited is the cost where the folder has no value of its own.
func (f *folder) inherited(value string) int {
	if cost, ok := f.costs[value]; ok {
		return cost
	}
	return f.others
}

// fill puts sorted paths into a folder and counts. below is what a path gets by entries outside of the tree.
func (f *folder) fill(c *covering, paths []string, below func(path string) string) {
	f.costs = make(map[string]int)
	for len(paths) > 0 {
		rest, n := paths[0][len(f.begin):], 1
		if slash := strings.IndexByte(rest, '/'); slash < 0 {
			f.leaf(c, paths[0], below(paths[0]))
		} else {
			sub := &folder{begin: f.begin + rest[:slash+1], end: f.end}
			for n < len(paths) && strings.HasPrefix(paths[n], sub.begin) {
				n++
			}
			sub.fill(c, paths[:n], below)
			f.folders = append(f.folders, sub)
		}
		paths = paths[n:]
	}
	for _, sub := range f.folders {
		others := min(sub.others, sub.best)
		f.others += others
		for v := range sub.costs {
			f.costs[v] += sub.under(v) - others
		}
	}
	f.best = never
	for _, v := range slices.Sorted(maps.Keys(f.costs)) {
		f.costs[v] += f.others
		e := entry{begin: f.begin, end: f.end, value: v}
		if cost := f.costs[v] + c.weight; cost < f.best && v != outside && c.writable(e) {
			f.best, f.value = cost, v
		}
	}
}

// leaf counts a path. Relative to any other value, the one that it wants saves its entry.
func (f *folder) leaf(c *covering, path, falls string) {
	want, cost := c.wanted(path), 1
	if !c.writable(entry{begin: path, exact: true, value: want}) {
		cost = never
	}
	f.paths, f.falls = append(f.paths, path), append(f.falls, falls)
	f.others += cost
	f.costs[want] -= cost
	if falls == want {
		f.costs[outside] -= cost
	}
}

// choose lists the entries by which a folder costs least, where a value counts from above.
func (f *folder) choose(c *covering, above string, exact, folders *[]entry) {
	if f.best < f.inherited(above) {
		above = f.value
		*folders = append(*folders, entry{begin: f.begin, end: f.end, value: f.value})
	}
	for i, path := range f.paths {
		gets := above
		if above == outside {
			gets = f.falls[i]
		}
		if e := (entry{begin: path, exact: true, value: c.wanted(path)}); gets != e.value {
			*exact = append(*exact, e)
		}
	}
	for _, sub := range f.folders {
		sub.choose(c, above, exact, folders)
	}
}
