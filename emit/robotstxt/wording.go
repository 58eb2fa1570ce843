package robotstxt

import (
	"slices"
	"strings"

	"metarobots/policy"
)

// A wording is what a carrier says, as rules for paths. The longest rule that matches counts. The
// first one is for the site.
type wording struct {
	carrier string
	uses    []policy.Use // those that it speaks of
	token   string       // of the carrier training-token
	// crawlers are those for whom the carrier robots.txt has groups, as these name them.
	crawlers []string
	site     policy.Preferences
	rules    []pathRule
	urls     []URL // sorted by their paths
	// said is what is to be said of each of urls, with the site's value for what one leaves
	// unstated.
	said []policy.Preferences

	others []string // the paths of what has no policy, sorted
	open   []URL    // beginnings of paths that cannot be listed, with what is to be said of them
}

// pathRule is what holds for the paths that a pattern matches, whole: it repeats what of the site's
// holds there.
type pathRule struct {
	pattern string
	states  policy.Preferences
}

// newWording words what a carrier is to say of the site and of each URL: about returns what of
// preferences it can speak of. [Policy.WithPreferences] and [AIFile.Write] write its rules as
// lines. If search is allowed for the site and at /a/y, and denied at /a/x:
//
//	content-usage-robots   rules "/" search=y, "/a/x$" search=n, "/a/x?" search=n
//	content-signal         nothing: it has one value for the whole site
func (a *Preferences) newWording(
	c carrier, about func(policy.Preferences) policy.Preferences,
) *wording {
	w := &wording{carrier: c.name, uses: c.uses, site: about(a.Site), urls: a.URLs,
		said: make([]policy.Preferences, len(a.URLs)), others: a.Others}
	for i := range a.URLs {
		w.said[i] = about(a.URLs[i].States)
	}
	hasPaths := c.name != contentSignal // it can say something else of a path than of the site
	w.limitSite(hasPaths)
	for i := range w.said {
		if !hasPaths {
			w.said[i] = w.site
		} else {
			w.said[i] = w.fillFromSite(w.said[i])
		}
	}
	if hasPaths {
		for _, o := range a.Open {
			w.open = append(w.open, URL{o.Path, w.fillFromSite(about(o.States))})
		}
		w.rules = []pathRule{{"/", w.site}}
		w.addRulesFor(0, len(w.urls), "/")
	}
	return w
}

// limitSite makes what the carrier says of the site fit what is stated of the URLs. What is denied
// at every URL is denied for the site. A use that the site allows becomes unstated if it is not to
// be allowed somewhere: with rules for paths, where a URL leaves it unstated, since the site's rule
// would hold there; without them, where a URL denies it. Preferences are numbers in the order
// unstated, allowed, denied: the least of some is what all of them state at least.
func (w *wording) limitSite(hasPaths bool) {
	least := policy.Preferences{policy.Denied, policy.Denied, policy.Denied}
	most := policy.Preferences{}
	for i := range w.said {
		for u, p := range w.said[i] {
			least[u], most[u] = min(least[u], p), max(most[u], p)
		}
	}
	if len(w.said) > 0 {
		w.site = policy.Strictest(w.site, least)
	}
	for u := range w.site {
		isLoose := most[u] == policy.Denied
		if hasPaths {
			isLoose = least[u] == policy.Unstated
		}
		if w.site[u] == policy.Allowed && isLoose {
			w.site[u] = policy.Unstated
		}
	}
}

// fillFromSite fills the uses that are left unstated with the site's value.
func (w *wording) fillFromSite(stated policy.Preferences) policy.Preferences {
	for u := range stated {
		if stated[u] == policy.Unstated {
			stated[u] = w.site[u]
		}
	}
	return stated
}

