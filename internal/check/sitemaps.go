package check

import (
	"metarobots/internal/plan"
	"metarobots/policy"
)

// contradictedSitemaps reports sitemaps that list noindex pages, where the owner keeps us from taking them out, and
// those whose hreflang links name such pages.
func contradictedSitemaps(site *plan.Plan) (all []policy.Finding) {
	for _, l := range site.Sitemaps {
		t := &tally{}
		for _, pg := range l.Noindex {
			t.add(pg, policy.Origin{File: l.Change.File})
		}
		all = append(all, t.findings(site, "sitemap-lists-noindex", policy.Warning, "it lists noindex pages, %s: "+
			"robots.sitemap.filter = true takes them out", t.pages())...)
		t = &tally{}
		for _, pg := range l.Alternates {
			t.add(pg, policy.Origin{File: l.Change.File})
		}
		all = append(all, t.findings(site, "hreflang-to-noindex", policy.Warning, "its hreflang links name pages that "+
			"are noindex, %s: crawlers ignore them", t.pages())...)
	}
	return all
}

// disallowedSitemaps reports pages that sitemaps list and robots.txt keeps the usual crawlers from: once for each rule.
func disallowedSitemaps(site *plan.Plan) (all []policy.Finding) {
	rules := disallows{}
	for _, l := range site.Sitemaps {
		for _, pg := range l.Others {
			for _, crawler := range plan.RobotsCrawlers {
				if v, file := site.RobotsFor(pg, "", crawler); !v.Allowed {
					rules.add(site, pg, crawler, v, file, "")
				}
			}
		}
	}
	for _, d := range rules.sorted() {
		all = append(all, d.findings(site, "sitemap-lists-disallowed", policy.Warning, "%q keeps %s from %s, which "+
			"the sitemap lists: allow crawling, or leave it out of the sitemap", d.rule, d.who(), d.pages())...)
	}
	return all
}
