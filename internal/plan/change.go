package plan

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"sync/atomic"

	"metarobots/emit/head"
	"metarobots/emit/links"
	"metarobots/internal/state"
	"metarobots/policy"
)

// change is what becomes of a page's bytes.
type change struct {
	// Carries are the robots metas that the file carries when we are done, in order.
	Carries []policy.Tag
	// Changes: the bytes of the file are not yet what they should be.
	Changes    bool
	headerOnly bool // its policy cannot go into its bytes
	links      int  // how many links and snippets are edited
	edit       *edit
}

// edit is how a page changes; nil where it does not and nothing of ours stands in its links.
type edit struct {
	metas  bool // the robots metas are exchanged
	robots []head.Meta
	insert int
	sum    uint64 // of the bytes that were planned for
	linked *state.Links
	was    *state.Links // what an earlier run put into its links, and still stands there
}

var seed = maphash.MakeSeed()

// exchange appends a page to dst with its robots metas exchanged.
func (e *edit) exchange(dst, page []byte, want []policy.Tag) []byte {
	return (&head.Facts{Robots: e.robots, Insert: e.insert}).Rewrite(dst, page, want)
}

// wanted returns the robots metas that a page is to carry, and whether they are ours to write.
func (p *planner) wanted(pg *Page) (want []policy.Tag, write bool) {
	switch {
	case pg.Role == policy.RoleControl:
		return nil, false
	case pg.Role == policy.RoleError:
		return nil, !p.Config.Robots.KeepErrorPages
	case pg.Role == policy.RoleRedirect:
		return nil, p.Config.Robots.CleanRedirects
	case pg.Role == policy.RolePage, pg.Decision.Restricts():
		return p.shared.print(&pg.Decision, p.Policy.Style).metas, true
	}
	return state.Originals(pg.found), pg.ours // HTML that is no page of the generator
}

// exchanged returns the change of a page's robots metas.
func (p *planner) exchanged(pg *Page, facts *head.Facts) change {
	want, write := p.wanted(pg)
	switch {
	case !write:
		return change{Carries: pg.tags}
	case facts.Fragment || facts.Encoding != "": // M5
		return change{Carries: pg.tags, headerOnly: len(want) > 0 || len(pg.tags) > 0}
	case holds(facts.Robots, want):
		return change{Carries: want}
	}
	return change{Carries: want, Changes: true, edit: &edit{metas: true, robots: facts.Robots, insert: facts.Insert}}
}

// holds reports whether the head holds exactly the wanted metas, once each, with the wanted directives in any order,
// case and spacing, and none stands in the body (M4).
func holds(metas []head.Meta, want []policy.Tag) bool {
	if len(metas) != len(want) {
		return false
	}
	for i, m := range metas {
		twice := slices.ContainsFunc(metas[:i], func(o head.Meta) bool { return o.Name == m.Name })
		if twice || m.Body || m.Mistake > 0 {
			return false
		}
		j := slices.IndexFunc(want, func(t policy.Tag) bool { return t.Name == m.Name })
		if j < 0 || !m.HasContent || !sameWords(m.Content, want[j].Content) {
			return false
		}
	}
	return true
}

// sameWords compares two contents as lists of directives.
func sameWords(a, b string) bool {
	if a == b {
		return true
	}
	words := func(s string) []string {
		items := strings.Split(strings.ToLower(s), ",")
		for i := range items {
			items[i] = strings.ReplaceAll(strings.Join(strings.Fields(items[i]), " "), ": ", ":")
		}
		slices.Sort(items)
		return items
	}
	return slices.Equal(words(a), words(b))
}

// use counts what of the policy found something to do: of all of it, and of the links' rules and classes.
type use struct {
	policy          *policy.Usage
	rules, snippets []atomic.Bool
}

func (u *use) note(p *links.Page) {
	note := func(to []atomic.Bool, used []bool) {
		for i := range min(len(to), len(used)) {
			if used[i] {
				to[i].Store(true)
			}
		}
	}
	note(u.rules, p.Rules)
	note(u.snippets, p.NoSnippet)
}

// unused are the places of what found nothing to do.
func unused(used []atomic.Bool) (places []int) {
	for i := range used {
		if !used[i].Load() {
			places = append(places, i)
		}
	}
	return places
}

// editLinks applies the links' policy to a page whose metas are settled; out are its bytes, src those on the disk. What
// is returned is the editor's until its next page.
func (e *editor) editLinks(pg *Page, c *change, encoding string, src, out []byte) []byte {
	policed := pg.Role == policy.RolePage && encoding == ""
	if rules := e.Config.Robots.Links; policed && !rules.Empty() {
		e.links.Scan(out, e.address(pg.Name).String(), rules.Policy(pg.Section))
		if len(e.links.Edits) > 0 {
			e.linked = e.links.Rewrite(e.linked[:0], out)
			out = e.linked
			c.ensure().linked = state.NewLinks(out, e.links.Record())
		}
		e.use.note(&e.links)
		c.links = len(e.links.Edits)
		e.reportIgnored(pg)
	}
	c.Changes = !bytes.Equal(out, src)
	return out
}

// ensure returns the page's edit, which is made where there is none.
func (c *change) ensure() *edit {
	if c.edit == nil {
		c.edit = &edit{}
	}
	return c.edit
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
	e.finding(pg, "nosnippet-ignored", policy.Warning,
		"<%s class=%q> gets no data-nosnippet: Google reads it on div, span and section alone%s", i.Name,
		string(i.Class), more)
}
