package policy

import (
	"cmp"
	"slices"
	"strings"
)

// Facts are what a generator knows of a page or a file, in the generator's words. A fact is empty if unknown.
type Facts struct {
	Kind     string // home, page, section, taxonomy, term, 404
	Type     string
	Section  string
	Language string
	Format   string // the output format: html, rss, print
}

// Or returns f, with the facts of o in place of those that are unknown.
func (f Facts) Or(o Facts) Facts {
	return Facts{cmp.Or(f.Kind, o.Kind), cmp.Or(f.Type, o.Type), cmp.Or(f.Section, o.Section),
		cmp.Or(f.Language, o.Language), cmp.Or(f.Format, o.Format)}
}

// A Narrowing selects by facts: by group the names of which a file must bear one, without regard to case. No list is
// empty.
type Narrowing map[string][]string

// NarrowingGroups are the keys of a narrowing.
var NarrowingGroups = []string{"kinds", "types", "sections", "languages", "formats"}

// Fact returns the fact that a group of [NarrowingGroups] is compared with.
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

// Rules are all rules of a policy, with an index.
type Rules struct {
	All      []Rule
	byPrefix PrefixIndex
}

// NewRules returns rules with their index.
func NewRules(all ...Rule) Rules {
	r := Rules{All: all}
	for i := range all {
		for _, g := range all[i].Match {
			r.byPrefix.Add(g.prefix, i)
		}
	}
	return r
}

// candidates appends the indexes of the rules that may be for a path, or for that of the page that it is a part of, in
// their order.
func (r *Rules) candidates(to []int, path Path, of *Owner) []int {
	to = r.byPrefix.Of(to, path.File)
	if !strings.HasPrefix(path.File, path.URL) { // as it nearly always does
		to = r.byPrefix.Of(to, path.URL)
	}
	if of != nil {
		to = r.candidates(to, of.Path, nil)
	}
	slices.Sort(to)
	return slices.Compact(to)
}

// Selecting are the indexes of the rules that select a file by its own path, in their order.
func (r *Rules) Selecting(s *Subject) []int {
	return slices.DeleteFunc(r.candidates(nil, s.Path, nil), func(i int) bool { return !r.All[i].reaches(s, nil) })
}

// match reports whether one of the globs selects p.
func match(globs []Glob, p Path) bool {
	return slices.ContainsFunc(globs, func(g Glob) bool { return g.Match(p) })
}

// ruleStatements appends what the rules say of s.
func (p *Policy) ruleStatements(s *Subject, to []Statement) []Statement {
	var room [32]int
	for _, i := range p.Rules.candidates(room[:0], s.Path, s.Of) {
		if r := &p.Rules.All[i]; r.selects(s) {
			to = append(to, r.Statements...)
		}
	}
	return to
}

// inherited returns what the rules say of a page for a file of its leaf bundle, the rules that except the file left
// out.
func (p *Policy) inherited(o *Owner, s *Subject) (statements []Statement) {
	for _, i := range p.Rules.candidates(nil, o.Path, nil) {
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
		r.admits(s, page)
}

// pathBy is the subject's own path, or that of a page.
func (s *Subject) pathBy(page *Owner) Path {
	if page != nil {
		return page.Path
	}
	return s.Path
}

// admits reports whether the narrowing lets s through where its own path, or that of a page, is matched. A file that
// several pages share is no stricter than any of them (L5).
func (r *Rule) admits(s *Subject, page *Owner) bool {
	if len(r.Narrowing) == 0 {
		return true
	}
	var room [2]Facts
	all, passing := r.facts(room[:0], s, page), 0
	for i := range all {
		if r.Narrowing.admits(&all[i]) {
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
			f.Format = s.Facts.Format
			to = append(to, f)
		}
		return to
	case s.Role != RolePage && (len(r.Narrowing["kinds"]) > 0 || len(r.Narrowing["types"]) > 0):
		return to
	}
	return append(to, s.Facts)
}

// admits reports whether facts bear one name of each group.
func (n Narrowing) admits(f *Facts) bool {
	for group, names := range n {
		if !containsFold(names, f.Fact(group)) {
			return false
		}
	}
	return true
}
