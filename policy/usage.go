package policy

import (
	"iter"
	"slices"
	"strings"
)

// An Unused is a part of the policy that selected nothing.
type Unused struct {
	// Rule is the rule's index, -1 for an entry of visibility.
	Rule int
	// Group is match, except, kinds, archives, types, sections, languages or formats.
	Group string
	// Index of the entry in its list; of visibility, in [Policy.Visibility].
	Index int
	Name  string
}

// Unused lists what selects none of the subjects (S4): rules first, in their order, then visibility. Of rules that
// allow it the exceptions alone are among them.
func (p *Policy) Unused(subjects iter.Seq[*Subject]) []Unused {
	u := p.usage()
	for s := range subjects {
		if s.Role.Policed() {
			u.add(s)
		}
	}
	return slices.DeleteFunc(p.entries(), func(e Unused) bool {
		allowed := e.Rule >= 0 && e.Group != "except" && p.Rules.All[e.Rule].AllowEmpty
		return allowed || !u.unused[e]
	})
}

// entries are all that may select: rules first, in their order, then visibility.
func (p *Policy) entries() (all []Unused) {
	globs := func(rule int, group string, globs []Glob) {
		for i, g := range globs {
			all = append(all, Unused{rule, group, i, g.text})
		}
	}
	for rule, r := range p.Rules.All {
		globs(rule, "match", r.Match)
		globs(rule, "except", r.Except)
		for _, group := range NarrowingGroups {
			for i, name := range r.Narrowing[group] {
				all = append(all, Unused{rule, group, i, name})
			}
		}
	}
	for i, v := range p.Visibility {
		all = append(all, Unused{-1, v.Group, i, v.Name})
	}
	return all
}

// usage is which entries of a policy have selected nothing so far. Nothing is asked again of a rule of which every
// entry has.
type usage struct {
	policy *Policy
	unused map[Unused]bool
	open   []int // by rule: how many of its entries are unused
}

func (p *Policy) usage() *usage {
	u := &usage{p, map[Unused]bool{}, make([]int, len(p.Rules.All))}
	for _, e := range p.entries() {
		if u.unused[e] = true; e.Rule >= 0 {
			u.open[e.Rule]++
		}
	}
	return u
}

func (u *usage) mark(e Unused) {
	if !u.unused[e] {
		return
	}
	if delete(u.unused, e); e.Rule >= 0 {
		u.open[e.Rule]--
	}
}

// add marks what selects s.
func (u *usage) add(s *Subject) {
	if len(u.unused) == 0 {
		return
	}
	for i := range u.policy.Visibility {
		if v := &u.policy.Visibility[i]; v.covers(s) {
			u.mark(Unused{-1, v.Group, i, v.Name})
		}
	}
	u.rules(s, nil)
	if s.Role == RolePage && s.Of != nil {
		u.rules(s, s.Of)
	}
	if s.Role == RoleResource && !u.policy.OwnResources {
		for i := range s.Owners {
			u.rules(s, &s.Owners[i])
		}
	}
	if s.Claimed != nil {
		u.add(s.Claimed)
	}
}

// rules marks what of the rules is for s by its own path or, where page is not nil, by that of a page: every glob that
// selects it, not the first alone, since a later one is not idle because an earlier one is wider.
func (u *usage) rules(s *Subject, page *Owner) {
	var room [32]int
	path := s.pathBy(page)
	for _, i := range u.policy.Rules.near(room[:0], path) {
		r := &u.policy.Rules.All[i]
		switch {
		case u.open[i] == 0 || !match(r.Match, path) || page != nil && page == s.Of && r.reaches(s, nil):
			continue
		case match(r.Except, s.Path):
			u.globs(i, "except", r.Except, s.Path)
			continue
		case match(r.Except, path):
			continue
		}
		for _, f := range r.facts(nil, s, page) {
			u.names(i, &f)
		}
		if r.lets(s, page) {
			u.globs(i, "match", r.Match, path)
		}
	}
}

// globs marks the globs that match a path.
func (u *usage) globs(rule int, group string, globs []Glob, p Path) {
	for k, g := range globs {
		if e := (Unused{rule, group, k, g.text}); u.unused[e] && g.Match(p) {
			u.mark(e)
		}
	}
}

// names marks the names of a rule's narrowing that facts bear.
func (u *usage) names(rule int, f *Facts) {
	for group, names := range u.policy.Rules.All[rule].Narrowing {
		for k, name := range names {
			if strings.EqualFold(name, f.Fact(group)) {
				u.mark(Unused{rule, group, k, name})
			}
		}
	}
}
