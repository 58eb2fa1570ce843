package pages

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"sort"
	"strings"

	"metarobots/internal/lazyregexp"
	"metarobots/internal/site"
	"metarobots/policy"
)

// pageMap is what stands behind the published files, by their names.
type pageMap struct {
	reader    *reader
	published *published
	content   []*content
	languages []string              // the folders of the publish root that are named by a language
	behind    map[string][]*content // content files
	manifest  map[string][]claim    // what the manifests say
	explicit  map[string][]*content // those that a page names as its own, which goes before what a rule found
}

func newPageMap(r *reader, names []string) *pageMap {
	m := &pageMap{reader: r, published: publishedOf(names), content: r.sorted(), behind: map[string][]*content{},
		manifest: map[string][]claim{}, explicit: map[string][]*content{}}
	// A folder that is named like a language and has a home page may be a section (/it/). ReadPage
	// takes it back if the page states another language.
	for dir := range m.published.below {
		if slices.Contains(r.site.translations.languages, dir) ||
			len(dir) <= len("zh-Hant") && languageFolder.MatchString(dir) && m.published.has(dir+"/index.html") {
			m.languages = append(m.languages, dir)
		}
	}
	slices.Sort(m.languages)
	return m
}

// matchContent finds the pages that each content file has made: first by the places that are known
// to the letter, then by those with a *, of content that makes one page before content that makes
// many, which takes what is left.
func (m *pageMap) matchContent() {
	for _, c := range m.content {
		if name := m.published.first(c.places...); name != "" {
			m.assign(c, name)
		}
	}
	m.guessSinglePages()
	m.guessManyPages()
	if m.reader.site.translations.fallback {
		m.matchTranslations()
	}
}

// A guess is a content file that may have made a page, by one of its places.
type guess struct {
	content *content
	place   string
}

// guessSinglePages assigns pages that have no content yet to content that makes one page and has
// none: a place with a * has to match a single such page. The place with most of the page's name
// written out wins.
func (m *pageMap) guessSinglePages() {
	fits := map[string][]guess{}
	for _, c := range m.content {
		if c.makesMany || len(c.made.names) > 0 {
			continue
		}
		for _, place := range c.places {
			if names := m.freeAt(place); len(names) == 1 {
				fits[names[0]] = append(fits[names[0]], guess{c, place})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fits)) {
		if best := closest(fits[name])[0]; len(best.content.made.names) == 0 {
			m.assign(best.content, name)
		}
	}
}

// guessManyPages assigns pages that have no content yet to content that makes many. The place with
// most of the page's name written out wins. Where several are as good, and one of them states
// something, all count.
func (m *pageMap) guessManyPages() {
	fits := map[string][]guess{}
	for _, c := range m.content {
		if !c.makesMany {
			continue
		}
		for _, place := range c.places {
			for _, name := range m.freeAt(place) {
				fits[name] = append(fits[name], guess{c, place})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fits)) {
		best := closest(fits[name])
		if !slices.ContainsFunc(best, func(g guess) bool { return len(g.content.statements) > 0 }) {
			best = best[:1]
		}
		for _, g := range best {
			if !slices.Contains(m.behind[name], g.content) {
				m.assign(g.content, name)
			}
		}
	}
}

// freeAt are the published files at a place with a * that no content is behind; none if any page
// would fit the place.
func (m *pageMap) freeAt(place string) []string {
	if !strings.Contains(place, "*") || !isDistinct(place) {
		return nil
	}
	return m.free(m.published.match(place)...)
}

// isDistinct reports whether a part of a place is known, so that not any page fits it.
func isDistinct(place string) bool {
	return distinct.MatchString(strings.TrimSuffix(strings.TrimSuffix(place, ".html"), "index"))
}

// closest are the guesses whose places have as much of the page's name written out as any.
func closest(all []guess) []guess {
	sort.SliceStable(all, func(i, j int) bool { return comparePlaces(all[i].place, all[j].place) < 0 })
	return slices.DeleteFunc(all, func(g guess) bool { return comparePlaces(all[0].place, g.place) != 0 })
}

// matchTranslations gives pages of other languages without content to that of the root, or of the
// language that has most. If the configuration has [translations].languages, every page is published
// in each of them, one of them at the root: content of the folder en may be published as
// de/en/a.html.
func (m *pageMap) matchTranslations() {
	has := map[string]int{}
	for name, behind := range m.behind {
		has[m.languageOf(name)] += len(behind)
	}
	from := slices.Clone(m.languages)
	slices.SortStableFunc(from, func(a, b string) int { return has[b] - has[a] })
	for _, language := range append([]string{""}, from...) {
		for _, c := range m.content {
			for _, name := range slices.Clone(c.made.names) {
				if m.languageOf(name) != language {
					continue
				}
				m.translate(c, within(name, language))
				if len(m.reader.site.translations.languages) > 0 {
					m.translate(c, name)
				}
			}
		}
	}
}

// translate gives a content file the pages of its path in the folders of languages that have none
// of their own. The root is such a folder if every page is published in every language.
func (m *pageMap) translate(c *content, rest string) {
	folders := m.languages
	if len(m.reader.site.translations.languages) > 0 {
		folders = append([]string{""}, folders...)
	}
	for _, dir := range folders {
		// Starlight's 404.html is de/404/index.html.
		other := path.Join(dir, strings.TrimSuffix(rest, ".html"), "index.html")
		if name := m.published.first(m.free(path.Join(dir, rest), other)...); name != "" {
			m.assign(c, name)
		}
	}
}

// free are those of some names that no content is behind, in the same slice.
func (m *pageMap) free(names ...string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return len(m.behind[name]) > 0 })
}