// addRulesFor adds rules for the URLs of a range, from one number to before another, that lie in a
// folder, if they differ from the site. folder ends with a slash. The URLs are sorted, so that what
// begins alike is a range.
//
// A rule's pattern matches all paths that begin with it: a folder, or a URL with which others
// begin. It is written if every published URL that it matches is to state the same, and the
// shortest such pattern is taken. Such patterns are nested or apart, so the rules are exact, and no
// others of their kind are fewer. A URL that is left gets rules of its own:
//
//	/q  /q/  /q/index.html   denied, and nothing else begins with /q   /q
//	/p  /p.html              denied, beside /press/ which is not       /p$  /p?  /p.html$  /p.html?
func (w *wording) addRulesFor(from, to int, folder string) {
	for from < to { // from is the first URL of the range that is not done yet
		inFolder := w.urls[from].Path[len(folder):]
		if slash := strings.IndexByte(inFolder, '/'); slash >= 0 {
			inner := folder + inFolder[:slash+1]
			from = w.addFolder(from, to, inner)
		} else {
			from = w.addURL(from, to)
		}
	}
}

// addFolder adds rules for those URLs of a range that lie in a folder: its first ones. That is one
// rule if all are to state the same. It returns the number of the first URL behind them.
func (w *wording) addFolder(from, to int, folder string) (end int) {
	end, isSame := w.endBelow(from, to, folder)
	if isSame && w.agreesWithOpenIn(folder, w.said[from]) {
		w.addRule(from, end, folder, "")
	} else {
		w.addRulesFor(from, end, folder)
	}
	return end
}

// addURL adds rules for the first URL of a range: one for all that begins with its path, if that
// may be and is of use, or else for the path alone. It returns the number of the first URL behind
// those that the rules are for.
func (w *wording) addURL(from, to int) (end int) {
	path, states := w.urls[from].Path, w.said[from]
	if states != w.site && w.mayCoverAllBehind(path, states) {
		end, isSame := w.endBelow(from, to, path)
		hasOthers := end > from+1
		if isSame && hasOthers {
			w.addRule(from, end, path, closingStar(path))
			return end
		}
	}
	end = from + 1
	w.addRule(from, end, path, "$") // the path alone
	if slices.Contains(states[:], policy.Denied) {
		w.addRule(from, end, path, "?") // with a query it is the same page
	}
	return end
}

// endBelow returns the number behind those URLs of a range that begin with a text, as its first one
// does, and whether the same is to be said of all of them.
func (w *wording) endBelow(from, to int, text string) (end int, isSame bool) {
	isSame = true
	for end = from; end < to && strings.HasPrefix(w.urls[end].Path, text); end++ {
		isSame = isSame && w.said[end] == w.said[from]
	}
	return end, isSame
}

// agreesWithOpenIn reports whether the same is to be said of those URLs in a folder that cannot be
// listed.
func (w *wording) agreesWithOpenIn(folder string, states policy.Preferences) bool {
	return !slices.ContainsFunc(w.open, func(o URL) bool {
		return strings.HasPrefix(o.Path, folder) && o.States != states
	})
}

// mayCoverAllBehind reports whether a rule that states this may be for all that begins with the
// path of a URL, if all other listed URLs there are to state the same. It must not match what is
// published without a policy, such as robots.txt, unless that lies in a folder of this path, nor
// what cannot be listed and states something else. What else it matches is not published, and the
// rule must not allow it.
func (w *wording) mayCoverAllBehind(path string, states policy.Preferences) bool {
	for u := range states {
		if states[u] == policy.Allowed && w.site[u] != policy.Allowed {
			return false
		}
	}
	i, _ := slices.BinarySearch(w.others, path)
	for ; i < len(w.others) && strings.HasPrefix(w.others[i], path); i++ {
		isInItsFolder := strings.HasPrefix(w.others[i], path+"/")
		if !isInItsFolder {
			return false
		}
	}
	return !slices.ContainsFunc(w.open, func(o URL) bool {
		mayMatch := strings.HasPrefix(path, o.Path) || strings.HasPrefix(o.Path, path)
		return o.States != states && mayMatch
	})
}

// closingStar is the end of a pattern for all that begins with a path: "*" if the path ends with a
// $, which would end the pattern, else "".
func closingStar(path string) string {
	if strings.HasSuffix(path, "$") {
		return "*"
	}
	return ""
}

