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
func (s *hugoSite) List(_ context.Context, o frontmatter.Config, published []string) (_ site.Map, err error) {
	defer s.caught(&err, new(string)) // which page it was, Hugo does not tell
	if err := s.assemble(); err != nil {
		return nil, err
	}
	m, err := s.list(o, nil)
	if s.listed, s.unbuilt = s.remember(m, nil), (assembled{}); err == nil {
		err = s.addUnbuilt(m, o, published)
	}
	return m, err
}

// assemble makes the sites and their pages.
func (s *hugoSite) assemble() error {
	err := s.sitesFor(nil)
	if err == nil {
		err = s.sites.Build(hugolib.BuildCfg{SkipRender: true, NoBuildLock: true})
	}
	if err != nil {
		return s.unloadable(err)
	}
	return nil
}

// list makes the page map of assembled sites; with names, of the pages alone that publish one of these files. Its error
// holds every fault of front matter.
func (s *hugoSite) list(o frontmatter.Config, names map[string]bool) (m *pageMap, err error) {
	h := s.sites
	m = &pageMap{
		short:      s.short,
		pagerOf:    s.Pager,
		outputs:    map[string]pageOutput{},
		older:      map[string]pageOutput{},
		aliases:    map[string][]alias{},
		bundles:    map[string]bundleFile{},
		reported:   map[policy.Finding]string{},
		published:  h.BaseFs.PublishFs,
		fixed:      map[string]policy.Subject{},
		static:     h.BaseFs.SourceFilesystems.Static,
		assetStems: sync.OnceValue(func() map[string]bool { return stemsOf(h.BaseFs.Assets.Fs) }),
		made:       &sync.Map{},
	}
	l := &lister{site: s, m: m, options: o, names: names, documents: map[string]*document{},
		noted: map[policy.Finding]bool{}}
	defer s.caught(&err, &l.file)
	for _, language := range s.configs.Languages {
		m.languages = append(m.languages, language.Lang)
	}
	if h.Conf.IsMultihost() {
		m.hosts = m.languages
	}
	for file := range s.source.opened.Range {
		l.opened = append(l.opened, file.(string))
	}
	slices.Sort(l.opened)
	// Those of every language, version and role: h.Sites have the default version and role alone.
	for _, st := range h.Sites[0].Hugo().Sites() {
		l.addSite(st)
	}
	m.colliding()
	l.hidesRobots()
	if len(h.Sites) > 1 { // Hugo sorts titles as the language that it renders does, and keeps what was sorted here
		h.MemCache.ClearMatching(func(partition string, _ dynacache.PartitionManager) bool {
			return strings.HasPrefix(partition, "/pag") || strings.HasPrefix(partition, "/ress")
		}, func(any, any) bool { return true })
	}
	m.pagers = regexp.MustCompile(`^(.*)/(?:` + strings.Join(l.pagers, "|") + `)/(\d+)(/[^/]+|\.[^/.]*)?$`)
	m.originals = sync.OnceValue(func() map[int64][]original { return sizesOf(l.originals) })
	return m, l.failed()
}

// failed joins what cannot be read, each once; nil for nothing.
func (l *lister) failed() error {
	slices.SortFunc(l.errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(slices.CompactFunc(l.errs, func(a, b error) bool { return a.Error() == b.Error() })...)
}

// A lister fills a page map, site after site: one for each language, version and role.
type lister struct {
	site    *hugoSite
	m       *pageMap
	options frontmatter.Config
	names   map[string]bool // of the files whose pages are listed; nil for all
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
	l.current.taxonomies = slices.SortedFunc(maps.Values(taxonomies), func(a, b string) int { return len(b) - len(a) })

	l.pagers = appendNew(l.pagers, regexp.QuoteMeta(strings.Trim(conf.Pagination().Path, "/")))
	l.standalone()
	for _, p := range s.Pages() {
		l.add(p)
	}
	l.unlisted()
}

// standaloneFormats are the output formats of the files of no page, by the kinds that Hugo gives them.
var standaloneFormats = map[string]string{"404": "html", "robotstxt": "robots",
	"sitemap": "sitemap", "sitemapindex": "sitemap"}

// standalone registers the files of no page, which Hugo has as pages at paths of their own.
func (l *lister) standalone() {
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
			l.m.fixed[l.target(p, of)] = policy.Subject{Role: role,
				Facts: policy.Facts{Kind: p.Kind(), Language: l.current.s.Language().Lang, Format: format}}
		}
	}
}

