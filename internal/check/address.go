package check

import (
	"net/netip"
	"regexp"
	"slices"

	"metarobots/internal/plan"
	"metarobots/policy"
)

// nowhere matches host names that no crawler can reach. example.org and its like, which are for documentation, are not
// among them.
// https://www.rfc-editor.org/rfc/rfc6761#section-6
var nowhere = regexp.MustCompile(`(?i)(?:^|\.)(?:localhost|local|test|invalid)$`)

// unreachable reports a base URL that no crawler can reach where pages are to be indexed and something leads there: a
// sitemap, or the canonical link of a page.
func unreachable(site *plan.Plan) (all []policy.Finding) {
	p := site.Project
	leads := len(site.Sitemaps) > 0 || slices.ContainsFunc(site.Pages, func(pg *plan.Page) bool { return pg.Self != "" })
	if !leads || p.Environment.Preview || p.Policy.Hides() {
		return nil
	}
	for _, h := range p.Hosts {
		host := h.URL.Hostname()
		address, err := netip.ParseAddr(host)
		private := err == nil && (address.IsLoopback() || address.IsPrivate() || address.IsUnspecified())
		if !private && !nowhere.MatchString(host) {
			continue
		}
		all = append(all, policy.Finding{ID: "base-url", Severity: policy.Warning, Message: "baseURL is " +
			h.URL.String() + ", which no crawler can reach, and canonical links or sitemaps lead there: set the address of " +
			p.Environment.Name})
	}
	return all
}
