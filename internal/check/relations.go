package check

import (
	"fmt"
	"maps"
	"slices"

	"metarobots/internal/plan"
	"metarobots/policy"
)

// relations reports canonical and alternate links that lead to noindex pages, or away from them.
// https://developers.google.com/search/docs/crawling-indexing/canonicalization-troubleshooting
func relations(site *plan.Site) (all []policy.Finding) {
	hidden := plan.ServedPages(site.Pages, (*plan.Page).Hidden)
	hreflang := tallies{} // by language: one that is hidden makes a link of every page
	for _, pg := range site.Pages {
		if pg.Related == nil || !pg.Role.Policed() {
			continue
		}
		all = append(all, canonical(site, pg, hidden)...)
		if pg.Hidden() {
			continue
		}
		for _, alternate := range pg.Related.Alternates {
			if to := hidden[plan.ServedAs(alternate)]; to != nil {
				hreflang.add(to.Language, pg, policy.Origin{Key: alternate})
			}
		}
	}
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

// canonical says what is wrong with a page's canonical link; hidden are the noindex pages by their served paths.
func canonical(site *plan.Site, pg *plan.Page, hidden map[string]*plan.Page) []policy.Finding {
	switch r := pg.Related; {
	case pg.NamesOwner():
		// A print page or a pager names the page that it is one of, and is often noindex as well.
	case r.Line > 0 && pg.Hidden():
		where := r.Canonical
		if r.Elsewhere {
			where = "another site"
		}
		return []policy.Finding{site.About(pg, "canonical-and-noindex", policy.Warning, r.Line, "the page is noindex, "+
			"and its canonical link names %s: the one says it is to be forgotten, the other that it stands for that page",
			where)}
	case r.Canonical != "" && hidden[plan.ServedAs(r.Canonical)] != nil:
		return []policy.Finding{site.About(pg, "canonical-to-noindex", policy.Warning, r.Line,
			"its canonical link names %s, which is noindex: both may leave the index", r.Canonical)}
	}
	return nil
}
