package policy

import (
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
func (p *Policy) Unused(subjects []*Subject) []Unused {
	u := p.usage()
	for _, s := range subjects {
		if s.Role.Policed() {
			u.add(s)
		}
	}
	return append(slices.Concat(u.rules...), u.visibility...)
}

// usage is what of a policy has selected nothing so far.
type usage struct {
	policy     *Policy
	rules      [][]Unused // of each rule
	visibility []Unused
}

func (p *Policy) usage() *usage {
	u := &usage{policy: p, rules: make([][]Unused, len(p.Rules.All))}
	for rule, r := range p.Rules.All {
		add := func(group string, index int, name string) {
			if !r.AllowEmpty || group == "except" {
				u.rules[rule] = append(u.rules[rule], Unused{rule, group, index, name})
			}
		}
		for i, g := range r.Match {
			add("match", i, g.text)
		}
		for i, g := range r.Except {
			add("except", i, g.text)
		}
		for _, group := range NarrowingGroups {
			for i, name := range r.Narrowing[group] {
				add(group, i, name)
			}
		}
	}
	for i, v := range p.Visibility {
		u.visibility = append(u.visibility, Unused{-1, v.Group, i, v.Name})
	}
	return u
}

// add takes out what selects s.
func (u *usage) add(s *Subject) {
	covers := func(e Unused) bool { return u.policy.Visibility[e.Index].covers(s) }
	u.visibility = slices.DeleteFunc(u.visibility, covers)
	u.reached(s, nil)
	if s.Role == RolePage && s.Of != nil {
		u.reached(s, s.Of)
	}
	if s.Role == RoleResource && !u.policy.OwnResources {
		for i := range s.Owners {
			u.reached(s, &s.Owners[i])
		}
	}
	if s.Claimed != nil {
		u.add(s.Claimed)
	}
}

// reached takes out what of the rules selects s by its own path or, where page is not nil, by that of a page: every
// glob that matches does, not the first alone, since a later one is not unused because an earlier one is wider.
func (u *usage) reached(s *Subject, page *Owner) {
	path := s.pathBy(page)
	for i := range u.rules {
		r := &u.policy.Rules.All[i]
		if len(u.rules[i]) == 0 || !match(r.Match, path) || page != nil && page == s.Of && r.reaches(s, nil) {
			continue
		}
		excepted, ofPage := match(r.Except, s.Path), match(r.Except, path)
		facts, admitted := r.facts(s, page), r.admits(s, page)
		u.rules[i] = slices.DeleteFunc(u.rules[i], func(e Unused) bool {
			switch {
			case e.Group == "except":
				return excepted && r.Except[e.Index].Match(s.Path)
			case excepted || ofPage:
				return false
			case e.Group == "match":
				return admitted && r.Match[e.Index].Match(path)
			}
			return slices.ContainsFunc(facts, func(f Facts) bool { return strings.EqualFold(e.Name, f.Fact(e.Group)) })
		})
	}
}
