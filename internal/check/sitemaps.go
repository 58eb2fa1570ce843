package check

import (
	"metarobots/internal/plan"
	"metarobots/internal/published"
	"metarobots/policy"
)

// contradictedSitemaps reports sitemaps that list noindex pages, where the owner keeps us from taking them out, and
// those whose hreflang links name such pages. What a run takes out is reported before it is written, if nothing but the
// site's own tags hides the pages: their owner may not know (S1).
func contradictedSitemaps(site *plan.Plan) (all []policy.Finding) {
	filter, writes := site.Project.Config.Robots.FilterSitemap, site.Source.Builds() || site.Project.Options.Writer != ""
	own := func(o policy.Origin) bool { return o.Layer == policy.LayerFound || o.Layer == policy.LayerEnvironment }
	remedy := ". robots.sitemap.filter = true takes them out"
	if filter {
		remedy = ", hidden only by tags in the pages themselves. metarobots apply takes them out of the sitemap. If they " +
			"are to be indexed, correct the template that prints the tags"
	}
	for _, l := range site.Sitemaps {
		t := &tally{}
		for _, pg := range l.Noindex {
			if !filter || !writes && hiddenOnlyBy(pg, own) {
				t.add(pg, policy.Origin{File: l.Change.File})
			}
		}
		all = append(all, t.findings(site, "sitemap-lists-noindex", policy.Warning, "it lists noindex pages, %s%s",
			t.pages(), remedy)...)
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
			for _, crawler := range published.Crawlers {
				if v, file := published.Robots(site, pg, "", crawler); !v.Allowed {
					rules.add(site, pg, crawler, v, file, "")
				}
			}
		}
	}
	for _, d := range rules.sorted() {
		all = append(all, d.on.findings(site, "sitemap-lists-disallowed", policy.Warning, "%q keeps %s from %s, which "+
			"the sitemap lists: allow crawling, or leave it out of the sitemap", d.rule, d.who(), d.on.pages())...)
	}
	return all
}
