package pages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/internal/site"
	"metarobots/policy"
)

// A Generator is one whose sites this package knows. [Generators] has them.
type Generator struct{ profile *profile }

// A profile is what is known of one generator.
type profile struct {
	name string
	// configs are the names that its configuration may have, in the order in which it looks for them: a folder that has
	// one is a site of it.
	configs []string
	// module is the npm package of a generator that does without a configuration; then it is package.json that tells,
	// where one of beside is there too, and no other generator's configuration. Empty for the others.
	module string
	beside []string
	// only narrows this down, where the name of the configuration is another generator's too; nil leaves it.
	only func(root string) bool
	// publish is the key that names the publish folder, and what it is by default.
	publish [2]string
	// url and at are the keys of the address, and of the path there that the site is served at.
	url, at string
	// redirects is what the redirect pages say to robots that the generator makes, or the plugin that it has for them.
	redirects string
	// layout completes what is known of where such a site has its content and its pages.
	layout func(c *config, l *layout) error
}

// A layout is where a site has its content, and where its pages go.
type layout struct {
	// publish is the publish folder, from the site's; publishKey names it in the configuration.
	publish, publishKey string
	baseURL             string
	redirects           string
	// base is the folder from which the generator's own templates name content files; empty for the site's.
	base    string
	folders []folder
	// fallback: pages that are not translated are published in the other languages' folders as they are.
	fallback bool
	// numbered: there are pagers in a folder of their number alone, as /blog/2/, or in a file with it, as blog2.html.
	numbered bool
	// pagers are the paths of other pagers of their number alone, with * for it.
	pagers []string
	// other is what the owner's folders take after that lie in none of folders; nil for the first of them.
	other *folder
	// computed are findings of what a program other than the configuration computes, with the file from the site's
	// folder.
	computed []policy.Finding
}

// A folder holds content.
type folder struct {
	files
	// language and collection are those of its files, where they are known.
	language, collection string
	dialect              dialect
	// deep merges what a file inherits key by key.
	deep bool
	// drafts are the keys, of [draftKeys], by which a file keeps the generator from publishing it.
	drafts []string
	// inherit returns what a file inherits, the nearest first; nil where nothing is inherited.
	inherit func(c *content) ([]header, error)
	// place says where a file is published.
	place func(c *content)
}

// files say which files below a folder are content. What they name is named by its path from the folder.
type files struct {
	// dir is the folder's path from the site's.
	dir string
	// extensions are those of content files, with the dot; nil for any.
	extensions []string
	// required reports whether a file without front matter is none of its content; nil says it of none.
	required func(rel string) bool
	// skip reports whether a file or folder is none of its content; nil skips none.
	skip func(rel string, isDir bool) bool
	// every: folders whose names begin with a dot and node_modules hold content as others do, unless skip says
	// otherwise.
	every bool
	// leaves reports whether the configuration says that a file is not published; nil leaves none. It is looked for all
	// the same: what it states must not be lost to a pattern that was read wrong.
	leaves func(rel string) bool
}

// below are the files of a folder in it, by its path from it.
func (f files) below(dir string) files {
	under := func(of func(string) bool) func(string) bool {
		if of == nil {
			return nil
		}
		return func(rel string) bool { return of(path.Join(dir, rel)) }
	}
	if skip := f.skip; skip != nil {
		f.skip = func(rel string, isDir bool) bool { return skip(path.Join(dir, rel), isDir) }
	}
	f.dir = path.Join(f.dir, dir)
	f.required, f.leaves = under(f.required), under(f.leaves)
	return f
}

// plain is that of any folder of generated pages, of which nothing is known but what stands in them. Content is read
// where [site.content] names it.
var plain = profile{name: "html", publish: [2]string{"", "."}}

// HTML is the generator "html". No file gives it away: any folder may be one of pages.
var HTML = Generator{&plain}

// profiles in the order in which they are asked: the surest signs first.
var profiles []*profile