// distinct matches a place of which a part is known: any page would fit another one.
var distinct = lazyregexp.New(`[\pL\pN]|\*#`)

// assign notes that a content file has made a published file.
func (m *pageMap) assign(c *content, name string) {
	c.made.names = append(c.made.names, name)
	m.behind[name] = append(m.behind[name], c)
}

// reportDuplicates reports content files of one page, where that matters: what each states counts.
// Data makes no page, and a route of Astro's may render another file's content.
func (m *pageMap) reportDuplicates(name string) {
	all := slices.DeleteFunc(slices.Clone(m.behind[name]), func(c *content) bool {
		ext := strings.ToLower(c.ext())
		return isData(ext) || ext == ".astro"
	})
	if len(all) < 2 || !slices.ContainsFunc(all, func(c *content) bool { return len(c.statements) > 0 }) {
		return
	}
	severity := policy.Severity(policy.Warning)
	if slices.ContainsFunc(all, func(c *content) bool { return !site.Alike(c.statements, all[0].statements) }) {
		severity = policy.Error
	}
	m.reader.found(policy.Finding{ID: "two-pages", Severity: severity, URL: site.URL(name),
		File: m.reader.site.short(all[0].file),
		Message: fmt.Sprintf("this page and %s are both published as %s: what both say counts",
			m.reader.site.short(all[1].file), name),
		Fix: fmt.Sprintf(". A line of metarobots.json says which made it, {\"url\": %q, \"source\": %q}; [site.content] "+
			"exclude = [ %q ] leaves one out", site.URL(name), all[0].file, "/"+all[1].file)})
}

// Withheld are the content files without a page, absolute, that would be published as one of some
// files: explain asks for them. The error is always nil.
func (m *pageMap) Withheld(names []string) (files []string, err error) {
	for _, c := range m.content {
		if len(c.made.names) > 0 || c.made.explicit || c.makesMany || !c.folder.makesPages() {
			continue
		}
		isOne := func(place string) bool {
			if !strings.Contains(place, "*") {
				return slices.Contains(names, place)
			}
			return isDistinct(place) && slices.ContainsFunc(names, placePattern(place).MatchString)
		}
		if slices.ContainsFunc(c.places, isOne) {
			files = append(files, joined(m.reader.site.options.Source, c.file))
		}
	}
	return files, nil
}

