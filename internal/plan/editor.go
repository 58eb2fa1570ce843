package plan

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/head"
	"metarobots/emit/links"
	"metarobots/emit/patch"
	"metarobots/internal/disk"
	"metarobots/internal/project"
	"metarobots/internal/robotsmeta"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/policy"
)

// editor takes HTML files through the stages, one after another: it holds the memory that they
// need. Each worker has one.
type editor struct {
	mk       *Maker
	scanner  head.Scanner
	kind     func(name []byte) head.Kind
	found    robotsmeta.Reader // reads tags as their author meant them
	audited  robotsmeta.Reader // reads them as crawlers do
	reader   disk.Reader
	stage    *disk.Stage       // takes the new bytes of published pages; nil if nothing is to be written
	own, out []byte            // the last file as its generator left it, and as we do
	held     []byte            // the last one that its generator made in this run
	fresh    bool              // the last one was made so
	shared   map[string]string // see sharedOutside; nil until it is asked for
}

func newEditor(mk *Maker) *editor {
	crawlers := mk.project.Policy.Crawlers
	return &editor{
		mk:      mk,
		scanner: head.Scanner{Relations: true, Snippets: true, Title: mk.project.Options.Titles},
		kind:    robotsmeta.Kind(crawlers),
		found:   robotsmeta.Reader{As: policy.Found, Crawlers: crawlers, IsReplaced: mk.project.Policy.ReplaceFound},
		audited: robotsmeta.Reader{As: policy.Audited, Crawlers: crawlers, IsReplaced: mk.project.Policy.ReplaceFound},
		reader:  disk.Reader{Max: project.MaxPage},
		held:    []byte{},
	}
}

// source reads a page, valid until the next: fresh if it is as the generator made it in this run,
// else as it stands in the publish folder.
func (e *editor) source(name string) (src []byte, fresh bool, err error) {
	src, e.fresh = e.mk.from.Generated(name, e.held)
	if !e.fresh {
		src, err = e.reader.Read(e.mk.project.Path(name))
		return src, false, err
	}
	e.held = src
	return src, true, nil
}

// Whether the bytes of a page are fresh, for [editor.html] and [editor.page].
const (
	holdsNothingOfOurs = true  // the generator has just made them: all in them is the site's own
	mayHoldOurs        = false // an earlier run may have put something into them
)

