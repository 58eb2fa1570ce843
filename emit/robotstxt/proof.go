package robotstxt

import (
	"cmp"
	"slices"
	"strings"

	"metarobots/policy"
)

// A Loss is a denial that a carrier was to say and a finished file does not, at one or more URLs.
type Loss struct {
	Carrier string
	Of      policy.Use
	// Path is the first of the URLs, of so many.
	Path  string
	Count int
}

// Prove reads finished files as their readers do, and returns the denials that these carriers were
// to say and the files do not. It should return none. f is robots.txt, nil for none. rules are
// those of a carrier that is a file itself ([AIFile], such as tdmrep.json); others do not ask them.
func (s Said) Prove(f *File, rules Rules) (lost []Loss) {
	for _, w := range s {
		urls, all := w.urls, w.said
		if len(urls) == 0 || w.carrier == contentSignal { // all get the same answer
			urls, all = []URL{{Path: "/"}}, []policy.Preferences{w.site}
		}
		for _, u := range policy.Uses {
			denies := w.reader(f, rules, u)
			loss := Loss{Carrier: w.carrier, Of: u}
			for i, said := range all { // said of urls[i]
				if said[u] != policy.Denied || denies(urls[i].Path) {
					continue
				}
				if loss.Count++; loss.Count == 1 {
					loss.Path = urls[i].Path
				}
			}
			if loss.Count > 0 {
				lost = append(lost, loss)
			}
		}
	}
	return lost
}

// reader returns how the readers of a carrier ask finished files whether a use is denied at a URL.
// Groups of crawlers deny what their fetching is for: their wording is about that use alone, and
// [Said.Prove] asks only for uses that a wording denies.
func (w *wording) reader(f *File, rules Rules, u policy.Use) func(path string) bool {
	if kind := aiFileOf(w.carrier); kind != nil {
		denying := kind.Reader(rules, u)
		return func(path string) bool { return denying(path) != "" }
	}
	switch {
	case f == nil:
		return func(string) bool { return false }
	case w.carrier == CrawlerGroups:
		names := f.distinct(w.crawlers)
		return func(path string) bool { return f.keepsOut(path, names) }
	case w.carrier == trainingToken:
		return func(path string) bool { return f.keepsOut(path, []string{w.token}) }
	case w.carrier == contentSignal:
		return func(path string) bool {
			_, denied := f.denialsAt(star, path, isShared)[contentSignal+u.String()]
			return denied
		}
	}
	return f.usageReader(u) // of Content-Usage lines; headers have no wording
}

// usageReader returns whether the Content-Usage with the longest path, which counts whole, denies
// everyone a use of a URL.
func (f *File) usageReader(u policy.Use) func(path string) bool {
	var paths patterns
	var denies []bool
	set, _ := f.obeyedBy(star)
	for _, l := range set.others {
		if l.key != contentUsage {
			continue
		}
		path, _ := usagePath(l.Value)
		paths.add(cmp.Or(path, "/"))
		denies = append(denies, slices.ContainsFunc(l.uses(), func(stated use) bool {
			return stated.about == u && stated.states == policy.Denied
		}))
	}
	return func(path string) bool {
		longest, denied := -1, false
		for _, i := range paths.matching(path) {
			if n := len(paths.rules[i].pattern); n >= longest {
				denied, longest = denies[i] || n == longest && denied, n
			}
		}
		return denied
	}
}

// keepsOut reports whether none of some crawlers may fetch a URL.
func (f *File) keepsOut(path string, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return f.Ask(name, path).Allowed })
}

// distinct are those of some crawlers whose rules differ.
func (f *File) distinct(names []string) (some []string) {
	for _, name := range names {
		if !slices.ContainsFunc(some, func(o string) bool { return f.sameRules(o, name) }) {
			some = append(some, name)
		}
	}
	return some
}

// ShutsOut reports whether no crawler of a purpose may fetch anything that begins with a text.
func (f *File) ShutsOut(purpose policy.Purpose, begin string) bool {
	if f == nil {
		return false
	}
	names := f.distinct(tokens(func(c *policy.Crawler) bool { return c.Purpose == purpose }))
	return !slices.ContainsFunc(names, func(name string) bool {
		set, _ := f.obeyedBy(name)
		return !set.shutsOut(begin)
	})
}

// ShutsAllOut reports whether a crawler without a group may fetch nothing.
func (f *File) ShutsAllOut() bool {
	if f == nil {
		return false
	}
	set, _ := f.obeyedBy(star)
	return set.shutsOut("/")
}

// shutsOut reports whether a rule disallows all that begins with a text, and no rule that may go
// before it allows any of that.
func (s *ruleset) shutsOut(begin string) bool {
	var best *rule
	for i := range s.rules {
		r := &s.rules[i]
		denies := !r.isAllow && r.pattern != "" && !r.endsAtDollar && r.matches(begin)
		if denies && (best == nil || compareByWeight(r, best) < 0) {
			best = r
		}
	}
	return best != nil && !slices.ContainsFunc(s.rules, func(r rule) bool {
		apart := !strings.HasPrefix(r.parts[0], begin) && !strings.HasPrefix(begin, r.parts[0])
		return r.isAllow && r.pattern != "" && !apart && compareByWeight(&r, best) < 0
	})
}
