// Package check says of a planned site what no single page or file shows: findings about the whole.
//
// A check is a function of the plan alone and changes nothing in it. A new one is a function in the file of its family
// and a row in the list below; package findings explains its id.
package check

import (
	"fmt"

	"metarobots/emit/robotstxt"
	"metarobots/internal/plan"
	"metarobots/policy"
)

// A check looks at a whole site.
type check struct {
	// ids are those of its findings; nil for what planning reports itself.
	ids []string
	of  func(*plan.Site) []policy.Finding
}

// checks are in the order in which findings are reported.
var checks = []check{
	{nil, func(site *plan.Site) []policy.Finding { return site.Findings.Site }},
	{[]string{"no-header"}, headerless},
	{nil, func(site *plan.Site) []policy.Finding { return site.Findings.Pages }},
	{nil, func(site *plan.Site) []policy.Finding { return site.Findings.Robots }},
	{[]string{robotstxt.IDPlace}, misplacedRobots},
	{[]string{robotstxt.IDHidesNoindex, robotstxt.IDHidesDirectives}, unreadable},
	{nil, func(site *plan.Site) []policy.Finding { return site.Findings.Sitemaps }},
	{[]string{"sitemap-lists-noindex"}, contradictedSitemaps},
	{[]string{"sitemap-lists-disallowed"}, disallowedSitemaps},
	{[]string{"no-html"}, noHTML},
	{[]string{"unknown-file"}, unknownFiles},
	{[]string{"section-files"}, openFiles},
	{[]string{"redirect"}, taggedRedirects},
	{[]string{"canonical-and-noindex", "canonical-to-noindex", "hreflang-to-noindex"}, relations},
	{[]string{"deprecated"}, deprecated},
	{[]string{"nofollow-for-noindex"}, nofollowAlone},
	{[]string{"theme-adds", "state"}, themeAdds},
	{[]string{"looks-private"}, looksPrivate},
	{[]string{"newly-noindex"}, newlyNoindex},
	{[]string{"selects-nothing"}, unusedPolicy},
	{[]string{"selects-nothing"}, unusedLinks},
	{[]string{"guard"}, guard},
	{[]string{"not-published"}, notPublished},
	{[]string{"two-files"}, twoFiles},
	{[]string{"precompressed"}, precompressed},
}

// All runs every check over a site.
func All(site *plan.Site) []policy.Finding {
	var all []policy.Finding
	for _, c := range checks {
		all = append(all, c.of(site)...)
	}
	return all
}

// about is a finding about a page's file.
func about(site *plan.Site, pg *plan.Page, id string, s policy.Severity, format string, args ...any) policy.Finding {
	return policy.Finding{ID: id, Severity: s, URL: pg.URL, File: site.Published(pg.Name),
		Message: fmt.Sprintf(format, args...)}
}
