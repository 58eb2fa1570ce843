package robotstxt

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"metarobots/policy"
)

// A carrier is a way to say what AI may do with content. docs/ai.md says who reads it.
type carrier struct {
	name string
	in   string       // the header of which it is a line, robots for tags, or the file; empty for robots.txt
	uses []policy.Use // those that it can speak of
}

const (
	// CrawlerGroups is the carrier that writes groups of crawlers.
	CrawlerGroups = "robots.txt"

	contentSignal  = "content-signal" // the key of its lines, too
	usageLines     = "content-usage-robots"
	contentUsage   = "content-usage" // the name of its header, and the key of those lines, too
	trainingToken  = "training-token"
	tdmReservation = "tdm-reservation"
	rsl            = "rsl"
	rslLink        = "rsl-link"
	// TDMRepFile is the carrier that is a file of its own: see [Preferences.TDMRep].
	TDMRepFile = "tdmrep.json"
	// NoAI is the carrier of which a [policy.Policy] knows.
	NoAI = "noai"
)

var carriers = []carrier{
	// User-agent: GPTBot / Disallow: /. https://www.rfc-editor.org/rfc/rfc9309
	{CrawlerGroups, "", policy.Uses},
	// Content-Signal: search=yes, ai-input=no, ai-train=no. https://contentsignals.org as of 2026-11-23
	{contentSignal, "", policy.Uses},
	// Content-Usage: /path train-ai=n. https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/05/ of 2026-08-19
	{usageLines, "", []policy.Use{policy.UseTraining, policy.UseSearch}},
	// Content-Usage: train-ai=n, as a header. The same draft, section 2
	{contentUsage, "Content-Usage", []policy.Use{policy.UseTraining, policy.UseSearch}},
	// https://datatracker.ietf.org/doc/draft-kelley-aipref-training-preference-signal/00/ of 2026-10-30
	{trainingToken, "", []policy.Use{policy.UseTraining}},
	// tdm-reservation: 1. https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/
	{tdmReservation, "tdm-reservation", []policy.Use{policy.UseTraining}},
	// [{"location": "/", "tdm-reservation": 1}] in /.well-known/tdmrep.json. The same report
	{TDMRepFile, TDMRepFile, []policy.Use{policy.UseTraining}},
	// License: https://example.org/license.xml. https://rslstandard.org/guide/robots-txt of 2025-12-10
	{rsl, "", nil},
	// Link: <https://example.org/license.xml>; rel="license"; type="application/rsl+xml". https://rslstandard.org/rsl
	{rslLink, "Link", nil},
	// noai, noimageai in robots tags and X-Robots-Tag.
	// https://www.deviantart.com/team/journal/UPDATE-All-Deviations-Are-Opted-Out-of-AI-Datasets-934500371
	{NoAI, "robots", []policy.Use{policy.UseTraining}},
}

// defaultToken is the policy token of draft-kelley-aipref-training-preference-signal-00.
const defaultToken = "__usage_ai-training"

// CarrierNames are all that can be chosen.
func CarrierNames() (names []string) {
	for _, c := range carriers {
		names = append(names, c.name)
	}
	return names
}

// NeedsLicense reports whether a carrier refers to terms, and so to [Preferences.License].
func NeedsLicense(carrier string) bool { return carrier == rsl || carrier == rslLink }

// Preferences are what is stated of the uses of content by AI, and the carriers that say it. The zero value states
// nothing.
type Preferences struct {
	// Carriers are of the [CarrierNames].
	Carriers []string
	// Site is what is stated of every URL of the host that has no preference of its own.
	Site policy.Preferences
	// URLs are all published ones of the host, with what is stated of each: encoded paths without a query, a star as %2A.
	URLs map[string]policy.Preferences
	// Token is the policy token of the carrier training-token; empty for the draft's.
	Token string
	// License is the URL of the licence for the carriers rsl and rsl-link.
	License string
}

// Said is what each of some carriers says of the URLs that are published.
type Said []map[string]policy.Preferences

// Says reports whether a carrier says of a use what is stated of it for a URL.
func (s Said) Says(url string, u policy.Use, stated policy.Preference) bool {
	return slices.ContainsFunc(s, func(of map[string]policy.Preferences) bool { return of[url][u] == stated })
}

