package plan

import (
	"hash/maphash"

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
	*planner
	scanner head.Scanner
	kind    func(name []byte) head.Kind
	reader  disk.Reader
	links   links.Page
	buf     []byte // of the last file whose metas were exchanged
	linked  []byte // buf with its links edited
	// deciding: what a page changes to is not asked for, only whether it changes.
	deciding bool
}

func newEditor(p *planner) *editor {
	names := metaNames(p.Policy.Crawlers)
	return &editor{planner: p, scanner: head.Scanner{Relations: true, Title: p.options.Titles},
		reader: disk.Reader{Max: maxPage},
		kind:   func(name []byte) head.Kind { return names[string(name)] }} // no copy is made to look it up
}

// html decides on an HTML file and returns its new bytes; they are src itself where nothing changes, and valid until
// the next call. Links are edited last, and what an earlier run put into them is taken out first.
//
// fresh says that src comes from the generator itself, so that no tag in it can be ours.
func (e *editor) html(f site.File, src []byte, fresh bool) (*Page, []byte) {
	if len(src) > maxPage {
		return e.tooLarge(f), src
	}
	own, was := src, (*state.Links)(nil)
	if !fresh {
		own, was = e.state.Undo(f.Name, src)
	}
	facts := e.scanner.Scan(own, e.kind)
	pg := e.page(f, &facts, e.scanner.Text, fresh)
	c := e.exchanged(pg, &facts)
	if c.headerOnly && facts.Encoding != "" {
		e.finding(pg, "encoding", policy.Warning, "the file is %s, which is not edited: a header alone can carry its "+
			"policy",
			facts.Encoding)
	}
	out, linking := own, was != nil || !e.Config.Robots.Links.Empty()
	if c.edit != nil && (linking || !e.deciding) {
		e.buf = c.edit.exchange(e.buf[:0], own, c.Carries)
		out = e.buf
	}
	if linking {
		if was != nil {
			c.ensure().was = was
		}
		out = e.editLinks(pg, &c, facts.Encoding, src, out)
	}
	if c.Changes && e.deciding {
		c.ensure().sum = maphash.Bytes(seed, src)
	}
	if pg.change = c; pg.drifted {
		e.finding(pg, "edited", policy.Warning, "its robots tags are not what metarobots wrote: it was edited by "+
			"hand, or made anew without metarobots; apply and build mend it")
	}
	return pg, out
}

// tooLarge decides on a page that is not read: a header alone can carry its policy.
func (e *editor) tooLarge(f site.File) *Page {
	pg := e.asset(f)
	pg.headerOnly = true
	e.finding(pg, "page-too-large", policy.Warning,
		"the page is larger than 64 MB: it is neither read nor edited, and a header alone can carry its policy")
	return pg
}

// rewrite returns the new bytes of a page that was planned: what changes is put in, and nothing is read again. Where
// the page is another by now it is decided on anew.
func (e *editor) rewrite(pg *Page, src []byte) []byte {
	c := pg.edit
	if c == nil || maphash.Bytes(seed, src) != c.sum {
		_, out := e.html(e.m.File(pg.Name), src, false)
		return out
	}
	out := src
	if c.was != nil {
		out, _ = c.was.Undo(src) // it was undone before
	}
	if c.metas {
		e.buf = c.exchange(e.buf[:0], out, pg.Carries)
		out = e.buf
	}
	if c.linked != nil {
		e.linked = c.linked.Redo(e.linked[:0], out)
		out = e.linked
	}
	return out
}
