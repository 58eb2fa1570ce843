package policy

import (
	"sync/atomic"
)

// A Usage remembers which globs and names of a policy selected something, so that those which never did can be
// reported (S4). It is safe for concurrent use; nil remembers nothing.
type Usage struct {
	policy    *Policy
	rules     []ruleUsage
	visible   [len(visibilityGroups)][]atomic.Bool
	paginated atomic.Bool
}

type ruleUsage struct {
	match, except []atomic.Bool
	names         [5][]atomic.Bool
}

// NewUsage returns a usage for p in which nothing has been selected yet.
func (p *Policy) NewUsage() *Usage {
	u := &Usage{policy: p, rules: make([]ruleUsage, len(p.Rules))}
	for i, r := range p.Rules {
		u.rules[i].match = make([]atomic.Bool, len(r.Match))
		u.rules[i].except = make([]atomic.Bool, len(r.Except))
		for g := range narrowingGroups {
			u.rules[i].names[g] = make([]atomic.Bool, len(r.Narrowing.group(g)))
		}
	}
	for g := range visibilityGroups {
		u.visible[g] = make([]atomic.Bool, len(p.Visibility.group(g)))
	}
	return u
}

func mark(b *atomic.Bool) {
	if !b.Load() { // most often it is set, and a load does not contend
		b.Store(true)
	}
}

func (u *Usage) saw(group, entry int) {
	if u != nil {
		mark(&u.visible[group][entry])
	}
}

func (u *Usage) sawPaginated() {
	if u != nil {
		mark(&u.paginated)
	}
}

// excepted marks the globs of a rule's except that keep it away from the file.
func (u *Usage) excepted(rule int, p Path) {
	if u != nil {
		markAll(u.rules[rule].except, u.policy.Rules[rule].Except, p)
	}
}

// matched marks the globs of a rule's match that select the file.
func (u *Usage) matched(rule int, p Path) {
	if u != nil {
		markAll(u.rules[rule].match, u.policy.Rules[rule].Match, p)
	}
}

// markAll marks every glob that selects the file, not the first alone: a later one is not idle because an earlier one
// is wider.
func markAll(used []atomic.Bool, globs []Glob, p Path) {
	for i := range globs {
		if !used[i].Load() && globs[i].Match(p) {
			used[i].Store(true)
		}
	}
}

// narrowed marks the names of a rule's narrowing that f bears.
func (u *Usage) narrowed(rule int, n *Narrowing, f Facts) {
	if u == nil || n.isZero() {
		return
	}
	for g := range narrowingGroups {
		for i, name := range n.group(g) {
			if containsFold([]string{name}, f.fact(g)) {
				mark(&u.rules[rule].names[g][i])
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
	// Index of the entry in its list; -1 for paginated.
	Index int
	Name  string
}

// Unused lists what selected nothing: rules first, in their order, then visibility. Globs of rules that allow it are
// left out.
func (u *Usage) Unused() []Unused {
	var unused []Unused
	for i, r := range u.policy.Rules {
		use := &u.rules[i]
		for j := range use.match {
			if !use.match[j].Load() && !r.AllowEmpty {
				unused = append(unused, Unused{i, "match", j, r.Match[j].String()})
			}
		}
		for j := range use.except {
			if !use.except[j].Load() {
				unused = append(unused, Unused{i, "except", j, r.Except[j].String()})
			}
		}
		for g, group := range narrowingGroups {
			for j, name := range r.Narrowing.group(g) {
				if !use.names[g][j].Load() {
					unused = append(unused, Unused{i, group, j, name})
				}
			}
		}
	}
	for g, group := range visibilityGroups {
		for j, e := range u.policy.Visibility.group(g) {
			if !u.visible[g][j].Load() {
				unused = append(unused, Unused{-1, group, j, e.Name})
			}
		}
	}
	if u.policy.Visibility.Paginated != nil && !u.paginated.Load() {
		unused = append(unused, Unused{-1, "archives", -1, "paginated"})
	}
	return unused
}
