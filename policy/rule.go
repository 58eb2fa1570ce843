package policy

import (
	"cmp"
	"slices"
	"strings"
)

// Facts are what a generator knows of a page or a file, in the generator's words. A fact is empty
// if unknown.
type Facts struct {
	Kind     string // home, page, section, taxonomy, term, 404
	Type     string
	Section  string
	Language string
	Format   string // the output format: html, rss, print
	Version  string // old, of a file that belongs to an old version of a documentation
}

// Or returns f, with the facts of o in place of those that are unknown.
func (f Facts) Or(o Facts) Facts {
	return Facts{cmp.Or(f.Kind, o.Kind), cmp.Or(f.Type, o.Type), cmp.Or(f.Section, o.Section),
		cmp.Or(f.Language, o.Language), cmp.Or(f.Format, o.Format), cmp.Or(f.Version, o.Version)}
}

// A Narrowing selects by facts: by group the names of which a file must bear one, without regard to
// case. No list is empty.
type Narrowing map[string][]string

// NarrowingGroups are the keys of a narrowing.
var NarrowingGroups = []string{"kinds", "types", "sections", "languages", "formats"}

// Fact returns the fact that a group of [NarrowingGroups] is compared with.
func (f Facts) Fact(group string) string {
	facts := [...]string{f.Kind, f.Type, f.Section, f.Language, f.Format}
	return facts[slices.Index(NarrowingGroups, group)]
}

func containsFold(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

// A Rule states something for the files that its globs select: one of [[robots.rules]].
type Rule struct {
	Match, Except Globs
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

// A selection is one path by which a rule may select a file: its own if page is nil, else that of a
// page, which is the one that the file is a pager or another HTML output of ([Subject].Of), or one
// of its [Subject].Owners.
type selection struct {
	subject *Subject
	page    *Owner
}

// selections are those of a file, without its owners: a pager or another HTML output is selected by
// its page's path too (L5).
func (s *Subject) selections() []selection {
	if s.Role == RolePage && s.Of != nil {
		return []selection{{s, nil}, {s, s.Of}}
	}
	return []selection{{s, nil}}
}

func (by selection) path() Path {
	if by.page != nil {
		return by.page.Path
	}
	return by.subject.Path
}

// Selecting are the indexes of the rules that select a file by its own path, in their order.
func (r *Rules) Selecting(s *Subject) []int { return r.selecting(selection{s, nil}) }

func (r *Rules) selecting(selections ...selection) []int {
	return slices.DeleteFunc(r.candidates(selections...), func(i int) bool {
		return !slices.ContainsFunc(selections, r.All[i].selects)
	})
}

// candidates are the indexes of the rules that may select a file by one of some selections, in
// their order.
func (r *Rules) candidates(selections ...selection) (list []int) {
	for _, by := range selections {
		path := by.path()
		list = r.byPrefix.Of(list, path.File)
		if !strings.HasPrefix(path.File, path.URL) { // as it nearly always does
			list = r.byPrefix.Of(list, path.URL)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// statements are what the rules say that select a file by one of some selections.
func (r *Rules) statements(selections ...selection) (all []Statement) {
	for _, i := range r.selecting(selections...) {
		all = append(all, r.All[i].Statements...)
	}
	return all
}

// selects reports whether a rule is for a file by a selection. An except that names the file itself
// keeps the whole rule away from it.
func (r *Rule) selects(by selection) bool {
	return r.Match.Match(by.path()) && !r.excepts(by) && r.admits(by)
}

func (r *Rule) excepts(by selection) bool {
	return r.Except.Match(by.subject.Path) || r.Except.Match(by.path())
}

// admits reports whether the narrowing lets a file through. One that several pages share is no
// stricter than any of them (L5).
func (r *Rule) admits(by selection) bool {
	if len(r.Narrowing) == 0 {
		return true
	}
	all := r.facts(by)
	if by.page != nil {
		return slices.ContainsFunc(all, r.Narrowing.admits)
	}
	return len(all) > 0 && !slices.ContainsFunc(all, func(f Facts) bool { return !r.Narrowing.admits(f) })
}

// facts are those that the narrowing is compared with: of a pager or another output of a page its
// own or the page's, of a bundle's file those of each of its pages, except the format. With kinds
// or types a rule selects HTML outputs and leaf bundles' files only.
func (r *Rule) facts(by selection) (all []Facts) {
	switch {
	case by.page != nil && by.subject.Role != RolePage:
		return []Facts{by.page.Facts}
	case by.page != nil:
		return []Facts{by.subject.Facts, by.page.Facts}
	case by.subject.Role == RoleResource:
		for _, o := range by.subject.Owners {
			o.Facts.Format = by.subject.Facts.Format
			all = append(all, o.Facts)
		}
		return all
	case by.subject.Role != RolePage && (len(r.Narrowing["kinds"]) > 0 || len(r.Narrowing["types"]) > 0):
		return nil
	}
	return []Facts{by.subject.Facts}
}

// admits reports whether facts bear one name of each group.
func (n Narrowing) admits(f Facts) bool {
	for group, names := range n {
		if !containsFold(names, f.Fact(group)) {
			return false
		}
	}
	return true
}
