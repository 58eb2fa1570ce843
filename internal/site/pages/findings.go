package pages

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"metarobots/frontmatter"
	"metarobots/internal/source"
	"metarobots/policy"
)

// Findings returns what the content files and their configuration give reason to report, for the
// caller of [site.Map]: first what was found on the way, sorted; then what
// [pageMap.contentFindings] returns. It is called once, after the last [pageMap.ReadPage], since
// that may still find the page of a content file.
func (m *pageMap) Findings() []policy.Finding {
	// What the reader has found is a set, in no order.
	findings := slices.AppendSeq(m.computedFinding(), maps.Keys(m.reader.findings))
	sort.SliceStable(findings, func(i, j int) bool {
		a, b := &findings[i], &findings[j]
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.Text(), b.Text()),
			strings.Compare(a.URL, b.URL)) < 0
	})
	return append(findings, m.contentFindings()...)
}

// contentFindings are about content files that have no page, or none that takes what they state:
// one finding for each file whose statements reach no page, in the order of their paths; one for
// all drafts without a page; and a note that counts the files without a page that need none.
func (m *pageMap) contentFindings() (findings []policy.Finding) {
	var silent, unpublished []string // files, as messages name them
	var drafts []*content
	for _, c := range m.content {
		short := m.reader.site.short(c.file)
		pages := m.pagesOfItsOwn(c)
		switch m.fateOf(c, pages) {
		case counts: // nothing to report
		case saysNothing:
			silent = append(silent, short)
		case countsNowhere:
			findings = append(findings, m.noPage(c, policy.Warning,
				"it is published as "+strings.Join(pages, ", ")+", where that does not count", noDetail))
		case keptUnpublished:
			unpublished = append(unpublished, short)
		case callsItselfDraft:
			drafts = append(drafts, c)
		case lost: // what it restricts may be public under another name
			findings = append(findings, m.noPage(c, policy.Error, c.sought(), noDetail))
		}
	}
	if len(drafts) > 0 {
		findings = append(findings, m.draftsWithoutPage(drafts))
	}
	if len(unpublished)+len(silent) > 0 {
		findings = append(findings, unpublishedFiles(unpublished, silent))
	}
	return findings
}

// A fate is what became of the statements of a content file.
type fate int

const (
	// counts: they count for a page; or there are none, and the file has a page or can have none.
	counts        fate = iota
	saysNothing        // there are none, and it has no page
	countsNowhere      // it has pages, and none of them takes all of its statements
	// keptUnpublished: it has no page, since its generator does not publish it.
	keptUnpublished
	// callsItselfDraft: it has no page, and says that it is a draft, by a key that its generator
	// may not know.
	callsItselfDraft
	// lost: it should have a page, and none was found: that may be public under another name.
	lost
)

// fateOf tells the fate of a content file's statements; pages are the published files that it has
// made, without those that name another content file as their own.
func (m *pageMap) fateOf(c *content, pages []string) fate {
	isCarried := slices.ContainsFunc(pages, func(name string) bool { return m.carries(name, c) })
	hasNoStatements := len(c.statements) == 0
	switch {
	case c.made.explicit || isCarried:
		return counts // c.made.explicit: the page that names it takes its statements
	case hasNoStatements && (len(c.made.names) > 0 || !c.folder.makesPages()):
		return counts
	case hasNoStatements:
		return saysNothing
	case len(pages) > 0:
		return countsNowhere
	case c.unpublished:
		return keptUnpublished
	case c.isDraft("draft", "published", "status"):
		return callsItselfDraft
	}
	return lost
}

// pagesOfItsOwn are the published files that a rule gave to a content file, without those whose
// metadata names another content file as their source.
func (m *pageMap) pagesOfItsOwn(c *content) []string {
	isOther := func(other *content) bool { return other != c }
	return slices.DeleteFunc(slices.Clone(c.made.names), func(name string) bool {
		return slices.ContainsFunc(m.explicit[name], isOther)
	})
}

