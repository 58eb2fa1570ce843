package policy

import (
	"cmp"
	"slices"
	"strings"
)

// Facts are what a generator knows of a page or a file, in its own words; empty where it knows nothing.
type Facts struct {
	Kind     string // home, page, section, taxonomy, term, 404
	Type     string
	Section  string
	Language string
	Format   string // the output format: html, rss, print
}

// Or is f with what o knows where f knows nothing.
func (f Facts) Or(o Facts) Facts {
	return Facts{cmp.Or(f.Kind, o.Kind), cmp.Or(f.Type, o.Type), cmp.Or(f.Section, o.Section),
		cmp.Or(f.Language, o.Language), cmp.Or(f.Format, o.Format)}
}

// A Narrowing selects by facts: by group the names of which a file must bear one, without regard to case. No list is
// empty.
type Narrowing map[string][]string

// NarrowingGroups are the keys of a narrowing.
var NarrowingGroups = []string{"kinds", "types", "sections", "languages", "formats"}

// Fact is what the names of a group are compared with: kinds, types, sections, languages or formats.
func (f *Facts) Fact(group string) string {
	switch group {
	case "kinds":
		return f.Kind
	case "types":
		return f.Type
	case "sections":
		return f.Section
	case "languages":
		return f.Language
	}
	return f.Format
}

func containsFold(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

// A Rule states something for the files that its globs select: one of [[robots.rules]].
type Rule struct {
	Match, Except []Glob
	Narrowing     Narrowing
	Statements    []Statement
	// AllowEmpty: selecting nothing is meant.
	AllowEmpty bool
	// Origin is where the rule stands.
	Origin Origin
}

// Rules are all rules of a policy, with an index of what their globs begin with: a site of many pages and many rules
// does not hold each against each.
type Rules struct {
	All   []Rule
	begin Beginnings
}

// NewRules returns rules with their index.
func NewRules(all ...Rule) Rules {
	r := Rules{All: all}
	for i := range all {
		for _, g := range all[i].Match {
			r.begin.Add(g.prefix, i)
		}
	}
	return r
}

// near appends the indexes of the rules that may be for a path, or for that of the page that it is a part of, in their
// order.
func (r *Rules) near(to []int, path Path, of *Owner) []int {
	to = r.begin.Of(to, path.File)
	if !strings.HasPrefix(path.File, path.URL) { // as it nearly always does
		to = r.begin.Of(to, path.URL)
	}
	if of != nil {
		to = r.near(to, of.Path, nil)
	}
	slices.Sort(to)
	return slices.Compact(to)
}

// match reports whether one of the globs selects p.
func match(globs []Glob, p Path) bool {
	return slices.ContainsFunc(globs, func(g Glob) bool { return g.Match(p) })
}

// ruled appends what the rules say of s.
func (p *Policy) ruled(s *Subject, to []Statement) []Statement {
	var room [32]int
	for _, i := range p.Rules.near(room[:0], s.Path, s.Of) {
		if r := &p.Rules.All[i]; r.selects(s) {
			to = append(to, r.Statements...)
		}
	}
	return to
}

// inherited returns what the rules say of a page for a file of its leaf bundle, the rules that except the file left
// out.
func (p *Policy) inherited(o *Owner, s *Subject) (statements []Statement) {
	for _, i := range p.Rules.near(nil, o.Path, nil) {
		if r := &p.Rules.All[i]; r.reaches(s, o) {
			statements = append(statements, r.Statements...)
		}
	}
	return statements
}

// selects reports whether a rule is for s: by its own path, and for a pager or another HTML output by its page's path
// (L5).
func (r *Rule) selects(s *Subject) bool {
	return r.reaches(s, nil) || s.Role == RolePage && s.Of != nil && r.reaches(s, s.Of)
}

// reaches reports whether a rule is for s by its own path or, where page is not nil, by that of a page. An except that
// names the file itself keeps the whole rule away from it.
func (r *Rule) reaches(s *Subject, page *Owner) bool {
	path := s.pathBy(page)
	return match(r.Match, path) && !match(r.Except, s.Path) && (page == nil || !match(r.Except, path)) &&
		r.lets(s, page)
}

// pathBy is the subject's own path, or that of a page.
func (s *Subject) pathBy(page *Owner) Path {
	if page != nil {
		return page.Path
	}
	return s.Path
}

// lets reports whether the narrowing lets s through where its own path, or that of a page, is matched. A file that
// several pages share is no stricter than any of them (L5).
func (r *Rule) lets(s *Subject, page *Owner) bool {
	if len(r.Narrowing) == 0 {
		return true
	}
	var room [2]Facts
	all, passing := r.facts(room[:0], s, page), 0
	for i := range all {
		if r.Narrowing.lets(&all[i]) {
			passing++
		}
	}
	return passing > 0 && (page != nil || passing == len(all))
}

// facts appends those that the narrowing is compared with: of a pager or another output of a page its own or the
// page's, of a bundle's file those of each of its pages, but for the format. With kinds or types a rule selects HTML
// outputs and leaf bundles' files only.
func (r *Rule) facts(to []Facts, s *Subject, page *Owner) []Facts {
	switch {
	case page != nil && s.Role != RolePage:
		return append(to, page.Facts)
	case page != nil:
		return append(to, s.Facts, page.Facts)
	case s.Role == RoleResource:
		for i := range s.Owners {
			f := s.Owners[i].Facts
			f.Format = s.Format
			to = append(to, f)
		}
		return to
	case s.Role != RolePage && (len(r.Narrowing["kinds"]) > 0 || len(r.Narrowing["types"]) > 0):
		return to
	}
	return append(to, s.Facts)
}

// lets reports whether facts bear one name of each group.
func (n Narrowing) lets(f *Facts) bool {
	for group, names := range n {
		if !containsFold(names, f.Fact(group)) {
			return false
		}
	}
	return true
}