// Expected is empty: what is published is all that is known.
func (m *pageMap) Expected() []string { return nil }

// Reads reports whether a file is content, or lies in a folder of the layout.
func (m *pageMap) Reads(file string) bool {
	if _, read := m.reader.sources[file]; read {
		return true
	}
	return slices.ContainsFunc(m.reader.site.layout.folders, func(f folder) bool {
		return f.dir == "" || strings.HasPrefix(file, f.dir+"/")
	})
}

var languageFolder = lazyregexp.New(`^[a-z]{2}(?:[-_][A-Za-z]{2,4})?$`)

// languageOf is the language whose folder a file lies in; empty for none.
func (m *pageMap) languageOf(name string) string {
	if dir, _, ok := strings.Cut(name, "/"); ok && slices.Contains(m.languages, dir) {
		return dir
	}
	return ""
}

// File returns what is known of a published file.
func (m *pageMap) File(name string) site.File {
	f, behind := site.NewFile(name), m.behind[name]
	switch {
	case (len(behind) == 0 || !f.HTML) && site.IsControlFile(name), name == manifestName:
		f.Role = policy.RoleControl
		return f
	// nil takes any folder that is named like a language: one without a home page is not in
	// m.languages.
	case f.HTML && site.IsErrorFile(name, nil, len(behind) > 0):
		f.Role = policy.RoleError
	case f.HTML:
		f.Role = policy.RolePage
	case site.FeedFormat(name) != "":
		f.Role = policy.RoleOutput
	default:
		f.Role = policy.RoleStatic
	}
	// Sources that manifests name are in m.behind already: see enterManifest.
	m.fillIn(&f, m.languageOf(name), behind, m.manifest[name])
	return f
}

// sourcesOf are the content files that a rule found and those that metadata names. Where the two
// have none in common, those of the rule are wrong.
func (m *pageMap) sourcesOf(name string, claims []claim) []*content {
	var explicit []*content
	for _, c := range claims {
		if c.source != nil {
			explicit = unique(append(explicit, c.source))
		}
	}
	all := unique(slices.Concat(m.behind[name], explicit))
	if len(explicit) > 0 && len(all) == len(m.behind[name])+len(explicit) {
		return explicit
	}
	return all
}

// fillIn sets what is known of a file: by its name, by the content behind it, and before both by
// its metadata. [pageMap.ReadPage] has it set anew if the page itself says more. language is that
// of the file's folder.
func (m *pageMap) fillIn(f *site.File, language string, behind []*content, claims []claim) {
	if len(behind) > 0 {
		language = cmp.Or(behind[0].language, language)
	}
	f.Page, f.Unread, f.Source = nil, nil, ""
	m.setFacts(f, language, behind)
	for _, c := range behind {
		m.addContent(f, c)
	}
	for i := range claims {
		claims[i].meta.AddTo(f)
	}
}

// addContent adds what a content file behind a file says of it. If there are several, what all of
// them state counts; source and type are those of the first that has one. A file that is no page,
// such as a feed, takes only front matter, not data of its folder, and only if the content file
// makes no page (L5).
func (m *pageMap) addContent(f *site.File, c *content) {
	short := m.reader.site.short(c.file)
	f.Source = cmp.Or(f.Source, short)
	f.Facts.Type = cmp.Or(f.Facts.Type, c.matter.text("type"), c.collection)
	if f.HTML {
		f.Page = policy.Union(f.Page, c.statements)
		f.Unread = append(f.Unread, c.unread...)
		return
	}
	if makesPage := slices.ContainsFunc(c.made.names, site.IsHTML); !makesPage {
		isInherited := func(s policy.Statement) bool { return s.Origin.File != short }
		f.Page = policy.Union(f.Page, slices.DeleteFunc(slices.Clone(c.statements), isInherited))
	}
	f.IsPageItsOwn = f.IsPageItsOwn || len(f.Page) > 0
}

