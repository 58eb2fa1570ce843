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
// allow it the exceptions alone are among them. A glob that matches is used, even where an earlier one is wider.
func (p *Policy) Unused(subjects []*Subject) (list []Unused) {
	var all []way
	for _, s := range subjects {
		if !s.Role.Policed() {
			continue
		}
		for ; s != nil; s = s.Claimed {
			all = append(all, s.ways()...)
			for i := range s.Owners {
				if s.Role == RoleResource && !p.OwnResources {
					all = append(all, way{s, &s.Owners[i]})
				}
			}
		}
	}
	for i := range p.Rules.All {
		r := &p.Rules.All[i]
		add := func(group string, index int, name string, uses func(w way) bool) {
			unused := !slices.ContainsFunc(all, func(w way) bool { return r.tries(w) && uses(w) })
			if unused && (!r.AllowEmpty || group == "except") {
				list = append(list, Unused{i, group, index, name})
			}
		}
		for j, g := range r.Match {
			add("match", j, g.text, func(w way) bool { return g.Match(w.path()) && !r.excepts(w) && r.admits(w) })
		}
		for j, g := range r.Except {
			add("except", j, g.text, func(w way) bool { return g.Match(w.s.Path) })
		}
		for _, group := range NarrowingGroups {
			for j, name := range r.Narrowing[group] {
				named := func(f Facts) bool { return strings.EqualFold(name, f.Fact(group)) }
				add(group, j, name, func(w way) bool { return !r.excepts(w) && slices.ContainsFunc(r.facts(w), named) })
			}
		}
	}
	for i, v := range p.Visibility {
		if !slices.ContainsFunc(all, func(w way) bool { return v.covers(w.s) }) {
			list = append(list, Unused{-1, v.Group, i, v.Name})
		}
	}
	return list
}

// tries reports whether a rule's globs match a file by a way, and not by its own path before that.
func (r *Rule) tries(w way) bool {
	return match(r.Match, w.path()) && (w.page == nil || w.page != w.s.Of || !r.selects(way{w.s, nil}))
}
