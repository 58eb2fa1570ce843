package plan

import (
	"hash/maphash"
	"slices"
	"strings"

	"metarobots/emit/head"
	"metarobots/internal/state"
	"metarobots/policy"
)

// change is what becomes of a page's bytes.
type change struct {
	// Carries are the robots metas that the file carries when we are done, in order.
	Carries []policy.Tag
	// Changes: the bytes of the file are not yet what they should be.
	Changes bool
	aside   bool         // its policy cannot go into its bytes
	facts   *head.Facts  // of the page whose robots metas are exchanged; nil for none
	sum     uint64       // of the bytes that were planned for, where they change
	linked  *state.Links // what is put into its links
	// waslinked is what an earlier run put there, and still stands there.
	waslinked *state.Links
	edits     int // how many links and snippets are edited
}

var seed = maphash.MakeSeed()

// sum tells the bytes of a page that was planned from others.
func sum(src []byte) uint64 { return maphash.Bytes(seed, src) }

// wanted returns the robots metas that a page is to carry, and whether they are ours to write.
func (p *Plan) wanted(pg *Page) (want []policy.Tag, write bool) {
	robots := &p.project.Config.Robots
	switch {
	case pg.Role == policy.RoleControl:
		return nil, false
	case pg.Role == policy.RoleError:
		return nil, !robots.KeepErrorPages
	case pg.Role == policy.RoleRedirect:
		return nil, robots.CleanRedirects
	case pg.Role == policy.RolePage, pg.Decision.Restricts():
		return p.shared.print(&pg.Decision, p.project.Policy.Style).metas, true
	}
	return state.Originals(pg.found), pg.ours // HTML that is no page of the generator
}

// exchange returns the change of a page's robots metas.
func (p *Plan) exchange(pg *Page, facts *head.Facts) change {
	want, write := p.wanted(pg)
	if !write {
		return change{Carries: pg.tags}
	}
	if facts.Fragment || facts.Encoding != "" { // M5
		return change{Carries: pg.tags, aside: len(want) > 0 || len(pg.tags) > 0}
	}
	if holds(facts.Robots, want) {
		return change{Carries: want}
	}
	kept := *facts
	kept.Inert, kept.Relations = nil, nil
	return change{Carries: want, Changes: true, facts: &kept}
}

// holds reports whether the head holds exactly the wanted metas, once each, with the wanted directives in any order,
// case and spacing, and none stands in the body (M4).
func holds(metas []head.Meta, want []policy.Tag) bool {
	if len(metas) != len(want) {
		return false
	}
	for i, m := range metas {
		if m.Body || m.Mistake > 0 || slices.ContainsFunc(metas[:i], func(o head.Meta) bool { return o.Name == m.Name }) {
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

func headTags(tags []policy.Tag) []head.Tag {
	out := make([]head.Tag, len(tags))
	for i, t := range tags {
		out[i] = head.Tag(t)
	}
	return out
}

// remember keeps what a run leaves in a page: what we write and what the generator had written, or nothing where the
// page carries the generator's own tags (M7).
func (p *Plan) remember(pg *Page) {
	p.project.state.IntendLinks(pg.Name, pg.linked, pg.waslinked)
	// A page that gets the generator's own tags back is forgotten when they stand there: see state.State.Done.
	if pg.ours && pg.Changes || (pg.Changes || pg.ours) && !slices.Equal(pg.Carries, state.Originals(pg.found)) {
		var stands []policy.Tag
		if pg.ours {
			stands = append([]policy.Tag{}, pg.tags...) // not nil: an empty list may be ours as well
		}
		p.project.state.Intend(pg.Name, pg.Carries, stands, pg.found)
	} else {
		p.project.state.Forget(pg.Name)
	}
}
