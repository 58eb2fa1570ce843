package check

import (
	"slices"
	"strings"

	"metarobots/internal/address"
	"metarobots/internal/plan"
	"metarobots/internal/published"
	"metarobots/policy"
)

// strayCanonicals reports canonical links of indexable pages that lead search engines to no page of the site which they
// may read and show (U6). A pager, or another output of a page, may name that page whatever becomes of it. Each way to
// go astray is reported once, at the first page, with a count of the others:
//
//	a page that robots.txt keeps usual crawlers from  warning, once for each set of these crawlers
//	an address at which nothing is published          warning
//	a page that redirects its readers                 warning
//	another site                                      note
//
// [contradictedCanonicals] reports those to noindex pages, and [redirectedLinks] those to addresses
// that a host redirects.
// https://developers.google.com/search/docs/crawling-indexing/canonicalization-troubleshooting
func strayCanonicals(site *plan.Plan) []policy.Finding {
	elsewhere, missing, redirects, disallowed := tallies{}, tallies{}, tallies{}, tallies{}
	for _, pg := range site.Pages {
		hasCanonical := pg.Related != nil && pg.Related.Line != 0 // that names another URL than the page's
		if !hasCanonical || !pg.File.Role.Policed() || pg.Hidden() || namesItsPage(site, pg) {
			continue
		}
		target := pg.Related.Canonical // "" if it is on another site
		at := linkAt(pg.Related.Line, target)
		if pg.Related.Elsewhere {
			elsewhere.add(oneTally, pg, at)
			continue
		}
		to := site.Served(target)
		switch {
		case to == nil && isNothing(site, target):
			missing.add(oneTally, pg, at)
		case to == nil: // a rule of the owner's answers there, or a host's own redirect
		case to.Hidden(): // [contradictedCanonicals] reports it
		case to.File.Role == policy.RoleRedirect:
			redirects.add(oneTally, pg, at)
		default:
			if crawlers := crawlersKeptFrom(site, to); crawlers != "" {
				disallowed.add(crawlers, pg, at)
			}
		}
	}
	return slices.Concat(
		disallowed.findings(site, "canonical-astray", policy.Warning, "its canonical link names {at}, which "+
			"robots.txt keeps {key} from: they cannot read the page that is to be shown{more}"),
		missing.findings(site, "canonical-astray", policy.Warning, "its canonical link names {at}, which is not "+
			"published{more}"),
		redirects.findings(site, "canonical-astray", policy.Warning, "its canonical link names {at}, which leads to another "+
			"page: name that one{more}"),
		elsewhere.findings(site, "canonical-astray", policy.Note, "its canonical link names another site, and search "+
			"engines may show that one instead: leave it only if the page is a copy{more}"))
}

// isNothing reports whether nothing is known to answer at a path: no file, and no rule of the owner's.
func isNothing(site *plan.Plan, at string) bool {
	answers := func(a address.Address) bool { return a.By != address.Fallback && !a.Nothing() || a.Route != nil }
	_, isRedirectedByHosts := site.Sites.Redirects(at)
	return !isRedirectedByHosts && !hasRedirectLine(site, at) && !slices.ContainsFunc(site.Sites.At(at), answers)
}

// crawlersKeptFrom names the usual crawlers that robots.txt keeps from a page, "googlebot and
// bingbot"; empty for none.
func crawlersKeptFrom(site *plan.Plan, pg *plan.Page) string {
	question := published.About(site, pg)
	var kept []string
	for _, crawler := range policy.UsualCrawlers {
		const noQuery = ""
		if f, _ := question.Ask(noQuery, crawler); !f.Allowed {
			kept = append(kept, crawler)
		}
	}
	return strings.Join(kept, " and ")
}
