package pages

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"metarobots/frontmatter"
	"metarobots/internal/site"
	"metarobots/policy"
)

// pageMap tells what stands behind the published files.
type pageMap struct {
	generator string
	// root is the site's folder, absolute; bases are those below it from which templates name content files.
	root      string
	publish   string // the folder of the pages, absolute
	bases     []string
	published *published
	numbered  bool
	lists     func(name string) (is, known bool) // see layout.lists; nil for none
	options   frontmatter.Options
	short     func(string) string
	content   []*content
	// behind are the content files of a published file; sources all of them by their path from the site's folder.
	behind  map[string][]*content
	sources map[string]*content
	// languages are the folders of the publish root that are named by a language.
	languages []string
	// sidecar is the page metadata that stands in files, by the published file.
	sidecar  map[string][]site.PageMeta
	findings []policy.Finding

	mu sync.Mutex
	// runs are the last numbers of files that are numbered from 2 on without a gap, by what stands around the number.
	runs map[[2]string]int
	// told are content files that a page names as its own, with the pages; it goes before what a rule found.
	told    map[*content][]string
	learned map[policy.Finding]bool
}

// place finds what stands behind the published files; fallback: see [layout].
func (m *pageMap) place(fallback bool) {
	m.languageFolders()
	m.claim()
	if fallback {
		m.untranslated()
	}
}

// claim finds the page of each content file. First come the names that are known to the letter; what is left over is
// taken by those of which a part is not known.
func (m *pageMap) claim() {
	for _, c := range m.content {
		for _, place := range c.places {
			if !strings.Contains(place, "*") && m.published.has(place) {
				m.take(c, place)
				break
			}
		}
	}
	m.beside(true)
	m.guess()
	m.beside(false)
	for _, name := range m.published.html {
		m.twins(name)
	}
}

// A guess is a place of a content file of which a part is not known.
type guess struct {
	*content
	place string
}

// guess gives what is left over to the files whose places tell most of it. Where several lists tell the same of a page it
// may be any one's, so that what each of them states counts.
func (m *pageMap) guess() {
	var all []guess
	for _, c := range m.content {
		for _, place := range c.places {
			if strings.Contains(place, "*") && telling.MatchString(strings.TrimSuffix(strings.TrimSuffix(place, ".html"), "index")) {
				all = append(all, guess{c, place})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b guess) int { return tells(a.place, b.place) })
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(g guess) bool { return tells(all[0].place, g.place) != 0 })
		if n < 0 {
			n = len(all)
		}
		alike := all[:n]
		all = all[n:]
		free := func(place string) []string {
			return slices.DeleteFunc(m.published.match(place), func(name string) bool { return len(m.behind[name]) > 0 })
		}
		for _, g := range alike {
			if names := free(g.place); !g.many && len(g.claimed) == 0 && len(names) == 1 {
				m.take(g.content, names[0])
			}
		}
		fits := map[string][]*content{}
		for _, g := range alike {
			for _, name := range free(g.place) {
				if g.many && !slices.Contains(fits[name], g.content) {
					fits[name] = append(fits[name], g.content)
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(fits)) {
			for i, c := range fits[name] {
				if i == 0 || slices.ContainsFunc(fits[name], func(c *content) bool { return len(c.statements) > 0 }) {
					m.take(c, name)
				}
			}
		}
	}
}

// untranslated gives the pages of other languages that no content file was found for to the one that is not translated.
func (m *pageMap) untranslated() {
	for _, c := range m.content {
		for _, name := range c.claimed {
			for _, dir := range m.languages {
				if other := dir + "/" + name; m.published.has(other) && len(m.behind[other]) == 0 {
					m.take(c, other)
				}
			}
		}
	}
}

// telling is a place of which something is known: any page would fit another one.
var telling = regexp.MustCompile(`[\pL\pN]|\*#`)

func (m *pageMap) take(c *content, name string) {
	c.claimed = append(c.claimed, name)
	m.behind[name] = append(m.behind[name], c)
}

// twins reports content files that are all found to be one page, where that matters: what each states counts.
func (m *pageMap) twins(name string) {
	all := m.behind[name]
	if len(all) < 2 || !slices.ContainsFunc(all, func(c *content) bool { return len(c.statements) > 0 }) {
		return
	}
	m.findings = append(m.findings, policy.Finding{ID: "two-pages", Severity: policy.Error, URL: site.URL(name), File: m.short(all[0].file),
		Message: "this page and " + m.short(all[1].file) + " are both published as " + name + ": what both say counts"})
}

// Expected is empty: what stands there is what there is. A content file without a page is a finding where it states
// something.
func (m *pageMap) Expected() []string { return nil }

// Findings are those of the content, after the pages have told what they know of it: files whose page was not found.
func (m *pageMap) Findings() []policy.Finding {
	findings := slices.Concat(m.findings, slices.Collect(maps.Keys(m.learned)), m.doubtful())
	slices.SortFunc(findings, func(a, b policy.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.Message, b.Message), strings.Compare(a.URL, b.URL))
	})
	var silent []*content
	for _, c := range m.content {
		switch {
		case len(c.claimed) > 0 && !m.lost(c) || len(m.told[c]) > 0:
		case len(c.statements) == 0 || c.unpublished:
			silent = append(silent, c)
		default:
			s := c.statements[0]
			looked := "nothing tells where it is published"
			if len(c.places) > 0 {
				looked = "looked for " + strings.ReplaceAll(strings.Join(c.places[:min(4, len(c.places))], ", "), aNumber, "*")
			}
			if c.isDraft(draftKeys...) {
				looked += ", although it says that it is a draft"
			}
			f := policy.Finding{ID: "no-page", Severity: policy.Error, File: s.Origin.File, Line: s.Origin.Line,
				Message: fmt.Sprintf("%s, and no published page was found for it (%s): it may be public under another name; [site.content] permalinks = { %q = \"/where/\" } says which, or its template names it; where it has none, exclude = [ %q ] there", m.says(c), looked, c.file, "/"+c.file)}
			if m.generator == "html" && c.isDraft(draftKeys...) {
				f.Severity = policy.Warning // its generator, whichever it is, may well know the word
			}
			findings = append(findings, f)
		}
	}
	if len(silent) > 0 {
		more := ""
		if n := len(silent) - 1; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		findings = append(findings, policy.Finding{ID: "no-page", Severity: policy.Note, File: m.short(silent[0].file),
			Message: fmt.Sprintf("no published page was found for this content file%s: drafts, what is due later, what states nothing", more)})
	}
	return findings
}

