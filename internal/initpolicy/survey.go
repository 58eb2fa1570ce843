package initpolicy

import (
	"cmp"
	"slices"
	"strings"

	"metarobots/internal/plan"
	"metarobots/policy"
)

// A Tally is how many pages are indexable, and how many noindex.
type Tally struct {
	Indexable int `json:"indexable"`
	Noindex   int `json:"noindex"`
}

// A Survey is what was seen of a site.
type Survey struct {
	// Sourced: a page's content file is known.
	Sourced bool
	// Tagged is how many pages carry robots tags as they are.
	Tagged int
	// Unprinted are pages that are noindex without a policy, by what their front matter or the site's configuration
	// says, and do not say so as they are.
	Unprinted Pages
	// Served are those of which only the header file of the site's host says noindex.
	Served Pages
	// Barred are the pages that robots.txt keeps Google's crawler from; Rule is where, for the first.
	Barred Pages
	Rule   string
	// Now is what pages and headers say as they are; Applied what they say with the policy, or with none: the same; All
	// with all suggestions.
	Now, Applied, All Tally
}

// tally counts the pages.
func (s *Starter) tally(noindex func(i int, pg *plan.Page) bool) (t Tally) {
	for i, pg := range s.plan.Pages {
		switch {
		case pg.File.Role != policy.RolePage:
		case noindex(i, pg):
			t.Noindex++
		default:
			t.Indexable++
		}
	}
	return t
}

// survey counts.
func (s *Starter) survey() {
	v := &s.Survey
	for _, pg := range s.plan.Pages {
		if pg.File.Role != policy.RolePage {
			continue
		}
		v.Sourced = v.Sourced || pg.File.Source != ""
		if len(pg.File.Found) > 0 {
			v.Tagged++
		}
		if !s.noindexed(pg) && pg.Decision.NoIndex() {
			v.Unprinted = append(v.Unprinted, pg)
		}
		if rule := s.barred(pg); rule != "" {
			v.Barred = append(v.Barred, pg)
			v.Rule = cmp.Or(v.Rule, rule)
		}
	}
	byAddress(v.Unprinted)
	byAddress(v.Barred)
	v.Now = s.tally(func(_ int, pg *plan.Page) bool { return s.noindexed(pg) })
}

// noindexed reports whether a page is noindex as it stands and as its host serves it.
func (s *Starter) noindexed(pg *plan.Page) bool {
	var p policy.Policy
	d := p.Resolve(slices.Concat(pg.File.Found, pg.File.Headers))
	return d.NoIndex()
}

// byAddress sorts pages as their readers would.
func byAddress(pages []*plan.Page) {
	slices.SortFunc(pages, func(a, b *plan.Page) int {
		return cmp.Or(strings.Compare(a.URL, b.URL), strings.Compare(a.File.Name, b.File.Name))
	})
}
