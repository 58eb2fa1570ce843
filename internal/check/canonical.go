package check

import (
	"maps"
	"slices"

	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/policy"
)

// canonicalHeaders reports files whose headers, by a rule or a line of the owner's, name another URL as canonical, where
// something else contradicts that: the page's own link, or noindex. Each line is reported once.
// https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
func canonicalHeaders(site *plan.Plan) (all []policy.Finding) {
	differs, hidden := tallies{}, tallies{}
	for _, pg := range site.Pages {
		l := pg.Canonical()
		if l == nil {
			continue
		}
		to, own := site.Project.Leads(pg.File.Name, l.Canonical(), false)
		at := policy.Placed(l.Origin.File, l.Origin.Line, l.Origin.Key)
		switch r := pg.Related; {
		case pg.Self != "" && site.IsCopy(pg), r != nil && r.Canonical != "" && !(own && project.SamePath(to, r.Canonical)),
			r != nil && r.Elsewhere && own:
			differs.add(at, pg, l.Origin)
		}
		if pg.Hidden() && site.IsCopy(pg) {
			hidden.add(at, pg, l.Origin)
		}
	}
	report := func(lines tallies, id string, severity policy.Severity, format string) {
		for _, at := range slices.Sorted(maps.Keys(lines)) {
			t := lines[at]
			all = append(all, t.findings(site, id, severity, format, t.at.Key, t.pages())...)
		}
	}
	report(differs, "canonical-differs", policy.Warning, "%s: its canonical link and the one in the head of the page "+
		"differ, on %s: search engines may use neither")
	report(hidden, "canonical-and-noindex", policy.Warning, "%s: it names another URL as canonical for %s, which is "+
		"noindex: the one says it stands for that URL, the other that it is to be forgotten")
	return all
}

// listedCopies reports sitemaps and hreflang links that name files whose headers say that another URL is canonical.
func listedCopies(site *plan.Plan) (all []policy.Finding) {
	const text = "%s names %s, whose headers name another URL as canonical: list that one"
	for _, l := range site.Sitemaps {
		t := &tally{}
		for _, pg := range l.Copies {
			t.add(pg, policy.Origin{File: l.Change.File})
		}
		all = append(all, t.findings(site, "copy-listed", policy.Warning, text, "the sitemap", t.pages())...)
	}
	hreflang := &tally{}
	var first *plan.Page
	for _, pg := range site.Pages {
		if pg.Related == nil || !pg.File.Role.Policed() || pg.Hidden() {
			continue
		}
		for _, alternate := range pg.Related.Alternates {
			if to := site.Served(alternate); to != nil && site.IsCopy(to) {
				if hreflang.add(to, policy.Origin{}); first == nil {
					first = pg
				}
			}
		}
	}
	if first != nil {
		all = append(all, site.About(first, "copy-listed", policy.Warning, 0, text, "an hreflang link", hreflang.pages()))
	}
	return all
}
