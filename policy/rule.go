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
func (f Facts) Fact(group string) string {
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

// match reports whether one of the globs selects p.
func match(globs []Glob, p Path) bool {
	return slices.ContainsFunc(globs, func(g Glob) bool { return g.Match(p) })
}

// ruled appends what the rules say of s.
func (p *Policy) ruled(s *Subject, to []Statement, use *Usage) []Statement {
	var room [32]int
	for _, i := range p.candidates(room[:0], use, s.Path, s.Of) {
		if p.selects(i, s, use) {
			to = append(to, p.Rules[i].Statements...)
		}
	}
	return to
}

// candidates appends the rules that may be for a path, or for that of the page that it is a part of, in their order.
func (p *Policy) candidates(to []int, use *Usage, path Path, of *Owner) []int {
	if use == nil {
		for i := range p.Rules {
			to = append(to, i)
		}
		return to
	}
	paths := []Path{path}
	if of != nil {
		paths = append(paths, of.Path)
	}
	for _, p := range paths {
		if to = use.begin.Of(to, p.File); !strings.HasPrefix(p.File, p.URL) { // as it nearly always does
			to = use.begin.Of(to, p.URL)
		}
	}
	slices.Sort(to)
	return slices.Compact(to)
}

// selects reports whether rule i is for s: by its own path, and for a pager or another HTML output by its page's path
// (L5).
func (p *Policy) selects(i int, s *Subject, use *Usage) bool {
	return p.reaches(i, s, s.Path, use, func() bool { return p.narrows(i, s, use) }) ||
		s.Role == RolePage && s.Of != nil && p.reaches(i, s, s.Of.Path, use, func() bool {
			return p.lets(i, s.Facts, use) || p.lets(i, s.Of.Facts, use)
		})
}

// reaches reports whether rule i is for s by a path, its own or a page's, where its narrowing lets s through: an except
// that names the file itself keeps the whole rule away from it. What selects is marked.
func (p *Policy) reaches(i int, s *Subject, path Path, use *Usage, lets func() bool) bool {
	r := &p.Rules[i]
	switch {
	case !match(r.Match, path):
		return false
	case match(r.Except, s.Path):
		use.markGlobs(i, "except", r.Except, s.Path)
		return false
	case match(r.Except, path) || !lets():
		return false
	}
	use.markGlobs(i, "match", r.Match, path)
	return true
}

// lets reports whether the narrowing of rule i lets facts through, and marks the names that they bear.
func (p *Policy) lets(i int, f Facts, use *Usage) bool {
	all := true
	for group, names := range p.Rules[i].Narrowing {
		bears := false
		for k, name := range names {
			if strings.EqualFold(name, f.Fact(group)) {
				use.mark(Unused{i, group, k, name})
				bears = true
			}
		}
		all = all && bears
	}
	return all
}

// narrows reports whether the narrowing of rule i lets s through. With kinds or types it selects HTML outputs and
// leaf bundles' files only; a bundle's file has the kind, type, section and language of its page, or of each of its
// pages.
func (p *Policy) narrows(i int, s *Subject, use *Usage) bool {
	n := p.Rules[i].Narrowing
	switch {
	case len(n) == 0:
		return true
	case s.Role == RoleResource:
		all := len(s.Owners) > 0 // a file that pages share is no stricter than any of them (L5)
		for _, o := range s.Owners {
			f := o.Facts
			f.Format = s.Format
			all = p.lets(i, f, use) && all
		}
		return all
	case s.Role != RolePage && (len(n["kinds"]) > 0 || len(n["types"]) > 0):
		return false
	}
	return p.lets(i, s.Facts, use)
}

// inherited returns what the rules say of a page for a file of its leaf bundle, the rules that except the file left
// out.
func (p *Policy) inherited(o *Owner, s *Subject, use *Usage) (statements []Statement) {
	for _, i := range p.candidates(nil, use, o.Path, nil) {
		if p.reaches(i, s, o.Path, use, func() bool { return p.lets(i, o.Facts, use) }) {
			statements = append(statements, p.Rules[i].Statements...)
		}
	}
	return statements
}
