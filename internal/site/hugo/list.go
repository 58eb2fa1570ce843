package hugo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gohugoio/hugo/cache/dynacache"
	"github.com/gohugoio/hugo/config"
	"github.com/gohugoio/hugo/hugofs/files"
	"github.com/gohugoio/hugo/hugolib"
	"github.com/gohugoio/hugo/output"
	"github.com/gohugoio/hugo/resources/page"

	"metarobots/frontmatter"
	"metarobots/internal/site"
	"metarobots/policy"
)

// List assembles the site's pages without rendering them.
func (s *hugoSite) List(_ context.Context, o frontmatter.Config, published []string) (
	_ site.Map, err error) {
	defer s.panicToError(&err, unknownFile)
	if err := s.assemble(); err != nil {
		return nil, err
	}
	m, err := s.makePageMap(o, allPages)
	if s.listed, s.unbuilt = s.remember(m, allPages, o), (assembled{}); err == nil {
		err = s.addUnbuilt(m, o, published)
		m.site.withheld = func(names []string) ([]string, error) { return s.withheld(o, names) }
	}
	return m, err
}

// assemble makes the sites and their pages. No file is written.
func (s *hugoSite) assemble() error {
	err := s.makeSites(s.writeNoStats)
	if err == nil {
		err = s.sites.Build(hugolib.BuildCfg{SkipRender: true, NoBuildLock: true})
	}
	if err != nil {
		return s.explainLoadError(err)
	}
	return nil
}

// A selection is the names of published files whose pages are listed; nil for all pages.
type selection map[string]bool

var allPages selection

// makePageMap makes the page map of the sites in s.sites, whose pages Hugo has assembled (it knows
// them, and has rendered none). [hugoSite.List], Build and Relist call it for all pages, addUnbuilt
// for the pages of some files. Its error holds every fault of front matter; the map is usable only
// without one.
func (s *hugoSite) makePageMap(o frontmatter.Config, pages selection) (m *pageMap, err error) {
	h := s.sites
	m = s.newPageMap()
	l := &lister{site: s, m: m, options: o, pages: pages, documents: map[string]*document{},
		noted: map[policy.Finding]bool{}}
	defer s.panicToError(&err, &l.file) // the page at which Hugo panics is then known
	// addSite fills it with the keys of all pages.
	s.words = frontmatter.Words{}
	for file := range s.source.opened.Range {
		l.opened = append(l.opened, file.(string))
	}
	slices.Sort(l.opened)
	// Those of every language, version and role: h.Sites have the default version and role alone.
	for _, st := range h.Sites[0].Hugo().Sites() {
		l.addSite(st)
	}
	// What follows needs all pages.
	l.reportCollisions()
	l.noteRobotsTemplates()
	if len(h.Sites) > 1 {
		forgetSorted(h)
	}
	m.pagers = pagerNames(l.pagers)
	m.bundles.originals = sync.OnceValue(func() map[int64][]original { return sizesOf(l.originals) })
	return m, l.failed()
}

// pagerNames matches the names of pagers: folder, number, rest. paths are the words that the site
// has before the number, as patterns: posts/page/2/index.html, or posts/page/2.html.
func pagerNames(paths []string) *regexp.Regexp {
	return regexp.MustCompile(`^(.*)/(?:` + strings.Join(paths, "|") + `)/(\d+)(/[^/]+|\.[^/.]*)?$`)
}

// forgetSorted empties Hugo's caches of lists of pages and of resources. Hugo sorts titles by the
// rules of the language that it renders, and would keep what was sorted here by those of no
// language.
func forgetSorted(h *hugolib.HugoSites) {
	isOfLists := func(partition string, _ dynacache.PartitionManager) bool {
		return strings.HasPrefix(partition, "/pag") || strings.HasPrefix(partition, "/ress")
	}
	h.MemCache.ClearMatching(isOfLists, func(any, any) bool { return true })
}

