package policy

import (
	"iter"
	"slices"
	"strings"
)

// An Unused is a part of the policy that selected nothing.
type Unused struct {
	// Rule is the rule's index, or noRule for an entry of visibility: see [Unused.IsVisibility].
	Rule int
	// Group is match, except, kinds, archives, types, sections, languages or formats.
	Group string
	// Index of the entry in its list; of visibility, in [Policy.Visibility].
	Index int
	Name  string
}

// noRule is the index of the rule of a part that belongs to none.
const noRule = -1

// IsVisibility reports whether the part is an entry of visibility, and not of a rule.
func (u *Unused) IsVisibility() bool { return u.Rule == noRule }

// An entry is a part of a rule that has selected nothing so far.
type entry struct {
	part Unused
	// uses reports whether the part selects a file; only selections that the rule tries are asked.
	uses func(by selection) bool
}

// Unused lists what selects none of the subjects, which are all files of the site, for the check
// that reports what a policy says in vain (S4): rules first, in their order, then visibility, which
// no file takes from its owners. Of rules that may select nothing (AllowEmpty) the exceptions alone
// are among them. A glob that matches is used, even if another one of the rule matches the same
// files.
func (p *Policy) Unused(subjects []*Subject) []Unused {
	inRules := make([][]entry, len(p.Rules.All)) // by rule: its parts that no file has used yet
	for i := range inRules {
		inRules[i] = p.Rules.All[i].entries(i)
	}
	isVisibleUsed := make([]bool, len(p.Visibility))
	for s := range describedFiles(subjects) {
		for _, by := range p.triedSelections(s) {
			p.dropUsed(inRules, by)
		}
		for i := range p.Visibility {
			isVisibleUsed[i] = isVisibleUsed[i] || p.Visibility[i].covers(s)
		}
	}
	var list []Unused
	for _, e := range slices.Concat(inRules...) {
		list = append(list, e.part)
	}
	for i, v := range p.Visibility {
		if !isVisibleUsed[i] {
			list = append(list, Unused{noRule, v.Group, i, v.Name})
		}
	}
	return list
}

// describedFiles yields the files that get a policy, which redirects, error pages and control files
// do not: each as it is known, and then as its own metadata describes it (Claimed), if it has any.
// What is stated for either counts (M8).
func describedFiles(subjects []*Subject) iter.Seq[*Subject] {
	return func(yield func(*Subject) bool) {
		for _, file := range subjects {
			if !file.Role.Policed() {
				continue
			}
			for s := file; s != nil; s = s.Claimed {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// triedSelections are the selections of a file: by its own path, and by that of the page that it is
// a pager or another HTML output of. A file of a leaf bundle has those by each of its pages too,
// unless the policy IgnoresOwners.
func (p *Policy) triedSelections(s *Subject) []selection {
	all := s.selections()
	if s.Role == RoleResource && !p.IgnoresOwners {
		for i := range s.Owners {
			all = append(all, selection{s, &s.Owners[i]})
		}
	}
	return all
}

// dropUsed takes out of the unused parts of each rule those that select a file.
func (p *Policy) dropUsed(unused [][]entry, by selection) {
	// Not all rules: a policy may list thousands of pages.
	for _, i := range p.Rules.candidates(by) {
		if len(unused[i]) > 0 && p.Rules.All[i].tries(by) {
			unused[i] = slices.DeleteFunc(unused[i], func(e entry) bool { return e.uses(by) })
		}
	}
}

// entries are the parts of a rule, whose index in the policy is rule, each with what tells that a
// file uses it. Of a rule that may select nothing only the exceptions are among them. A selection
// is asked if the rule's globs match by it (tries); then
//
//   - a glob of match is used if it matches, and the whole rule selects the file;
//   - a glob of except is used if it matches the file's own path;
//   - a name of a narrowing, such as sections = ["blog"], is used if a fact of the file, or of the
//     page by which it is selected (Rule.facts), is that name, and no exception keeps the file out;
//     other groups may still leave the file out.
func (r *Rule) entries(rule int) (list []entry) {
	add := func(group string, index int, name string, uses func(by selection) bool) {
		if !r.AllowEmpty || group == "except" {
			list = append(list, entry{Unused{rule, group, index, name}, uses})
		}
	}
	for i, g := range r.Match {
		add("match", i, g.text, func(by selection) bool {
			return g.Match(by.path()) && !r.excepts(by) && r.admits(by)
		})
	}
	for i, g := range r.Except {
		add("except", i, g.text, func(by selection) bool { return g.Match(by.subject.Path) })
	}
	for _, group := range NarrowingGroups {
		for i, name := range r.Narrowing[group] {
			named := func(f Facts) bool { return strings.EqualFold(name, f.Fact(group)) }
			add(group, i, name, func(by selection) bool {
				return !r.excepts(by) && slices.ContainsFunc(r.facts(by), named)
			})
		}
	}
	return list
}

// tries reports whether a rule's globs match a file by a selection. The page that a pager or
// another HTML output belongs to is not tried if the rule selects the file by its own path already.
func (r *Rule) tries(by selection) bool {
	if !r.Match.Match(by.path()) {
		return false
	}
	isByItsPage := by.page != nil && by.page == by.subject.Of
	return !isByItsPage || !r.selects(selection{by.subject, nil})
}
