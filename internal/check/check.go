// Package check says of a planned site what no single page or file shows: findings about the whole.
//
// A check is a function of the plan alone and changes nothing in it. A new one is a function in the file of its family
// and a row in the list below; package findings explains its id.
package check

import (
	"fmt"

	"metarobots/internal/plan"
	"metarobots/policy"
)

// checks are in the order in which findings are reported; those of planning itself stand among them.
var checks = []func(*plan.Site) []policy.Finding{
	func(site *plan.Site) []policy.Finding { return site.Findings.Site },
	headerless,
	func(site *plan.Site) []policy.Finding { return site.Findings.Pages },
	func(site *plan.Site) []policy.Finding { return site.Findings.Robots },
	misplacedRobots,
	unreadable,
	func(site *plan.Site) []policy.Finding { return site.Findings.Sitemaps },
	contradictedSitemaps,
	disallowedSitemaps,
	noHTML,
	unknownFiles,
	openFiles,
	taggedRedirects,
	relations,
	deprecated,
	nofollowAlone,
	themeAdds,
	looksPrivate,
	newlyNoindex,
	unusedPolicy,
	unusedLinks,
	guard,
	notPublished,
	twoFiles,
	precompressed,
}

// All runs every check over a site.
func All(site *plan.Site) []policy.Finding {
	var all []policy.Finding
	for _, check := range checks {
		all = append(all, check(site)...)
	}
	return all
}

// about is a finding about a page's file.
func about(site *plan.Site, pg *plan.Page, id string, s policy.Severity, format string, args ...any) policy.Finding {
	return policy.Finding{ID: id, Severity: s, URL: pg.URL, File: site.Published(pg.Name),
		Message: fmt.Sprintf(format, args...)}
}
