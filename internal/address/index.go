package address

import (
	"slices"
	"strings"
)

// An index finds the routes of one host that are about a path, which may be one of thousands. Its
// numbers are places in [Site.Routes].
type index struct {
	// exact, decoded and loose are the literal routes, by the one path that they take: exact by the
	// encoded path; decoded by the decoded one; loose, of those that ignore a slash at the end, by
	// the decoded one without that slash.
	exact, decoded, loose map[string][]int
	// patterns are all other routes, which have to be asked about each path.
	patterns []int
	// ends are the rewrites that lead to one path, by that path, decoded. leadingToMany are the
	// other rewrites. Redirects are in neither: nobody asks where one leads from.
	ends          map[string][]int
	leadingToMany []int
	// finders are the [Route.Finder] of all rewrites, each once, nil not among them.
	finders []*Handling
	// heads are beginnings of paths, in no order: of each of patterns, what every path begins with
	// that it takes, and of each of leadingToMany, what every path begins with to which it leads.
	// One is "" if nothing is known. [index.isAbout] asks whether a path has one of them.
	heads []string
}

// indexRoutes makes the indexes of the routes of each host, by [Route.Host].
func indexRoutes(routes []*Route) map[string]*index {
	indexes := map[string]*index{}
	for i, r := range routes {
		x := indexes[r.Host]
		if x == nil {
			x = &index{exact: map[string][]int{}, decoded: map[string][]int{}, loose: map[string][]int{},
				ends: map[string][]int{}}
			indexes[r.Host] = x
		}
		x.add(i, r)
	}
	return indexes
}

// add enters a route, which has the place i in [Site.Routes], twice: by the paths that it takes
// ([index.taking] looks for those), and if it rewrites, by where it leads ([index.leading]).
func (x *index) add(i int, r *Route) {
	x.addSource(i, r)
	// [Route.SetMapping] and [Route.SetMatcher] set Sources for rewrites alone.
	isRewrite := r.Sources != nil
	if isRewrite {
		x.addDestination(i, r)
	}
}

// addSource enters a route by the paths that it takes: by the path itself if it is literal.
func (x *index) addSource(i int, r *Route) {
	switch l := r.literal; {
	case l != nil && l.comparesDecoded && l.ignoresEndSlash:
		x.loose[l.path] = append(x.loose[l.path], i)
	case l != nil && l.comparesDecoded:
		x.decoded[l.path] = append(x.decoded[l.path], i)
	case l != nil && !l.ignoresEndSlash:
		x.exact[l.path] = append(x.exact[l.path], i)
	default: // a pattern, or the rare literal that is encoded and ignores the end: no map is for it
		x.patterns = append(x.patterns, i)
		x.heads = append(x.heads, r.head)
	}
}

// addDestination enters a rewrite by where it leads: by that path if it is one path.
func (x *index) addDestination(i int, r *Route) {
	if r.Finder != nil && !slices.Contains(x.finders, r.Finder) {
		x.finders = append(x.finders, r.Finder)
	}
	if r.end != nil {
		x.ends[*r.end] = append(x.ends[*r.end], i)
		return
	}
	x.leadingToMany = append(x.leadingToMany, i)
	x.heads = append(x.heads, r.leadsBelow)
}

// taking are the routes that may take a path, in their order.
func (x *index) taking(path, decoded string) []int {
	if x == nil {
		return nil
	}
	routes := merge(x.patterns, x.exact[path], x.decoded[decoded], x.loose[decoded])
	if bare, ok := strings.CutSuffix(decoded, "/"); ok && bare != "" {
		routes = merge(routes, x.loose[bare])
	}
	return routes
}

// leading are the rewrites that may lead to an encoded path, each once and in their order.
func (x *index) leading(path string) []int {
	if x == nil {
		return nil
	}
	return merge(x.leadingToMany, x.ends[decode(path)])
}

// merge returns the numbers of sorted lists, sorted.
func merge(all []int, lists ...[]int) []int {
	copied := false
	for _, list := range lists {
		switch {
		case len(list) == 0:
		case len(all) == 0:
			all = list
		default:
			all, copied = append(slices.Clip(all), list...), true
		}
	}
	if copied {
		slices.Sort(all)
	}
	return all
}
