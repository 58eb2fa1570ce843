// Package pages knows the sites of generators that it does not run: Eleventy, Astro, Jekyll,
// Docusaurus, VitePress, VuePress, Hexo, MkDocs and Pelican, and any folder of pages.
//
// What is published is the truth. Content is matched with published pages by the rules by which its
// generator names them. Configuration is read and never run: of a program literal values count. The
// site itself may say which file is whose source, in metarobots.json or in its templates, which
// goes before every rule. A content file that states something and whose page is not found is an
// error, since its page may be public under another name.
//
// Words of this package:
//
//	site's folder    options.Source: where the configuration lies. Paths are from there, with slashes:
//	                 "posts/a.md", "" for the folder itself. clean makes such a path of a configured
//	                 one, joined an absolute one, and short one for messages.
//	published file   a file of the publish folder, by its path from there: "a/index.html"
//	content file     a source of pages, "posts/a.md": a content, with what it states
//	front matter     the keys at the top of a content file
//	bare             without front matter
//	statement        what one key states for crawlers, robots: noindex, with its file and line
//	place            a published file that a content file may have made, "a/index.html". In place of
//	                 an unknown part it has *, ** for one that may hold slashes, *# for a number.
//	behind           the content files behind a published file, as a rule of its generator has it
//	explicit         those that the page or a manifest names itself, which outweighs the rule
//	makes many       said of a content file, such as a template that lists posts: all pages that match
//	                 its places may be its own
//	metadata, claim  what a page, by a meta named metarobots, or an entry of a manifest says of that
//	                 page: its source, its kind, statements (site.PageMeta)
//	manifest         the file metarobots.json
//	layout           the folders in which the generator looks for content, as its code here knows them
//	folder           one of them. Without a function place its files make no pages: they are templates,
//	                 of any extension, whose statements reach no page.
//	section          literal values with their lines (index): of front matter, of a configuration, or
//	                 of a part of one. in("a") is the section under the key a; text, boolean and list
//	                 read a key, with a default.
//	program          a configuration or data in JavaScript, Python …: read as tokens, never run
//	computed         a value that only running a program would tell; source.Computed is in its place.
//	                 Whoever asks for one notes its key by noteComputed: that is a finding at the end.
//	matters          said of a key: it may state something for crawlers, or where the page is
//	permalink        the pattern of a URL, "/:year/:slug/"
//	list, pager      a page that lists others, and its later pages, /blog/page/2/
//
// A reader reads the content files (r.sources, by path; nil for one whose front matter cannot be
// read; a file that is too large, or outside of the site, is not there). Its found keeps a finding,
// and fail an error, which ends the run. A pageMap then tells what is behind each published file.
// s.content is what the owner states under [site.content]; Exclude there leaves files out.
package pages

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"metarobots/frontmatter"
	"metarobots/internal/site"
	"metarobots/internal/versions"
	"metarobots/policy"
)

// A Generator is one whose sites this package knows: a table of generators.toml, which explains all
// fields. Some of them:
//
//	Configs          names of its configuration, the first that exists counts: "_config.yml"
//	Extensions       of its content files, ".md"; nil for any
//	Unread           keys that are reported, since what they say is not followed
//	Dotted           node_modules and folders with a dot before their name hold content too
//	Fallback         a page that is not translated is published in every language's folder
type Generator struct {
	ID                                    string `toml:"name"`
	Configs, Extensions, Unread, Excludes []string
	Settings, Permalinks                  map[string]string
	Dotted, Fallback                      bool
	Signs                                 signs
	Publish                               publishSetting
	Address                               addressKeys
	Tags                                  tags
	Dialect                               dialect
}

// signs are what tells the sites of a generator, beside its configuration: a table of
// generators.toml.
type signs struct {
	// Files and Words, an expression, are asked where other programs' configuration has the same
	// name: one of the files is there, or the words are in the configuration or in package.json.
	Files []string
	Words string
	// Module is the npm package of a generator that does without a configuration. If Beside are
	// folders, one of them has to be there then.
	Module string
	Beside []string
}

