package plan

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/head"
	"metarobots/emit/links"
	"metarobots/internal/disk"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A Page is the decision for one published file, and what becomes of the file. There is one for every file of a site, so
// that what many of them have in common is kept once: see [memo].
type Page struct {
	// Path is the file's, decoded, from the publish root.
	Path policy.Path
	// Name is the path without its leading slash.
	Name string
	// URL is the encoded path from the publish root.
	URL string
	// Source is the content file of the page behind it, relative to the working folder or the site.
	Source string
	*known
	*decided
	*stands
	// Carries are the robots metas that the file carries when we are done, in order.
	Carries []policy.Tag
	// Title is the page's, where Options ask for it.
	Title    string
	findings []policy.Finding
	related  *related // what it says of other pages; nil for nothing
	linked   *linked  // what is put into its links
	// waslinked is what an earlier run put there, and still stands there.
	waslinked *linked
	edits     int // how many links and snippets are edited
	// Changes: the bytes of the file are not yet what they should be.
	Changes bool
	ours    bool // the tags that stand there are what we wrote before
	aside   bool // its policy cannot go into its bytes
	drifted bool // its tags are not what an earlier run of ours left
	// wasIndexable: the tags that an earlier run of ours left did not say noindex.
	wasIndexable bool
}

// newPage is the page of a file. What is known of it and what is decided are its own until [memo.settle] shares them.
func newPage(f site.File) *Page {
	pg := &Page{Path: f.Path, Name: f.Name, Source: f.Source, known: &known{f}, decided: &decided{}, stands: &stands{}}
	if strings.HasPrefix(f.Path.File, "/") && f.Path.File[1:] == f.Name {
		pg.Name = f.Path.File[1:] // one string for all of them
	}
	if pg.URL = site.URL(f.Name); pg.URL == f.Path.URL {
		pg.URL = f.Path.URL
	}
	return pg
}

// editor reads and edits HTML files, one after another. Each worker has one.
type editor struct {
	plan    *Plan
	scanner head.Scanner
	kind    func(name []byte) head.Kind
	facts   head.Facts // of the page in hand
	reader  disk.Reader
	buf     []byte // of the last file rewritten
	links   links.Page
	linked  []byte // buf with its links edited
	// planning: what a page changes to is not asked for, only whether it changes.
	planning bool
	// whole: the bytes are wanted all the same, because links are edited in them.
	whole bool
	memo  memo
}

func newEditor(p *Plan) *editor {
	names := metaNames(p.project.Policy.Crawlers)
	e := &editor{plan: p, scanner: head.Scanner{Relations: true, Title: p.project.options.Titles},
		kind: func(name []byte) head.Kind { return names[string(name)] }} // no copy is made to look it up
	e.reader.Max = maxPage
	return e
}

// metaNames are the names of metas that crawlers read, that of page metadata, and the names that say nothing in a page (A4).
func metaNames(crawlers policy.Crawlers) map[string]head.Kind {
	names := map[string]head.Kind{}
	for _, name := range crawlers.Names() {
		names[name] = head.Robots
		if c, _ := crawlers.Lookup(name); c.HeaderOnly {
			names[name] = head.Inert
		}
	}
	for _, name := range policy.InertNames() {
		names[name] = head.Inert
	}
	names["robots"], names[site.PageMetaName] = head.Robots, head.Robots
	return names
}

// html decides on an HTML file: see metas. Links are edited last, and what an earlier run put into them is taken out first.
func (e *editor) html(f site.File, src []byte, fresh bool) (*Page, []byte) {
	if len(src) > maxPage {
		return e.tooLarge(f), src
	}
	project := e.plan.project
	own, was := src, (*linked)(nil)
	if !fresh {
		own, was = project.state.undo(f.Name, src)
	}
	e.whole = was != nil || !project.Config.Robots.Links.Empty()
	pg, out := e.metas(f, own, fresh)
	pg.waslinked = was
	if e.whole {
		out = e.editLinks(pg, src, out)
	}
	e.memo.settle(e.plan, pg)
	return pg, out
}

