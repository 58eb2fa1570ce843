package plan

import (
	"fmt"
	"hash/maphash"
	"slices"
	"sync"
	"unsafe"

	"metarobots/emit/head"
	"metarobots/internal/headerfile"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/policy"
)

// A Page is a published file, what is decided on it, and what becomes of its bytes.
type Page struct {
	// File is what was known of it when it was decided on.
	File site.File
	// URL is the encoded path from the publish root.
	URL string
	// Title is the page's, if the options ask for it.
	Title string
	// Decision is shared by the pages on which the same is stated, and nobody modifies it.
	Decision *policy.Decision
	printed  *printed
	// Tags are the robots metas of a page as its generator wrote them, as far as they count.
	Tags []head.Meta
	// Carries are the robots metas that the file carries when we are done, in order.
	Carries []policy.Tag
	Links   Links
	// Others are the lines of other headers than X-Robots-Tag that it is to be served with (H), the
	// owner's own canonical links among them.
	Others []headerfile.Line
	// GeneratorsTag: it is a redirect page, whose one tag is what its generator always prints
	// there.
	GeneratorsTag bool
	Earlier       Earlier
	Bytes         Bytes

	ours  ours
	notes []note
}

// Links are what a page's links say of pages, and how many of its links change.
type Links struct {
	// Self is the encoded path from the publish root by which its own canonical link names the page
	// itself; empty where none does.
	Self string
	// Related is what it says of other pages; nil, or one without content, for nothing.
	Related *Related
	// Unplaced is its first canonical or alternate link that names a host, if nobody knows the
	// site's own; nil for none.
	Unplaced *head.Relation
	// SelfLine is the line of Self.
	SelfLine int32
	// Edited is how many links and snippets are edited.
	Edited int32
}

// Earlier says how a page relates to what an earlier run of ours left of it.
type Earlier struct {
	// Edited: the page is not as that run left it, but a tag there is: it may be its generator's,
	// and counts.
	Edited bool
	// WasIndexable: the tags that it left did not say noindex.
	WasIndexable bool
}

// Bytes says what becomes of the bytes of a page's file.
type Bytes struct {
	// Change: they are not yet what they should be, or were not until a build wrote them.
	Change     bool
	pending    bool // they are still to be written
	headerOnly bool // its policy cannot go into them
}

// ours is what a page's file has of ours: what this run leaves there, and what was there before it.
// Either is nil for nothing.
type ours struct{ left, stands *state.Left }

// keepOut reports whether what was there before this run says noindex in the tags of the page.
func (o ours) keepOut() bool { return o.stands != nil && o.stands.NoIndex }

// A note is a finding about a page's file.
type note struct {
	finding policy.Finding
	key     string // as [Page.note] has it
}

// newPage is a page on which nothing is decided yet.
func (mk *Maker) newPage(f site.File) *Page {
	pg := mk.pools.pages.next()
	*pg = Page{File: f, Decision: silent.decision, printed: silent.printed}
	if len(f.Path.File) > 0 && f.Path.File[1:] == f.Name { // one string for name, path and URL
		pg.File.Name, pg.URL = f.Path.File[1:], site.URLOf(f.Path.File)
	} else {
		pg.URL = site.URL(f.Name)
	}
	return pg
}

// pageBlocks allocates pages in blocks. Pages that are allocated one by one take a tenth more of
// the memory, since Go has few sizes for them.
type pageBlocks struct {
	mu   sync.Mutex
	free []Page // what is left of the last block
}

// pagesInBlock is how many pages are a little less than 64 KB. With one more, a block of them would
// take the next size that Go has, which is 72 KB.
const pagesInBlock = 64 << 10 / int(unsafe.Sizeof(Page{}))

// next returns a page that nobody has.
func (b *pageBlocks) next() *Page {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.free) == 0 {
		b.free = make([]Page, pagesInBlock)
	}
	pg := &b.free[0]
	b.free = b.free[1:]
	return pg
}

// change is what a run makes of the page's file.
func (pg *Page) change() state.Change {
	return state.Change{Name: pg.File.Name, Left: pg.ours.left, Stands: pg.ours.stands, Patched: pg.Bytes.pending}
}

// Left is what a run leaves of ours in the page's file; nil for nothing.
func (pg *Page) Left() *state.Left { return pg.ours.left }

// Hidden reports whether a page is noindex for everyone by anything but the environment.
func (pg *Page) Hidden() bool {
	_, ok := pg.Decision.NoIndexBy(func(o policy.Origin) bool { return o.Layer != policy.LayerEnvironment })
	return ok
}

// TagLines are the robots tags that the page's file carries when we are done, each as a line of
// X-Robots-Tag would say it.
func (pg *Page) TagLines() (lines []string) {
	for _, tag := range pg.Carries {
		lines = append(lines, tag.Name+": "+tag.Content)
	}
	return lines
}

