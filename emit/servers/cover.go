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
	delete(byEnding, "") // nothing tells its paths from others
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

// common is the innermost folder of sorted paths.
func common(paths []string) string {
	first, last := paths[0], paths[len(paths)-1]
	n := 0
	for n < min(len(first), len(last)) && first[n] == last[n] {
		n++
	}
	return first[:strings.LastIndexByte(first[:n], '/')+1]
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
	var folders []entry
	apart := make(map[string][]string)
	var others []string
	for _, p := range paths {
		if e := endOf(p); slices.Contains(endings, e) {
			apart[e] = append(apart[e], p)
		} else {
			others = append(others, p)
		}
	}
	below := func(string) string { return c.standard }
	add := func(paths []string, end string) {
		if len(paths) == 0 {
			return
		}
		root := c.tree(paths, end, below)
		cost += min(root.fall, root.best)
		root.choose(c, nil, &entries, &folders)
	}
	add(others, "")
	general := make(map[string]string)
	for _, f := range folders {
		general[f.begin] = f.value
	}
	below = func(path string) string {
		for at := strings.LastIndexByte(path, '/'); at >= 0; at = strings.LastIndexByte(path[:at], '/') {
			if v, ok := general[path[:at+1]]; ok {
				return v
			}
		}
		return c.standard
	}
	for _, e := range endings {
		add(apart[e], e)
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.begin, b.begin) })
	slices.SortFunc(folders, func(a, b entry) int {
		return cmp.Or(cmp.Compare(min(1, len(b.end)), min(1, len(a.end))), cmp.Compare(len(b.begin), len(a.begin)),
			cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end))
	})
	return append(entries, folders...), cost
}

// folder is a part of the tree, and how many entries it takes by what counts there from above.
type folder struct {
	begin, end string
	paths      []string
	falls      []string // what paths get where nothing of this tree counts
	folders    []*folder

	fall   int            // where nothing of this tree counts
	costs  map[string]int // where one of the values counts that are wanted below
	others int            // where any other value counts
	best   int            // where the folder gets the value of its own that costs least
	value  string
}

// tree makes the tree of sorted paths. below is what a path gets by entries outside of it.
func (c *covering) tree(paths []string, end string, below func(path string) string) *folder {
	f := &folder{begin: common(paths), end: end}
	return f.fill(c, paths, below)
}

// fill puts paths into a folder and counts.
func (f *folder) fill(c *covering, paths []string, below func(path string) string) *folder {
	f.costs = make(map[string]int)
	for i := 0; i < len(paths); {
		rest := paths[i][len(f.begin):]
		slash := strings.IndexByte(rest, '/')
		if slash < 0 {
			f.leaf(c, paths[i], below(paths[i]))
			i++
			continue
		}
		sub := &folder{begin: f.begin + rest[:slash+1], end: f.end}
		n := i
		for n < len(paths) && strings.HasPrefix(paths[n], sub.begin) {
			n++
		}
		sub.fill(c, paths[i:n], below)
		f.folders = append(f.folders, sub)
		i = n
	}
	for _, sub := range f.folders {
		f.fall += min(sub.fall, sub.best)
		others := min(sub.others, sub.best)
		f.others += others
		for v, cost := range sub.costs {
			f.costs[v] += min(cost, sub.best) - others
		}
	}
	f.best = never
	for _, v := range slices.Sorted(maps.Keys(f.costs)) {
		f.costs[v] += f.others
		e := entry{begin: f.begin, end: f.end, value: v}
		if cost := f.costs[v] + c.weight; cost < f.best && c.writable(e) {
			f.best, f.value = cost, v
		}
	}
	return f
}

// leaf counts a path. Relative to any other value, the one that it wants saves its entry.
func (f *folder) leaf(c *covering, path, falls string) {
	want, cost := c.wanted(path), 1
	if !c.writable(entry{begin: path, exact: true, value: want}) {
		cost = never
	}
	f.paths, f.falls = append(f.paths, path), append(f.falls, falls)
	if falls != want {
		f.fall += cost
	}
	f.others += cost
	f.costs[want] -= cost
}

// choose lists the entries by which a folder costs least, where a value counts from above, nil for none of this tree.
func (f *folder) choose(c *covering, above *string, exact, folders *[]entry) {
	cost := f.fall
	if above != nil {
		var wanted bool
		if cost, wanted = f.costs[*above]; !wanted {
			cost = f.others
		}
	}
	if f.best < cost {
		above = &f.value
		*folders = append(*folders, entry{begin: f.begin, end: f.end, value: f.value})
	}
	for i, path := range f.paths {
		gets := f.falls[i]
		if above != nil {
			gets = *above
		}
		if e := (entry{begin: path, exact: true, value: c.wanted(path)}); gets != e.value {
			*exact = append(*exact, e)
		}
	}
	for _, sub := range f.folders {
		sub.choose(c, above, exact, folders)
	}
}