func init() { // they ask for each other's configurations
	profiles = []*profile{&eleventy, &astro, &docusaurus, &vitepress, &hexo, &jekyll, &mkdocs, &pelican}
}

// Generators returns all, in the order in which a folder is to be shown to them; last "html", which no file gives away.
func Generators() []site.Generator {
	var all []site.Generator
	for _, p := range profiles {
		all = append(all, Generator{p})
	}
	return append(all, HTML)
}

// Name is what [site] generator says.
func (g Generator) Name() string { return g.profile.name }

// Detect reports whether the folder holds a site of this generator, by its own files.
func (g Generator) Detect(source string) bool {
	p := g.profile
	if exists(source, p.configs...) {
		return p.only == nil || p.only(source)
	}
	return p.module != "" && depends(source, p.module) && (p.beside == nil || exists(source, p.beside...)) &&
		!slices.ContainsFunc(profiles, func(other *profile) bool { return exists(source, other.configs...) })
}

// depends reports whether a folder's package.json names a module that its site is built with.
func depends(root, module string) bool {
	var of struct{ Dependencies, DevDependencies map[string]any }
	if json.Unmarshal([]byte(firstLines(joined(root, "package.json"))), &of) != nil {
		return false
	}
	return of.Dependencies[module] != nil || of.DevDependencies[module] != nil
}

// Open reads the configuration, as far as it is literal, and finds the publish folder.
func (g Generator) Open(_ context.Context, o site.Options) (site.Site, error) {
	c := newConfig(o.Source)
	c.now = o.Now
	if o.Content != nil {
		c.excluded = o.Content.Exclude
	}
	if err := c.open(g.profile.configs...); err != nil {
		return nil, err
	}
	l, err := g.profile.read(c)
	if err != nil {
		return nil, err
	}
	return opened(g.profile.name, o, c, l)
}

// read asks the configuration.
func (p *profile) read(c *config) (layout, error) {
	l := layout{publish: clean(c.text(p.publish[0], p.publish[1])), publishKey: p.publish[0], redirects: p.redirects,
		baseURL: c.text(p.url, "")}
	if at := strings.Trim(c.text(p.at, ""), "/"); p.at != "" && l.baseURL != "" &&
		(at == "" || !strings.HasSuffix(l.baseURL, "/"+at)) {
		l.baseURL = strings.TrimSuffix(l.baseURL, "/") + "/" + strings.TrimPrefix(c.text(p.at, ""), "/")
	}
	if p.layout == nil {
		return l, nil
	}
	return l, p.layout(c, &l)
}

// opened is a site whose publish folder is there.
func opened(generator string, o site.Options, c *config, l layout) (site.Site, error) {
	s := &generated{generator: generator, options: o, config: c, layout: l, publish: o.Destination}
	if o.Content != nil {
		s.content = *o.Content
		s.layout.fallback = l.fallback || s.content.Fallback
	}
	if s.publish == "" {
		s.publish = joined(o.Source, l.publish)
	}
	s.bases = []string{"", l.base}
	for _, f := range s.folders() {
		s.bases = append(s.bases, f.dir)
	}
	s.bases = unique(s.bases)
	shown := short(o, s.publish)
	info, err := os.Stat(s.publish)
	switch {
	case errors.Is(err, os.ErrNotExist) && generator == plain.name:
		return nil, fmt.Errorf("publish folder %s does not exist: build the site first", shown)
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("publish folder %s does not exist: build the site first, or name its folder "+
			"(this looks like a site of %s)", shown, generator)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("publish folder %s is a file", shown)
	}
	return s, nil
}

// markdown are the usual extensions of content that has front matter.
var markdown = []string{".md", ".markdown", ".mdx", ".mdown", ".mkd", ".mkdn", ".adoc", ".asciidoc", ".rst"}

func short(o site.Options, file string) string {
	if o.Short == nil {
		return file
	}
	return o.Short(file)
}

// joined is a path of a configuration, absolute.
func joined(root, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(root, filepath.FromSlash(name))
}