// html decides on an HTML file by what its generator wrote there, and returns its new bytes, which
// are valid until the next call. isFresh is holdsNothingOfOurs, or mayHoldOurs.
func (e *editor) html(f site.File, src []byte, isFresh bool) (*Page, []byte) {
	if len(src) > project.MaxPage {
		return e.mk.tooLarge(f), src
	}
	pg := e.mk.newPage(f)
	wasUnknown := pg.File.Unknown
	own, facts := e.asGenerated(pg, src, isFresh) // the facts are those of own, not of src
	e.mk.correctRole(&pg.File, facts.Refresh)
	if isRedirectBySight := wasUnknown && !pg.File.Unknown; isRedirectBySight {
		e.mk.takeLanguageOfTarget(&pg.File, facts.Refresh.URL)
	}
	e.readTags(pg, &facts)
	pg.GeneratorsTag = e.mk.hasGeneratorsTag(pg, own)
	e.mk.completeFromPage(pg, facts.Language) // what decide chooses rules by, such as its section
	e.mk.rebase(pg, &facts)                   // the links that relate reads
	e.mk.relate(pg, facts.Relations)
	e.mk.noteRedirect(pg, facts.Refresh)
	pg.Title = facts.Title
	e.mk.decide(pg)
	reportSnippets(pg, facts.Snippets)
	edits := slices.Concat(e.mk.editMetas(pg, &facts), e.nameNewest(pg, &facts), e.mk.editLinks(pg, facts.Encoding, own))
	// What is put in goes before what is taken out there: a tag may begin where the head does.
	slices.SortStableFunc(edits, func(a, b patch.Edit) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	var out []byte
	out, pg.ours.left = state.Edit(e.out[:0], own, src, edits, pg.ours.stands)
	if pg.ours.left != nil && pg.ours.left != pg.ours.stands { // else out is own or src, as they are
		e.out = out
	}
	if noIndex := pg.Decision.NoIndex(); pg.ours.left != nil && pg.ours.left.NoIndex != noIndex {
		left := *pg.ours.left // a copy, since the last run did not leave that
		left.NoIndex, pg.ours.left = noIndex, &left
	}
	pg.Bytes.Change = !bytes.Equal(out, src)
	return pg, out
}

// reportSnippets reports elements with data-nosnippet on which Google does not read it, once for
// each element of the site: a template prints them into many pages. What noindex makes void is not
// reported.
func reportSnippets(pg *Page, snippets []head.Snippet) {
	if len(snippets) == 0 || !pg.File.Role.Policed() || pg.Decision.NoIndex() {
		return
	}
	told := map[string]bool{}
	for _, s := range snippets {
		if told[s.Name] {
			continue
		}
		told[s.Name] = true
		pg.note(policy.Finding{ID: "nosnippet-ignored", Severity: policy.Warning, Line: s.Line, Message: fmt.Sprintf(
			"<%s data-nosnippet>: Google reads the attribute on div, span and section alone", s.Name)}, "snippet "+s.Name)
	}
}

// takeLanguageOfTarget gives a redirect about which its generator's map knows nothing the language
// of the page that it leads to, and the format of a home page: from the folder of a language to the
// root.
func (mk *Maker) takeLanguageOfTarget(f *site.File, url string) {
	to, ok := mk.project.ResolveLink(f.Name, url, project.UnknownIsForeign)
	if !ok {
		return
	}
	name := strings.TrimPrefix(policy.Decoded(to), "/")
	if name == "" || strings.HasSuffix(name, "/") { // what a site that is not built yet publishes there
		name += "index.html"
	}
	for published := range mk.sites.FilesReached(to) {
		name = published
		break
	}
	facts := mk.pages.File(name).Facts
	if f.Facts.Language = facts.Language; facts.Kind == "home" {
		f.Facts.Format = facts.Format
	}
}

// tooLarge decides on a page that is not read: a header alone can carry its policy.
func (mk *Maker) tooLarge(f site.File) *Page {
	pg := mk.decideAsset(f)
	pg.Bytes.headerOnly = true
	mk.nameByHeader(pg)
	pg.finding("page-too-large", policy.Warning, 0,
		"the page is larger than 64 MB: it is neither read nor edited, and a header alone can carry its policy")
	return pg
}

// editMetas settles a page's robots metas: it sets pg.Carries, those that the page has after this
// run, and returns the edits. The first of these cases that fits decides:
//
//	an error page or a redirect, if the owner wants them clean    no metas
//	a page, or another file with a policy that restricts          those of the decision
//	any other file                                                they stay as they are
//
// A fragment, which has no head, and an encoding that we do not write get none (M5).
func (mk *Maker) editMetas(pg *Page, facts *head.Facts) []patch.Edit {
	noMetas := silent.printed
	want := noMetas
	pg.Carries = robotsmeta.Tags(facts.Robots)
	switch {
	case mk.project.Config.Robots.Unpoliced.LosesTags(pg.File.Role):
	case pg.File.Role == policy.RolePage, pg.File.Role.Policed() && pg.Decision.Restricts():
		want = pg.printed
	default:
		return nil
	}
	if facts.Fragment || facts.Encoding != "" { // M5
		if pg.Bytes.headerOnly = true; facts.Encoding != "" {
			pg.finding("encoding", policy.Warning, 0, "the file is %s, which is not edited: a header alone can "+
				"carry its policy", facts.Encoding)
		}
		return nil
	}
	if pg.Carries = want.metas; facts.Hold(want.metas) { // it has these and no others
		return nil
	}
	return facts.Edits(want.html)
}

// editLinks applies the links' policy to a page, also to a fragment, and reports elements on which
// Google reads no data-nosnippet. own is the page as generated. What is used of the policy is noted
// in mk.links: the flags of a page are for all rules of the site, whatever its section.
func (mk *Maker) editLinks(pg *Page, encoding string, own []byte) []patch.Edit {
	rules := mk.project.Config.Robots.Links
	if pg.File.Role != policy.RolePage || encoding != "" || rules.Empty() {
		return nil
	}
	scanned := links.Scan(own, mk.project.Address(pg.File.Name).String(), rules.Policy(pg.File.Facts.Section))
	mark := func(all, used []bool) {
		for i, isUsed := range used {
			all[i] = all[i] || isUsed
		}
	}
	mk.mu.Lock()
	mark(mk.links.Rules, scanned.Rules)
	mark(mk.links.Classes, scanned.NoSnippet)
	mk.mu.Unlock()
	pg.Links.Edited = int32(scanned.Edited)
	if n := len(scanned.Ignored) - 1; n >= 0 {
		first, more := scanned.Ignored[0], ""
		if n > 0 {
			more = fmt.Sprintf(" (and %d more)", n)
		}
		pg.finding("nosnippet-ignored", policy.Warning, 0, "<%s class=%q> gets no data-nosnippet: Google reads it "+
			"on div, span and section alone%s", first.Name, string(first.Class), more)
	}
	return scanned.Inserts
}
