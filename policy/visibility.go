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
// (visibilityStatements), and for the check that it has any file ([Policy.Unused]):
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
// A feed, or another output that is no HTML, has its own format (L5b). A pager, or another HTML
// output, has that of its page too (L5a). A file of any other role belongs to no part except a
// version: whatever is in the folder of an old version is old (L10a).
func (v *Visible) covers(s *Subject) bool {
	if v.Group == "versions" {
		return s.Role.Policed() && strings.EqualFold(v.Name, s.Facts.Version)
	}
	isPage := s.Role == RolePage // a pager or another HTML output is one, too
	if !isPage && s.Role != RoleOutput {
		return false
	}
	isNamed := func(fact string) bool { return fact != "" && strings.EqualFold(v.Name, fact) }
	switch {
	case v.paginated():
		return isPage && s.Pager > 1 // the first page of a list is the list
	case v.Group == "archives":
		isArchive := s.Facts.Kind == "taxonomy" || s.Facts.Kind == "term"
		// The taxonomies whose list or term it is: a list of several has the name of each.
		return isPage && isArchive && containsFold(s.Taxonomies, v.Name)
	case v.Group == "formats":
		return isNamed(s.Facts.Format) || isPage && s.Of != nil && isNamed(s.Of.Facts.Format)
	}
	isOfEveryOutput := v.Group == "sections" || v.Group == "languages"
	return isNamed(s.Facts.Fact(v.Group)) && (isPage || isOfEveryOutput)
}

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