// draftsWithoutPage is one finding of drafts that state something and have no page: at the first,
// naming the others.
func (m *pageMap) draftsWithoutPage(drafts []*content) policy.Finding {
	detail := "; it says that it is a draft, which its generator may not know"
	var others []string
	for _, c := range drafts[1:] {
		others = append(others, m.reader.site.short(c.file))
	}
	if len(others) > 0 {
		detail += fmt.Sprintf("; so do %d more: %s", len(others), listed(others, ", "))
	}
	return m.noPage(drafts[0], policy.Warning, drafts[0].sought(), detail)
}

// unpublishedFiles is one note of the content files that need no page: unpublished ones state
// something, and their generator leaves them out; silent ones state nothing.
func unpublishedFiles(unpublished, silent []string) policy.Finding {
	all := append(unpublished, silent...)
	f := policy.Finding{ID: "no-page", Severity: policy.Note, File: all[0],
		Message: fmt.Sprintf("content files without a published page: %d", len(all)),
		Detail:  ". They may be drafts, or due later"}
	if len(unpublished) > 0 {
		f = f.Explain(". These have robots keys, but their front matter or the configuration "+
			"keeps them unpublished: %s", listed(unpublished, ", "))
	}
	return f
}

// sought says, for a message, where the page of a content file was looked for.
func (c *content) sought() string {
	looked := "nothing says where it would be"
	if len(c.places) > 0 {
		first := strings.Join(c.places[:min(4, len(c.places))], ", ")
		looked = "looked for " + strings.ReplaceAll(first, aNumber, "*")
	}
	return "no published page was found for it (" + looked + ")"
}

// noDetail: nothing else is known of a content file.
const noDetail = ""

// noPage is a finding of a content file whose statements reach no page, at the first of them. why
// says what it lacks, and detail what else is known of it.
func (m *pageMap) noPage(c *content, severity policy.Severity, why, detail string) policy.Finding {
	at, who := c.statements[0].Origin, m.reader.site.short(c.file)
	if who == at.File {
		who = "this file"
	}
	first := "build the site if it is out of date"
	more := fmt.Sprintf("; if the page has another URL, set [site.content] permalinks = "+
		"{ %q = \"/where/\" }, or name the file in its template or in metarobots.json; if it is not "+
		"published, set exclude = [ %q ] there", c.file, "/"+c.file)
	if !c.folder.makesPages() {
		why = "it makes no page, and its generator's way to those that it is for is not followed"
		detail = noDetail
		first = fmt.Sprintf("write it in their front matter or in a rule, and set [site.content] "+
			"exclude = [ %q ]", "/"+c.file)
		more = ""
	}
	f := policy.Finding{ID: "no-page", Severity: severity, File: at.File, Line: at.Line,
		Detail:  detail,
		Message: fmt.Sprintf("%s says %s, but %s", who, c.statements[0].States(), why)}
	if detail != "" {
		return f.Advise(": %s%s", first, more)
	}
	f.Message += ": " + first
	return f.Advise("%s", more)
}

// listed names the first twenty of several files.
func listed(all []string, between string) string {
	first := all[:min(20, len(all))]
	return strings.Join(first, between) + andMore(len(all)-len(first))
}

// carries reports whether all that a content file states counts for a published file (L5).
func (m *pageMap) carries(name string, c *content) bool {
	f := m.File(name)
	return !slices.ContainsFunc(c.statements, func(s policy.Statement) bool {
		return (f.HTML || s.Origin.File == m.reader.site.short(c.file)) && !slices.Contains(f.Page, s)
	})
}

// computedKeys are keys that matter and whose values are computed, by the file that sets them.
type computedKeys map[string][]string

// add notes a key that a file sets, once.
func (c computedKeys) add(file, key string) {
	if !slices.Contains(c[file], key) {
		c[file] = append(c[file], key)
	}
}

// readScript reads a program that gives data about pages: front matter in JavaScript, or a data
// file of Eleventy's. If it is nothing but an object of literal values, those are returned.
// Otherwise the section has no params, and what may matter in the program is noted.
func (r *reader) readScript(file, program string) section {
	values, index, ok := source.Lex(program).Object()
	if !ok {
		r.noteComputed(file, program, programOfData)
		return section{file: file}
	}
	r.dropComputed(file, values, nil) // from the top
	return section{file: file, params: values, index: index}
}

