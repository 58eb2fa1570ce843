// Package robotsmeta reads the robots tags of a page: which of them count, what they state, and
// what is wrong with them.
//
// Words of this package: a meta is <meta name="robots" content="noindex">, and its name may be that
// of a crawler. A Reading is what the metas of one page come to: Metas are those that count, in the
// order of the page, Statements what they state, Findings and Faults what is wrong. An inert name
// is one that no crawler reads in a page. Page metadata is a meta in which a template says what it
// knows of the page.
//
// Of a [head.Meta], HasContent says that it has an attribute content, and Cut that its content was
// longer than what is read; Body, that it is in the body; Mistake, how its form differs from what
// crawlers read ("" if it does not). Facts.Unread counts the metas behind the limit of a scan.
package robotsmeta

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/head"
	"metarobots/internal/site"
	"metarobots/policy"
)

// Names are the names of metas that crawlers read, that of page metadata, and the names that say
// nothing in a page (A4).
func Names(crawlers policy.Crawlers) map[string]head.Kind {
	names := map[string]head.Kind{"robots": head.Robots, site.PageMetaName: head.Robots}
	for _, name := range slices.Concat(crawlers.Names(), policy.InertNames()) {
		names[name] = head.Robots
		if c := policy.LookupCrawler(name); c != nil && (c.Tags == "header" || c.Tags == "none") {
			names[name] = head.Inert
		}
	}
	return names
}

// Kind returns what the name of a meta is, by [Names]. A name that somebody may take for a
// crawler's is inert: of a search engine, of a crawler that reads no tag of its name, or with the
// ending of one.
func Kind(crawlers policy.Crawlers) func(name []byte) head.Kind {
	names := Names(crawlers)
	for _, c := range policy.AllCrawlers() {
		// Google's is a name of another meaning (A1).
		for _, name := range []string{c.Name, c.Engine} {
			if _, known := names[name]; !known && name != "" && name != "google" {
				names[name] = head.Inert
			}
		}
	}
	return func(name []byte) head.Kind {
		kind, known := names[string(name)] // no copy is made to look it up
		if !known && looksLikeCrawler(name) {
			return head.Inert
		}
		return kind
	}
}

// looksLikeCrawler reports whether a name has the ending of one. "robot" is a slip for robots.
func looksLikeCrawler(name []byte) bool {
	return (bytes.HasSuffix(name, []byte("bot")) || bytes.HasSuffix(name, []byte("spider"))) &&
		string(name) != "robot" && policy.IsToken(string(name))
}

// Tags are robots metas as tags.
func Tags(metas []head.Meta) []policy.Tag {
	tags := make([]policy.Tag, len(metas))
	for i, m := range metas {
		tags[i] = policy.Tag{Name: m.Name, Content: m.Content}
	}
	return tags
}

// Stating are the tags that say anything.
func Stating(metas []head.Meta) []policy.Tag {
	return Tags(slices.DeleteFunc(slices.Clone(metas),
		func(m head.Meta) bool { return !m.HasContent }))
}

// Counting are the metas of a page that count: those for crawlers, and page metadata in its place.
func Counting(metas []head.Meta) []head.Meta {
	return slices.DeleteFunc(slices.Clone(metas), func(m head.Meta) bool { return !counts(&m) })
}

// counts reports whether a tag counts. One for crawlers does. Page metadata does only in the head,
// where a template alone can have written it, and in the right form.
func counts(m *head.Meta) bool {
	return m.Name != site.PageMetaName || !m.Body && m.Mistake == ""
}

// replaced is what findings say of a tag if nothing that is found counts.
const replaced = "robots.found = \"replace\" counts nothing of it"

// many is how many tags or findings of one kind a page may have before those that repeat others are
// left out: no template prints as many.
const many = 100

// distinct are tags without those that repeat another, if there are many.
func distinct(metas []head.Meta) []head.Meta {
	if len(metas) <= many {
		return metas
	}
	seen := map[head.Meta]bool{}
	metas = slices.DeleteFunc(metas, func(m head.Meta) bool {
		m.Start, m.End, m.Line = 0, 0, 0
		again := seen[m]
		seen[m] = true
		return again
	})
	return slices.Clip(slices.Clone(metas))
}

