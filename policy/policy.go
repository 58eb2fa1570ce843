package policy

import (
	"slices"
	"sort"
	"time"
)

// A Policy is the configuration as far as decisions ask: all of it values.
type Policy struct {
	// Default is stated for every HTML file, not for assets: the default line, the agents, a
	// theme's own parameter.
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
	// PageOverrides: a page's explicit index or follow replaces what visibility says on that axis
	// (page = "overrides").
	PageOverrides bool
	// ReplaceFound leaves the robots metas found in a file out (found = "replace"); header lines
	// that stay count.
	ReplaceFound bool
	// IgnoresOwners: files of leaf bundles take nothing from their pages (resources = "own").
	IgnoresOwners bool
	Style         Style
	Crawlers      Crawlers
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

// Statements collects every statement that applies to s, in the order of the layers ([Layers]):
// default, environment, visibility, rules, front matter, found. Those of the pages whose bundle a
// file is in come page by page, behind the layers of the file's own policy.
func (p *Policy) Statements(s *Subject) []Statement { return p.withNoAI(p.stated(s)) }

// stated are those statements without what withNoAI adds. What is stated for the file as its own
// metadata describes it (Claimed, M8) counts too, and so does what restricts the page whose content
// it publishes again (Copied, L5). A statement that both have is there once.
func (p *Policy) stated(s *Subject) []Statement {
	all := p.statedForKnown(s)
	if s.Claimed == nil && s.Copied == nil {
		return all
	}
	if s.Claimed != nil {
		all = Union(all, p.stated(s.Claimed))
	}
	if s.Copied != nil {
		all = Union(all, p.ofCopied(s.Copied))
	}
	// What was added came behind all layers.
	sort.SliceStable(all, func(i, j int) bool { return all[i].Origin.Layer < all[j].Origin.Layer })
	return all
}

// statedForKnown are the statements for a file by what is known of it, layer by layer; Claimed and
// Copied are left aside. The rules, visibility, the environment and preferences about AI are for
// every file; the others are
//
//	p.Default    for HTML
//	s.Page       front matter: for a page, or a file for which it was written itself
//	of owners    what pages state for the files of their bundles, unless those take nothing
//	s.Found      tags that were found in the file, unless a policy leaves them out
//	s.Headers    lines of the site's own header files that reach the file
func (p *Policy) statedForKnown(s *Subject) []Statement {
	var standard, frontMatter, bundle, found []Statement
	if s.HTML {
		standard = p.Default
	}
	isFrontMatterForIt := s.Role == RolePage || s.IsPageItsOwn
	if isFrontMatterForIt {
		frontMatter = s.Page
	}
	if s.Role == RoleResource && !p.IgnoresOwners {
		bundle = p.ofOwners(s)
	}
	if !p.ReplaceFound {
		found = s.Found
	}
	return slices.Concat(standard, p.AI, p.Environment, p.visibilityStatements(s),
		p.Rules.statements(s.selections()...), frontMatter, bundle, found, s.Headers)
}

// ofCopied are the statements for a page that hold for its copies too: those that restrict it, and
// preferences (L5).
func (p *Policy) ofCopied(page *Subject) []Statement {
	if !page.Role.Policed() {
		return nil
	}
	return slices.DeleteFunc(p.stated(page), func(s Statement) bool {
		return !s.Directives.Restricts() && s.AI.IsZero()
	})
}

var noAI = MostRestrictive(Stating("noai"), Stating("noimageai"))

// withNoAI adds noai and noimageai to what denies training, where the policy says so. It changes
// the statements.
func (p *Policy) withNoAI(statements []Statement) []Statement {
	for i := range statements {
		if s := &statements[i]; p.NoAI && s.AI[UseTraining] == Denied {
			s.Directives = MostRestrictive(s.Directives, noAI)
		}
	}
	return statements
}

// Union is a list of known and what more has beyond it. Adding a statement never loosens anything
// (L).
func Union(known, more []Statement) []Statement {
	all := slices.Clone(known)
	for _, s := range more {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// ofOwners are the page and rule layers of the pages in whose leaf bundles s is: crawler by crawler
// the minimum of what each page's crawler obeys (L5). With several pages each statement is cut down
// to that minimum. The sum of what is left is the minimum itself: on each axis either some page
// states at least as much for that crawler, or every page states it for everyone.
func (p *Policy) ofOwners(s *Subject) (all []Statement) {
	pages := make([]Decision, len(s.Owners))
	for i := range s.Owners {
		o := &s.Owners[i]
		pages[i] = p.Resolve(p.withNoAI(append(p.Rules.statements(selection{s, o}),
			o.Statements...)))
		all = append(all, pages[i].Statements...)
	}
	if len(pages) < 2 {
		return all
	}
	minimum := map[string]Statement{} // by crawler
	for i := range all {
		st := &all[i]
		least, ok := minimum[st.Crawler]
		if !ok {
			least = leastOf(pages, p.crawler(st.Crawler))
			minimum[st.Crawler] = least
		}
		st.Directives, st.AI = LeastRestrictive(st.Directives, least.Directives),
			loosest(st.AI, least.AI)
	}
	return slices.DeleteFunc(all,
		func(s Statement) bool { return s.Directives.IsZero() && s.AI.IsZero() })
}

// leastOf is the minimum of what a crawler obeys by each of some decisions.
func leastOf(decisions []Decision, c *Crawler) (least Statement) {
	for i := range decisions {
		set, ai := decisions[i].Obeyed(c), decisions[i].AI
		if i > 0 {
			set, ai = LeastRestrictive(least.Directives, set), loosest(least.AI, ai)
		}
		least.Directives, least.AI = set, ai
	}
	return least
}