// failed joins what cannot be read, each once; nil for nothing.
func (l *lister) failed() error {
	slices.SortFunc(l.errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	isSame := func(a, b error) bool { return a.Error() == b.Error() }
	return errors.Join(slices.CompactFunc(l.errs, isSame)...)
}

// A lister fills a page map, site after site: one for each language, version and role.
type lister struct {
	site    *hugoSite
	m       *pageMap
	options frontmatter.Config
	pages   selection
	errs    []error
	noted   map[policy.Finding]bool
	file    string // the content file in hand, for a panic
	// documents are the front matter of content files, read for its lines, once.
	documents map[string]*document
	originals []original
	opened    []string // files that Hugo has opened, sorted
	pagers    []string // pagination paths, as regular expressions
	current   siteInHand
}

// siteInHand is the one of Hugo's sites whose pages a lister adds.
type siteInHand struct {
	s          page.Site
	conf       config.AllProvider
	added      map[string]bool // the paths of pages that were added
	files      map[string]bool // and their content files
	host, base string
	taxonomies []string // plural names, the longest first
}

// addSite adds the pages of one of Hugo's sites, and the files of no page that it makes.
func (l *lister) addSite(s page.Site) {
	conf := l.site.configs.GetByLang(s.Language().Lang)
	l.current = siteInHand{s: s, conf: conf, added: map[string]bool{}, files: map[string]bool{}}
	if conf.IsMultihost() {
		l.current.host = s.Language().Lang
	}
	l.current.base = strings.TrimSuffix(conf.BaseURL().BasePathNoTrailingSlash, "/")
	taxonomies := l.site.configs.Base.Taxonomies
	if c := l.site.configs.LanguageConfigMap[s.Language().Lang]; c != nil {
		taxonomies = c.Taxonomies // a language may have its own
	}
	longestFirst := func(a, b string) int { return len(b) - len(a) }
	l.current.taxonomies = slices.SortedFunc(maps.Values(taxonomies), longestFirst)

	l.pagers = appendNew(l.pagers, regexp.QuoteMeta(strings.Trim(conf.Pagination().Path, "/")))
	l.addStandalone()
	for _, p := range s.Pages() {
		l.add(p)
	}
	l.addUnlisted()
}

// A fixedFile is a file of no page.
type fixedFile struct {
	role  policy.Role
	facts policy.Facts
	from  string // what a robots.txt is rendered from
}

// standaloneFormats are the output formats of the files of no page, by the kinds that Hugo gives
// them.
var standaloneFormats = map[string]string{"404": "html", "robotstxt": "robots",
	"sitemap": "sitemap", "sitemapindex": "sitemap"}

// addStandalone registers the files of no page, which Hugo has as pages at paths of their own.
func (l *lister) addStandalone() {
	for _, path := range []string{"/404", "/_robots", "/_sitemap", "/_sitemapindex"} {
		p, err := l.current.s.GetPage(path)
		format, role := standaloneFormats[p.Kind()], policy.RoleControl
		if err != nil || format == "" {
			continue
		}
		if format == "html" {
			role = policy.RoleError
		}
		for _, of := range p.OutputFormats() {
			l.m.fixed[l.target(p, of)] = fixedFile{role: role,
				facts: policy.Facts{Kind: p.Kind(), Language: l.current.s.Language().Lang, Format: format}}
		}
	}
}

// appendNew appends an item to a list that does not have it yet.
func appendNew[T comparable](list []T, item T) []T {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

// addUnlisted adds the pages that are in no collection: build.list is never or local. The content
// files that Hugo has opened lead to them.
func (l *lister) addUnlisted() {
	types, parser := l.current.conf.ContentTypes(), l.current.conf.PathParser()
	for _, file := range l.opened {
		if l.current.files[file] || !types.IsContentFile(file) {
			continue
		}
		places, _ := l.site.sites.BaseFs.Content.ReverseLookup(file, false)
		for _, at := range places {
			p, err := l.current.s.GetPage(parser.Parse(files.ComponentFolderContent, at.Path).Base())
			if err == nil && p.File() != nil {
				l.add(p)
			}
		}
	}
}

// add adds a page to the page map: what is known of it, its files, its aliases and the files of its
// bundle. [lister.addSite] calls it for the pages of Hugo's collections, and [lister.addUnlisted]
// for the rest. A page that was added, or that is not in the selection, is passed over.
func (l *lister) add(p page.Page) {
	if l.current.added[p.Path()] || l.pages != nil && !l.publishes(p, l.pages) {
		return
	}
	l.current.added[p.Path()] = true
	info := l.infoOf(p)
	l.addOutputs(p, info)
	if l.pages != nil {
		l.reportUnbuilt(p, info)
	}
	l.addAliases(p, info)
	l.addResources(p, info)
}

// infoOf returns what is known of a page, without its files, which [lister.addOutputs] sets.
func (l *lister) infoOf(p page.Page) *pageInfo {
	info := &pageInfo{path: p.Path(), bundle: p.BundleType(), facts: policy.Facts{Kind: p.Kind(),
		Type: p.Type(), Section: p.Section(), Language: l.current.s.Language().Lang}}
	if f := p.File(); f != nil { // no file makes the page of a term
		info.file = f.Filename()
		l.current.files[info.file] = true
		info.source = l.site.short(info.file)
	}
	if p.Kind() == "taxonomy" || p.Kind() == "term" {
		info.taxonomies = l.taxonomyAt(p.Path())
	}
	l.file = info.source
	info.statements, info.unread = l.statements(p, info)
	return info
}

// taxonomyAt returns the taxonomy whose list, or one of whose terms, has a path: tags for /tags/go.
// It is a list of that one; nil for none.
func (l *lister) taxonomyAt(path string) []string {
	for _, plural := range l.current.taxonomies {
		rest, ok := strings.CutPrefix(path, "/"+strings.ToLower(plural))
		if ok && (rest == "" || rest[0] == '/') {
			return []string{plural}
		}
	}
	return nil
}

// addOutputs adds the files of a page to the map, one for each of its output formats, and completes
// the page's info: main and format are those of the first output that is HTML, rendered says
// whether Hugo writes that. An output without a name is not published.
//
// A page that Hugo does not render has its files in the map too: what is published by such a name,
// by an earlier build say, is that page. But only a file that Hugo surely writes is expected, so
// that it is missed if it is not there.
func (l *lister) addOutputs(p page.Page, info *pageInfo) {
	rendered := isRendered(p)
	isExpected := rendered && isNameCertain(p)
	for _, of := range p.OutputFormats() {
		name := l.target(p, of)
		if name == "" {
			continue
		}
		o := outputOf(info, of.Format, name)
		if o.html && info.main == "" {
			info.main, info.format = name, o.format
		}
		if isNew := l.m.add(name, o); isNew && isExpected {
			l.m.expected = append(l.m.expected, name)
		}
		if older := olderName(p, of, name); older != "" {
			l.m.older[older] = o
		}
	}
	info.rendered = rendered && info.main != ""
}

// outputOf is the output of a page in a format whose file has a name.
func outputOf(info *pageInfo, f output.Format, name string) pageOutput {
	isControlFile := site.IsControlFile(path.Base(name)) // robots.txt repeats no page
	return pageOutput{info: info, format: f.Name,
		html: isHTML(f) || site.IsHTML(name), // by its name, whatever its format says
		text: isText(f) && !isControlFile}
}

// isNameCertain reports whether the files of a page have surely the names that [lister.target]
// returns. With escapes in its slug they may have others: see [pageMap.output].
func isNameCertain(p page.Page) bool {
	slug, _ := p.Params()["slug"].(string)
	return !strings.Contains(slug, "%")
}

// olderName is the name that Hugo before 0.123 gave an output of a list: news/print/index.html to
// what is print/news/index.html now. It is empty if that is no other name.
// https://github.com/google/docsy/issues/2319
func olderName(p page.Page, of page.OutputFormat, name string) string {
	before, rest, ok := strings.Cut("/"+name, "/"+of.Format.Path+"/")
	if !ok || of.Format.Path == "" || p.Kind() == "page" {
		return ""
	}
	return path.Join("/", before, path.Dir(rest), of.Format.Path, path.Base(rest))[1:]
}

// isRendered reports whether a page is written: build.render of its front matter may say that it is
// not.
func isRendered(p page.Page) bool {
	for _, key := range []string{"build", "_build"} {
		if render := frontmatter.Lookup(plain(p.Params()[key]), []string{"render"}); render != nil {
			return !slices.Contains([]string{"link", "never", "false"}, strings.ToLower(fmt.Sprint(render)))
		}
	}
	return true
}

// isHTML reports whether an output format is HTML, by its media type too.
func isHTML(f output.Format) bool {
	return f.IsHTML || f.MediaType.Type == "text/html" || f.MediaType.Type == "application/xhtml+xml"
}

// isText reports whether an output format is text, which says again what its page says: Markdown,
// plain text. Feeds, data, styles and scripts are not.
func isText(f output.Format) bool {
	return f.MediaType.MainType == "text" &&
		!slices.Contains([]string{"calendar", "css", "csv", "javascript", "xml"}, f.MediaType.SubType)
}

// target returns the file of an output, named from the publish root; empty for none.
func (l *lister) target(p page.Page, of page.OutputFormat) string {
	link := strings.TrimPrefix(of.RelPermalink(), l.current.base)
	if link == "" {
		return ""
	}
	name := decoded(p, link)
	if strings.HasSuffix(name, "/") {
		name += of.Format.BaseName + of.Format.MediaType.FirstSuffix.FullSuffix
	}
	return strings.TrimPrefix(path.Join("/", l.current.host, name), "/")
}

// decoded returns the path that a link of a page stands for. A url of front matter is the file's
// name as it is written, escapes included; for those of a slug see [pageMap.output].
func decoded(p page.Page, link string) string {
	name := policy.Decoded(link)
	raw, _ := p.Params()["url"].(string)
	if strings.Contains(raw, "%") && !strings.Contains(raw, ":") {
		raw = path.Join("/", raw)
		return strings.Replace(name, policy.Decoded(raw), raw, 1)
	}
	return name
}

func (s *hugoSite) short(file string) string { return s.options.Short(file) }
