package plan

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/head"
	"metarobots/emit/patch"
	"metarobots/internal/state"
	"metarobots/policy"
)

// change is what becomes of a page's bytes.
type change struct {
	// Carries are the robots metas that the file carries when we are done, in order.
	Carries []policy.Tag
	// Changes: the bytes of the file are not yet what they should be, or were not until a build wrote them.
	Changes    bool
	pending    bool  // they are still to be written
	headerOnly bool  // its policy cannot go into its bytes
	Links      int32 // how many links and snippets are edited
}

// memory is what is remembered of a file from run to run.
type memory struct {
	left, was *state.Left // what this run leaves there, and what stands there of ours
	// Kept: the page is not as an earlier run left it, but a tag there is: it may be its generator's, and counts.
	Kept bool
	// WasIndexable: the tags that an earlier run of ours left in a page did not say noindex.
	WasIndexable bool
}

// edit returns the bytes that a file gets, appended to dst if they are new: own are those of its generator, src those
// that stand there.
func (m *memory) edit(dst, own, src []byte, edits []patch.Edit) []byte {
	if len(edits) == 0 {
		return own
	} else if m.stays(edits) {
		m.left = m.was
		return src
	}
	p := patch.New(own, edits)
	out, _ := p.Apply(dst, own)
	m.left = &state.Left{Sum: m.sum(own), Patch: p, Made: own == nil}
	return out
}

// sum is that of what a file's generator wrote.
func (m *memory) sum(own []byte) uint64 {
	if m.was != nil {
		return m.was.Sum
	}
	return state.Sum(own)
}

// stays reports whether a file that gets these edits holds them already: what an earlier run left there is the same, or
// there is nothing to do and nothing of ours.
func (m *memory) stays(edits []patch.Edit) bool {
	if m.was == nil {
		return len(edits) == 0
	}
	return len(edits) > 0 && m.was.Patch.Is(edits)
}

// wanted returns what a page is to carry, and whether that is ours to write.
func (p *planner) wanted(pg *Page) (want *told, write bool) {
	switch {
	case pg.Role == policy.RoleError:
		return untold, !p.Project.Config.Robots.KeepErrorPages
	case pg.Role == policy.RoleRedirect:
		return untold, p.Project.Config.Robots.CleanRedirects
	case pg.Role == policy.RolePage, pg.Role.Policed() && pg.Decision.Restricts():
		return pg.told, true
	}
	return nil, false // a control file, or HTML that is no page of the generator
}

// editMetas settles a page's robots metas.
func (p *planner) editMetas(pg *Page, facts *head.Facts) []patch.Edit {
	want, write := p.wanted(pg)
	pg.Carries = tagsOf(facts.Robots)
	switch {
	case !write:
		return nil
	case facts.Fragment || facts.Encoding != "": // M5
		pg.headerOnly = true
		return nil
	}
	if pg.Carries = want.metas; holds(facts.Robots, want.metas) {
		return nil
	}
	return facts.Edits(want.html)
}

// holds reports whether the head holds exactly the wanted metas, once each, with the wanted directives in any order,
// case and spacing, and none stands in the body (M4).
func holds(metas []head.Meta, want []policy.Tag) bool {
	if len(metas) != len(want) {
		return false
	}
	held := make([]bool, len(want))
	for i, m := range metas {
		j := i // where we wrote it
		if want[i].Name != m.Name {
			j = slices.IndexFunc(want, func(t policy.Tag) bool { return t.Name == m.Name })
		}
		if j < 0 || held[j] || m.Body || m.Mistake > 0 || !m.HasContent || !sameWords(m.Content, want[j].Content) {
			return false
		}
		held[j] = true
	}
	return true
}

// sameWords compares two contents as lists of directives.
func sameWords(a, b string) bool {
	if a == b {
		return true
	}
	words := func(s string) (words []string) {
		for item := range strings.SplitSeq(strings.ToLower(s), ",") {
			item = strings.ReplaceAll(strings.Join(strings.Fields(item), " "), ": ", ":")
			d, takesValue, known := policy.Lookup(item)
			switch {
			case item == "all":
				words = append(words, "index", "follow")
			case known && !takesValue && d.IsZero() && item != "indexifembedded": // snippet and its like
			default:
				words = append(words, item)
			}
		}
		slices.Sort(words)
		return slices.Compact(words)
	}
	return slices.Equal(words(a), words(b))
}

// mark notes what of a policy a page has used.
func mark(all, used []bool) {
	for i := range min(len(all), len(used)) {
		all[i] = all[i] || used[i]
	}
}

// editLinks applies the links' policy to a page.
func (e *editor) editLinks(pg *Page, encoding string, src []byte) []patch.Edit {
	rules := e.Project.Config.Robots.Links
	if pg.Role != policy.RolePage || encoding != "" || rules.Empty() {
		return nil
	}
	e.links.Scan(src, e.Project.Address(pg.Name).String(), rules.Policy(pg.Section))
	e.mu.Lock()
	mark(e.linkUsage.Rules, e.links.Rules)
	mark(e.linkUsage.Classes, e.links.NoSnippet)
	e.mu.Unlock()
	pg.Links = int32(len(e.links.Edits))
	e.reportIgnored(pg)
	return e.links.Inserts
}

// reportIgnored reports elements on which Google reads no data-nosnippet.
func (e *editor) reportIgnored(pg *Page) {
	if len(e.links.Ignored) == 0 {
		return
	}
	i, more := e.links.Ignored[0], ""
	if n := len(e.links.Ignored) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	e.finding(pg, "nosnippet-ignored", policy.Warning, 0,
		"<%s class=%q> gets no data-nosnippet: Google reads it on div, span and section alone%s", i.Name,
		string(i.Class), more)
}