// says begins a message about the first statement of a content file, which stands where the finding does.
func (m *pageMap) says(c *content) string {
	s := &c.statements[0]
	who := m.short(c.file)
	if who == s.Origin.File {
		who = "this file"
	}
	return who + " says " + s.States()
}

// lost reports whether every page that a content file was found to be names another one as its own.
func (m *pageMap) lost(c *content) bool {
	return !slices.ContainsFunc(c.claimed, func(name string) bool {
		for other, names := range m.told {
			if other != c && slices.Contains(names, name) {
				return false
			}
		}
		return true
	})
}

// languageFolders finds the folders of the publish root that hold a language: named by its code, with a home page. What
// the page itself says its language is goes before it ([pageMap.ReadPage]).
func (m *pageMap) languageFolders() {
	for dir := range m.published.below {
		if languageFolder.MatchString(dir) && m.published.has(dir+"/index.html") {
			m.languages = append(m.languages, dir)
		}
	}
	slices.Sort(m.languages)
}

var languageFolder = regexp.MustCompile(`^[a-z]{2}(?:[-_][A-Za-z]{2,4})?$`)

// File tells what stands behind a published file.
func (m *pageMap) File(name string) site.File {
	f := site.File{Name: name}
	f.Path = policy.PathOf(name)
	f.HTML = site.IsHTML(name)
	said := m.sidecar[name]
	behind := m.standing(name, said)
	switch {
	case (len(behind) == 0 || !f.HTML) && site.IsControlFile(name), name == sidecarName:
		f.Role = policy.RoleControl
		return f
	case f.HTML && len(behind) == 0 && site.IsErrorFile(name, nil):
		f.Role = policy.RoleError
	case f.HTML:
		f.Role = policy.RolePage
	case feedFormat(name) != "":
		f.Role = policy.RoleOutput
	default:
		f.Role = policy.RoleStatic
	}
	m.compose(&f, m.folder(name), behind, said)
	return f
}

