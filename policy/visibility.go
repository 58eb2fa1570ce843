package policy

import "strings"

// A Visible is one entry of [robots.visibility]: what is said of a kind, a taxonomy, a type, …
type Visible struct {
	Name       string
	Statements []Statement // empty: true, it states nothing
	Origin     Origin
}

// Visibility says which parts of a site are public, by facts of the page.
type Visibility struct {
	Kinds, Archives, Types, Sections, Languages, Formats []Visible
	// Paginated is for pages 2 and on of a list; nil: nothing is said.
	Paginated *Visible
}

// groups in the order of [Visibility]'s fields.
var visibilityGroups = [...]string{"kinds", "archives", "types", "sections", "languages", "formats"}

func (v *Visibility) group(i int) []Visible {
	return [...][]Visible{v.Kinds, v.Archives, v.Types, v.Sections, v.Languages, v.Formats}[i]
}

// visible appends what visibility says of s. Feeds and other outputs that are no HTML take language, section and their
// own format alone (L5); files without a page behind take nothing.
func (p *Policy) visible(s *Subject, to []Statement, lift Directives, use *Usage) []Statement {
	if s.Role != RolePage && s.Role != RoleOutput {
		return to
	}
	page := s.Role == RolePage
	v := &p.Visibility
	take := func(group int, applies bool, liftable bool, name string) {
		if !applies || name == "" {
			return
		}
		entries := v.group(group)
		for i := range entries {
			if strings.EqualFold(entries[i].Name, name) {
				use.saw(group, i)
				to = appendLifted(to, entries[i].Statements, lift, liftable)
			}
		}
	}
	take(0, page, true, s.Kind)
	if page && (s.Kind == "taxonomy" || s.Kind == "term") {
		for _, name := range s.Taxonomies {
			take(1, true, true, name)
		}
	}
	take(2, page, true, s.Type)
	take(3, true, true, s.Section)
	take(4, true, true, s.Language)
	take(5, true, false, s.Format)
	if page && s.Of != nil && !strings.EqualFold(s.Of.Format, s.Format) {
		take(5, true, false, s.Of.Format)
	}
	if page && s.Pager > 1 && v.Paginated != nil {
		use.sawPaginated()
		to = append(to, v.Paginated.Statements...)
	}
	return to
}

// appendLifted appends statements without the axes that the page's own explicit index or follow replaces (L1).
func appendLifted(to, statements []Statement, lift Directives, liftable bool) []Statement {
	if !liftable || lift.IsZero() {
		return append(to, statements...)
	}
	for _, s := range statements {
		if s.Crawler == "" {
			if lift.index != 0 {
				s.Directives.index = 0
			}
			if lift.follow != 0 {
				s.Directives.follow = 0
			}
			if s.Directives.IsZero() {
				continue
			}
		}
		to = append(to, s)
	}
	return to
}