// setFacts sets what a file is by its place. language is that of its content, else of its folder;
// behind are the content files.
func (m *pageMap) setFacts(f *site.File, language string, behind []*content) {
	f.Facts = policy.Facts{Language: language, Format: "html"}
	f.Pager, f.Of, f.Taxonomies = 0, nil, nil
	rest := strings.TrimPrefix(f.Name, language+"/")
	if section, _, ok := strings.Cut(rest, "/"); ok && f.Role != policy.RoleStatic {
		f.Facts.Section = section
	}
	switch f.Role {
	case policy.RoleOutput, policy.RoleStatic:
		f.Facts.Format = site.FeedFormat(f.Name)
		return
	case policy.RoleError:
		f.Facts.Kind = "404"
		return
	}
	if owner, n := m.findList(f.Name, behind); n > 1 {
		m.setFactsOfPager(f, language, owner, n)
		return
	}
	m.setFactsOfPage(f, rest, behind)
}

// setFactsOfPager gives the nth page of a list the facts of the list's first page, and what that
// states.
func (m *pageMap) setFactsOfPager(f *site.File, language, owner string, n int) {
	list := site.NewFile(owner)
	list.Role = policy.RolePage
	m.fillIn(&list, language, m.behind[owner], m.manifest[owner])
	f.Of = &policy.Owner{Path: list.Path, Facts: list.Facts, Statements: list.Page}
	f.Pager, f.Facts, f.Taxonomies, f.Page = n, list.Facts, list.Taxonomies, slices.Clone(list.Page)
}

// setFactsOfPage sets kind and section of a page by its name below the folder of its language.
func (m *pageMap) setFactsOfPage(f *site.File, rest string, behind []*content) {
	dir := folderOfPage(rest)
	switch {
	case rest == "index.html":
		f.Facts.Kind, f.Facts.Section = "home", ""
	case m.setArchive(f, dir, behind):
	case m.published.below[folderOfPage(f.Name)] > 0: // the folder's own index.html does not count
		f.Facts.Kind = "section"
		f.Facts.Section, _, _ = strings.Cut(dir, "/")
	default:
		f.Facts.Kind = "page"
		if dir == f.Facts.Section {
			f.Facts.Section = "" // /about/ is a page of the root
		}
	}
	if len(f.Facts.Section) == 4 && year.MatchString(f.Facts.Section) {
		f.Facts.Section = "" // a date is no section: the content's folder is, where it is known
		if len(behind) > 0 {
			f.Facts.Section = behind[0].collection
		}
	}
}

// folderOfPage is the folder that a page may stand for: posts of posts/index.html and of
// posts.html.
func folderOfPage(name string) string {
	if path.Base(name) == "index.html" {
		return clean(path.Dir(name))
	}
	return strings.TrimSuffix(name, path.Ext(name))
}

var year = lazyregexp.New(`^(?:19|20)\d\d$`)

// archives are the folders of archives, by the plural name of what they list.
var archives = map[string]string{"tags": "tags", "tag": "tags", "categories": "categories", "category": "categories",
	"authors": "authors", "author": "authors"}

// setArchive sets kind and taxonomy of the list of a taxonomy, or of one of its terms: at the root,
// or below a section where no content made it. It reports whether the page is one.
func (m *pageMap) setArchive(f *site.File, dir string, behind []*content) bool {
	first, below, isTerm := strings.Cut(dir, "/")
	plural, ok := archives[first]
	if !ok && !slices.ContainsFunc(behind, func(c *content) bool { return !c.makesMany }) {
		first, _, isTerm = strings.Cut(below, "/")
		plural, ok = archives[first]
	}
	if !ok {
		return false
	}
	f.Taxonomies, f.Facts.Kind = []string{plural}, "taxonomy"
	if isTerm {
		f.Facts.Kind = "term"
	}
	return true
}