// areIn reports whether a folder that has a configuration, one of names, is by these signs a site
// of the generator.
func (s *signs) areIn(folder string, configs []string) bool {
	says := func(name string) bool { return regexp.MustCompile(s.Words).MatchString(textOf(folder, name)) }
	return exists(folder, s.Files...) || says("package.json") || slices.ContainsFunc(configs, says)
}

// areInModules reports whether a folder without a configuration of the generator has its package.
func (s *signs) areInModules(folder string) bool {
	module := regexp.MustCompile(`"` + regexp.QuoteMeta(s.Module) + `"\s*:`)
	return s.Module != "" && module.MatchString(textOf(folder, "package.json")) &&
		(s.Beside == nil || exists(folder, s.Beside...))
}

// A publishSetting is how a configuration names the publish folder: a table of generators.toml.
type publishSetting struct {
	Folder string // by default, "dist"
	Key    string // that names another one
}

// addressKeys are the keys of a configuration under which the site's address is, and its path
// there, "url" and "baseUrl": a table of generators.toml. Either may be "" for none.
type addressKeys struct{ URL, Path string }

// address is the address of the site by its configuration; empty if that has none. The path of the
// site there, "/docs", may be under a key of its own, and in the address too:
//
//	url https://example.org,       baseUrl /docs    https://example.org/docs
//	url https://example.org/docs,  baseUrl /docs/   https://example.org/docs
func (k addressKeys) address(config section) string {
	address, path := config.text(k.URL), config.text(k.Path)
	if k.Path == "" || address == "" {
		return address
	}
	inner := strings.Trim(path, "/")
	hasPath := inner != "" && strings.HasSuffix(address, "/"+inner)
	if hasPath {
		return address
	}
	return strings.TrimSuffix(address, "/") + "/" + strings.TrimPrefix(path, "/")
}

// layouts complete what is known of where a site has its content and its pages, by the names of
// generators.
var layouts = map[string]func(s *openedSite){"astro": astro, "docusaurus": docusaurus, "eleventy": eleventy,
	"hexo": hexo, "jekyll": jekyll, "mkdocs": mkdocs, "pelican": pelican, "vitepress": vitepress, "vuepress": vuepress}

// An openedSite is what the configuration of a generator says of a site, as far as it is literal,
// and where its content lies and its pages go.
type openedSite struct {
	generator    *Generator
	options      site.Options
	content      site.Content // the owner's
	config       section      // of the generator; without a file if there is none
	computed     computedKeys // of configurations, whose values were asked for
	err          error        // of a file beside the configuration
	publish      string       // from the site's folder, or absolute
	baseURL      string
	base         string   // the folder from which the generator's own templates name content files; empty for the site's
	layout       layout   // of the generator
	folders      []folder // that are read
	translations translations
	versions     siteVersions
	pagers       pagerPaths
	global       func(r *reader) // says what data may be about every page; nil where there is none
}

// A layout is the folders in which a generator looks for content.
type layout struct {
	folders []folder
	other   *folder // the model of the owner's folders outside of them; nil for the first of them
}

// translations say in which languages' folders a page is published that its content is not
// translated for.
type translations struct {
	// fallback: pages that are not translated are published in the other languages' folders as they
	// are.
	fallback bool
	// languages are those of the configuration in which every page is published, whichever its
	// content is in: in the folder of their name, one of them at the root. They are known for few
	// generators.
	languages []string
}

// siteVersions are the versions of documentations, and the lists of them that cannot be read.
type siteVersions struct {
	groups []versions.Group
	unread []versions.Unread
}

// pagerPaths are the paths of pagers whose number has no folder before it.
type pagerPaths struct {
	areNumbered bool     // they are in a folder of their number alone, /blog/2/, or in a file, blog2.html
	others      []string // the paths of others, with * for the number
}

