package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"metarobots/internal/seen"
	"metarobots/policy"
)

// A robotsTxt is what the part about robots.txt says: for each crawler how many URLs it may fetch,
// and by which rules it may not fetch the others.
type robotsTxt struct {
	Crawlers []*robotsCount
	Barred   []*barred
}

// HasTokens reports whether one of the names is a token of robots.txt alone.
func (part robotsTxt) HasTokens() bool {
	return slices.ContainsFunc(part.Crawlers, (*robotsCount).IsTokenOnly)
}

// A robotsCount is how many URLs one crawler may fetch, and may not.
type robotsCount struct {
	Name                string // or the names of those of one group: "gptbot, ccbot"
	Allowed, Disallowed int
}

// IsTokenOnly reports whether no request has one of the names as its user agent: what they may not
// fetch, they may not use when another crawler has fetched it.
func (c *robotsCount) IsTokenOnly() bool { return fetchesNothing(c.Name) }

// fetchesNothing reports whether all of some names, as a [robotsCount] has them, are tokens of
// robots.txt alone.
func fetchesNothing(names string) bool {
	return !slices.ContainsFunc(strings.Split(names, ", "), func(name string) bool {
		c := policy.LookupCrawler(name)
		return c == nil || !c.TokenOnly
	})
}

// A barred is a rule that keeps crawlers from URLs, though they may fetch others.
type barred struct {
	Rule, Place, First string // First of its URLs
	Crawlers           []string
	URLs               int
	Noindex            int    // how many of them have a noindex that a crawler may not fetch
	last               string // the URL that was counted last, so that it counts once for all crawlers
	lastNoindex        string // likewise of Noindex
}

// RobotsTxt counts what robots.txt says of the files. A crawler that may fetch nothing at all has
// no rule in it: its numbers say that.
func (v *view) RobotsTxt() robotsTxt {
	counts := v.robotsCounts()
	var part robotsTxt
	for _, r := range v.Rows {
		for _, fetch := range r.Page.RobotsTxt {
			if !fetch.Allowed && counts[fetch.Crawler].Allowed > 0 {
				part.rule(r, fetch).count(r, fetch.Crawler)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		part.Crawlers = append(part.Crawlers, counts[name])
	}
	return part
}

// robotsCounts counts the URLs by crawler.
func (v *view) robotsCounts() map[string]*robotsCount {
	counts := map[string]*robotsCount{}
	for _, r := range v.Rows {
		for _, fetch := range r.Page.RobotsTxt {
			c := cmp.Or(counts[fetch.Crawler], &robotsCount{Name: fetch.Crawler})
			counts[fetch.Crawler] = c
			if fetch.Allowed {
				c.Allowed++
			} else {
				c.Disallowed++
			}
		}
	}
	return counts
}

// rule returns the rule that keeps a crawler from a file; a new one has the file as its first URL.
func (part *robotsTxt) rule(r *row, fetch seen.Fetch) *barred {
	place := policy.Place(fetch.File, fetch.Line)
	isSame := func(b *barred) bool { return b.Rule == fetch.Rule && b.Place == place }
	i := slices.IndexFunc(part.Barred, isSame)
	if i < 0 {
		i = len(part.Barred)
		part.Barred = append(part.Barred, &barred{Rule: fetch.Rule, Place: place, First: r.Page.URL})
	}
	return part.Barred[i]
}

// count adds a file and a crawler that may not fetch it. All crawlers of one file are added before
// the next file.
func (b *barred) count(r *row, crawler string) {
	if !slices.Contains(b.Crawlers, crawler) {
		b.Crawlers = append(b.Crawlers, crawler)
	}
	if b.URLs == 0 || b.last != r.Page.URL {
		b.URLs++
		b.last = r.Page.URL
	}
	if r.State == seen.Noindex && !fetchesNothing(crawler) && (b.Noindex == 0 || b.lastNoindex != r.Page.URL) {
		b.Noindex++
		b.lastNoindex = r.Page.URL
	}
}
