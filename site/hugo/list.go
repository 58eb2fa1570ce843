package hugo

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gohugoio/hugo/hugofs"
	"github.com/gohugoio/hugo/hugolib"
	"github.com/gohugoio/hugo/output"
	"github.com/gohugoio/hugo/resources/page"
	"github.com/gohugoio/hugo/resources/resource"
	"github.com/spf13/afero"

	"metarobots/frontmatter"
	"metarobots/policy"
	"metarobots/site"
)

// List assembles the site's pages without rendering them.
func (s *hugoSite) List(_ context.Context, o frontmatter.Options) (m site.Map, err error) {
	defer s.caught(&err)
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
		publish:   s.publish(),
		short:     s.short,
		outputs:   map[string]pageOutput{},
		aliases:   map[string]*pageInfo{},
		resources: map[string][]*pageInfo{},
		fixed:     map[string]fixedFile{},
	}
	for _, language := range s.configs.Languages {
		m.languages = append(m.languages, language.Lang)
	}
	if s.configs.IsMultihost {
		m.hosts = m.languages
	}
	l := &lister{site: s, m: m, options: o, seen: map[pageKey]bool{}, documents: map[string]*document{}}
	for _, st := range l.all(h) {
		l.addSite(h, st)
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
	taxonomies := l.site.configs.Base.Taxonomies
	if c := l.site.configs.LanguageConfigMap[s.Language().Lang]; c != nil {
		taxonomies = c.Taxonomies // a language may have its own
	}
	for _, plural := range taxonomies {
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
				info.main, info.format = name, of.Format.Name
			}
			l.m.output(l.site, name, pageOutput{info, of.Format.Name, html}, rendered && len(names) == 1)
		}
	}
	info.rendered = rendered && info.main != ""
	l.resources(p, info)
	for _, alias := range p.Aliases() {
		l.m.aliases[l.aliasFile(alias)] = info
	}
}

// resources registers the files of a page's bundle. Their keys name the files they are published as; asking for a link
// instead would publish them.
func (l *siteLister) resources(p page.Page, info *pageInfo) {
	if info.bundle == "" {
		return
	}
	for _, r := range p.Resources() {
		id, ok := r.(resource.Identifier)
		if !ok || r.ResourceType() == "page" {
			continue
		}
		name, err := url.PathUnescape(id.Key())
		if err != nil {
			name = id.Key()
		}
		name = strings.TrimPrefix(path.Join("/", name), "/")
		for _, key := range []string{name, stemKey(name)} {
			if !slices.Contains(l.m.resources[key], info) {
				l.m.resources[key] = append(l.m.resources[key], info)
			}
		}
	}
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
	if decoded == link {
		return names
	}
	// An escape that front matter itself wrote stays in the file's name, and what Hugo escaped for the link does not.
	for _, key := range []string{"url", "slug"} {
		raw, _ := p.Params()[key].(string)
		if !strings.Contains(raw, "%") {
			continue
		}
		kept := escape.ReplaceAllStringFunc(link, func(e string) string {
			if strings.Contains(strings.ToUpper(raw), strings.ToUpper(e)) {
				return strings.ReplaceAll(e, "%", "%25")
			}
			return e
		})
		if name, err := url.PathUnescape(kept); err == nil {
			names = append(names, file(name))
		}
		names = append(names, file(link), file(strings.ReplaceAll(decoded, "%25", "%")))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// escape is a percent-encoded byte.
var escape = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

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
