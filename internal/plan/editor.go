package plan

import (
	"metarobots/emit/head"
	"metarobots/emit/links"
	"metarobots/internal/disk"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/policy"
)

// editor takes HTML files through the stages, one after another: it holds the memory that they need. Each worker has
// one.
type editor struct {
	plan    *Plan
	scanner head.Scanner
	kind    func(name []byte) head.Kind
	reader  disk.Reader
	links   links.Page
	buf     []byte // of the last file whose metas were exchanged
	linked  []byte // buf with its links edited
	// planning: what a page changes to is not asked for, only whether it changes.
	planning bool
}

func newEditor(p *Plan) *editor {
	names := metaNames(p.project.Policy.Crawlers)
	return &editor{plan: p, scanner: head.Scanner{Relations: true, Title: p.project.options.Titles}, reader: disk.Reader{Max: maxPage},
		kind: func(name []byte) head.Kind { return names[string(name)] }} // no copy is made to look it up
}

// html decides on an HTML file and returns its new bytes; they are src itself where nothing changes, and valid until the
// next call. Links are edited last, and what an earlier run put into them is taken out first.
//
// fresh says that src comes from the generator itself, so that no tag in it can be ours.
func (e *editor) html(f site.File, src []byte, fresh bool) (*Page, []byte) {
	if len(src) > maxPage {
		return e.tooLarge(f), src
	}
	p := e.plan
	own, was := src, (*state.Links)(nil)
	if !fresh {
		own, was = p.project.state.Undo(f.Name, src)
	}
	facts := e.scanner.Scan(own, e.kind)
	pg := p.page(f, &facts, e.scanner.Text, fresh)
	pg.change = p.exchange(pg, &facts)
	if pg.aside && facts.Encoding != "" {
		pg.finding("encoding", policy.Warning, 0, "the file is %s, which is not edited: a header alone can carry its policy", facts.Encoding)
	}
	linking := was != nil || !p.project.Config.Robots.Links.Empty()
	out := own
	if pg.facts != nil && (linking || !e.planning) {
		e.buf = pg.facts.Rewrite(e.buf[:0], own, headTags(pg.Carries))
		out = e.buf
	}
	if linking {
		pg.waslinked = was
		out = e.editLinks(pg, facts.Encoding, src, out)
	}
	if pg.Changes && e.planning {
		pg.sum = sum(src)
	}
	return pg, out
}

// tooLarge decides on a page that is not read: a header alone can carry its policy.
func (e *editor) tooLarge(f site.File) *Page {
	pg := e.plan.asset(f)
	pg.aside = true
	pg.finding("page-too-large", policy.Warning, 0, "the page is larger than 64 MB: it is neither read nor edited, and a header alone can carry its policy")
	return pg
}

// rewrite returns the new bytes of a page that was planned: what changes is put in, and nothing is read again. Where the
// page is another by now it is decided on anew.
func (e *editor) rewrite(pg *Page, src []byte) []byte {
	if sum(src) != pg.sum {
		_, out := e.html(e.plan.m.File(pg.Name), src, false)
		return out
	}
	out := src
	if pg.waslinked != nil {
		out, _ = pg.waslinked.Undo(src) // it was undone before
	}
	if pg.facts != nil {
		e.buf = pg.facts.Rewrite(e.buf[:0], out, headTags(pg.Carries))
		out = e.buf
	}
	if pg.change.linked != nil {
		e.linked = pg.change.linked.Redo(e.linked[:0], out)
		out = e.linked
	}
	return out
}