func appendNew[T comparable](list []T, item T) []T {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

// unlisted adds the pages that are in no collection: build.list is never or local. The content files that Hugo has
// opened lead to them.
func (l *lister) unlisted() {
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

// add registers a page, its files and what its front matter says.
func (l *lister) add(p page.Page) {
	if l.current.added[p.Path()] || l.names != nil && !l.publishes(p, l.names) {
		return
	}
	l.current.added[p.Path()] = true
	info := &pageInfo{
		facts: policy.Facts{Kind: p.Kind(), Type: p.Type(), Section: p.Section(), Language: l.current.s.Language().Lang},
		path:  p.Path(), bundle: p.BundleType(),
	}
	if f := p.File(); f != nil {
		info.file = f.Filename()
		l.current.files[info.file] = true
		info.source = l.site.short(info.file)
	}
	if k := p.Kind(); k == "taxonomy" || k == "term" {
		for _, plural := range l.current.taxonomies {
			if rest, ok := strings.CutPrefix(p.Path(), "/"+strings.ToLower(plural)); ok &&
				(rest == "" || rest[0] == '/') {
				info.taxonomies = []string{plural}
				break
			}
		}
	}
	l.file = info.source
	info.statements, info.unread = l.statements(p, info)
	rendered := isRendered(p)
	slug, _ := p.Params()["slug"].(string)
	certain := !strings.Contains(slug, "%") // of the file's name
	for _, of := range p.OutputFormats() {
		name := l.target(p, of)
		if name == "" {
			continue
		}
		html := isHTML(of.Format) || site.IsHTML(name)
		if html && info.main == "" {
			info.main, info.format = name, of.Format.Name
		}
		o := pageOutput{info: info, format: of.Format.Name, html: html, text: isText(of.Format) && !site.IsControlFile(path.Base(name))}
		l.m.add(name, o, rendered && certain)
		before, rest, ok := strings.Cut("/"+name, "/"+of.Format.Path+"/")
		if ok && of.Format.Path != "" && p.Kind() != "page" {
			// What is print/news/index.html was news/print/index.html before Hugo 0.123.
			// https://github.com/google/docsy/issues/2319
			l.m.older[path.Join("/", before, path.Dir(rest), of.Format.Path, path.Base(rest))[1:]] = o
		}
	}
	if info.rendered = rendered && info.main != ""; l.names != nil {
		l.reportUnbuilt(p, info)
	}
	l.aliases(p, info)
	l.resources(p, info)
}

// isRendered reports whether a page is written: build.render of its front matter may say that it is not.
func isRendered(p page.Page) bool {
	for _, key := range []string{"build", "_build"} {
		if render := frontmatter.Lookup(plain(p.Params()[key]), []string{"render"}); render != nil {
			return !slices.Contains([]string{"link", "never", "false"}, strings.ToLower(fmt.Sprint(render)))
		}
	}
	return true
}

func isHTML(f output.Format) bool {
	return f.IsHTML || f.MediaType.Type == "text/html" || f.MediaType.Type == "application/xhtml+xml"
}

// isText reports whether an output format is text, which says again what its page says: Markdown, plain text. Feeds,
// data, styles and scripts are not.
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

// decoded returns the path that a link of a page stands for. A url of front matter is the file's name as it is written,
// escapes included; for those of a slug see [pageMap.output].
func decoded(p page.Page, link string) string {
	name := policy.Decoded(link)
	if raw, _ := p.Params()["url"].(string); strings.Contains(raw, "%") && !strings.Contains(raw, ":") {
		raw = path.Join("/", raw)
		return strings.Replace(name, policy.Decoded(raw), raw, 1)
	}
	return name
}

func (s *hugoSite) short(file string) string { return s.options.Short(file) }
