package policy

import "sync/atomic"

// A Usage remembers which globs and names of a policy selected something, so that those which never did can be
// reported (S4), and knows which rules may be for a path. It is safe for concurrent use; nil remembers nothing.
type Usage struct {
	policy *Policy
	begin  Beginnings                 // of its rules
	used   []map[string][]atomic.Bool // of visibility, then of each rule, by group
}

// ruleGroups are the lists of a rule that select.
var ruleGroups = append([]string{"match", "except"}, NarrowingGroups...)

// names are the entries of one of the lists.
func (r *Rule) names(group string) []string {
	globs := r.Match
	switch group {
	case "except":
		globs = r.Except
	case "match":
	default:
		return r.Narrowing[group]
	}
	names := make([]string, len(globs))
	for i, g := range globs {
		names[i] = g.String()
	}
	return names
}

// NewUsage returns a usage for p in which nothing has been selected yet.
func (p *Policy) NewUsage() *Usage {
	visible := map[string][]atomic.Bool{"visibility": make([]atomic.Bool, len(p.Visibility))}
	u := &Usage{policy: p, used: []map[string][]atomic.Bool{visible}}
	for i := range p.Rules {
		for _, g := range p.Rules[i].Match {
			u.begin.Add(g.prefix, i)
		}
		used := map[string][]atomic.Bool{}
		for _, group := range ruleGroups {
			used[group] = make([]atomic.Bool, len(p.Rules[i].names(group)))
		}
		u.used = append(u.used, used)
	}
	return u
}

// mark remembers an entry; rule is -1 for visibility.
func (u *Usage) mark(rule int, group string, entry int) {
	if u == nil {
		return
	}
	if b := &u.used[1+rule][group][entry]; !b.Load() { // most often it is set, and a load does not contend
		b.Store(true)
	}
}

// markGlobs marks every glob that selects the file, not the first alone: a later one is not idle because an earlier one
// is wider.
func (u *Usage) markGlobs(rule int, group string, globs []Glob, p Path) {
	if u == nil {
		return
	}
	used := u.used[1+rule][group]
	for i := range globs {
		if !used[i].Load() && globs[i].Match(p) {
			used[i].Store(true)
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
	for i := range u.policy.Rules {
		r := &u.policy.Rules[i]
		for _, group := range ruleGroups {
			for j, name := range r.names(group) {
				if !u.used[1+i][group][j].Load() && (group == "except" || !r.AllowEmpty) {
					unused = append(unused, Unused{i, group, j, name})
				}
			}
		}
	}
	for i, v := range u.policy.Visibility {
		if !u.used[0]["visibility"][i].Load() {
			unused = append(unused, Unused{-1, v.Group, i, v.Name})
		}
	}
	return unused
}
