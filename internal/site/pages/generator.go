package pages

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"metarobots/internal/site"
	"metarobots/policy"
)

// A Generator is one whose sites this package knows. [Generators] has them.
type Generator struct{ profile *profile }

// A profile is what is known of one generator.
type profile struct {
	name string
	// detect reports whether a folder holds a site of it, by its own files.
	detect func(root string) bool
	// configs are the names that its configuration may have, in the order in which it looks for them.
	configs []string
	// layout says where such a site has its content and its pages.
	layout func(c *config) (layout, error)
}

// A layout is where a site has its content, and where its pages go.
type layout struct {
	// publish is the publish folder, from the site's.
	publish string
	baseURL string
	// base is the folder from which the generator's own templates name content files; empty for the site's.
	base    string
	folders []folder
	// fallback: pages that are not translated are published in the other languages' folders as they are.
	fallback bool
	// numbered: there are pagers in a folder of their number alone, as /blog/2/, or in a file with it, as blog2.html.
	numbered bool
	// lists tells of a page, where the generator knows what makes it, whether a number at the end of its path counts the
	// pages of a list; nil knows of none.
	lists func(name string) (is, known bool)
	// other is what the owner's folders take after that lie in none of folders; nil for the first of them.
	other *folder
	// computed are findings of what a program other than the configuration computes, with the file from the site's folder.
	computed []policy.Finding
}

// A folder holds content.
type folder struct {
	// dir is its path from the site's folder.
	dir string
	// extensions are those of content files, with the dot.
	extensions []string
	// language and collection are those of its files, where they are known.
	language, collection string
	// edition is the same of folders that hold one and the same files, by the same paths, in several languages or versions;
	// empty where there are none. A link to edit one of them may lead to another.
	edition string
	dialect dialect
	// required: a file without front matter is none of its content, but for those of which bare, by their path from the
	// folder, says otherwise; nil says it of none.
	required bool
	bare     func(rel string) bool
	// deep merges what a file inherits key by key.
	deep bool
	// skip reports whether a file or folder below it, by its path from it, is none of its content; nil skips none.
	skip func(rel string, isDir bool) bool
	// every: folders whose names begin with a dot and node_modules hold content as others do, unless skip says otherwise.
	every bool
	// unfollowed reports whether a link to a folder, by its path from the folder, is not followed; nil follows all.
	unfollowed func(rel string) bool
	// leaves reports whether the configuration says that a file, by its path from the folder, is not published; nil leaves
	// none. It is looked for all the same: what it states must not be lost to a pattern that was read wrong.
	leaves func(rel string) bool
	// drafts are the keys, of [draftKeys], by which a file keeps the generator from publishing it; nil for none. A file that
	// says more is looked for like others: elsewhere it is public.
	drafts func(c *content) []string
	// inherit returns what a file inherits, the nearest first; nil where nothing is inherited.
	inherit func(c *content) ([]header, error)
	// place says where a file is published.
	place func(c *content)
}

// profiles in the order in which they are asked: the surest signs first.
var profiles = []*profile{&eleventy, &astro, &docusaurus, &vitepress, &hexo, &jekyll, &mkdocs, &pelican}

// Generators returns all, in the order in which a folder is to be shown to them; last "html", which no file gives away.
func Generators() []site.Generator {
	var all []site.Generator
	for _, p := range profiles {
		all = append(all, Generator{p})
	}
	return append(all, HTML{})
}

// Name is what [site] generator says.
func (g Generator) Name() string { return g.profile.name }

// Detect reports whether the folder holds a site of this generator, by its own files.
func (g Generator) Detect(source string) bool { return g.profile.detect(source) }

// Open reads the configuration, as far as it is literal, and finds the publish folder.
func (g Generator) Open(_ context.Context, o site.Options) (site.Site, error) {
	c := &config{root: o.Source, now: o.Now}
	if err := c.open(g.profile.configs...); err != nil {
		return nil, err
	}
	l, err := g.profile.layout(c)
	if err != nil {
		return nil, err
	}
	publish := o.Destination
	if publish == "" {
		publish = joined(o.Source, l.publish)
	}
	if err := there(o, publish, g.profile.name); err != nil {
		return nil, err
	}
	return opened(g.profile.name, o, c, l, publish), nil
}

// HTML is the generator "html": any folder of generated pages, of which nothing is known but what stands in them. Content
// is read where [site.content] names it.
type HTML struct{}

// Name returns "html".
func (HTML) Name() string { return "html" }

// Detect is never sure: any folder may be one of pages.
func (HTML) Detect(string) bool { return false }

// Open takes the destination, or else the source itself, for the folder of pages.
func (HTML) Open(_ context.Context, o site.Options) (site.Site, error) {
	publish := o.Destination
	if publish == "" {
		publish = o.Source
	}
	if err := there(o, publish, "html"); err != nil {
		return nil, err
	}
	return opened("html", o, &config{root: o.Source}, layout{}, publish), nil
}

// always are keys of drafts that a generator knows by itself.
func always(keys ...string) func(*content) []string {
	return func(*content) []string { return keys }
}

// markdown are the usual extensions of content that has front matter.
var markdown = []string{".md", ".markdown", ".mdx", ".mdown", ".mkd", ".mkdn", ".adoc", ".asciidoc", ".rst"}

// there refuses a publish folder that is none.
func there(o site.Options, publish, generator string) error {
	info, err := os.Stat(publish)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if generator == "html" {
			return fmt.Errorf("publish folder %s does not exist: build the site first", short(o, publish))
		}
		return fmt.Errorf("publish folder %s does not exist: build the site first, or name its folder (this is taken for a site of %s)", short(o, publish), generator)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("publish folder %s is a file", short(o, publish))
	}
	return nil
}

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