// A programKind is what a program of the site is for.
type programKind int

const (
	programOfPage programKind = iota // it renders a page; its other exports are data about that
	programOfData                    // all that it exports is data about pages
)

// noteComputed notes in r.computed what in a program may state something for crawlers, for a
// finding at the end of the run: a program is never run, so what it gives is not known. file is the
// program, for the finding. Noted are keys that [reader.mayMatter] knows, such as robots, and what
// may hold such a key:
//
//	robots: value, x.robots = value, x["robots"]   the key robots
//	const robots = …, { robots }                   the same, by a word that no point precedes
//	{ ...shared }                                  "...shared", whose keys are unknown
//	module.exports = require("./data.js")          "what it exports": data without the name of a key
func (r *reader) noteComputed(file, program string, kind programKind) {
	tokens := source.Lex(program)
	for i, token := range tokens {
		isBareWord := token.Kind == source.Word && !tokens.Is(i-1, ".")
		// Into an object: { or , is before the points.
		isSpread := tokens.Spread(i) && tokens.Is(i-4, "{,")
		switch {
		case (isKey(tokens, i) || isBareWord) && r.mayMatter(token.Text):
			r.computed.add(file, token.Text)
		case isSpread:
			r.computed.add(file, "..."+token.Text)
		}
	}
	if givesUnnamedData(tokens, kind) {
		r.computed.add(file, "what it exports")
	}
}

// isKey reports whether token i of a program names a value: robots: 1, robots = 1, x["robots"].
func isKey(tokens source.Tokens, i int) bool {
	isInBrackets := tokens[i].Kind == source.Text && tokens.Is(i+1, "]")
	return tokens.Assigned(i) != nil || isInBrackets
}

// givesUnnamedData reports whether a program gives data about pages, or loads some, and has no key
// with a name: then it may set any key.
func givesUnnamedData(tokens source.Tokens, kind programKind) bool {
	givesData := kind == programOfData
	for i, token := range tokens {
		if isKey(tokens, i) && token.Text != "exports" { // module.exports = … names no key of the data
			return false
		}
		loadsData := token.Text == "require" || token.Text == "extends"
		givesData = givesData || token.Kind == source.Word && loadsData
	}
	return givesData && len(tokens) > 0
}

// dropComputed deletes computed values from the values of a program, at any depth, and notes in
// r.computed those whose keys matter. above are the keys that the values have above them; nil at
// the top.
func (r *reader) dropComputed(file string, values map[string]any, above []string) {
	for key, value := range values {
		path := append(above[:len(above):len(above)], key)
		list, _ := value.([]any)
		if below, ok := value.(map[string]any); ok {
			r.dropComputed(file, below, path)
		} else if value == source.Computed || slices.Contains(list, any(source.Computed)) {
			if delete(values, key); r.matters(path...) {
				r.computed.add(file, strings.Join(path, "."))
			}
		}
	}
}

// placingKeys say where a page is published, or whether it is. A computed title or date matters
// where no page is found.
var placingKeys = []string{"permalink", "draft", "published", "slug", "pagination"}

// matters reports whether a key whose value is not known may state something, or say where the page
// is.
func (r *reader) matters(path ...string) bool {
	isTable := func(key string) bool {
		return key == "eleventyComputed" || frontmatter.IsTable(strings.ToLower(key))
	}
	for len(path) > 0 && isTable(path[0]) {
		path = path[1:]
	}
	if len(path) == 0 || strings.HasPrefix(path[0], "...") {
		return true
	}
	isBelowPlacing := len(path) > 1 && slices.Contains(placingKeys, strings.ToLower(path[0]))
	return r.mayMatter(path[0]) && !isBelowPlacing
}

// mayMatter reports whether a key may state something for crawlers, or where the page is.
func (r *reader) mayMatter(key string) bool {
	return slices.Contains(placingKeys, strings.ToLower(key)) ||
		frontmatter.Mentions(map[string]any{key: map[string]any{}}, r.options)
}