// A folder holds content. Its functions get the paths of files from the site's folder, and may be
// nil.
type folder struct {
	dir        string   // from the site's folder; empty for that itself
	extensions []string // of content files, ".md"; nil for the generator's
	// takesBare reports whether a file without front matter is content; nil: it is.
	takesBare func(file string) bool
	// skip reports whether a file or folder is none of its content; nil: all are.
	skip func(file string, isDir bool) bool
	// leaves are the files that the configuration says are not published. They are looked for all
	// the same: what they state must not be lost to a pattern that was read wrong.
	leaves               []policy.Glob
	language, collection string                     // of its files, where they are known
	drafts               []string                   // the keys of isDraft that its generator knows
	inherit              func(c *content) []section // what a file inherits, the nearest first
	// place sets the places of a file, and whether it makes many pages; nil if its files make none,
	// as those of a folder of templates.
	place func(c *content)
}

// makesPages reports whether its files make pages; those of a folder of templates make none.
func (f *folder) makesPages() bool { return f.place != nil }

func always(string) bool { return true }

func never(string) bool { return false }

//go:embed generators.toml
var generatorsTOML string

// generators are read when a site is looked for: other commands need none.
var generators = sync.OnceValue(func() []*Generator {
	var all struct{ Generator []*Generator }
	if _, err := toml.Decode(generatorsTOML, &all); err != nil {
		panic("generators.toml: " + err.Error())
	}
	for _, g := range all.Generator {
		g.Configs, g.Extensions = scripts(g.Configs...), scripts(g.Extensions...)
	}
	return all.Generator
})

// HTML is the generator "html": any folder of generated pages. Content is read where [site.content]
// names it.
func HTML() *Generator { return generators()[len(generators())-1] }

// Generators returns all, in the order in which they are asked; last [HTML], which no file gives
// away.
func Generators() (all []site.Generator) {
	for _, g := range generators() {
		all = append(all, g)
	}
	return all
}

// scripts puts the extensions of programs in the place of {js}.
func scripts(names ...string) (all []string) {
	for _, name := range names {
		for _, ext := range []string{"js", "mjs", "cjs", "ts", "mts", "cts"} {
			all = append(all, strings.ReplaceAll(name, "{js}", ext))
		}
	}
	return unique(all)
}

// Name is what [site] generator says.
func (g *Generator) Name() string { return g.ID }

// Detect reports whether the folder holds a site of this generator, by its own files.
func (g *Generator) Detect(source string, _ map[string]any) bool {
	if exists(source, g.Configs...) {
		return g.Signs.areIn(source, g.Configs)
	}
	return g.Signs.areInModules(source) &&
		!slices.ContainsFunc(generators(), func(other *Generator) bool { return exists(source, other.Configs...) })
}

// Open reads the generator's configuration, as far as it is literal, and finds the publish folder,
// the base URL and the folders of content, for [site.Generator]. Content is not read yet. The error
// is that of a configuration, or of a file beside it, which cannot be read. A value that is
// computed is no error: its key is noted (noteComputed), and the generator's default counts.
func (g *Generator) Open(_ context.Context, o site.Options) (site.Site, error) {
	s := &openedSite{generator: g, options: o, content: *cmp.Or(o.Content, &site.Content{}), computed: computedKeys{}}
	if s.config, s.err = s.open(g.Configs...); s.err != nil {
		return nil, s.err
	}
	s.config.noteUnread(g.Unread)
	s.translations.fallback = g.Fallback || s.content.Fallback
	s.publish = clean(s.config.text(g.Publish.Key, g.Publish.Folder))
	s.baseURL = g.Address.address(s.config)
	if completeLayout := layouts[g.ID]; completeLayout != nil {
		completeLayout(s) // it may set any field
	}
	s.folders = s.contentFolders()
	s.publish = cmp.Or(o.Destination, joined(o.Source, s.publish))
	return s, s.err
}