// maxPage is the size of the largest page that is read, in bytes. Crawlers read far less: Googlebot 15 MB.
// https://developers.google.com/search/docs/crawling-indexing/googlebot#how-googlebot-accesses-your-site
const maxPage = 64 << 20

// tooLarge decides on a page that is not read: a header alone can carry its policy.
func (e *editor) tooLarge(f site.File) *Page {
	pg := e.plan.asset(f, &e.memo)
	pg.aside = true
	pg.finding("page-too-large", policy.Warning, 0, "the page is larger than 64 MB: it is neither read nor edited, and a header alone can carry its policy")
	return pg
}

// metas decides on an HTML file and returns its new bytes; they are src itself where nothing changes, and valid until
// the next call.
//
// fresh says that src comes from the generator itself, so that no tag in it can be ours.
func (e *editor) metas(f site.File, src []byte, fresh bool) (*Page, []byte) {
	p := e.plan
	pg := newPage(f)
	e.facts = e.scanner.Scan(src, e.kind)
	e.redirect(pg)
	e.read(pg, fresh)
	e.learn(pg, e.scanner.Text)
	if pg.Role == policy.RoleControl {
		pg.Carries = pg.tags
		return pg, src
	}
	p.decide(pg, &e.memo)
	pg.wasIndexable = p.project.state.indexable(pg.Name)
	e.relate(pg)
	pg.Title = e.facts.Title
	want := e.memo.metas(p, pg)
	edited := false // its tags are ours to write
	switch robots := &p.project.Config.Robots; {
	case pg.Role == policy.RoleError:
		want = nil
		edited = !robots.KeepErrorPages
	case pg.Role == policy.RoleRedirect:
		want = nil
		edited = robots.CleanRedirects
	case pg.Role == policy.RolePage:
		edited = true
	default: // HTML that is no page of the generator
		edited = pg.Decision.Restricts() || pg.ours
		if pg.ours && !pg.Decision.Restricts() {
			want = originals(pg.found)
		}
	}
	if edited && (e.facts.Fragment || e.facts.Encoding != "") {
		if len(want) > 0 || len(pg.tags) > 0 {
			e.leave(pg)
		}
		edited = false
	}
	if !edited {
		pg.Carries = pg.tags
		return pg, src
	}
	pg.Carries = want
	if e.holds(want) {
		return pg, src
	}
	pg.Changes = true
	if e.planning && !e.whole {
		return pg, src
	}
	e.buf = e.facts.Rewrite(e.buf[:0], src, headTags(want))
	return pg, e.buf
}

// rewrite returns the new bytes of a page that was planned, or decides anew where its tags are no longer those of the
// plan.
func (e *editor) rewrite(pg *Page, src []byte) []byte {
	if e.plan.project.state.linked(pg.Name) || !e.plan.project.Config.Robots.Links.Empty() {
		_, out := e.html(e.plan.m.File(pg.Name), src, false)
		return out
	}
	e.facts = e.scanner.Scan(src, e.kind)
	if !slices.EqualFunc(e.facts.Robots, pg.tags, func(m head.Meta, t policy.Tag) bool { return m.Name == t.Name && m.Content == t.Content }) {
		_, out := e.html(e.plan.m.File(pg.Name), src, false)
		return out
	}
	e.buf = e.facts.Rewrite(e.buf[:0], src, headTags(pg.Carries))
	return e.buf
}

// remember keeps what a run leaves in a page: what we write and what the generator had written, or nothing where the
// page carries the generator's own tags (M7).
func (p *Plan) remember(pg *Page) {
	p.project.state.intendLinks(pg.Name, pg.linked, pg.waslinked)
	// A page that gets the generator's own tags back is forgotten when they stand there: see State.done.
	if pg.ours && pg.Changes || (pg.Changes || pg.ours) && !slices.Equal(pg.Carries, originals(pg.found)) {
		var stands []policy.Tag
		if pg.ours {
			stands = append([]policy.Tag{}, pg.tags...) // not nil: an empty list may be ours as well
		}
		p.project.state.intend(pg.Name, pg.Carries, stands, pg.found)
	} else {
		p.project.state.forget(pg.Name)
	}
}

