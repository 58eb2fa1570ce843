package pages

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/internal/site"
)

// A Generator is one whose sites this package knows. [Generators] has them.
type Generator struct {
	name string
	// configs are the names of its configuration, in the order in which it looks for them. A folder with one is a site
	// of it, if only says so too; nil for always.
	configs []string
	only    func(root string) bool
	// module is the npm package of a generator that does without a configuration. A package.json that has it makes a
	// site, where one of beside is there and no other generator's configuration.
	module string
	beside []string
	// publish is the key of the publish folder, and the default. url and at are the keys of the address, and of the
	// path there that the site is served at.
	publish [2]string
	url, at string
	// redirects is the robots tag of the redirect pages that the generator, or its plugin, makes.
	redirects string
	// layout completes what is known of where such a site has its content and its pages.
	layout func(c *config, l *layout) error
}

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
var HTML = &Generator{name: "html", publish: [2]string{"", "."}}

// generators in the order in which they are asked: the surest signs first.
var generators []*Generator

func init() { // they ask for each other's configurations
	generators = []*Generator{&eleventy, &astro, &docusaurus, &vitepress, &hexo, &jekyll, &mkdocs, &pelican}
}

// Generators returns all, in the order in which they are asked; last "html", which no file gives away.
func Generators() (all []site.Generator) {
	for _, g := range generators {
		all = append(all, g)
	}
	return append(all, HTML)
}

// scripts are the names that a program of JavaScript may have.
func scripts(names ...string) (all []string) {
	for _, name := range names {
		for _, ext := range []string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"} {
			all = append(all, name+ext)
		}
	}
	return all
}

// Name is what [site] generator says.
func (g *Generator) Name() string { return g.name }

// Detect reports whether the folder holds a site of this generator, by its own files.
func (g *Generator) Detect(source string) bool {
	if exists(source, g.configs...) {
		return g.only == nil || g.only(source)
	}
	return g.module != "" && depends(source, g.module) && (g.beside == nil || exists(source, g.beside...)) &&
		!slices.ContainsFunc(generators, func(other *Generator) bool { return exists(source, other.configs...) })
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
	if o.Content != nil {
		s.content = *o.Content
	}
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
	if err = c.open(g.configs...); err != nil {
		return l, err
	}
	l.publish, l.baseURL = clean(c.values.text(g.publish[0], g.publish[1])), c.values.text(g.url)
	if at := strings.Trim(c.values.text(g.at), "/"); g.at != "" && l.baseURL != "" &&
		(at == "" || !strings.HasSuffix(l.baseURL, "/"+at)) {
		l.baseURL = strings.TrimSuffix(l.baseURL, "/") + "/" + strings.TrimPrefix(c.values.text(g.at), "/")
	}
	if g.layout != nil {
		err = g.layout(c, &l)
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
