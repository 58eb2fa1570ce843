// Package pages knows the sites of generators that it does not run: Eleventy, Astro, Jekyll, Docusaurus, VitePress,
// Hexo, MkDocs and Pelican, and any folder of pages.
//
// What is published is the truth. A content file is matched with the page it makes by the rules by which its generator
// names pages; what such a rule gives counts where a page of that name is published. Configuration is read and never
// run; of one that is a program only literal values count. The site itself may say which file is whose source, in
// metarobots.json or in its templates, which goes before every rule. A content file that states something and whose
// page is not found is an error, since its page may be public under another name.
package pages

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"metarobots/frontmatter"
	"metarobots/internal/site"
)

// A Generator is one whose sites this package knows: a table of generators.toml, where its fields are explained.
type Generator struct {
	ID                                              string `toml:"name"`
	Configs, Beside, Extensions, Excludes           []string
	Module, Publish, PublishKey, URL, At, Redirects string
	Settings, Permalinks                            map[string]string
}

// signs are further ones of a site, where another program's configuration has the same name.
var signs = map[string]func(g *Generator, root string) bool{"hexo": isHexo, "jekyll": isJekyll}

// layouts complete what is known of where a site has its content and its pages, by the names of generators.
var layouts = map[string]func(g *Generator, c *config, l *layout) error{"astro": astro, "docusaurus": docusaurus,
	"eleventy": eleventy, "hexo": hexo, "jekyll": jekyll, "mkdocs": mkdocs, "pelican": pelican, "vitepress": vitepress}

// A layout is where a site has its content, and where its pages go.
type layout struct {
	publish string // from the site's folder
	baseURL string
	base    string // the folder from which the generator's own templates name content files; empty for the site's
	folders []folder
	other   *folder // the model of the owner's folders outside of folders; nil for the first of them
	// fallback: pages that are not translated are published in the other languages' folders as they are.
	fallback bool
	// numbered: there are pagers in a folder of their number alone, as /blog/2/, or in a file with it, as blog2.html.
	// pagers are the paths of other such pagers, with * for the number.
	numbered bool
	pagers   []string
}

// A folder holds content. dir is its path from the site's folder, from which its functions get the paths of files.
type folder struct {
	dir string
	// extensions are those of content files, with the dot; nil for any.
	extensions []string
	// required reports whether a file without front matter is none of its content; nil says it of none.
	required func(file string) bool
	// skip reports whether a file or folder is none of its content; nil skips none. every: folders whose names begin
	// with a dot and node_modules hold content as others do, unless skip says otherwise.
	skip  func(file string, isDir bool) bool
	every bool
	// leaves reports whether the configuration says that a file is not published; nil leaves none. It is looked for all
	// the same: what it states must not be lost to a pattern that was read wrong.
	leaves func(file string) bool
	// language and collection are those of its files, where they are known.
	language, collection string
	dialect              dialect
	deep                 bool     // what a file inherits is merged key by key
	drafts               []string // the keys, of [draftKeys], by which a file keeps the generator from publishing it
	// inherit returns what a file inherits, the nearest first; nil where nothing is inherited.
	inherit func(c *content) ([]header, error)
	// place sets the places of a file.
	place func(c *content)
}

func always(string) bool { return true }

// HTML is the generator "html": any folder of generated pages. Content is read where [site.content] names it.
var HTML = &Generator{ID: "html", Publish: "."}

//go:embed generators.toml
var generatorsTOML string

// generators are those of generators.toml.
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

// Generators returns all, in the order in which they are asked; last "html", which no file gives away.
func Generators() (all []site.Generator) {
	for _, g := range generators() {
		all = append(all, g)
	}
	return append(all, HTML)
}

// scripts puts the extensions of programs in the place of {js} at the end of a name.
func scripts(names ...string) (all []string) {
	for _, name := range names {
		stem, isScript := strings.CutSuffix(name, "{js}")
		if !isScript {
			all = append(all, name)
			continue
		}
		for _, ext := range []string{"js", "mjs", "cjs", "ts", "mts", "cts"} {
			all = append(all, stem+ext)
		}
	}
	return all
}

// Name is what [site] generator says.
func (g *Generator) Name() string { return g.ID }

// Detect reports whether the folder holds a site of this generator, by its own files.
func (g *Generator) Detect(source string) bool {
	if exists(source, g.Configs...) {
		more := signs[g.ID]
		return more == nil || more(g, source)
	}
	return g.Module != "" && depends(source, g.Module) && (g.Beside == nil || exists(source, g.Beside...)) &&
		!slices.ContainsFunc(generators(), func(other *Generator) bool { return exists(source, other.Configs...) })
}