// A Reading is what the tags of a page come to.
type Reading struct {
	// Metas are those that count, Statements what they state.
	Metas      []head.Meta
	Statements []policy.Statement
	// Findings and Faults are without a URL and a file. Faults are in the contents of tags, which
	// one template may print into many pages.
	Findings, Faults []policy.Finding

	reader   *Reader
	contents []content      // of Metas
	reported map[string]int // by the findings' kinds
}

// A Reader reads the tags of pages, one page after another. The pages of a site have few different
// tags, so it keeps what it has read of each. It is not for several goroutines at once.
type Reader struct {
	// As says for whom tags are read: as [policy.Found] they count as their author meant them, as
	// [policy.Audited] as crawlers read them, so that a tag which crawlers do not read
	// ([head.Meta].Mistake) states nothing.
	As policy.Text
	// Crawlers are those of the policy.
	Crawlers policy.Crawlers
	// IsReplaced: nothing that is found counts (robots.found = "replace"), so no finding says that
	// something does.
	IsReplaced bool

	known map[policy.Tag]content
}

// mostKnown is how many tags a [Reader] keeps.
const mostKnown = 1000

// A content is what the content of a tag says: see [policy.ParseMeta] and [wordsOf]. It belongs to
// the [Reader].
type content struct {
	statements []policy.Statement
	problems   []policy.Finding
	words      []string
}

// content reads the content of a tag, or returns what was read of another one like it. A tag
// without one says nothing.
func (r *Reader) content(m *head.Meta) content {
	tag := policy.Tag{Name: m.Name, Content: m.Content}
	c, isKnown := r.known[tag]
	if isKnown || !m.HasContent {
		return c
	}
	c.statements, c.problems = policy.ParseMeta(m.Name, m.Content, r.As, r.Crawlers)
	c.words = wordsOf(m.Content)
	if r.known == nil {
		r.known = map[policy.Tag]content{}
	}
	if len(r.known) < mostKnown {
		r.known[tag] = c
	}
	return c
}

// Read reads the robots tags of a page, which a scan of it has found: what they state, and what is
// wrong with them. file is the page's name for the origins of statements; findings are without one.
// No fault is an error: each is in Findings, or in Faults if it is in the content of a tag.
func (r *Reader) Read(file string, facts *head.Facts) *Reading {
	p := &Reading{Metas: r.counting(facts.Robots), reader: r}
	p.contents = make([]content, len(p.Metas))
	for i := range p.Metas {
		p.contents[i] = r.content(&p.Metas[i])
	}
	p.reportTags(facts)
	p.reportOpposed()
	for i := range p.Metas {
		p.addContent(&p.Metas[i], p.contents[i], file)
	}
	// The tags of one page are one source (D3), in which indexifembedded needs a noindex beside it.
	// ApplyIndexIfEmbedded makes that noindex embeddable in p.Statements, and returns where there
	// is none.
	crawlersWithoutNoindex := policy.ApplyIndexIfEmbedded(p.Statements)
	for range crawlersWithoutNoindex {
		p.report("indexifembedded", policy.Warning, lineOf(p.Metas, "indexifembedded"),
			"indexifembedded has no effect without noindex")
	}
	return p
}

// counting are the metas of a page that count for a reader: see [Counting]. If tags are read as
// crawlers read them, one whose form is mistaken does not.
func (r *Reader) counting(metas []head.Meta) []head.Meta {
	metas = distinct(Counting(metas))
	if r.As == policy.Audited {
		metas = slices.DeleteFunc(metas, func(m head.Meta) bool { return m.Mistake != "" })
	}
	return metas
}

// reportTags reports what is wrong with the name or the form of any tag of a page, also of those
// that do not count, and that tags are left which were not read.
func (p *Reading) reportTags(facts *head.Facts) {
	if facts.Unread > 0 {
		p.report("long-content", policy.Error, facts.UnreadAt,
			"the page has more than 128 KB of robots tags: what is read ends before this one, and "+
				"all behind that stay (%d in all)", facts.Unread)
	}
	for i := range facts.Inert {
		p.reportInert(&facts.Inert[i])
	}
	for i := range facts.Robots {
		p.reportForm(&facts.Robots[i])
	}
}

