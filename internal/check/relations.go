package check

import (
	"fmt"
	"maps"
	"slices"

	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/policy"
)

// relations reports canonical and alternate links that lead to noindex pages, or away from them.
// https://developers.google.com/search/docs/crawling-indexing/canonicalization-troubleshooting
func relations(site *plan.Plan) (all []policy.Finding) {
	var leading []policy.Finding // to noindex pages
	hidden := func(at string) *plan.Page {
		if to := site.Served(at); to != nil && to.Hidden() {
			return to
		}
		return nil
	}
	hreflang := tallies{} // by language: one that is hidden makes a link of every page
	both := tallies{}     // by what hides the pages: a cascade hides an old version's, which name those of today
	for _, pg := range site.Pages {
		if pg.Related == nil || !pg.File.Role.Policed() {
			continue
		}
		switch r := pg.Related; {
		case namesOwner(pg):
			// A print page or a pager names the page that it is one of, and is often noindex as well.
		case r.Line > 0 && pg.Hidden():
			at := causeOf(site, pg)
			both.add(policy.Placed(at.File, at.Line, at.Key), pg, policy.Origin{Line: r.Line})
		case r.Canonical != "" && hidden(r.Canonical) != nil:
			leading = append(leading, site.About(pg, "canonical-to-noindex", policy.Warning, r.Line,
				"its canonical link names %s, which is noindex: both may leave the index", r.Canonical))
		}
		if pg.Hidden() {
			continue
		}
		for _, alternate := range pg.Related.Alternates {
			if to := hidden(alternate); to != nil {
				hreflang.add(to.File.Facts.Language, pg, policy.Origin{Key: alternate})
			}
		}
	}
	for _, cause := range slices.Sorted(maps.Keys(both)) {
		t, more := both[cause], ""
		where := t.first.Related.Canonical
		if t.first.Related.Elsewhere {
			where = "another site"
		}
		if t.count > 1 {
			more = fmt.Sprintf("; %d pages are noindex by %s, and name another page", t.count, cause)
		}
		all = append(all, t.findings(site, "canonical-and-noindex", policy.Warning, "the page is noindex, and its "+
			"canonical link names %s: noindex says to forget the page, canonical to count it as that one%s",
			where, more)...)
	}
	all = append(all, leading...)
	for _, language := range slices.Sorted(maps.Keys(hreflang)) {
		t, more := hreflang[language], ""
		if t.count > 1 && language != "" {
			more = fmt.Sprintf("; %d links lead to noindex pages of the language %s", t.count, language)
		} else if t.count > 1 {
			more = fmt.Sprintf("; %d links lead to such pages", t.count)
		}
		all = append(all, t.findings(site, "hreflang-to-noindex", policy.Warning,
			"its hreflang link names %s, which is noindex: crawlers ignore it%s", t.at.Key, more)...)
	}
	return all
}

// namesOwner reports whether the canonical link of a pager, or of another output of a page, names that page.
func namesOwner(pg *plan.Page) bool {
	return pg.File.Of != nil && pg.Related != nil &&
		project.ServedAs(pg.Related.Canonical) == project.ServedPath(pg.File.Of.Path.URL)
}
