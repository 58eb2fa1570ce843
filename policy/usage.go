package policy

import "sync/atomic"

// A Usage remembers which globs and names of a policy selected something, so that those which never did can be
// reported (S4), and knows which rules may be for a path. It is safe for concurrent use; nil remembers nothing.
type Usage struct {
	policy *Policy
	begin  Beginnings // of its rules
	used   map[entry]*atomic.Bool
}

// An entry is one of a list: rule is its rule's index, -1 for visibility.
type entry struct {
	rule  int
	group string
	index int
}

// entries calls each for every entry that may select, with what it says.
func (p *Policy) entries(each func(e entry, name string)) {
	globs := func(rule int, group string, globs []Glob) {
		for i, g := range globs {
			each(entry{rule, group, i}, g.String())
		}
	}
	for rule, r := range p.Rules {
		globs(rule, "match", r.Match)
		globs(rule, "except", r.Except)
		for _, group := range NarrowingGroups {
			for i, name := range r.Narrowing[group] {
				each(entry{rule, group, i}, name)
			}
		}
	}
	for i, v := range p.Visibility {
		each(entry{-1, v.Group, i}, v.Name)
	}
}

// NewUsage returns a usage for p in which nothing has been selected yet.
func (p *Policy) NewUsage() *Usage {
	u := &Usage{policy: p, used: map[entry]*atomic.Bool{}}
	p.entries(func(e entry, _ string) { u.used[e] = new(atomic.Bool) })
	for i, r := range p.Rules {
		for _, g := range r.Match {
			u.begin.Add(g.prefix, i)
		}
	}
	return u
}

// mark remembers an entry.
func (u *Usage) mark(rule int, group string, index int) {
	if u == nil {
		return
	}
	if b := u.used[entry{rule, group, index}]; !b.Load() { // most often it is set, and a load does not contend
		b.Store(true)
	}
}

// markGlobs marks every glob that selects the file, not the first alone: a later one is not idle because an earlier one
// is wider.
func (u *Usage) markGlobs(rule int, group string, globs []Glob, p Path) {
	for i := range globs {
		if u != nil && !u.used[entry{rule, group, i}].Load() && globs[i].Match(p) {
			u.mark(rule, group, i)
		}
	}
}

// markNames marks the names of a narrowing that f bears.
func (u *Usage) markNames(rule int, n Narrowing, f Facts) {
	for group, names := range n {
		for i, name := range names {
			if containsFold([]string{name}, f.Fact(group)) {
				u.mark(rule, group, i)
			}
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
func (u *Usage) Unused() (unused []Unused) {
	u.policy.entries(func(e entry, name string) {
		allowed := e.rule >= 0 && e.group != "except" && u.policy.Rules[e.rule].AllowEmpty
		if !allowed && !u.used[e].Load() {
			unused = append(unused, Unused{e.rule, e.group, e.index, name})
		}
	})
	return unused
}
