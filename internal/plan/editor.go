package plan

import (
	"bytes"
	"slices"

	"metarobots/emit/head"
	"metarobots/emit/links"
	"metarobots/emit/patch"
	"metarobots/internal/disk"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/policy"
)

// editor takes HTML files through the stages, one after another: it holds the memory that they need. Each worker has
// one.
type editor struct {
	*planner
	scanner  head.Scanner
	kind     func(name []byte) head.Kind
	reader   disk.Reader
	links    links.Page
	own, out []byte // the last file as its generator left it, and as we do
}

func newEditor(p *planner) *editor {
	names := metaNames(p.Project.Policy.Crawlers)
	return &editor{planner: p, scanner: head.Scanner{Relations: true, Title: true},
		reader: disk.Reader{Max: project.MaxPage},
		kind:   func(name []byte) head.Kind { return names[string(name)] }} // no copy is made to look it up
}

// html decides on an HTML file and returns its new bytes, which are valid until the next call. fresh says that src
// comes from the generator itself, so that nothing in it can be ours.
func (e *editor) html(f site.File, src []byte, fresh bool) (*Page, []byte) {
	if len(src) > project.MaxPage {
		return e.tooLarge(f), src
	}
	pg := begin(f)
	own, facts := e.untouched(pg, src, fresh)
	return pg, e.settle(pg, src, own, &facts)
}

// settle decides on a page and returns its new bytes: src are those that stand there, own those of its generator.
func (e *editor) settle(pg *Page, src, own []byte, facts *head.Facts) []byte {
	edits := e.judge(pg, facts)
	edits = append(edits, e.editLinks(pg, facts.Encoding, own)...)
	slices.SortStableFunc(edits, func(a, b patch.Edit) int { return a.Start - b.Start })
	out := pg.edit(e.out[:0], own, src, edits)
	if pg.left != nil && pg.left != pg.was {
		e.out = out
		pg.left.NoIndex = pg.Decision.NoIndex()
	}
	pg.Changes = !bytes.Equal(out, src)
	return out
}

// tooLarge decides on a page that is not read: a header alone can carry its policy.
func (e *editor) tooLarge(f site.File) *Page {
	pg := e.asset(f)
	pg.headerOnly = true
	e.finding(pg, "page-too-large", policy.Warning, 0,
		"the page is larger than 64 MB: it is neither read nor edited, and a header alone can carry its policy")
	return pg
}

// rewrite returns the new bytes of a page that was planned, and what of ours is in them: what changes is put in, and
// nothing is read again. Where the page is another by now it is decided on anew.
func (e *editor) rewrite(pg *Page, src []byte, fresh bool) (out []byte, left *state.Left) {
	own, ok := src, pg.left != nil && pg.left.Sum == state.Sum(src)
	if pg.was != nil {
		if own, ok = pg.was.Undo(e.own[:0], src); ok {
			e.own = own
		}
	}
	if ok && pg.left != nil {
		if own, ok = pg.left.Patch.Apply(e.out[:0], own); ok {
			e.out = own
		}
	}
	if ok {
		return own, pg.left
	}
	anew, out := e.html(e.m.File(pg.Name), src, fresh)
	return out, anew.left
}