// With returns the policy with groups and lines for what is stated of AI, and what those of the chosen carriers that
// are in robots.txt say of it. None says that a use is allowed where it is denied.
func (p *Policy) With(a Preferences) (*Policy, Said) {
	if len(a.Carriers) == 0 {
		return p, nil
	}
	all := *p
	all.carriers, all.Groups = a.Carriers, slices.Clone(p.Groups)
	var said Said
	say := func(c carrier, uses ...policy.Use) *wording {
		w := a.say(c.name != contentSignal, func(stated policy.Preferences) (v policy.Preferences) {
			for _, u := range uses {
				v[u] = stated[u]
				if c.name == CrawlerGroups && v[u] == policy.Unstated && slices.Contains(p.Block, u.Purpose()) {
					v[u] = policy.Denied
				}
			}
			return v
		})
		said = append(said, w.said)
		return w
	}
	for _, c := range carriers {
		if !slices.Contains(a.Carriers, c.name) {
			continue
		}
		switch c.name {
		case CrawlerGroups:
			all.Block = nil // the groups say it
			for _, u := range c.uses {
				all.addCrawlers(u.Purpose(), say(c, u).group(u))
			}
		case contentSignal:
			all.addGroup(Group{ContentSignal: vocabularies[contentSignal].write(say(c, c.uses...).site)})
		case usageLines:
			all.addGroup(Group{ContentUsage: say(c, c.uses...).usages()})
		case trainingToken:
			g := say(c, c.uses...).group(policy.UseTraining)
			g.Agents, g.Standalone = []string{cmp.Or(a.Token, defaultToken)}, true
			all.addGroup(g)
		case rsl: // it only refers to terms
			all.licenses = []string{a.License}
		}
	}
	return &all, said
}

// addGroup adds a group that says anything.
func (p *Policy) addGroup(g Group) {
	if len(g.Allow)+len(g.Disallow)+len(g.ContentUsage) > 0 || g.ContentSignal != "" {
		p.Groups = append(p.Groups, g)
	}
}

// addCrawlers adds a group for the crawlers of a purpose. One that shuts them out is a block.
func (p *Policy) addCrawlers(purpose policy.Purpose, g Group) {
	if len(g.Allow) == 0 && slices.Equal(g.Disallow, []string{"/"}) {
		p.Block = append(p.Block, purpose)
		return
	}
	g.Agents = tokens(func(c *policy.Crawler) bool { return c.Purpose == purpose })
	p.addGroup(g)
}

// wording is what a carrier says: in rules for paths, of which the longest match counts, the first of them for the
// site.
type wording struct {
	site  policy.Preferences
	rules []pathRule
	said  map[string]policy.Preferences // of each URL
}

// pathRule is what holds for the paths that a pattern matches, whole: it repeats what of the site's holds there.
type pathRule struct {
	pattern string
	states  policy.Preferences
}

// say words what a carrier is to say: about is what of the preferences it can speak of, paths whether it can say
// something else of a path than of the site.
func (a *Preferences) say(paths bool, about func(policy.Preferences) policy.Preferences) *wording {
	w := &wording{site: about(a.Site), said: make(map[string]policy.Preferences, len(a.URLs))}
	for url, stated := range a.URLs {
		w.said[url] = about(stated)
	}
	least, most := policy.Preferences{policy.Denied, policy.Denied, policy.Denied}, policy.Preferences{}
	for _, stated := range w.said {
		for u, p := range stated {
			least[u], most[u] = min(least[u], p), max(most[u], p)
		}
	}
	if len(w.said) > 0 { // what is stated of every URL is stated of the site
		w.site = policy.Strictest(w.site, least)
	}
	urls := slices.Sorted(maps.Keys(w.said))
	for u := range w.site { // nothing is allowed that a URL does not allow, or, with rules for paths, leaves open
		if w.site[u] == policy.Allowed && (paths && least[u] == policy.Unstated || !paths && most[u] == policy.Denied) {
			w.site[u] = policy.Unstated
		}
	}
	if paths {
		w.rules = []pathRule{{"/", w.site}}
		w.cover(urls, "/")
		return w
	}
	for _, url := range urls {
		w.said[url] = w.site
	}
	return w
}

// cover adds rules for URLs below a folder, sorted: one for each folder below it of which everything states the same,
// and does not state what the site does. That is exact, and with such rules it cannot be done with fewer. What leaves
// open a use of which the site says something is said like the site.
func (w *wording) cover(urls []string, folder string) {
	for n := 1; len(urls) > 0; urls, n = urls[n:], 1 {
		pattern, single := urls[0]+"$", true
		if i := strings.IndexByte(urls[0][len(folder):], '/'); i >= 0 {
			pattern, single = urls[0][:len(folder)+i+1], false
			for n < len(urls) && strings.HasPrefix(urls[n], pattern) {
				n++
			}
		}
		v := w.said[urls[0]]
		if slices.ContainsFunc(urls[1:n], func(url string) bool { return w.said[url] != v }) {
			w.cover(urls[:n], pattern)
			continue
		}
		for u := range v {
			if v[u] == policy.Unstated {
				v[u] = w.site[u]
			}
		}
		for _, url := range urls[:n] {
			w.said[url] = v
		}
		if v == w.site {
			continue
		}
		w.rules = append(w.rules, pathRule{pattern, v})
		if single && slices.Contains(v[:], policy.Denied) { // with a query it is the same page
			w.rules = append(w.rules, pathRule{urls[0] + "?", v})
		}
	}
}

// group is what is said of a use, as rules of crawling.
func (w *wording) group(u policy.Use) (g Group) {
	for _, r := range w.rules {
		switch r.states[u] {
		case policy.Allowed:
			g.Allow = append(g.Allow, r.pattern)
		case policy.Denied:
			g.Disallow = append(g.Disallow, r.pattern)
		}
	}
	return g
}

// usages is what is said, as values of Content-Usage. That of the site has no path.
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
