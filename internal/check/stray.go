package check

import (
	"slices"
	"strings"

	"metarobots/internal/address"
	"metarobots/internal/plan"
	"metarobots/internal/published"
	"metarobots/policy"
)

// A strayWay is how a canonical link leads search engines to no page of the site which they may
// read and show.
type strayWay int

const (
	notStray     strayWay = iota
	toDisallowed          // to a page that robots.txt keeps usual crawlers from
	toNothing             // to an address at which nothing is published
	toRedirect            // to a page that redirects its readers
	toOtherSite
)

// strayFindings are the findings about each way to go astray, in the order in which they are
// reported. {key} is what [strayWayOf] names.
var strayFindings = []struct {
	way     strayWay
	finding policy.Finding
}{
	{toDisallowed, policy.Finding{ID: "canonical-astray", Severity: policy.Warning,
		Message: "its canonical link names {at}, which robots.txt keeps {key} from: they cannot read the page " +
			"that is to be shown{more}"}},
	{toNothing, policy.Finding{ID: "canonical-astray", Severity: policy.Warning,
		Message: "its canonical link names {at}, which is not published{more}"}},
	{toRedirect, policy.Finding{ID: "canonical-astray", Severity: policy.Warning,
		Message: "its canonical link names {at}, which leads to another page: name that one{more}"}},
	{toOtherSite, policy.Finding{ID: "canonical-astray", Severity: policy.Note,
		Message: "its canonical link names another site, and search engines may show that one instead: leave it " +
			"only if the page is a copy{more}"}},
}

// strayCanonicals reports canonical links of indexable pages that go astray (U6): each way once, at
// the first page, with a count of the others, and links to disallowed pages once for each set of
// crawlers. A pager, or another output of a page, may name that page whatever becomes of it.
//
// [contradictedCanonicals] reports those to noindex pages, and [redirectedLinks] those to addresses
// that a host redirects.
// https://developers.google.com/search/docs/crawling-indexing/canonicalization-troubleshooting
func strayCanonicals(site *plan.Plan) (all []policy.Finding) {
	byWay := map[strayWay]tallies{toDisallowed: {}, toNothing: {}, toRedirect: {}, toOtherSite: {}}
	for _, pg := range site.Pages {
		hasCanonical := pg.Links.Related != nil && pg.Links.Related.Line != 0 // that names another URL than the page's
		if !hasCanonical || !pg.File.Role.Policed() || pg.Hidden() || namesItsPage(site, pg) {
			continue
		}
		if way, key := strayWayOf(site, pg.Links.Related); way != notStray {
			byWay[way].add(key, pg, linkAt(pg.Links.Related.Line, pg.Links.Related.Canonical))
		}
	}
	for _, stray := range strayFindings {
		f := stray.finding
		all = append(all, byWay[stray.way].findings(site, f.ID, f.Severity, f.Message)...)
	}
	return all
}

// strayWayOf is how the canonical link of a page goes astray. key names the crawlers that
// robots.txt keeps from the page that the link names, "googlebot and bingbot"; it is [oneTally] for
// any other way.
func strayWayOf(site *plan.Plan, page *plan.Related) (way strayWay, key string) {
	if page.Elsewhere {
		return toOtherSite, oneTally
	}
	to := site.Served(page.Canonical)
	switch {
	case to == nil && isNothing(site, page.Canonical):
		return toNothing, oneTally
	case to == nil: // a rule of the owner's answers there, or a host's own redirect
		return notStray, oneTally
	case to.Hidden(): // [contradictedCanonicals] reports it
		return notStray, oneTally
	case to.File.Role == policy.RoleRedirect:
		return toRedirect, oneTally
	}
	if crawlers := crawlersKeptFrom(site, to); crawlers != "" {
		return toDisallowed, crawlers
	}
	return notStray, oneTally
}

// isNothing reports whether nothing is known to answer at a path: no file, and no rule of the
// owner's.
func isNothing(site *plan.Plan, at string) bool {
	answers := func(a address.Address) bool { return a.By != address.Fallback && !a.Nothing() || a.Route != nil }
	_, isRedirectedByHosts := site.Sites.Redirects(at)
	return !isRedirectedByHosts && !hasRedirectLine(site, at) && !slices.ContainsFunc(site.Sites.At(at), answers)
}

// crawlersKeptFrom names the usual crawlers that robots.txt keeps from a page, "googlebot and
// bingbot"; empty for none.
func crawlersKeptFrom(site *plan.Plan, pg *plan.Page) string {
	question := published.QuestionAbout(site, pg)
	var kept []string
	for _, crawler := range policy.UsualCrawlers {
		const noQuery = ""
		if f, _ := question.Ask(noQuery, crawler); !f.Allowed {
			kept = append(kept, crawler)
		}
	}
	return strings.Join(kept, " and ")
}