// standing are the content files behind a published file: those that a rule found, and those that are named outright; where
// they have none in common, what the rule found was wrong.
func (m *pageMap) standing(name string, said []site.PageMeta) []*content {
	found := m.behind[name]
	var named []*content
	for i := range said {
		if c, _ := m.source(said[i].Source); c != nil && !slices.Contains(named, c) {
			named = append(named, c)
		}
	}
	isFound := func(c *content) bool { return slices.Contains(found, c) }
	switch {
	case len(named) == 0:
		return found
	case slices.ContainsFunc(named, isFound):
		return slices.Concat(found, slices.DeleteFunc(named, isFound))
	}
	return named
}

// compose sets what is known of a file: what its name tells, what the content behind it states, and before both what was
// said of it outright.
func (m *pageMap) compose(f *site.File, language string, behind []*content, said []site.PageMeta) {
	if len(behind) > 0 && behind[0].language != "" {
		language = behind[0].language
	}
	f.Page, f.Source = nil, ""
	m.facts(f, language, behind)
	for _, c := range behind {
		m.add(f, c)
	}
	for i := range said {
		m.addMeta(f, &said[i])
	}
}

// add gives a file what a content file behind it states.
func (m *pageMap) add(f *site.File, c *content) {
	if f.Source == "" {
		f.Source = m.short(c.file)
	}
	f.Type = cmp.Or(c.text("type"), c.collection)
	page := slices.Clone(f.Page)
	for _, s := range c.statements {
		// A folder's data is not for its feed (L5), front matter of a file that makes nothing else is.
		own := f.HTML || !m.shown(c) && s.Origin.File == m.short(c.file)
		if own && !slices.Contains(page, s) {
			page = append(page, s)
		}
	}
	f.Page = page
	f.Alone = f.Alone || !f.HTML && len(page) > 0
}

// shown reports whether a content file makes an HTML page.
func (m *pageMap) shown(c *content) bool { return slices.ContainsFunc(c.claimed, site.IsHTML) }

// Formats of feeds by their names: what generators and their plugins call them by default.
var feedName = regexp.MustCompile(`(?:^|[/.])(?:feed|rss|atom|index)\.(?:xml|json|rss|atom)$|\.(atom|rss)(?:\.xml)?$`)

// feedFormat is the output format of a feed; empty for what is none.
func feedFormat(name string) string {
	if !feedName.MatchString(name) || site.IsSitemap(name) {
		return ""
	}
	switch {
	case strings.HasSuffix(name, ".json"):
		if path.Base(name) != "feed.json" {
			return ""
		}
		return "json"
	case strings.Contains(path.Base(name), "atom"):
		return "atom"
	}
	return "rss"
}

// facts sets what a file is by where it stands; language is the folder of its language, or empty, and behind its content.
func (m *pageMap) facts(f *site.File, language string, behind []*content) {
	f.Facts = policy.Facts{Language: language, Format: "html"}
	f.Pager, f.Of, f.Taxonomies = 0, nil, nil
	rest := f.Name
	prefix := ""
	if below, ok := strings.CutPrefix(f.Name, language+"/"); ok && language != "" {
		rest, prefix = below, language+"/"
	}
	f.Section, _, _ = strings.Cut(path.Dir(rest), "/")
	if f.Section == "." {
		f.Section = ""
	}
	switch f.Role {
	case policy.RoleOutput:
		f.Format = feedFormat(f.Name)
		return
	case policy.RoleStatic:
		f.Section, f.Format = "", ""
		return
	case policy.RoleError:
		f.Kind = "404"
		return
	}
	owner, n := m.pager(f.Name, behind)
	if n > 1 {
		behind = m.standing(owner, m.sidecar[owner])
		rest = strings.TrimPrefix(owner, prefix)
	}
	dir := strings.TrimSuffix(strings.TrimSuffix(rest, "index.html"), "/")
	if path.Base(rest) != "index.html" {
		dir = strings.TrimSuffix(rest, path.Ext(rest))
	}
	lists := m.published.below[strings.TrimSuffix(prefix+dir, "/")] > 0
	switch {
	case rest == "index.html":
		f.Kind, f.Section = "home", ""
	case m.archive(f, dir, behind):
	case lists:
		f.Kind = "section"
		f.Section, _, _ = strings.Cut(dir, "/")
	default:
		f.Kind = "page"
		if dir == f.Section {
			f.Section = "" // /about/ is a page of the root
		}
	}
	if year.MatchString(f.Section) {
		f.Section = "" // a date is no section: the content's folder is, where it is known
		if len(behind) > 0 {
			f.Section = behind[0].collection
		}
	}
	if n > 1 {
		f.Pager = n
		list := site.File{}
		list.Facts = f.Facts
		for _, c := range behind {
			list.Page = append(list.Page, c.statements...)
			f.Type = cmp.Or(c.text("type"), c.collection)
		}
		for _, h := range m.sidecar[owner] {
			h.Take(&list)
		}
		f.Of = &policy.Owner{Path: policy.PathOf(owner), Facts: list.Facts, Statements: list.Page}
		list.Facts.Type = cmp.Or(list.Facts.Type, f.Type)
		f.Facts = list.Facts
		f.Page = slices.Clone(list.Page)
	}
}