// fileLoader is Astro's loader of entries from one file of data, which rarely state something.
const fileLoader = "file()"

// computedFinding returns a list of one finding: about all computed values that matter, with the
// files that set them; nil if there are none. It is a warning if one of them may restrict a page or
// place it, and else a note.
func (m *pageMap) computedFinding() []policy.Finding {
	all, mayRestrict := m.computedValues()
	if len(all) == 0 {
		return nil
	}
	files := slices.Sorted(maps.Keys(all))
	var keysOfFiles []string
	for _, file := range files {
		keys := slices.Sorted(slices.Values(all[file]))
		keysOfFiles = append(keysOfFiles, strings.Join(keys, ", ")+" in "+m.reader.site.short(file))
	}
	f := policy.Finding{ID: "config-computed", Severity: policy.Note,
		File: m.reader.site.short(files[0]),
		Message: listed(keysOfFiles, "; ") + ": set by code, which metarobots does not " +
			"run, so the generator's default counts",
		Fix: ". To restrict a page, use its template, or a line of metarobots.json: " +
			"{\"url\": \"/where/\", \"robots\": \"…\"}. To name the folders of content and its URLs, " +
			"use [site.content] folders = [ \"…\" ] and permalinks = { \"folder\" = " +
			"\"/where/:slug/\" }; to name the publish folder, [site] destination"}
	if mayRestrict {
		f.Severity = policy.Warning
	}
	return []policy.Finding{f}
}

// computedValues are the keys whose values programs compute, of two kinds, and whether one of them
// may restrict a page or place it:
//
//	of content and of its data   all of them, and each may
//	of configurations            the site's address, the folders and routes of its content: those
//	                             that our policy does not answer; those that nothing answers may
func (m *pageMap) computedValues() (all computedKeys, mayRestrict bool) {
	all = maps.Clone(m.reader.computed)
	mayRestrict = len(all) > 0
	for file, keys := range m.computedInConfig() {
		for _, key := range keys {
			answer := m.answerFor(key)
			if answer != answeredByPolicy { // else it does not matter what the program says
				all.add(file, key)
			}
			mayRestrict = mayRestrict || answer == unanswered
		}
	}
	return all, mayRestrict
}

// computedInConfig are the computed values of configurations; nil if every page has its content
// file, since no content then lies in a folder that only such a value names.
func (m *pageMap) computedInConfig() computedKeys {
	computed := m.reader.site.computed
	if len(computed) == 0 {
		return nil
	}
	// A file of Astro's src/pages is a route, which may render content of a folder that nobody
	// reads.
	isNoRoute := func(c *content) bool { return c.ext() != ".astro" }
	hasNoContent := func(name string) bool {
		return !slices.ContainsFunc(m.behind[name], isNoRoute)
	}
	if len(m.pages(hasNoContent)) == 0 {
		return nil
	}
	return computed
}

// An answer is what makes up for a computed value of a configuration.
type answer int

const (
	unanswered       answer = iota
	answeredByPolicy        // our policy states the value
	answeredByPages         // a manifest names pages, or the value can hardly restrict one
)

// answerFor returns the answer for a key of a configuration.
func (m *pageMap) answerFor(key string) answer {
	s := m.reader.site
	isAddress := slices.Contains([]string{s.generator.Address.URL, s.generator.Address.Path, "hostname"}, key)
	hasManifest := s.content.Manifest != "" || exists(s.options.Source, manifestName)
	switch {
	case isAddress && s.options.BaseURL != "",
		key == s.generator.Publish.Key && s.options.Destination != "":
		return answeredByPolicy
	case isAddress || key == fileLoader || hasManifest:
		return answeredByPages
	}
	return unanswered
}

// pages are the published pages for which holds is true, without later pages of lists and without
// error pages.
func (m *pageMap) pages(holds func(name string) bool) []string {
	return slices.DeleteFunc(slices.Clone(m.published.html), func(name string) bool {
		if !holds(name) {
			return true
		}
		f := m.File(name)
		return f.Role != policy.RolePage || f.Pager > 1
	})
}
