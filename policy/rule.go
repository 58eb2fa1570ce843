package policy

import (
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

// A Narrowing selects by facts: a file is selected where each list that is not empty holds its fact, without
// regard to case.
type Narrowing struct {
	Kinds, Types, Sections, Languages, Formats []string
}

func (n *Narrowing) isZero() bool {
	return len(n.Kinds) == 0 && len(n.Types) == 0 && len(n.Sections) == 0 && len(n.Languages) == 0 &&
		len(n.Formats) == 0
}

func (n *Narrowing) selects(f Facts) bool {
	in := func(names []string, name string) bool { return len(names) == 0 || containsFold(names, name) }
	return in(n.Kinds, f.Kind) && in(n.Types, f.Type) && in(n.Sections, f.Section) && in(n.Languages, f.Language) &&
		in(n.Formats, f.Format)
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
	for i := range globs {
		if globs[i].Match(p) {
			return true
		}
	}
	return false
}

// narrowingGroups in the order of [Narrowing]'s fields and of [Facts]'.
var narrowingGroups = [...]string{"kinds", "types", "sections", "languages", "formats"}

func (n *Narrowing) group(i int) []string {
	return [...][]string{n.Kinds, n.Types, n.Sections, n.Languages, n.Formats}[i]
}

func (f Facts) fact(i int) string {
	return [...]string{f.Kind, f.Type, f.Section, f.Language, f.Format}[i]
}

// ruled appends what the rules say of s: on its own path, and for a pager or another HTML output on its page's path
// (L5). An except that names the file itself keeps the whole rule away from it.
func (p *Policy) ruled(s *Subject, to []Statement, use *Usage) []Statement {
	for i := range p.Rules {
		r := &p.Rules[i]
		if p.selects(i, s, use) {
			to = append(to, r.Statements...)
		}
	}
	return to
}

func (p *Policy) selects(i int, s *Subject, use *Usage) bool {
	r := &p.Rules[i]
	own := match(r.Match, s.Path)
	of := s.Role == RolePage && s.Of != nil && match(r.Match, s.Of.Path)
	if !own && !of {
		return false
	}
	if match(r.Except, s.Path) {
		use.excepted(i, s.Path)
		return false
	}
	if own && p.narrows(i, s, use) {
		use.matched(i, s.Path)
		return true
	}
	if !of || match(r.Except, s.Of.Path) {
		return false
	}
	return p.takes(i, s.Of.Path, s.Facts, use) || p.takes(i, s.Of.Path, s.Of.Facts, use)
}

// takes reports whether the narrowing of rule i, whose globs select the page at path, lets facts through, and marks
// what selects.
func (p *Policy) takes(i int, path Path, f Facts, use *Usage) bool {
	n := &p.Rules[i].Narrowing
	use.narrowed(i, n, f)
	if !n.selects(f) {
		return false
	}
	use.matched(i, path)
	return true
}

// narrows reports whether the narrowing of rule i lets s through. With kinds or types it selects HTML outputs and
// leaf bundles' files only; a bundle's file has the kind, type, section and language of its page, or of each of its
// pages.
func (p *Policy) narrows(i int, s *Subject, use *Usage) bool {
	n := &p.Rules[i].Narrowing
	if n.isZero() {
		return true
	}
	if s.Role == RoleResource {
		all := len(s.Owners) > 0 // a file that pages share is no stricter than any of them (L5)
		for _, o := range s.Owners {
			f := o.Facts
			f.Format = s.Format
			use.narrowed(i, n, f)
			all = all && n.selects(f)
		}
		return all
	}
	if s.Role != RolePage && (len(n.Kinds) > 0 || len(n.Types) > 0) {
		return false
	}
	use.narrowed(i, n, s.Facts)
	return n.selects(s.Facts)
}

// inherited returns what the rules say of a page for a file of its leaf bundle, the rules that except the file left
// out.
func (p *Policy) inherited(o *Owner, s *Subject, to []Statement, use *Usage) []Statement {
	for i := range p.Rules {
		r := &p.Rules[i]
		switch {
		case !match(r.Match, o.Path) || match(r.Except, o.Path):
		case match(r.Except, s.Path):
			use.excepted(i, s.Path)
		case p.takes(i, o.Path, o.Facts, use):
			to = append(to, r.Statements...)
		}
	}
	return to
}
