package hugo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/gohugoio/hugo/hugofs"
	"github.com/gohugoio/hugo/hugolib"
	"github.com/gohugoio/hugo/output"
	"github.com/gohugoio/hugo/resources/page"
	"github.com/spf13/afero"

	"metarobots/frontmatter"
	"metarobots/policy"
	"metarobots/site"
)

// List assembles the site's pages without rendering them.
func (s *hugoSite) List(_ context.Context, o frontmatter.Options) (site.Map, error) {
	h, _, err := s.sitesFor(nil)
	if err != nil {
		return nil, s.failed(err)
	}
	if err := h.Build(hugolib.BuildCfg{SkipRender: true, NoBuildLock: true}); err != nil {
		return nil, s.failed(err)
	}
	return s.list(h, o)
}

// list makes the page map of assembled sites. Its error holds every fault of front matter.
func (s *hugoSite) list(h *hugolib.HugoSites, o frontmatter.Options) (*pageMap, error) {
	m := &pageMap{
		publish:  s.publish(),
		short:    s.short,
		outputs:  map[string]pageOutput{},
		aliases:  map[string]*pageInfo{},
		bundles:  map[string]*pageInfo{},
		versions: map[string][]*pageInfo{},
		fixed:    map[string]fixedFile{},
	}
	l := &lister{site: s, m: m, options: o, seen: map[pageKey]bool{}, documents: map[string]*document{}}
	for _, st := range l.all(h) {
		l.addSite(h, st)
	}
	for _, key := range slices.Sorted(maps.Keys(m.versions)) {
		for _, info := range m.versions[key] {
			if info.bundle != "" {
				m.bundles[info.dir] = info
			}
		}
	}
	for _, static := range h.BaseFs.SourceFilesystems.Static {
		m.static = append(m.static, staticFs{strings.Trim(filepath.ToSlash(static.PublishFolder), "/"), static.Fs})
	}
	m.assets = h.BaseFs.Assets.Fs
	slices.SortFunc(l.errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return m, errors.Join(l.errs...)
}

// lister collects the pages of all sites.
type lister struct {
	site    *hugoSite
	m       *pageMap
	options frontmatter.Options
	seen    map[pageKey]bool
	errs    []error

	mu        sync.Mutex
	documents map[string]*document
}

// pageKey names a page: pointers differ from collection to collection.
type pageKey struct{ site, kind, path string }

// all returns the sites of every language, version and role.
func (l *lister) all(h *hugolib.HugoSites) []*hugolib.Site {
	var all []*hugolib.Site
	add := func(s any) {
		if s, ok := s.(*hugolib.Site); ok && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	for _, s := range h.Sites {
		add(s)
	}
	for _, s := range h.Sites[0].Hugo().Sites() {
		add(s)
	}
	return all
}

func (l *lister) addSite(h *hugolib.HugoSites, s *hugolib.Site) {
	conf := s.Conf
	host := ""
	if conf.IsMultihost() {
		host = s.Language().Lang
	}
	sl := &siteLister{lister: l, s: s, host: host, base: strings.TrimSuffix(conf.BaseURL().BasePathNoTrailingSlash, "/")}
	for _, plural := range l.site.configs.Base.Taxonomies {
		sl.taxonomies = append(sl.taxonomies, plural)
	}
	slices.SortFunc(sl.taxonomies, func(a, b string) int { return len(b) - len(a) })

	l.m.pagers = appendNew(l.m.pagers, strings.Trim(conf.Pagination().Path, "/"))
	prefix := path.Join(host, strings.Trim(conf.LanguagePrefix(), "/"))
	facts := policy.Facts{Language: s.Language().Lang, Format: "html"}
	add := func(name, kind string, role policy.Role) {
		f := facts
		f.Kind = kind
		if _, ok := l.m.fixed[name]; !ok {
			l.m.fixed[name] = fixedFile{f, role}
		}
	}
	sitemap := l.site.configs.Base.Sitemap.Filename
	if conf.IsMultilingual() && !conf.IsMultihost() {
		add(sitemap, "sitemapindex", policy.RoleControl)
		prefix := prefix
		if prefix == "" {
			prefix = s.Language().Lang // every language's sitemap has a folder
		}
		add(path.Join(prefix, sitemap), "sitemap", policy.RoleControl)
	} else {
		add(path.Join(prefix, sitemap), "sitemap", policy.RoleControl)
	}
	if conf.IsMultilingual() && !conf.IsMultihost() && s.Language().Lang == conf.DefaultContentLanguage() {
		// The root or, with the language at the root, its folder sends readers on. With ugly URLs Hugo writes that folder's
		// name behind index.html.
		name := path.Join(s.Language().Lang, "index.html")
		if conf.DefaultContentLanguageInSubdir() {
			name = "index.html"
		}
		add(name, "", policy.RoleRedirect)
		add("index.html"+name, "", policy.RoleRedirect)
	}
	add(path.Join(host, "robots.txt"), "robotstxt", policy.RoleControl)
	add(path.Join(prefix, "404.html"), "404", policy.RoleError)

	for _, p := range s.Pages() {
		sl.add(p)
	}
	sl.unlisted()
}

func appendNew(list []string, name string) []string {
	if slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// siteLister adds the pages of one site.
type siteLister struct {
	*lister
	s          *hugolib.Site
	host, base string
	taxonomies []string // plural names, the longest first
}

// unlisted adds the pages that are in no collection: build.list is never or local. Their content files lead to them.
func (l *siteLister) unlisted() {
	types := l.s.Conf.ContentTypes()
	walk := hugofs.NewWalkway(hugofs.WalkwayConfig{Fs: l.s.BaseFs.Content.Fs, Root: "", PathParser: l.s.Conf.PathParser(), Logger: l.s.Log,
		WalkFn: func(_ context.Context, _ string, info hugofs.FileMetaInfo) error {
			if info.IsDir() || !types.IsContentFile(info.Name()) || info.Meta().PathInfo == nil {
				return nil
			}
			p, err := l.s.GetPage(info.Meta().PathInfo.Base())
			if err == nil && !isNil(p) && p.File() != nil {
				l.add(p)
			}
			return nil
		}})
	if err := walk.Walk(); err != nil {
		l.errs = append(l.errs, fmt.Errorf("hugo: content: %w", err))
	}
}

// isNil also knows the nil pages with a type that GetPage gives.
func isNil(p page.Page) bool {
	v := reflect.ValueOf(p)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// add registers a page, its files and what its front matter says.
func (l *siteLister) add(p page.Page) {
	// Versions and roles of one language are sites of their own.
	key := pageKey{l.s.String(), p.Kind(), p.Path()}
	if l.seen[key] {
		return
	}
	l.seen[key] = true
	info := &pageInfo{
		facts: policy.Facts{Kind: p.Kind(), Type: p.Type(), Section: p.Section(), Language: l.s.Language().Lang},
		path:  p.Path(), bundle: p.BundleType(),
	}
	if f := p.File(); f != nil {
		info.file = f.Filename()
		info.source = l.site.short(info.file)
	}
	if k := p.Kind(); k == "taxonomy" || k == "term" {
		for _, plural := range l.taxonomies {
			if rest, ok := strings.CutPrefix(p.Path(), "/"+strings.ToLower(plural)); ok && (rest == "" || rest[0] == '/') {
				info.taxonomies = []string{plural}
				break
			}
		}
	}
	info.statements = l.statements(p, info)
	rendered := true
	if b, ok := buildOptions(p); ok && (b == "link" || b == "never" || b == "false") {
		rendered = false
	}
	for _, of := range p.OutputFormats() {
		names := l.targets(p, of)
		for i, name := range names {
			html := isHTML(of.Format) || site.IsHTML(name)
			if html && info.main == "" && i == 0 {
				info.main = name
			}
			l.m.output(l.site, name, pageOutput{info, of.Format.Name, html}, rendered && len(names) == 1)
		}
	}
	info.dir = path.Dir(info.main)
	if info.main == "" { // headless: its files are published all the same
		info.dir = path.Join(l.host, strings.Trim(l.s.Conf.LanguagePrefix(), "/"), strings.TrimPrefix(p.Path(), "/"))
	}
	for _, alias := range p.Aliases() {
		l.m.aliases[l.aliasFile(alias)] = info
	}
	l.m.versions[p.Path()] = append(l.m.versions[p.Path()], info)
}

// buildOptions returns build.render of a page, where its front matter says it.
func buildOptions(p page.Page) (string, bool) {
	for _, key := range []string{"build", "_build"} {
		if m, ok := plain(p.Params()[key]).(map[string]any); ok {
			for k, v := range m {
				if strings.EqualFold(k, "render") {
					return strings.ToLower(fmt.Sprint(v)), true
				}
			}
		}
	}
	return "", false
}

func isHTML(f output.Format) bool {
	return f.IsHTML || f.MediaType.Type == "text/html" || f.MediaType.Type == "application/xhtml+xml"
}

// targets returns the file of an output from the publish root. Where the URL holds an escape that front matter wrote
// itself, the file's name is either of two.
func (l *siteLister) targets(p page.Page, of page.OutputFormat) []string {
	link := strings.TrimPrefix(of.RelPermalink(), l.base)
	if link == "" {
		return nil
	}
	file := func(link string) string {
		if strings.HasSuffix(link, "/") {
			link += of.Format.BaseName + of.Format.MediaType.FirstSuffix.FullSuffix
		}
		return strings.TrimPrefix(path.Join("/", l.host, link), "/")
	}
	decoded, err := url.PathUnescape(link)
	if err != nil {
		decoded = link
	}
	names := []string{file(decoded)}
	if raw, ok := p.Params()["url"].(string); ok && strings.Contains(raw, "%") && decoded != link {
		names = append(names, file(link))
	}
	return names
}

// aliasFile returns the file of an alias that Hugo has resolved.
func (l *siteLister) aliasFile(alias string) string {
	name := path.Join("/", alias)
	if l.host != "" && !strings.HasPrefix(name, "/"+l.host+"/") {
		name = path.Join("/", l.host, alias)
	}
	if !strings.HasSuffix(name, ".html") {
		name = path.Join(name, "index.html")
	}
	return strings.TrimPrefix(name, "/")
}

// short shortens a path for messages.
func (s *hugoSite) short(file string) string {
	if s.options.Short == nil {
		return file
	}
	return s.options.Short(file)
}

// staticFs is one static file system and the folder it is published in.
type staticFs struct {
	folder string
	fs     afero.Fs
}
