package policy

import "strings"

// A Visible is one entry of [robots.visibility]: what is said of a part of the site.
type Visible struct {
	// Group is kinds, archives, types, sections, languages or formats.
	Group string
	// Name is that of the kind, the taxonomy, the type, …; "paginated" among archives is for pages 2 and on of a list.
	Name       string
	Statements []Statement // empty: true, it states nothing
	Origin     Origin
}

// covers reports whether s belongs to the part of the site. Feeds and other outputs that are no HTML have language,
// section and their own format alone (L5); files without a page behind them have nothing.
func (v *Visible) covers(s *Subject) bool {
	page := s.Role == RolePage
	if !page && s.Role != RoleOutput {
		return false
	}
	is := func(name string) bool { return name != "" && strings.EqualFold(v.Name, name) }
	switch {
	case v.paginated():
		return page && s.Pager > 1
	case v.Group == "archives":
		return page && (s.Facts.Kind == "taxonomy" || s.Facts.Kind == "term") && containsFold(s.Taxonomies, v.Name)
	case v.Group == "formats":
		return is(s.Facts.Format) || page && s.Of != nil && is(s.Of.Facts.Format)
	}
	return is(s.Facts.Fact(v.Group)) && (page || v.Group == "sections" || v.Group == "languages")
}

// explicit is what replaces words of v for s: what the page states for everyone. Of a part of the
// site to which a copy belongs with its page, the page's words replace as much for the copy as for
// the page (L5).
func (p *Policy) explicit(s *Subject, v *Visible) Directives {
	if s.Copied != nil && v.covers(s.Copied) {
		return p.explicit(s.Copied, v)
	}
	if !p.PageOverrides || s.Role != RolePage {
		return Directives{}
	}
	return sumFor(s.Page, noCrawler)
}

func (v *Visible) paginated() bool {
	return v.Group == "archives" && strings.EqualFold(v.Name, "paginated")
}

// shown is what visibility says of s, without what the page's own explicit index or follow replaces (L1).
func (p *Policy) shown(s *Subject) (all []Statement) {
	for i := range p.Visibility {
		v := &p.Visibility[i]
		if !v.covers(s) {
			continue
		}
		page := p.explicit(s, v)
		for _, st := range v.Statements {
			for _, chain := range []int{index, follow} {
				if st.Crawler == "" && v.Group != "formats" && !v.paginated() && page.rank[chain] == permissive {
					st.Directives.rank[chain] = 0
				}
			}
			if !st.Directives.IsZero() || !st.AI.IsZero() {
				all = append(all, st)
			}
		}
	}
	return all
}