// depends reports whether a folder's package.json names a module that its site is built with, or has a part for it.
func depends(root, module string) bool {
	var of section
	json.Unmarshal([]byte(firstLines(joined(root, "package.json"))), &of.params)
	return slices.ContainsFunc([]section{of, of.in("dependencies"), of.in("devDependencies")},
		func(of section) bool { return of.get(module) != nil })
}

// Open reads the configuration, as far as it is literal, and finds the publish folder.
func (g *Generator) Open(_ context.Context, o site.Options) (site.Site, error) {
	s := &generated{generator: g, options: o, config: newConfig(o.Source)}
	s.content = *cmp.Or(o.Content, &site.Content{})
	s.config.now, s.config.excluded = o.Now, s.content.Exclude
	var err error
	if s.layout, err = g.read(s.config); err != nil {
		return nil, err
	}
	s.layout.fallback = s.layout.fallback || s.content.Fallback
	s.folders = s.contentFolders()
	s.publish = cmp.Or(o.Destination, joined(o.Source, s.layout.publish))
	return s, nil
}

// read reads the configuration.
func (g *Generator) read(c *config) (l layout, err error) {
	if err = c.open(g.Configs...); err != nil {
		return l, err
	}
	l.publish, l.baseURL = clean(c.values.text(g.PublishKey, g.Publish)), c.values.text(g.URL)
	at := c.values.text(g.At)
	if in := strings.Trim(at, "/"); g.At != "" && l.baseURL != "" &&
		(in == "" || !strings.HasSuffix(l.baseURL, "/"+in)) {
		l.baseURL = strings.TrimSuffix(l.baseURL, "/") + "/" + strings.TrimPrefix(at, "/")
	}
	if complete := layouts[g.ID]; complete != nil {
		err = complete(g, c, &l)
	}
	return l, err
}

// markdown are the usual extensions of content that has front matter.
var markdown = []string{".md", ".markdown", ".mdx", ".mdown", ".mkd", ".mkdn", ".adoc", ".asciidoc", ".rst"}

// joined is a path of a configuration, absolute.
func joined(root, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(root, filepath.FromSlash(name))
}

// generated is an opened site.
type generated struct {
	generator *Generator
	options   site.Options
	content   site.Content // the owner's
	config    *config
	layout    layout
	publish   string // absolute
	folders   []folder
}

// Settings are what the configuration says, as far as it is literal.
func (s *generated) Settings() site.Settings {
	return site.Settings{Publish: s.publish, BaseURL: cmp.Or(s.options.BaseURL, s.layout.baseURL),
		AnyFolder: s.generator == HTML, RedirectTag: s.generator.Redirects, Manifest: manifestLines(s.generator.ID),
		State: filepath.Join(filepath.Dir(s.publish), ".metarobots")}
}

// Close does nothing.
func (s *generated) Close() error { return nil }

// short is a file of the site for messages.
func (s *generated) short(file string) string {
	file = joined(s.options.Source, file)
	if s.options.Short != nil {
		file = s.options.Short(file)
	}
	return filepath.ToSlash(file)
}

// List reads the content and finds the page of each file among those that are published.
func (s *generated) List(ctx context.Context, o frontmatter.Options, published []string) (site.Map, error) {
	r := newReader(s, o)
	for _, f := range s.folders {
		r.fail(r.folder(ctx, &f))
	}
	entries := r.manifest()
	for _, c := range r.sorted() {
		r.state(c)
	}
	m := newPageMap(r, r.sorted(), published)
	m.place()
	m.enter(entries)
	for _, name := range m.published.html {
		m.duplicates(name)
	}
	m.madeBy()
	return m, errors.Join(r.errs...)
}

// unique leaves out what stands there before.
func unique[E comparable](names []E) (all []E) {
	for _, name := range names {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// contentFolders are those of the layout, or the owner's in their place, and those that the owner's permalinks name
// beside them.
func (s *generated) contentFolders() (folders []folder) {
	for _, dir := range s.content.Folders {
		folders = append(folders, s.like(clean(dir)))
	}
	if folders == nil {
		folders = slices.Clone(s.layout.folders)
	}
	for _, dir := range slices.Sorted(maps.Keys(s.content.Permalinks)) {
		if dir = clean(dir); !slices.ContainsFunc(folders, func(f folder) bool { return below(dir, f.dir) }) {
			folders = append(folders, s.like(dir))
		}
	}
	return folders
}

// like is a folder of the owner's, which works as the one of the layout that holds it, or as the first.
func (s *generated) like(dir string) folder {
	f := folder{extensions: markdown, dialect: anyDialect, place: (*content).byPath}
	if s.layout.other != nil {
		f = *s.layout.other
	} else if len(s.layout.folders) > 0 {
		f = s.layout.folders[0]
	}
	for _, of := range s.layout.folders {
		if below(dir, of.dir) {
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