// addRule adds a rule for the URLs of a range, which begin with a path and are to state the same,
// unless it would repeat the site's. end is the end of the pattern: "", "*", "$" or "?".
func (w *wording) addRule(from, to int, path, end string) {
	if w.said[from] != w.site && strings.Contains(path, "*") {
		w.reconcileStar(from, to, path+end) // which may change w.said
	}
	if states := w.said[from]; states != w.site {
		w.rules = append(w.rules, pathRule{path + end, states})
	}
}

// reconcileStar makes room for a rule whose path has a star, which in a pattern matches any text.
// If it also matches URLs outside of the range that are to state something else, all URLs of the
// range get what holds of both if something is denied. If nothing is denied, the range gets what
// the site says, so that no rule is written. Of matched URLs that are to state something else than
// the rule comes to, nothing counts as said: it may be the longest rule that matches them.
func (w *wording) reconcileStar(from, to int, pattern string) {
	r, states := newRule(&Line{}, pattern), w.said[from]
	isDenying := slices.Contains(states[:], policy.Denied)
	var matched []int // of the others
	for i := range w.urls {
		if isInRange := i >= from && i < to; isInRange || !r.matches(w.urls[i].Path) {
			continue
		}
		matched = append(matched, i)
		switch {
		case w.said[i] == w.said[from]:
		case isDenying:
			states = policy.Agreed(states, w.said[i])
		default:
			states = w.site
		}
	}
	for i := from; i < to; i++ {
		w.said[i] = states
	}
	if !isDenying {
		return
	}
	for _, i := range matched {
		if w.said[i] != states {
			w.said[i] = policy.Preferences{}
		}
	}
}

// group states a use by rules of crawling. denial is the source of a rule that denies the whole
// site.
func (w *wording) group(u policy.Use, denial Source) (g Group) {
	stated := Source{Purpose: u.Purpose()}
	for i, r := range w.rules {
		switch {
		case r.states[u] == policy.Allowed:
			g.Allow = append(g.Allow, Value{r.pattern, stated})
		case r.states[u] == policy.Denied && i == 0:
			g.Disallow = append(g.Disallow, Value{r.pattern, denial})
		case r.states[u] == policy.Denied:
			g.Disallow = append(g.Disallow, Value{r.pattern, stated})
		}
	}
	return g
}

// usages are the rules as values of Content-Usage. That of the site has no path.
func (w *wording) usages() (lines []string) {
	for i, r := range w.rules {
		if i == 0 {
			r.pattern = ""
		}
		if s := vocabularies[contentUsage].write(r.states); s != "" {
			lines = append(lines, trim(r.pattern+" "+s))
		}
	}
	return lines
}

// statedAt is what the carrier says of a URL.
func (w *wording) statedAt(path string) policy.Preferences {
	i, listed := slices.BinarySearchFunc(w.urls, path, func(u URL, path string) int {
		return strings.Compare(u.Path, path)
	})
	if listed {
		return w.said[i]
	}
	return w.statedBelow(path)
}

// statedBelow is what the carrier says of all paths that begin with a text.
func (w *wording) statedBelow(text string) policy.Preferences {
	for _, r := range w.rules[min(1, len(w.rules)):] { // they are apart
		if strings.HasPrefix(text, r.pattern) {
			return r.states
		}
	}
	return w.site
}

// Said is what some carriers say.
type Said []*wording

// Says reports whether a carrier says of a use what is stated of it for a URL, listed or not.
func (s Said) Says(path string, u policy.Use, stated policy.Preference) bool {
	return slices.ContainsFunc(s, func(w *wording) bool { return w.statedAt(path)[u] == stated })
}

// Silent returns the names of the carriers that can speak of a use by path, and do not deny it for
// all that begins with a text.
func (s Said) Silent(text string, u policy.Use) (names []string) {
	for _, w := range s {
		byPath := slices.Contains(w.uses, u) && w.carrier != contentSignal
		if byPath && w.statedBelow(text)[u] != policy.Denied {
			names = append(names, w.carrier)
		}
	}
	return names
}