// leave reports a file whose policy cannot be written into it (M5).
func (e *editor) leave(pg *Page) {
	pg.aside = true
	if e.facts.Encoding != "" {
		pg.finding("encoding", policy.Warning, 0, "the file is %s, which is not edited: a header alone can carry its policy", e.facts.Encoding)
	}
}

// asset decides on a file that is no HTML.
func (p *Plan) asset(f site.File, m *memo) *Page {
	pg := newPage(f)
	if p.control[f.Name] || slices.ContainsFunc(p.Headers, func(h *HeaderFile) bool { return h.name == f.Name }) {
		pg.Role = policy.RoleControl
	}
	p.decide(pg, m)
	m.settle(p, pg)
	return pg
}

// decide asks the policy.
func (p *Plan) decide(pg *Page, m *memo) {
	if pg.Unknown && pg.Role.Policed() && pg.HTML {
		pg.finding("unknown-file", policy.Warning, 0, "no page or static file of this site makes this file (left from an earlier build?): only rules, the environment and what it says itself decide on it")
	}
	if !pg.Role.Policed() {
		return
	}
	pg.Subject.Headers = p.headersFor(pg)
	pg.Decision = p.project.Policy.Decide(&pg.Subject, p.usage)
	pg.Header = m.header(p, pg)
	for _, s := range pg.Decision.Expired {
		t, _ := s.Directives.Expiry()
		pg.findings = append(pg.findings, policy.Finding{ID: "expired", Severity: policy.Warning, URL: pg.URL, File: cmp.Or(s.Origin.File, pg.Name), Line: s.Origin.Line,
			Message: fmt.Sprintf("unavailable_after %s has passed: the page counts as noindex", t.Format("2006-01-02 15:04 MST"))})
	}
}

// redirect sets the role of a page that only sends readers on: a real head element http-equiv=refresh, delay 0, to
// another URL (L4).
func (e *editor) redirect(pg *Page) {
	r := e.facts.Refresh
	if r == nil || r.Delay != 0 || r.URL == "" || pg.Role > policy.RoleRedirect {
		return
	}
	if to, ok := e.plan.project.leads(pg.Name, r.URL, false); ok && samePath(to, pg.URL) {
		return // it reloads itself
	}
	pg.Role = policy.RoleRedirect
}

// samePath compares two encoded paths as hosts serve them.
func samePath(a, b string) bool { return a == b || servedAs(decoded(a)) == servedAs(decoded(b)) }

// servedAs is a decoded path without what hosts leave out of it: /x for /x/, /x/index.html and /x.html. A site that
// publishes several of these has them reported (two-files).
func servedAs(path string) string {
	path = strings.TrimSuffix(path, "/index.html")
	path = strings.TrimSuffix(path, ".html")
	return strings.TrimSuffix(path, "/")
}

// read takes the robots metas of a page as statements (layer found), those of an earlier run of ours for what had been
// found before it.
func (e *editor) read(pg *Page, fresh bool) {
	metas := e.facts.Robots
	e.inert(pg)
	if len(metas) > 0 {
		pg.tags = make([]policy.Tag, len(metas))
	}
	for i, m := range metas {
		pg.tags[i] = policy.Tag{Name: m.Name, Content: m.Content}
	}
	if !fresh {
		e.recognise(pg)
	}
	if !pg.ours {
		pg.found = make([]FoundTag, 0, len(metas))
		for i, m := range metas {
			if m.Name == site.PageMetaName && (m.Body || m.Mistake > 0) {
				pg.distrust(&m)
				continue
			}
			e.faults(pg, &m)
			tag := FoundTag{pg.tags[i], m.HasContent, m.Line}
			if !m.HasContent {
				tag.Content = m.Value
			}
			pg.found = append(pg.found, tag)
		}
	}
	pg.oddWords()
	e.statements(pg)
}

// faults reports what is wrong with a tag that counts all the same.
func (e *editor) faults(pg *Page, m *head.Meta) {
	if m.Mistake > 0 {
		pg.finding("mistaken-tag", policy.Warning, m.Line, "crawlers do not read this tag as <meta name=%q>, which it was meant to be (%s): it counts as meant", m.Name, m.Mistake)
	}
	if m.Cut {
		pg.finding("long-content", policy.Error, m.Line, "<meta name=%q> has more than 64 KB of content: what follows was not read", m.Name)
	}
	if m.Body {
		pg.finding("meta-in-body", policy.Warning, m.Line, "a robots tag stands in the body: some crawlers obey it, so it counts, and the head gets it")
	}
}

