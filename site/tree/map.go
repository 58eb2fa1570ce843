package tree

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"metarobots/frontmatter"
	"metarobots/policy"
	"metarobots/site"
)

// pageMap tells what stands behind the published files.
type pageMap struct {
	generator string
	published *published
	numbered  bool
	options   frontmatter.Options
	short     func(string) string
	content   []*content
	// behind are the content files of a published file; sources all of them by their path from the site's folder.
	behind  map[string][]*content
	sources map[string]*content
	// languages are the folders of the publish root that are named by a language.
	languages []string
	// sidecar is what was handed over in files, by the published file.
	sidecar  map[string][]site.Handover
	findings []policy.Finding

	mu sync.Mutex
	// told are content files that a page names as its own, with the pages; it goes before what a rule found.
	told    map[*content][]string
	learned []policy.Finding
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
			if !strings.Contains(place, "*") && m.published.all[place] {
				m.take(c, place)
				break
			}
		}
	}
	for _, c := range m.content {
		for _, place := range c.places {
			if !strings.Contains(place, "*") || len(c.claimed) > 0 && !c.many || !telling.MatchString(strings.TrimSuffix(strings.TrimSuffix(place, ".html"), "index")) {
				continue
			}
			free := slices.DeleteFunc(m.published.match(place), func(name string) bool { return len(m.behind[name]) > 0 })
			if len(free) == 1 || c.many {
				for _, name := range free {
					m.take(c, name)
				}
			}
		}
	}
	for _, name := range m.published.html {
		m.twins(name)
	}
}

// untranslated gives the pages of other languages that no content file was found for to the one that is not translated.
func (m *pageMap) untranslated() {
	for _, c := range m.content {
		for _, name := range c.claimed {
			for _, dir := range m.languages {
				if other := dir + "/" + name; m.published.all[other] && len(m.behind[other]) == 0 {
					m.take(c, other)
				}
			}
		}
	}
}

// telling is a place of which something is known: any page would fit another one.
var telling = regexp.MustCompile(`[\pL\pN]`)

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
	findings := append(slices.Clone(m.findings), m.learned...)
	slices.SortFunc(findings, func(a, b policy.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.Message, b.Message))
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
				looked = "looked for " + strings.Join(c.places[:min(4, len(c.places))], ", ")
			}
			findings = append(findings, policy.Finding{ID: "no-page", Severity: policy.Error, File: s.Origin.File, Line: s.Origin.Line,
				Message: fmt.Sprintf("%s says %s, and no published page was found for it (%s): it may be public under another name; [site.content] permalinks say where, or its template hands it over", m.short(c.file), s.States(), looked)})
		}
	}
	if len(silent) > 0 {
		more := ""
		if n := len(silent) - 1; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		findings = append(findings, policy.Finding{ID: "no-page", Severity: policy.Note, File: m.short(silent[0].file),
			Message: fmt.Sprintf("no published page was found for this content file%s, drafts included; none of them keeps a page from crawlers", more)})
	}
	return findings
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
// the page itself says its language is goes before it ([pageMap.Learn]).
func (m *pageMap) languageFolders() {
	for dir := range m.published.below {
		if languageFolder.MatchString(dir) && m.published.all[dir+"/index.html"] {
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
	behind := m.behind[name]
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
	language := ""
	if dir, _, ok := strings.Cut(name, "/"); ok && slices.Contains(m.languages, dir) {
		language = dir
	}
	if len(behind) > 0 && behind[0].language != "" {
		language = behind[0].language
	}
	m.facts(&f, language)
	for _, c := range behind {
		m.add(&f, c)
	}
	for _, h := range m.sidecar[name] {
		m.handed(&f, &h)
	}
	return f
}

// add gives a file what a content file behind it states.
func (m *pageMap) add(f *site.File, c *content) {
	if f.Source == "" {
		f.Source = m.short(c.file)
	}
	f.Type = cmp.Or(c.text("type"), c.collection)
	page := slices.Clone(f.Page)
	for _, s := range c.statements {
		if !slices.Contains(page, s) {
			page = append(page, s)
		}
	}
	if f.HTML {
		f.Page = page
	}
}

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

// facts sets what a file is by where it stands; language is the folder of its language, or empty.
func (m *pageMap) facts(f *site.File, language string) {
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
	owner, n := m.pager(f.Name)
	name := f.Name
	if n > 1 {
		name = owner
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
	case m.archive(f, dir, name):
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
		if behind := m.behind[name]; len(behind) > 0 {
			f.Section = behind[0].collection
		}
	}
	if n > 1 {
		f.Pager = n
		o := &policy.Owner{Path: policy.PathOf(owner), Facts: f.Facts}
		for _, c := range m.behind[owner] {
			o.Statements = append(o.Statements, c.statements...)
			f.Type = cmp.Or(c.text("type"), c.collection)
		}
		for _, h := range m.sidecar[owner] {
			o.Statements = append(o.Statements, h.Statements...)
		}
		f.Of = o
		f.Page = slices.Clone(o.Statements)
	}
}

var year = regexp.MustCompile(`^(?:19|20)\d\d$`)

// archives are the folders of archives, by the plural name of what they list.
var archives = map[string]string{"tags": "tags", "tag": "tags", "categories": "categories", "category": "categories", "authors": "authors", "author": "authors"}

// archive recognises the list of a taxonomy and its terms: a folder of its name at the root, or one below a section where
// no content file made it.
func (m *pageMap) archive(f *site.File, dir, name string) bool {
	parts := strings.Split(dir, "/")
	for i := range min(2, len(parts)) {
		plural := archives[parts[i]]
		if plural == "" || i == 1 && slices.ContainsFunc(m.behind[name], func(c *content) bool { return !c.many }) {
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
	numberFile  = regexp.MustCompile(`^(.*?)/?(\d+)/index\.html$`)
	trailingNum = regexp.MustCompile(`^(.*?[^\d/])(\d+)\.html$`)
)

// pager returns the first page of the list that a file is a later page of, and its number. The list has to be there.
func (m *pageMap) pager(name string) (owner string, n int) {
	first := func(of, number string) bool {
		n, _ = strconv.Atoi(number)
		if n < 2 {
			return false
		}
		for _, owner = range []string{path.Join(of, "index.html"), of + ".html"} {
			if m.published.all[owner] && owner != name {
				return true
			}
		}
		return false
	}
	if match := pagerFile.FindStringSubmatch(name); match != nil && first(match[1], match[2]) {
		return owner, n
	}
	if m.numbered {
		if match := numberFile.FindStringSubmatch(name); match != nil && len(match[2]) < 4 && first(match[1], match[2]) && len(m.behind[name]) == 0 {
			return owner, n
		}
		if match := trailingNum.FindStringSubmatch(name); match != nil && len(m.behind[name]) == 0 {
			n, _ = strconv.Atoi(match[2])
			before := match[1] + ".html"
			if n > 2 {
				before = match[1] + strconv.Itoa(n-1) + ".html"
			}
			if owner = match[1] + ".html"; n > 1 && m.published.all[owner] && m.published.all[before] {
				return owner, n
			}
		}
	}
	return "", 0
}
