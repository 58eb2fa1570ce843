package check

import (
	"fmt"

	"metarobots/internal/plan"
	"metarobots/policy"
)

// relations reports canonical and alternate links that lead to noindex pages, or away from them.
// https://developers.google.com/search/docs/crawling-indexing/canonicalization-troubleshooting
func relations(site *plan.Site) (all []policy.Finding) {
	hidden := site.ServedPages((*plan.Page).Hidden)
	for _, pg := range site.Pages {
		if pg.Related == nil || !pg.Role.Policed() {
			continue
		}
		if f, ok := canonical(site, pg, hidden); ok {
			all = append(all, f)
		}
		if pg.Hidden() {
			continue
		}
		for _, alternate := range pg.Related.Alternates {
			if hidden[plan.ServedAs(alternate)] != nil {
				all = append(all, about(site, pg, "hreflang-to-noindex", policy.Warning,
					fmt.Sprintf("its hreflang link names %s, which is noindex: crawlers drop the pair", alternate)))
				break
			}
		}
	}
	return all
}

// canonical says what is wrong with a page's canonical link; hidden are the noindex pages by their served paths.
func canonical(site *plan.Site, pg *plan.Page, hidden map[string]*plan.Page) (f policy.Finding, wrong bool) {
	r := pg.Related
	switch {
	case pg.NamesOwner():
		// A print page or a pager names the page that it is one of, and is often noindex as well.
		return f, false
	case r.Line > 0 && pg.Hidden():
		where := r.Canonical
		if r.Elsewhere {
			where = "another site"
		}
		f = about(site, pg, "canonical-and-noindex", policy.Warning,
			fmt.Sprintf("the page is noindex, and its canonical link "+
				"names %s: the one says it is to be forgotten, the other that it stands for that page", where))
	case r.Canonical != "" && hidden[plan.ServedAs(r.Canonical)] != nil:
		f = about(site, pg, "canonical-to-noindex", policy.Warning,
			fmt.Sprintf("its canonical link names %s, which is noindex: both may leave the index", r.Canonical))
	default:
		return f, false
	}
	f.Line = r.Line
	return f, true
}
