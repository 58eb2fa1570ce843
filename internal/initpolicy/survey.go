package initpolicy

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"metarobots/internal/plan"
	"metarobots/policy"
)

// A Count is how many there are of something.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// A Tally is how many pages are indexable, and how many noindex.
type Tally struct {
	Indexable int `json:"indexable"`
	Noindex   int `json:"noindex"`
}

// A Survey is what was seen of a site.
type Survey struct {
	// Kinds are pages by kind, Languages by language where there are several. Files are what is no page.
	Kinds, Languages, Files []Count
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
	kinds, languages, files := map[string]int{}, map[string]int{}, map[string]int{}
	for _, pg := range s.plan.Pages {
		if pg.File.Role != policy.RolePage {
			files[sortOf(pg)]++
			continue
		}
		kinds[kindOf(pg)]++
		v.Sourced = v.Sourced || pg.File.Source != ""
		languages[pg.File.Facts.Language]++
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
	v.Kinds, v.Files = counts(kinds), counts(files)
	if v.Languages = counts(languages); len(v.Languages) == 1 {
		v.Languages = nil
	}
}

// noindexed reports whether a page is noindex as it stands and as its host serves it.
func (s *Starter) noindexed(pg *plan.Page) bool {
	var p policy.Policy
	subject := pg.File.Subject
	d := p.Resolve(slices.Concat(subject.Found, subject.Headers))
	return d.NoIndex()
}

// kindOf names a page.
func kindOf(pg *plan.Page) string {
	switch {
	case pg.File.Pager > 1:
		return "later list page"
	case pg.File.Facts.Format != "" && !strings.EqualFold(pg.File.Facts.Format, "html"):
		return pg.File.Facts.Format + " page"
	case pg.File.Facts.Kind == "" || pg.File.Facts.Kind == "page":
		return "ordinary page"
	case pg.File.Facts.Kind == "taxonomy" || pg.File.Facts.Kind == "term":
		return "archive page"
	case pg.File.Facts.Kind == "home":
		return "home page"
	}
	return pg.File.Facts.Kind
}

// sortOf names what is no page, as far as it is of interest; empty for the rest.
func sortOf(pg *plan.Page) string {
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(pg.File.Name), "."))
	switch {
	case pg.File.Role == policy.RoleRedirect:
		return "redirect"
	case pg.File.Role == policy.RoleError:
		return "error page"
	case pg.File.Role == policy.RoleControl:
		return ""
	case isFeed(pg):
		return "feed"
	case slices.Contains(known().Documents, ext):
		return "document"
	case slices.Contains([]string{"jpg", "jpeg", "png", "gif", "webp", "avif", "svg"}, ext):
		return "image"
	}
	return ""
}

// counts are sorted, the greatest first, without what has no name.
func counts(m map[string]int) (all []Count) {
	delete(m, "")
	for name, n := range m {
		all = append(all, Count{name, n})
	}
	slices.SortFunc(all, func(a, b Count) int { return cmp.Or(b.N-a.N, strings.Compare(a.Name, b.Name)) })
	return all
}

// byAddress sorts pages as their readers would.
func byAddress(pages []*plan.Page) {
	slices.SortFunc(pages, func(a, b *plan.Page) int {
		return cmp.Or(strings.Compare(a.URL, b.URL), strings.Compare(a.File.Name, b.File.Name))
	})
}
