package policy

import (
	"slices"
	"sync/atomic"
)

// A Usage remembers which globs and names of a policy selected something, so that those which never did can be
// reported (S4), and knows which rules may be for a path. It is safe for concurrent use; nil remembers nothing.
type Usage struct {
	policy *Policy
	begin  Beginnings // of its rules
	used   map[Unused]*atomic.Bool
}

// entries are all that may select: rules first, in their order, then visibility.
func (p *Policy) entries() (all []Unused) {
	globs := func(rule int, group string, globs []Glob) {
		for i, g := range globs {
			all = append(all, Unused{rule, group, i, g.text})
		}
	}
	for rule, r := range p.Rules {
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

// NewUsage returns a usage for p in which nothing has been selected yet.
func (p *Policy) NewUsage() *Usage {
	u := &Usage{policy: p, used: map[Unused]*atomic.Bool{}}
	for _, e := range p.entries() {
		u.used[e] = new(atomic.Bool)
	}
	for i, r := range p.Rules {
		for _, g := range r.Match {
			u.begin.Add(g.prefix, i)
		}
	}
	return u
}

// mark remembers an entry.
func (u *Usage) mark(e Unused) {
	if u == nil {
		return
	}
	if b := u.used[e]; !b.Load() { // most often it is set, and a load does not contend
		b.Store(true)
	}
}

// markGlobs marks every glob that selects the file, not the first alone: a later one is not idle because an earlier one
// is wider.
func (u *Usage) markGlobs(rule int, group string, globs []Glob, p Path) {
	for i, g := range globs {
		if e := (Unused{rule, group, i, g.text}); u != nil && !u.used[e].Load() && g.Match(p) {
			u.mark(e)
		}
	}
}

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

// Unused lists what selected nothing: rules first, in their order, then visibility. Of rules that allow it the
// exceptions alone are among them.
func (u *Usage) Unused() []Unused {
	return slices.DeleteFunc(u.policy.entries(), func(e Unused) bool {
		allowed := e.Rule >= 0 && e.Group != "except" && u.policy.Rules[e.Rule].AllowEmpty
		return allowed || u.used[e].Load()
	})
}
