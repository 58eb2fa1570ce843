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
	name  string
	uses  []policy.Use // those that it can speak of
	paths bool         // it can say something else of a path than of the site
	in    string       // the header of which it is a line, inTags, or the file; empty for robots.txt
}

const (
	// CrawlerGroups is the carrier that writes groups of crawlers.
	CrawlerGroups = "robots.txt"

	contentSignal  = "content-signal"
	usageLines     = "content-usage-robots"
	contentUsage   = "content-usage"
	trainingToken  = "training-token"
	tdmReservation = "tdm-reservation"
	rsl            = "rsl"
	rslLink        = "rsl-link"
	// TDMRepFile is the carrier that is a file of its own: see [Preferences.TDMRep].
	TDMRepFile = "tdmrep.json"
	// NoAI is the carrier of which a [policy.Policy] knows.
	NoAI = "noai"

	inTags = "robots"
)

var carriers = []carrier{
	// User-agent: GPTBot / Disallow: /. https://www.rfc-editor.org/rfc/rfc9309
	{CrawlerGroups, policy.Uses, true, ""},
	// Content-Signal: search=yes, ai-input=no, ai-train=no. https://contentsignals.org as of 2026-11-23
	{contentSignal, policy.Uses, false, ""},
	// Content-Usage: /path train-ai=n. https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/05/ of 2026-08-19
	{usageLines, []policy.Use{policy.UseTraining, policy.UseSearch}, true, ""},
	// Content-Usage: train-ai=n, as a header. The same draft, section 2
	{contentUsage, []policy.Use{policy.UseTraining, policy.UseSearch}, true, "Content-Usage"},
	// https://datatracker.ietf.org/doc/draft-kelley-aipref-training-preference-signal/00/ of 2026-10-30
	{trainingToken, []policy.Use{policy.UseTraining}, true, ""},
	// tdm-reservation: 1. https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/
	{tdmReservation, []policy.Use{policy.UseTraining}, true, "tdm-reservation"},
	// [{"location": "/", "tdm-reservation": 1}] in /.well-known/tdmrep.json. The same report
	{TDMRepFile, []policy.Use{policy.UseTraining}, true, TDMRepFile},
	// License: https://example.org/license.xml. https://rslstandard.org/guide/robots-txt of 2025-12-10
	{rsl, nil, false, ""},
	// Link: <https://example.org/license.xml>; rel="license"; type="application/rsl+xml". https://rslstandard.org/rsl
	{rslLink, nil, true, "Link"},
	// noai, noimageai in robots tags and X-Robots-Tag.
	// https://www.deviantart.com/team/journal/UPDATE-All-Deviations-Are-Opted-Out-of-AI-Datasets-934500371
	{NoAI, []policy.Use{policy.UseTraining}, true, inTags},
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

// Preferences are what is stated of the uses of content by AI, and the carriers that say it. The zero value states
// nothing.
type Preferences struct {
	// Carriers are of the [CarrierNames].
	Carriers []string
	// Site is what is stated of every URL of the host that has no preference of its own.
	Site policy.Preferences
	// Paths are the URLs that have, in any order.
	Paths []PathPreference
	// URLs are all published ones of the host: encoded paths without a query, a star as %2A.
	URLs []string
	// Token is the policy token of the carrier training-token; empty for the draft's.
	Token string
	// License is the URL of the licence for the carriers rsl and rsl-link.
	License string
}

// A PathPreference is what is stated of one URL, an encoded path.
type PathPreference struct {
	Path        string
	Preferences policy.Preferences
}

// NeedsLicense reports whether a carrier refers to terms, and so to [Preferences.License].
func NeedsLicense(carrier string) bool { return carrier == rsl || carrier == rslLink }

// InRobotsTxt reports whether a carrier is a part of robots.txt.
func InRobotsTxt(name string) bool {
	return slices.ContainsFunc(carriers, func(c carrier) bool { return c.name == name && c.in == "" })
}

// Unsaid is what a chosen carrier cannot say.
type Unsaid struct {
	Carrier string
	Use     policy.Use
	// Path is empty for the site.
	Path string
}

// words are those of Content-Signal and Content-Usage.
var words = [...]struct{ signal, usage string }{
	policy.UseTraining: {"ai-train", "train-ai"},
	policy.UseSearch:   {"search", "search"},
	policy.UseInput:    {signal: "ai-input"},
}

// With returns the policy with groups and lines for what is stated of AI, and what the chosen carriers of robots.txt
// cannot say of it. The rest is said by all of them.
func (p *Policy) With(a Preferences) (*Policy, []Unsaid) {
	if len(a.Carriers) == 0 {
		return p, nil
	}
	all := *p
	all.carriers, all.Groups = a.Carriers, slices.Clone(p.Groups)
	if slices.Contains(a.Carriers, CrawlerGroups) {
		all.Block = nil // the groups say it
	}
	var unsaid []Unsaid
	for _, c := range carriers {
		if c.in != "" || !slices.Contains(a.Carriers, c.name) {
			continue
		}
		say := func(uses ...policy.Use) *wording {
			w := newWording(p, &a, c, uses)
			unsaid = append(unsaid, w.unsaid...)
			return w
		}
		switch c.name {
		case CrawlerGroups:
			for _, u := range c.uses {
				all.addCrawlers(u.Purpose(), say(u).group(u))
			}
		case contentSignal:
			all.addGroup(Group{ContentSignal: say(c.uses...).signals()})
		case usageLines:
			all.addGroup(Group{ContentUsage: say(c.uses...).usages()})
		case trainingToken:
			g := say(c.uses...).group(policy.UseTraining)
			g.Agents, g.Standalone = []string{cmp.Or(a.Token, defaultToken)}, true
			all.addGroup(g)
		case rsl: // it only refers to terms
			all.licenses = []string{a.License}
			continue
		}
		for _, u := range policy.Uses {
			if !slices.Contains(c.uses, u) {
				say(u)
			}
		}
	}
	return &all, unsaid
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
	for _, c := range crawlersOf(purpose) {
		g.Agents = append(g.Agents, c.Token)
	}
	p.addGroup(g)
}

// wording is what a carrier says of some uses: of the site, and in rules for paths, of which the longest match counts.
type wording struct {
	carrier carrier
	stated  map[string]policy.Preferences // of each URL
	site    policy.Preferences
	rules   []pathRule
	unsaid  []Unsaid
}

// pathRule is what holds for the paths that a pattern matches, whole: it repeats what of the site's holds there.
type pathRule struct {
	pattern string
	states  policy.Preferences
}

func newWording(p *Policy, a *Preferences, c carrier, uses []policy.Use) *wording {
	stated := func(from policy.Preferences) (v policy.Preferences) {
		for _, u := range uses {
			if v[u] = from[u]; v[u] == policy.Unstated && c.name == CrawlerGroups && slices.Contains(p.Block, u.Purpose()) {
				v[u] = policy.Denied
			}
		}
		return v
	}
	w := &wording{carrier: c, stated: make(map[string]policy.Preferences, len(a.URLs)), site: stated(a.Site)}
	for _, url := range a.URLs {
		w.stated[url] = w.site
	}
	for _, d := range a.Paths {
		w.stated[d.Path] = stated(d.Preferences)
	}
	urls := slices.Sorted(maps.Keys(w.stated))
	for _, u := range uses {
		w.sayOnce(u, urls)
	}
	if c.paths {
		w.cover(urls, "/")
	}
	return w
}

// sayOnce states of the site what is stated of every URL, where that is stricter. A carrier without paths, or one that
// cannot speak of the use at all, leaves out what would loosen a URL.
func (w *wording) sayOnce(u policy.Use, urls []string) {
	least, most := policy.Denied, policy.Unstated
	for _, url := range urls {
		least, most = min(least, w.stated[url][u]), max(most, w.stated[url][u])
	}
	if len(urls) > 0 {
		w.site[u] = max(w.site[u], least)
	}
	able := slices.Contains(w.carrier.uses, u)
	if able && w.carrier.paths {
		return
	}
	site := w.site[u]
	if !able || site == policy.Allowed && most == policy.Denied {
		w.site[u] = policy.Unstated
	}
	if site != w.site[u] {
		w.leave(u, "")
	}
	for _, url := range urls {
		if w.stated[url][u] != site {
			w.leave(u, url)
		}
	}
}

func (w *wording) leave(u policy.Use, paths ...string) {
	for _, path := range paths {
		w.unsaid = append(w.unsaid, Unsaid{w.carrier.name, u, path})
	}
}

// cover adds rules for URLs below a folder, sorted: one for each folder below it of which everything states the same,
// and does not state what the site does. That is exact, and with such rules it cannot be done with fewer.
func (w *wording) cover(urls []string, folder string) {
	for n := 1; len(urls) > 0; urls, n = urls[n:], 1 {
		pattern := urls[0] + "$"
		if i := strings.IndexByte(urls[0][len(folder):], '/'); i >= 0 {
			pattern = urls[0][:len(folder)+i+1]
			for n < len(urls) && strings.HasPrefix(urls[n], pattern) {
				n++
			}
		}
		v := w.stated[urls[0]]
		if slices.ContainsFunc(urls[1:n], func(url string) bool { return w.stated[url] != v }) {
			w.cover(urls[:n], pattern)
			continue
		}
		for u := range v {
			if v[u] == policy.Unstated && w.site[u] != policy.Unstated {
				w.leave(policy.Use(u), urls[:n]...)
				v[u] = w.site[u]
			}
		}
		if v != w.site {
			w.rules = append(w.rules, pathRule{pattern, v})
		}
	}
}

// group is what is said of a use, as rules of crawling.
func (w *wording) group(u policy.Use) (g Group) {
	for _, r := range append([]pathRule{{"/", w.site}}, w.rules...) {
		switch r.states[u] {
		case policy.Allowed:
			g.Allow = append(g.Allow, r.pattern)
		case policy.Denied:
			g.Disallow = append(g.Disallow, r.pattern)
		}
	}
	return g
}

// signals is what is said of the site, as a value of Content-Signal.
func (w *wording) signals() string {
	return spell(w.site, func(u policy.Use) string { return words[u].signal }, "yes", "no")
}

// usages is what is said, as values of Content-Usage.
func (w *wording) usages() (lines []string) {
	for _, r := range append([]pathRule{{"", w.site}}, w.rules...) {
		if s := spell(r.states, func(u policy.Use) string { return words[u].usage }, "y", "n"); s != "" {
			lines = append(lines, trim(r.pattern+" "+s))
		}
	}
	return lines
}

// spell writes preferences as a list of words with their values.
func spell(p policy.Preferences, word func(policy.Use) string, allowed, denied string) string {
	var items []string
	for _, u := range policy.Uses {
		if p[u] != policy.Unstated {
			items = append(items, word(u)+"="+[]string{"", allowed, denied}[p[u]])
		}
	}
	return strings.Join(items, ", ")
}
