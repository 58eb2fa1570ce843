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

// A way is one by which a rule may select a file: by its own path or, where page is not nil, by that of a page.
type way struct {
	s    *Subject
	page *Owner
}

// ways are those of a file: a pager or another HTML output is selected by its page's path too (L5).
func (s *Subject) ways() []way {
	if s.Role == RolePage && s.Of != nil {
		return []way{{s, nil}, {s, s.Of}}
	}
	return []way{{s, nil}}
}

func (w way) path() Path {
	if w.page != nil {
		return w.page.Path
	}
	return w.s.Path
}

// Selecting are the indexes of the rules that select a file by its own path, in their order.
func (r *Rules) Selecting(s *Subject) []int { return r.selecting(way{s, nil}) }

func (r *Rules) selecting(ways ...way) []int {
	return slices.DeleteFunc(r.candidates(ways...), func(i int) bool {
		return !slices.ContainsFunc(ways, r.All[i].selects)
	})
}

// candidates are the indexes of the rules that may select a file by one of the ways, in their order.
func (r *Rules) candidates(ways ...way) (list []int) {
	for _, w := range ways {
		path := w.path()
		list = r.byPrefix.Of(list, path.File)
		if !strings.HasPrefix(path.File, path.URL) { // as it nearly always does
			list = r.byPrefix.Of(list, path.URL)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// statements are what the rules say that select a file by one of the ways.
func (r *Rules) statements(ways ...way) (all []Statement) {
	for _, i := range r.selecting(ways...) {
		all = append(all, r.All[i].Statements...)
	}
	return all
}

// selects reports whether a rule is for a file by a way. An except that names the file itself keeps the whole rule away
// from it.
func (r *Rule) selects(w way) bool { return r.Match.Match(w.path()) && !r.excepts(w) && r.admits(w) }

func (r *Rule) excepts(w way) bool { return r.Except.Match(w.s.Path) || r.Except.Match(w.path()) }

// admits reports whether the narrowing lets a file through. One that several pages share is no stricter than any of
// them (L5).
func (r *Rule) admits(w way) bool {
	if len(r.Narrowing) == 0 {
		return true
	}
	all := r.facts(w)
	if w.page != nil {
		return slices.ContainsFunc(all, r.Narrowing.admits)
	}
	return len(all) > 0 && !slices.ContainsFunc(all, func(f Facts) bool { return !r.Narrowing.admits(f) })
}

// facts are those that the narrowing is compared with: of a pager or another output of a page its own or the page's, of
// a bundle's file those of each of its pages, but for the format. With kinds or types a rule selects HTML outputs and
// leaf bundles' files only.
func (r *Rule) facts(w way) (all []Facts) {
	switch {
	case w.page != nil && w.s.Role != RolePage:
		return []Facts{w.page.Facts}
	case w.page != nil:
		return []Facts{w.s.Facts, w.page.Facts}
	case w.s.Role == RoleResource:
		for _, o := range w.s.Owners {
			o.Facts.Format = w.s.Facts.Format
			all = append(all, o.Facts)
		}
		return all
	case w.s.Role != RolePage && (len(r.Narrowing["kinds"]) > 0 || len(r.Narrowing["types"]) > 0):
		return nil
	}
	return []Facts{w.s.Facts}
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