// lineOf is the line of the first tag whose content has a word; that of the first tag if none has.
func lineOf(metas []head.Meta, word string) int {
	hasWord := func(m head.Meta) bool { return strings.Contains(strings.ToLower(m.Content), word) }
	return metas[max(0, slices.IndexFunc(metas, hasWord))].Line
}

// report adds a finding, and returns it for what is still to be added; of a kind with many, the
// further ones are lost.
func (p *Reading) report(id string, s policy.Severity, line int, format string,
	args ...any) *policy.Finding {
	if p.reported == nil {
		p.reported = map[string]int{}
	}
	if p.reported[id]++; p.reported[id] > many {
		return new(policy.Finding)
	}
	p.Findings = append(p.Findings, policy.Finding{ID: id, Severity: s, Line: line,
		Message: fmt.Sprintf(format, args...)})
	return &p.Findings[len(p.Findings)-1]
}

// reportInert reports a tag whose name says nothing to anyone in a page (A4). One whose name no
// crawler is known to read is reported where it restricts something.
func (p *Reading) reportInert(m *head.Meta) {
	c := policy.LookupCrawler(m.Name)
	if c != nil && c.Tags != "" {
		p.report("inert-crawler", policy.Warning, m.Line, "<meta name=%q> does nothing: %s %s",
			m.Name, m.Name,
			cmp.Or(policy.Inert(m.Name), "reads X-Robots-Tag alone"))
		return
	}
	stated, _ := policy.Parse(m.Content, policy.Audited)
	if !stated.Directives.Restricts() {
		return // a verification code, or something else
	}
	instead := ""
	if names := policy.Meant(m.Name); len(names) > 0 {
		instead = `; its engine reads <meta name="` + strings.Join(names, `"> and <meta name="`) +
			`">`
	}
	f := p.report("inert-crawler", policy.Warning, m.Line,
		"<meta name=%q> says %s and does nothing: no crawler is known to read a tag of that name",
		m.Name, stated.States())
	f.Detail = instead
}

// reportForm reports what is wrong with the form of a tag of facts.Robots: at most one finding if
// it does not count, or each fault of one that counts all the same.
func (p *Reading) reportForm(m *head.Meta) {
	if !counts(m) {
		p.reportIdleMetadata(m)
		return
	}
	if m.Mistake != "" { // crawlers do not read it: `<meta name="robots" value="noindex">`
		p.reportMistake(m)
	}
	if m.Cut {
		p.report("long-content", policy.Error, m.Line,
			"<meta name=%q> has more than 64 KB of content: what follows was not read", m.Name)
	}
	if m.Body {
		effect, becomes := ", so it counts", ", and the head gets it"
		if p.reader.IsReplaced {
			effect, becomes = "", "; "+replaced
		}
		f := p.report("meta-in-body", policy.Warning, m.Line,
			"a robots tag is in the body: some crawlers obey it%s", effect)
		f.Fix = becomes
	}
}

// reportIdleMetadata reports a meta of page metadata that does not count: it is in the body, or its
// form is mistaken.
func (p *Reading) reportIdleMetadata(m *head.Meta) {
	if m.Body {
		f := p.report("page-metadata-in-body", policy.Warning, m.Line,
			"<meta name=%q> is in the body, which is the page's content, so it has no effect",
			m.Name)
		f.Fix = "; the template must print it in the head"
		return
	}
	p.report("mistaken-tag", policy.Warning, m.Line, "this tag is not read as <meta name=%q>, "+
		"which was probably meant (%s), so it has no effect", m.Name, m.Mistake)
}

