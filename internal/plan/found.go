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

// untouched takes out of a page what an earlier run of ours put there (M7), and scans what is left; that is the
// editor's until its next page. fresh says that src comes from the generator itself, so that nothing in it can be ours.
//
// Only a page that is byte for byte what we left, and that nobody has written since, is taken back: its time is the one
// that we left. In any other, a tag may be the generator's, whatever it says, and counts.
func (e *editor) untouched(pg *Page, src []byte, fresh bool) (own []byte, facts head.Facts) {
	known := e.mk.project.State.Recall(pg.File.Name)
	pg.WasIndexable = known.Left != nil && !known.Left.NoIndex
	if fresh || pg.File.Unknown { // what a page of an earlier build holds of ours nobody would say again
		facts = e.scanner.Scan(src, e.kind)
		if e.mk.classify(&pg.File, facts.Refresh); fresh || pg.File.Unknown {
			return src, facts
		}
	}
	p, standing := e.mk.project, known
	if !p.Options.AssumeOurs { // in a page that somebody has written since, its generator may print what we left
		standing = p.State.Standing(known, e.reader.Modified)
	}
	if own, pg.stands = standing.Undo(e.own[:0], src); pg.stands != nil {
		pg.stands = pg.stands.At(e.reader.Modified)
		e.own = own
		return own, e.scanner.Scan(own, e.kind)
	}
	facts = e.scanner.Scan(src, e.kind)
	pg.Edited = slices.ContainsFunc(robotsmeta.Tags(robotsmeta.Counting(facts.Robots)), func(t policy.Tag) bool {
		return known.Put(head.Tags([]policy.Tag{t}))
	})
	foreign := func(m head.Meta) bool { // not, to the byte, what we would print for what it states
		r, _ := policy.Parse(m.Content, policy.Found)
		return !m.Ours || r.Directives.Format(p.Policy.Style) != m.Content
	}
	if p.State.Found || !p.Options.AssumeOurs || len(facts.Robots) == 0 || slices.ContainsFunc(facts.Robots, foreign) {
		return src, facts
	}
	undo := patch.New(src, facts.Edits(""))
	e.own, _ = undo.Apply(e.own[:0], src)
	pg.stands = (&state.Left{Sum: state.Sum(e.own), Patch: undo.Inverse()}).At(e.reader.Modified)
	return e.own, e.scanner.Scan(e.own, e.kind)
}

// readTags reads the tags of a page, and reports what is wrong with them.
func (mk *Maker) readTags(pg *Page, facts *head.Facts) {
	as := policy.Found
	if mk.project.Options.Audit && pg.stands == nil { // else a run of ours has written what is meant
		as = policy.Audited
	}
	read := robotsmeta.Read(mk.project.Published(pg.File.Name), facts, as, mk.project.Policy.Crawlers)
	pg.Tags, pg.File.Found = read.Metas, read.Statements
	for _, f := range read.Findings {
		pg.note(f, "")
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