// TakesTags reports whether the policy of a file can stand in its bytes; else a header alone can
// carry it (M5).
func (pg *Page) TakesTags() bool { return pg.File.HTML && !pg.Bytes.headerOnly }

// finding reports something about the page's file.
func (pg *Page) finding(id string, s policy.Severity, line int, format string, args ...any) {
	pg.note(policy.Finding{ID: id, Severity: s, Line: line, Message: fmt.Sprintf(format, args...)}, forEachPage)
}

// forEachPage is the key of a note that is reported for each page.
const forEachPage = ""

// note keeps a finding about the page's file. Of all pages with notes of one key, the first is
// reported; with the key [forEachPage] each is.
func (pg *Page) note(f policy.Finding, key string) { pg.notes = append(pg.notes, note{f, key}) }

// decideAsset decides on a file that is no HTML, or none that is read.
func (mk *Maker) decideAsset(f site.File) *Page {
	named := mk.control[f.Name] && f.Role.Policed()
	if named || mk.headers.Has(f.Name) {
		f.Role = policy.RoleControl
	}
	pg := mk.newPage(f)
	if named {
		mk.reportUnreached(pg)
	}
	mk.decide(pg)
	return pg
}

// reportUnreached reports what the owner states for a file that gets no policy, because robots.txt
// or an index names it as a sitemap: of a feed, nobody may think of that.
func (mk *Maker) reportUnreached(pg *Page) {
	d := mk.outcomes.of(mk.project.Policy, &pg.File.Subject).decision
	for _, i := range d.Deciding(mk.project.Policy.Style) {
		at := d.Statements[i].Origin
		if at.Layer != policy.LayerVisibility && at.Layer != policy.LayerRule {
			continue
		}
		f := at.Finding("sitemap-policy", policy.Warning, "this does not reach %s, because robots.txt or a sitemap index "+
			"names that file as a sitemap", pg.URL)
		pg.note(f, f.ID+" "+at.Place())
		return
	}
}

// decide asks the policy about a file of which everything is known but the owner's header rules.
func (mk *Maker) decide(pg *Page) {
	if !pg.File.Role.Policed() {
		return
	}
	if pg.File.Unknown && pg.File.HTML {
		pg.note(policy.Finding{ID: "unknown-file", Severity: policy.Warning,
			Message: "nothing in this site produces this file, and it is published: if it is left over from an " +
				"earlier build, perhaps of a draft, remove it",
			Detail: "; only rules, the environment and its own tags decide on it"}, forEachPage)
	}
	pg.File.Headers = mk.headers.States(pg.File.Name, pg.ours.keepOut())
	decided := mk.outcomes.of(mk.project.Policy, &pg.File.Subject)
	pg.Decision, pg.printed = decided.decision, decided.printed
	for _, s := range pg.Decision.Expired {
		pg.note(s.Expired(), forEachPage)
	}
}

// An outcome is a decision with its printed form.
type outcome struct {
	decision *policy.Decision
	printed  *printed
}

// printed is what a decision prints. Decisions that print the same for different reasons share one.
type printed struct {
	header []string
	metas  []policy.Tag
	html   string // of the metas
}

// silent is the outcome of a file of which nothing is stated.
var silent = outcome{&policy.Decision{}, &printed{}}

// Header is what the decision asks of X-Robots-Tag, the generic line first.
func (pg *Page) Header() []string { return pg.printed.header }

// outcomes are those of a run: of files on which the same is stated, the first is resolved for all.
type outcomes struct {
	seed     maphash.Seed
	bySum    sync.Map // an outcome by the sum of its statements
	printeds sync.Map // a *printed by the policy.Directives that print it
}

// of decides on a file. What no other file shares, since it stands in the page itself, is not
// cached.
func (o *outcomes) of(p *policy.Policy, subject *policy.Subject) outcome {
	statements, shared := p.Statements(subject), len(subject.Found) == 0
	var h maphash.Hash
	if h.SetSeed(o.seed); shared {
		for i := range statements {
			maphash.WriteComparable(&h, statements[i])
		}
		if known, ok := o.bySum.Load(h.Sum64()); ok && slices.Equal(known.(outcome).decision.Statements, statements) {
			return known.(outcome)
		}
	}
	d := p.Resolve(statements)
	text, ok := o.printeds.Load(d.Generic)
	if !ok || len(d.Agents) > 0 {
		metas := d.Metas(p.Style)
		if text = (&printed{d.Header(p.Style), metas, head.Tags(metas)}); len(d.Agents) == 0 {
			o.printeds.Store(d.Generic, text)
		}
	}
	decided := outcome{&d, text.(*printed)}
	if shared {
		o.bySum.Store(h.Sum64(), decided)
	}
	return decided
}