// noteUnread notes the keys of a configuration that are set and whose values nobody follows. "..."
// among them is for all that a program spreads into the configuration, whose keys begin so.
func (s section) noteUnread(unread []string) {
	for key, value := range s.params {
		isSpread := strings.HasPrefix(key, "...") && slices.Contains(unread, "...")
		if value != nil && (isSpread || slices.Contains(unread, key)) {
			s.noteComputed(key)
		}
	}
}

// joined is the absolute path of a configured one, which counts from root unless it is absolute
// itself.
func joined(root, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(root, filepath.FromSlash(name))
}

// Settings are what the configuration says, as far as it is literal.
func (s *openedSite) Settings() site.Settings {
	return site.Settings{Publish: s.publish, BaseURL: cmp.Or(s.options.BaseURL, s.baseURL),
		AnyFolder: s.generator == HTML(), Manifest: manifestLines(s.generator.ID),
		State: filepath.Join(filepath.Dir(s.publish), ".metarobots"),
		Tags:  site.Tags{Redirect: s.generator.Tags.Redirects, EveryPage: s.everyPage()}}
}

// Versions are those of a site of Docusaurus.
func (s *openedSite) Versions() ([]versions.Group, []versions.Unread) {
	return s.versions.groups, s.versions.unread
}

// Close is that of [site.Site]: nothing is held.
func (s *openedSite) Close() error { return nil }

// short is a file of the site for messages.
func (s *openedSite) short(file string) string {
	return filepath.ToSlash(s.options.Short(joined(s.options.Source, file)))
}

// List reads the content and finds the page of each file among those that are published.
func (s *openedSite) List(ctx context.Context, o frontmatter.Config, published []string) (site.Map, error) {
	r := newReader(s, o)
	r.reportRepeatsInConfig()
	for _, f := range s.folders {
		r.fail(r.readFolder(ctx, &f))
	}
	if s.global != nil {
		s.global(r)
	}
	entries := r.readManifests()
	m := newPageMap(r, published)
	m.matchContent()
	m.enterManifest(entries)
	for _, name := range m.published.html {
		m.reportDuplicates(name)
	}
	m.reportOtherGenerator()
	return m, errors.Join(r.errs...)
}

// unique are the items of a list, each once, in the order of the first.
func unique[E comparable](names []E) (all []E) {
	for _, name := range names {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// contentFolders are the owner's or those of the layout, and those that the owner's permalinks name
// beside them.
func (s *openedSite) contentFolders() (folders []folder) {
	for _, dir := range s.content.Folders {
		folders = append(folders, s.layout.like(clean(dir)))
	}
	for _, f := range s.layout.folders {
		if s.content.Folders == nil || !f.makesPages() {
			folders = append(folders, f)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(s.content.Permalinks)) {
		if dir = clean(dir); !slices.ContainsFunc(folders, func(f folder) bool {
			return f.makesPages() && below(dir, f.dir)
		}) {
			folders = append(folders, s.layout.like(dir))
		}
	}
	return folders
}

// like is a folder whose content is read and placed as in the folder of the layout that holds it,
// or else as in the first of the layout.
func (l layout) like(dir string) folder {
	f := folder{place: (*content).byPath}
	if l.other != nil {
		f = *l.other
	} else if len(l.folders) > 0 {
		f = l.folders[0]
	}
	for _, of := range l.folders {
		if of.makesPages() && below(dir, of.dir) {
			f = of
		}
	}
	f.dir = dir
	return f
}

// below reports whether a path is a folder or lies below it.
func below(name, dir string) bool {
	return dir == "" || name == dir || strings.HasPrefix(name, dir+"/")
}

// within is a path below a folder, from that.
func within(name, dir string) string { return strings.TrimPrefix(strings.TrimPrefix(name, dir), "/") }