// reportMistake reports a tag whose form crawlers do not read, and says whether it counts here: see
// [Read].
func (p *Reading) reportMistake(m *head.Meta) {
	id, effect := "mistaken-tag", "it counts as meant"
	if m.Mistake == head.InValue { // it has value="…" in place of content="…"
		id = "value-for-content"
	}
	switch {
	case p.reader.IsReplaced:
		effect = replaced
	case p.reader.As == policy.Audited:
		effect = "it counts for nothing until metarobots apply writes what was meant"
	}
	p.report(id, policy.Warning, m.Line, "crawlers do not read this tag as <meta name=%q>, which "+
		"it was meant to be (%s): %s", m.Name, m.Mistake, effect)
}

// addContent adds what a tag that counts states to Statements, and what is wrong in its content to
// Faults. Page metadata (site.PageMetaName) adds nothing here: it has a reader of its own. A tag
// without content is a finding.
func (p *Reading) addContent(m *head.Meta, c content, file string) {
	if m.Name == site.PageMetaName {
		return
	}
	if !m.HasContent {
		p.report("no-content", policy.Warning, m.Line,
			"<meta name=%q> has no content, and so no effect", m.Name)
		return
	}
	for _, f := range c.problems {
		isCounted := f.ID == "separator" || f.ID == "prefix" || f.ID == "mistaken-tag"
		if isCounted && p.reader.IsReplaced { // the message says how
			f.Message = fmt.Sprintf("%q is not written as crawlers read it", m.Content)
			f.Detail = "; " + replaced
		}
		f.Line, f.Message = m.Line, fmt.Sprintf("<meta name=%q>: %s", m.Name, f.Message)
		p.Faults = append(p.Faults, f)
	}
	for _, s := range c.statements {
		if !s.Directives.IsZero() || s.Embed {
			s.Origin = policy.Origin{Layer: policy.LayerFound, File: file, Line: m.Line,
				Key: "meta " + m.Name}
			p.Statements = append(p.Statements, s)
		}
	}
}

// reportOpposed reports robots tags of a page that contradict each other, or themselves: one name
// says both index and noindex, follow and nofollow, or archive and noarchive. Only the first
// contradiction of a page is reported, at the later of the two lines. Words are read more widely
// than policy reads directives (wordsOf), since an author may separate them by anything.
//
//	robots: index          line 3
//	robots: noindex        line 8    reported here: its robots tags say both index and noindex
//	googlebot: noindex     line 9    not: another name
func (p *Reading) reportOpposed() {
	words := p.wordsOnBothSides()
	if len(words) == 0 { // nearly every page
		return
	}
	type wordOfName struct{ name, word string }
	lines := map[wordOfName]int{} // the last line at which a meta of that name says the word
	for i, m := range p.Metas {
		for _, word := range p.contents[i].words {
			lines[wordOfName{m.Name, word}] = m.Line
		}
	}
	for _, m := range p.Metas {
		for _, word := range words {
			allowed, isAllowed := lines[wordOfName{m.Name, word}]
			denied, isDenied := lines[wordOfName{m.Name, "no" + word}]
			if isAllowed && isDenied {
				p.report("tags-at-odds", policy.Warning, max(allowed, denied),
					"its %s tags say both %s and no%s", m.Name, word, word).Fix =
					". Google and metarobots use the stricter one; other crawlers may not"
				return
			}
		}
	}
}

// wordsOnBothSides are those of index, follow and archive that tags of the page say, and whose
// opposite, noindex and so on, tags of it say too, under whatever names.
func (p *Reading) wordsOnBothSides() []string {
	says := func(word string) bool {
		return slices.ContainsFunc(p.contents,
			func(c content) bool { return slices.Contains(c.words, word) })
	}
	isOneSided := func(word string) bool { return !says(word) || !says("no"+word) }
	return slices.DeleteFunc([]string{"index", "follow", "archive"}, isOneSided)
}

// wordsOf are the words of a meta's content, in lower case, with the two that each of "all" and
// "none" means.
func wordsOf(content string) (words []string) {
	separates := func(r rune) bool { return strings.ContainsRune(", ;/|\t\r\n", r) }
	for word := range strings.FieldsFuncSeq(strings.ToLower(content), separates) {
		switch word {
		case "all":
			words = append(words, "index", "follow")
		case "none":
			words = append(words, "noindex", "nofollow")
		default:
			words = append(words, word)
		}
	}
	return words
}
