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

// An entry is a part of a rule that has selected nothing so far.
type entry struct {
	part Unused
	uses func(w way) bool // reports whether a file is selected by it, of those that the rule tries
}

// Unused lists what selects none of the subjects (S4): rules first, in their order, then visibility. Of rules that
// allow it the exceptions alone are among them. A glob that matches is used, even where an earlier one is wider. A file
// is selected by its own path or by that of a page (see way); a file of a leaf bundle by its pages too, unless
// OwnResources takes nothing from them.
func (p *Policy) Unused(subjects []*Subject) (list []Unused) {
	unused, visible := make([][]entry, len(p.Rules.All)), make([]bool, len(p.Visibility))
	for i := range unused {
		unused[i] = p.Rules.All[i].entries(i)
	}
	see := func(w way) {
		for _, i := range p.Rules.candidates(w) { // not all rules: a policy may list thousands of pages
			if len(unused[i]) > 0 && p.Rules.All[i].tries(w) {
				unused[i] = slices.DeleteFunc(unused[i], func(e entry) bool { return e.uses(w) })
			}
		}
	}
	for _, s := range subjects {
		if !s.Role.Policed() {
			continue
		}
		for ; s != nil; s = s.Claimed { // what the file's own metadata says that it is may select it too (M8)
			for _, w := range s.ways() {
				see(w)
			}
			for i := range s.Owners {
				if s.Role == RoleResource && !p.OwnResources {
					see(way{s, &s.Owners[i]})
				}
			}
			for i := range visible {
				visible[i] = visible[i] || p.Visibility[i].covers(s)
			}
		}
	}
	for _, e := range slices.Concat(unused...) {
		list = append(list, e.part)
	}
	for i, v := range p.Visibility {
		if !visible[i] {
			list = append(list, Unused{-1, v.Group, i, v.Name})
		}
	}
	return list
}

// entries are the parts of the rule with that index.
func (r *Rule) entries(rule int) (list []entry) {
	add := func(group string, index int, name string, uses func(w way) bool) {
		if !r.AllowEmpty || group == "except" {
			list = append(list, entry{Unused{rule, group, index, name}, uses})
		}
	}
	for i, g := range r.Match {
		add("match", i, g.text, func(w way) bool { return g.Match(w.path()) && !r.excepts(w) && r.admits(w) })
	}
	for i, g := range r.Except {
		add("except", i, g.text, func(w way) bool { return g.Match(w.s.Path) })
	}
	for _, group := range NarrowingGroups {
		for i, name := range r.Narrowing[group] {
			named := func(f Facts) bool { return strings.EqualFold(name, f.Fact(group)) }
			add(group, i, name, func(w way) bool { return !r.excepts(w) && slices.ContainsFunc(r.facts(w), named) })
		}
	}
	return list
}

// tries reports whether a rule's globs match a file by a way, and not by its own path before that.
func (r *Rule) tries(w way) bool {
	return r.Match.Match(w.path()) && (w.page == nil || w.page != w.s.Of || !r.selects(way{w.s, nil}))
}
