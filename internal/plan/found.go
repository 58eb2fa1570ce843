package plan

import (
	"cmp"
	"slices"

	"metarobots/emit/head"
	"metarobots/emit/patch"
	"metarobots/internal/headerfile"
	"metarobots/internal/robotsmeta"
	"metarobots/internal/state"
	"metarobots/policy"
)

// asGenerated returns a page as its generator left it, and what is scanned there: src without what
// an earlier run of ours put there (M7). It is the first step of [editor.html]. A tag of ours that
// stays counts as the site's own, and restricts. isFresh: the generator itself made src in this
// run, so that nothing in it can be ours. own is src, or is valid until the editor's next page.
//
// It sets pg.Earlier and what the page remembers as ours in src (nil for nothing), and classifies the
// file, since a redirect is known by its bytes.
func (e *editor) asGenerated(pg *Page, src []byte, isFresh bool) (own []byte, facts head.Facts) {
	known := e.mk.project.State.Recall(pg.File.Name)
	pg.Earlier.WasIndexable = known.Left != nil && !known.Left.NoIndex
	if isFresh || pg.File.Unknown {
		facts = e.scanner.Scan(src, e.kind)
		e.mk.correctRole(&pg.File, facts.Refresh)
		// A page that is Unknown even now is an earlier build's. It keeps what it holds of ours:
		// nobody would state that again.
		if isFresh || pg.File.Unknown {
			return src, facts
		}
	}
	if own, ok := e.undo(pg, src, known); ok {
		return own, e.scanner.Scan(own, e.kind)
	}
	facts = e.scanner.Scan(src, e.kind)
	isFromUs := func(t policy.Tag) bool { return known.Put(head.Tags([]policy.Tag{t})) }
	pg.Earlier.Edited = slices.ContainsFunc(robotsmeta.Tags(robotsmeta.Counting(facts.Robots)), isFromUs)
	if own, ok := e.assumeOurs(pg, src, &facts); ok {
		return own, e.scanner.Scan(own, e.kind)
	}
	return src, facts
}

// undo takes back what an earlier run did to a page. ok is false unless the page is byte for byte
// what that run left, with the time of change that it left: in any other page a tag may be the
// generator's, whatever it says, and counts. --assume-ours asks for the bytes alone.
func (e *editor) undo(pg *Page, src []byte, known state.Versions) (own []byte, ok bool) {
	if p := e.mk.project; !p.Options.Earlier.AssumeOurs {
		known = p.State.Standing(known, e.reader.Modified)
	}
	own, pg.ours.stands = known.Undo(e.own[:0], src)
	if pg.ours.stands == nil {
		return nil, false
	}
	pg.ours.stands = pg.ours.stands.At(e.reader.Modified)
	e.own = own
	return own, true
}

// assumeOurs takes all robots tags out of a page whose state is lost, if --assume-ours asks for it
// and each of them is, to the byte, what we would print for what it states. ok is false if nothing
// is taken out.
func (e *editor) assumeOurs(pg *Page, src []byte, facts *head.Facts) (own []byte, ok bool) {
	p := e.mk.project
	if p.State.Found || !p.Options.Earlier.AssumeOurs || len(facts.Robots) == 0 {
		return nil, false
	}
	isForeign := func(m head.Meta) bool {
		r, _ := policy.Parse(m.Content, policy.Found)
		return !m.Ours || r.Directives.Format(p.Policy.Style) != m.Content
	}
	if slices.ContainsFunc(facts.Robots, isForeign) {
		return nil, false
	}
	undo := patch.New(src, facts.Edits("")) // no tags in the place of those
	e.own, _ = undo.Apply(e.own[:0], src)
	pg.ours.stands = (&state.Left{Sum: state.Sum(e.own), Patch: undo.Inverse()}).At(e.reader.Modified)
	return e.own, true
}

// readTags reads the tags of a page, and reports what is wrong with them.
func (e *editor) readTags(pg *Page, facts *head.Facts) {
	reader := &e.found
	if e.mk.project.Options.Audit && pg.ours.stands == nil { // else a run of ours has written what is meant
		reader = &e.audited
	}
	read := reader.Read(e.mk.project.Published(pg.File.Name), facts)
	pg.Tags, pg.File.Found = read.Metas, read.Statements
	for _, f := range read.Findings {
		pg.note(f, forEachPage)
	}
	for _, f := range read.Faults {
		pg.note(f, f.ID+" "+f.Text()) // one template prints it into many
	}
}

// pageFindings are those about single pages.
func (mk *Maker) pageFindings(pages []*Page) []policy.Finding {
	var all headerfile.Repeated
	for _, pg := range pages {
		for _, n := range pg.notes {
			n.finding.URL, n.finding.File = pg.URL, cmp.Or(n.finding.File, mk.project.Published(pg.File.Name))
			all.Add(n.key, n.finding)
		}
		pg.notes = nil
	}
	return all.All("; the same on %d more")
}
