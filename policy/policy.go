package policy

import (
	"slices"
	"strings"
	"time"
)

// A Policy is the configuration as far as decisions ask: all of it values.
type Policy struct {
	// Default is stated for every HTML file, not for assets: the default line, the agents, a theme's own parameter.
	Default []Statement
	// Environment is stated for every file that has a policy.
	Environment []Statement
	// AI are preferences about the use of content, stated for every file that has a policy.
	AI []Statement
	// NoAI: whatever denies training states noai and noimageai too.
	NoAI bool
	// Visibility says which parts of the site are public.
	Visibility []Visible
	Rules      Rules
	// PageOverrides: a page's explicit index or follow replaces what visibility says on that axis (page = "overrides").
	PageOverrides bool
	// ReplaceFound leaves the robots metas found in a file out (found = "replace"); header lines that stay count.
	ReplaceFound bool
	// OwnResources: files of leaf bundles take nothing from their pages (resources = "own").
	OwnResources bool
	Style        Style
	Crawlers     Crawlers
	// Now is the time against which unavailable_after is read.
	Now time.Time
}

// Decide resolves what crawlers may do with s.
func (p *Policy) Decide(s *Subject) Decision {
	if !s.Role.Policed() {
		return Decision{}
	}
	return p.Resolve(p.Statements(s))
}

// Statements collects every statement that applies to s, in the order of the layers.
func (p *Policy) Statements(s *Subject) []Statement {
	var standard, page, bundle, found []Statement
	if s.HTML {
		standard = p.Default
	}
	if s.Role == RolePage || s.Alone {
		page = s.Page
	}
	if s.Role == RoleResource && !p.OwnResources {
		bundle = p.ofOwners(s)
	}
	if !p.ReplaceFound {
		found = s.Found
	}
	all := slices.Concat(standard, p.AI, p.Environment, p.shown(s), p.Rules.statements(s.ways()...), page, bundle, found,
		s.Headers)
	if s.Claimed != nil {
		all = Union(all, p.Statements(s.Claimed))
		slices.SortStableFunc(all, func(a, b Statement) int { return int(a.Origin.Layer) - int(b.Origin.Layer) })
	}
	return p.inTags(all)
}

var noAI = MostRestrictive(Stating("noai"), Stating("noimageai"))

// inTags adds noai and noimageai to what denies training, where the policy says so. It changes the statements.
func (p *Policy) inTags(statements []Statement) []Statement {
	for i := range statements {
		if s := &statements[i]; p.NoAI && s.AI[UseTraining] == Denied {
			s.Directives = MostRestrictive(s.Directives, noAI)
		}
	}
	return statements
}

// Union is a list of known and what more has beyond it. Adding a statement never loosens anything (L).
func Union(known, more []Statement) []Statement {
	all := slices.Clone(known)
	for _, s := range more {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// ofOwners are the page and rule layers of the pages in whose leaf bundles s is: crawler by crawler the minimum of what
// each page's crawler obeys (L5). With several pages each statement is cut down to that minimum. The sum of what is
// left is the minimum itself: on each axis either some page states at least as much for that crawler, or every page
// states it for everyone.
func (p *Policy) ofOwners(s *Subject) (all []Statement) {
	layers := make([][]Statement, len(s.Owners))
	for i := range s.Owners {
		o := &s.Owners[i]
		layers[i] = p.inTags(append(p.Rules.statements(way{s, o}), o.Statements...))
	}
	if len(layers) == 1 {
		return layers[0]
	}
	var minimum Decision
	for i, statements := range layers {
		d := p.Resolve(statements)
		if i > 0 {
			d = least(minimum, d)
		}
		minimum = d
	}
	for _, statements := range layers {
		for _, st := range statements {
			least := minimum.Generic
			if a := minimum.agent(st.Crawler); a != nil {
				least = a.Directives
			}
			st.Directives, st.AI = LeastRestrictive(st.Directives, least), loosest(st.AI, minimum.AI)
			if !st.Directives.IsZero() || !st.AI.IsZero() {
				all = append(all, st)
			}
		}
	}
	return all
}

// least is the minimum of two decisions, crawler by crawler.
func least(a, b Decision) Decision {
	least := Decision{Generic: LeastRestrictive(a.Generic, b.Generic), AI: loosest(a.AI, b.AI)}
	for _, agent := range append(slices.Clone(a.Agents), b.Agents...) {
		agent.Directives = LeastRestrictive(a.Obeyed(agent.Crawler), b.Obeyed(agent.Crawler))
		least.Agents = append(least.Agents, agent)
	}
	slices.SortFunc(least.Agents, func(a, b Agent) int { return strings.Compare(a.Crawler.Name, b.Crawler.Name) })
	least.Agents = slices.CompactFunc(least.Agents, func(a, b Agent) bool { return a.Crawler.Name == b.Crawler.Name })
	return least
}