var year = regexp.MustCompile(`^(?:19|20)\d\d$`)

// archives are the folders of archives, by the plural name of what they list.
var archives = map[string]string{"tags": "tags", "tag": "tags", "categories": "categories", "category": "categories", "authors": "authors", "author": "authors"}

// archive recognises the list of a taxonomy and its terms: a folder of its name at the root, or one below a section where
// no content file made it.
func (m *pageMap) archive(f *site.File, dir string, behind []*content) bool {
	parts := strings.Split(dir, "/")
	for i := range min(2, len(parts)) {
		plural := archives[parts[i]]
		if plural == "" || i == 1 && slices.ContainsFunc(behind, func(c *content) bool { return !c.many }) {
			continue
		}
		f.Taxonomies = []string{plural}
		f.Kind = "term"
		if len(parts) == i+1 {
			f.Kind = "taxonomy"
		}
		return true
	}
	return false
}

var (
	pagerFile   = regexp.MustCompile(`^(.*?)/?(?:(?:page/|page-?)(\d+))(/index)?\.html$`)
	numberFile  = regexp.MustCompile(`^(.*?)(/?)(\d{1,3})((?:/index)?\.html)$`)
	trailingNum = regexp.MustCompile(`^(.*?[^\d/])()(\d+)(\.html)$`)
)

// pager returns the first page of the list that a file is a later page of, and its number. The list has to be there; where
// the number alone tells, all pages before it too, and none may be numbered 1 unless a list is known to be: things are
// numbered as well. behind is the file's content, which makes a page of its own.
func (m *pageMap) pager(name string, behind []*content) (owner string, n int) {
	first := func(forms ...string) bool {
		for _, owner = range forms {
			if m.published.has(owner) && owner != name {
				return n > 1
			}
		}
		return false
	}
	if match := pagerFile.FindStringSubmatch(name); match != nil {
		n, _ = strconv.Atoi(match[2])
		is, known := m.listed(name)
		if first(path.Join(match[1], "index.html"), match[1]+".html") && (is || !known) && !m.ofItsOwn(behind, owner) {
			return owner, n
		}
	}
	if !m.numbered || len(behind) > 0 {
		return "", 0
	}
	for _, form := range []*regexp.Regexp{numberFile, trailingNum} {
		match := form.FindStringSubmatch(name)
		if match == nil || form == numberFile && (match[1] == "") != (match[2] == "") {
			continue // not a name of its own: index2.html
		}
		n, _ = strconv.Atoi(match[3])
		lists := []string{path.Join(match[1], "index.html"), match[1] + ".html"}
		if form == trailingNum {
			lists = lists[1:]
		}
		if !first(lists...) {
			continue
		}
		around := [2]string{match[1] + match[2], match[4]}
		is, known := m.listed(name)
		if (is || !known && !m.published.has(around[0]+"1"+around[1])) && n <= m.run(around) {
			return owner, n
		}
	}
	return "", 0
}

// listed tells what is known of a page's being one of a list: see [layout.lists].
func (m *pageMap) listed(name string) (is, known bool) {
	if m.lists == nil {
		return false, false
	}
	return m.lists(name)
}

// ofItsOwn reports whether a page has a content file that makes it alone, and not the list too: it is called as a pager is,
// and is none.
func (m *pageMap) ofItsOwn(behind []*content, list string) bool {
	of := m.standing(list, m.sidecar[list])
	return slices.ContainsFunc(behind, func(c *content) bool { return !c.many && !slices.Contains(of, c) })
}

// run returns the last of the files that are numbered from 2 on without a gap; 1 where there are none.
func (m *pageMap) run(around [2]string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	last, ok := m.runs[around]
	if ok {
		return last
	}
	for last = 1; m.published.has(around[0] + strconv.Itoa(last+1) + around[1]); last++ {
	}
	if m.runs == nil {
		m.runs = map[[2]string]int{}
	}
	m.runs[around] = last
	return last
}