// recognise tells whether the tags of a page are what an earlier run of ours wrote (M7).
func (e *editor) recognise(pg *Page) {
	project := e.plan.project
	if pg.Unknown {
		// Nobody is left who would say it again: what we wrote to a page of an earlier build holds as long as the page.
		return
	}
	if pg.found, pg.ours = project.state.original(pg.Name, pg.tags); pg.ours || project.state.found {
		pg.drifted = !pg.ours && project.state.edited(pg.Name, pg.tags)
		return
	}
	exact := true
	for _, m := range e.facts.Robots {
		exact = exact && m.Ours
	}
	if project.options.AssumeOurs && exact && len(pg.tags) > 0 {
		pg.ours = true
	}
	if pg.Role == policy.RolePage && !e.facts.Fragment && e.facts.Encoding == "" {
		e.plan.suspectTags(pg, exact)
	}
}

// statements turns found tags into the layer found: those of one name are one source (D3).
func (e *editor) statements(pg *Page) {
	if len(pg.found) == 0 {
		return
	}
	for _, tag := range pg.found {
		if tag.Name == site.PageMetaName {
			continue // none for crawlers: see learn
		}
		if !tag.HasContent && tag.Content != "" {
			pg.finding("value-for-content", policy.Warning, tag.Line, "<meta name=%q value=%q> states nothing: the attribute is called content", tag.Name, tag.Content)
			continue
		}
		if !tag.HasContent {
			pg.finding("no-content", policy.Warning, tag.Line, "<meta name=%q> has no content: it states nothing", tag.Name)
			continue
		}
		r, problems := policy.Parse(tag.Content, policy.Found)
		for _, problem := range problems {
			pg.finding(problem.ID, problem.Severity, tag.Line, "<meta name=%q>: %s", tag.Name, problem.Message)
		}
		if tag.Name != "robots" {
			r.Crawler = tag.Name
		}
		if r.Directives.IsZero() && !r.Embed {
			continue
		}
		pg.Subject.Found = append(pg.Subject.Found, r.Statement(policy.Origin{Layer: policy.LayerFound, Line: tag.Line, Key: "meta " + tag.Name}))
	}
	for range policy.OneSource(pg.Subject.Found) {
		pg.finding("indexifembedded", policy.Warning, pg.found[0].Line, "indexifembedded states nothing without noindex")
	}
}

// inert reports metas whose name says nothing to anyone in a page (A4).
func (e *editor) inert(pg *Page) {
	for _, m := range e.facts.Inert {
		reason := "is told by X-Robots-Tag alone"
		if r := policy.Inert(m.Name); r != "" {
			reason = r
		}
		pg.finding("inert-crawler", policy.Warning, m.Line, "<meta name=%q> does nothing: %s %s", m.Name, m.Name, reason)
	}
}

// holds reports whether the head holds exactly the wanted metas, once each, with the wanted directives in any order,
// case and spacing, and none stands in the body (M4).
func (e *editor) holds(want []policy.Tag) bool {
	metas := e.facts.Robots
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

// originals are the tags that stood in a page before our first write.
func originals(found []FoundTag) []policy.Tag {
	var tags []policy.Tag
	for _, t := range found {
		if t.HasContent {
			tags = append(tags, t.Tag)
		}
	}
	return tags
}

func printTags(tags []policy.Tag) string {
	var b bytes.Buffer
	for i, t := range tags {
		if i > 0 {
			b.WriteString(" and ")
		}
		fmt.Fprintf(&b, "%s: %s", t.Name, t.Content)
	}
	return b.String()
}

// finding reports something about the file itself.
func (pg *Page) finding(id string, severity policy.Severity, line int, format string, args ...any) {
	pg.findings = append(pg.findings, policy.Finding{ID: id, Severity: severity, URL: pg.URL, File: pg.Name, Line: line,
		Message: fmt.Sprintf(format, args...)})
}
