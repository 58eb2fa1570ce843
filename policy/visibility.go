package policy

import "strings"

// A Visible is one entry of [robots.visibility]: what is said of a part of the site.
type Visible struct {
	// Group is kinds, archives, types, sections, languages, formats or versions.
	Group string
	// Name is that of the kind, the taxonomy, the type, …; "paginated" among archives is for pages
	// 2 and on of a list, "old" among versions for all files of old versions.
	Name       string
	Statements []Statement // empty: true, it states nothing
	Origin     Origin
}

// covers reports whether s belongs to the part of the site, for what is stated of that part
// (visibilityStatements), and for the check that it has any file ([Policy.Unused]). The names of
// entries, such as blog in sections.blog, are compared with the facts of the file without regard to
// case:
//
//	                                a page   a feed of it   its /page/2/   its AMP page
//	kinds, types                    yes      no             yes            yes
//	sections, languages             yes      yes            yes            yes
//	archives, of a list or a term   yes      no             yes            yes
//	archives.paginated              no       no             yes            no
//	formats.html                    yes      no             yes            yes
//	formats.amp                     no       no             no             yes
//	formats.rss                     no       yes            no             no
//
// A file of any other role, such as an image, belongs to no part except a version: whatever is in
// the folder of an old version is old (L10a). A file without a policy, such as a redirect, belongs
// to none at all.
func (v *Visible) covers(s *Subject) bool {
	switch {
	case v.Group == "versions":
		return s.Role.Policed() && strings.EqualFold(v.Name, s.Facts.Version)
	case s.Role == RolePage: // a page, its pager or another HTML output of it
		return v.coversPage(s)
	case s.Role == RoleOutput: // a feed, or another output of a page that is no HTML
		isOfEveryOutput := v.Group == "sections" || v.Group == "languages" || v.Group == "formats"
		return isOfEveryOutput && v.isNamed(s.Facts.Fact(v.Group))
	}
	return false
}

// coversPage is covers for an HTML file of the generator, and any group but versions.
func (v *Visible) coversPage(s *Subject) bool {
	switch {
	case v.paginated():
		return s.Pager > 1 // the first page of a list is the list
	case v.Group == "archives":
		isArchive := s.Facts.Kind == "taxonomy" || s.Facts.Kind == "term"
		// The taxonomies whose list or term it is: a list of several has the name of each.
		return isArchive && containsFold(s.Taxonomies, v.Name)
	case v.Group == "formats":
		// A pager, or another HTML output, has the format of its page too (L5a).
		isOfPage := s.Of != nil && v.isNamed(s.Of.Facts.Format)
		return isOfPage || v.isNamed(s.Facts.Format)
	}
	return v.isNamed(s.Facts.Fact(v.Group)) // kinds, types, sections, languages
}

// isNamed reports whether the entry has the name of a fact. An unknown fact, "", has no entry.
func (v *Visible) isNamed(fact string) bool { return fact != "" && strings.EqualFold(v.Name, fact) }

// replacing is what the page states for everyone, if its explicit index or follow replaces what v
// says of s on that axis (L1); else nothing. It replaces nothing for a file that is no HTML, since
// the page's words are for the page (L5b), and nothing of formats, versions and paginated, which
// hold whatever the page states (L1c, L10a). Of a part of the site to which a copy belongs with its
// page, the page's words replace as much for the copy as for the page (L5).
func (p *Policy) replacing(s *Subject, v *Visible) Directives {
	if s.Copied != nil && v.covers(s.Copied) {
		return p.replacing(s.Copied, v)
	}
	isReplaceable := v.Group != "formats" && v.Group != "versions" && !v.paginated()
	if !p.PageOverrides || s.Role != RolePage || !isReplaceable {
		return Directives{}
	}
	return forEveryone(s.Page)
}

// paginated reports whether it is the entry of the later pages of lists.
func (v *Visible) paginated() bool {
	return v.Group == "archives" && strings.EqualFold(v.Name, "paginated")
}

// visibilityStatements are what visibility says of s, without what the page's own explicit index or
// follow replaces (L1). A statement that says nothing any more is left out.
func (p *Policy) visibilityStatements(s *Subject) (all []Statement) {
	for i := range p.Visibility {
		v := &p.Visibility[i]
		if !v.covers(s) {
			continue
		}
		page := p.replacing(s, v)
		for _, st := range v.Statements {
			for _, chain := range []int{index, follow} {
				isAllowedByPage := page.rank[chain] == permissive
				if st.Crawler == "" && isAllowedByPage {
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
