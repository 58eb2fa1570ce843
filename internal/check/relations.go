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
	pairs := map[string]*pair{}
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
			to := hidden[plan.ServedAs(alternate)]
			if to == nil {
				continue
			}
			of := pairs[to.Language]
			if of == nil {
				of = &pair{from: pg, to: alternate, at: len(all)}
				pairs[to.Language] = of
				all = append(all, policy.Finding{})
			}
			of.links++
		}
	}
	for language, of := range pairs {
		all[of.at] = of.finding(site, language)
	}
	return all
}

// A pair is a page with a hreflang link to one that is noindex, and the first of those that lead to pages of one
// language.
type pair struct {
	from  *plan.Page
	to    string
	links int
	at    int // its place among the findings
}

// finding tells of all of them at once: one hidden language makes one of every page.
func (of *pair) finding(site *plan.Site, language string) policy.Finding {
	message := fmt.Sprintf("its hreflang link names %s, which is noindex: crawlers ignore it", of.to)
	if of.links > 1 && language != "" {
		message += fmt.Sprintf("; %d links lead to noindex pages of the language %s", of.links, language)
	} else if of.links > 1 {
		message += fmt.Sprintf("; %d links lead to such pages", of.links)
	}
	return about(site, of.from, "hreflang-to-noindex", policy.Warning, "%s", message)
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
		f = about(site, pg, "canonical-and-noindex", policy.Warning, "the page is noindex, and its canonical link "+
			"names %s: the one says it is to be forgotten, the other that it stands for that page", where)
	case r.Canonical != "" && hidden[plan.ServedAs(r.Canonical)] != nil:
		f = about(site, pg, "canonical-to-noindex", policy.Warning,
			"its canonical link names %s, which is noindex: both may leave the index", r.Canonical)
	default:
		return f, false
	}
	f.Line = r.Line
	return f, true
}
