package pages

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"metarobots/frontmatter"
	"metarobots/internal/site"
)

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
		AnyFolder: s.generator == HTML, RedirectTag: s.generator.redirects, Manifest: manifestLines(s.generator.name),
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

// byPath places a file of a generator that is not known: where its front matter says, or at its path.
func (c *content) byPath() {
	pattern := "/:path"
	if slug := cmp.Or(c.matter.text("slug"), c.matter.text("id")); strings.HasPrefix(slug, "/") {
		pattern = slug
	} else if slug != "" {
		pattern = "/:dir/:slug"
	}
	c.places = c.patterned(pattern)
}

// patterned are the files of the address that a file itself states, and of a pattern: for one with a language below
// that too.
func (c *content) patterned(pattern string) (places []string) {
	if own := cmp.Or(c.matter.text("permalink"), c.matter.text("url")); own != "" && !strings.ContainsAny(own, "{<:") {
		places = filesAt(own)
	}
	places = append(places, c.expands(pattern, "")...)
	if language, _, ok := c.translation(); ok {
		for _, name := range c.expands(pattern, language) {
			places = append(places, language+"/"+name)
		}
	}
	return places
}

// pattern is the owner's for a file; empty for none.
func (s *generated) pattern(file string) string {
	pattern, longest := s.content.Pattern, -1
	for dir, p := range s.content.Permalinks {
		if dir = clean(dir); below(file, dir) && len(dir) > longest {
			pattern, longest = p, len(dir)
		}
	}
	return pattern
}

// expands are the files of a pattern, with names as they are written and as slugs.
func (c *content) expands(pattern, language string) []string {
	values := c.values(language)
	places := filesAt(expanded(pattern, values))
	for key, value := range values {
		values[key] = slugged(value)
	}
	return unique(append(places, filesAt(expanded(pattern, values))...))
}

// translation returns the language of a file by the folder it lies in, de/a.md, or by its name, a.de.md. rest is its
// path without that.
func (c *content) translation() (language, rest string, ok bool) {
	if language, rest, ok = strings.Cut(c.rel(), "/"); ok && languageFolder.MatchString(language) {
		return language, rest, true
	}
	return c.suffixed()
}

// suffixed is translation by the name alone.
func (c *content) suffixed() (language, rest string, ok bool) {
	language = strings.TrimPrefix(path.Ext(c.base), ".")
	return language, strings.TrimSuffix(c.rel(), "."+language), languageFolder.MatchString(language)
}

// folderIndex is a name that stands for its folder.
var folderIndex = regexp.MustCompile(`(?i)^(?:index|readme|_index)$`)

// values are what the placeholders of the owner's patterns stand for; language is left out of the path.
func (c *content) values(language string) map[string]string {
	rel := c.rel()
	if language != "" {
		_, rel, _ = c.translation()
	}
	dir, base := clean(path.Dir(rel)), path.Base(rel)
	if rel = path.Join(dir, base); folderIndex.MatchString(base) {
		rel = dir
		if dir != "" {
			base = path.Base(dir)
		}
	}
	t, slug, known := c.dated(base)
	v := map[string]string{"path": rel, "dir": dir, "name": base, "slug": cmp.Or(c.matter.text("slug"), c.matter.text("id"), slug)}
	v["section"], _, _ = strings.Cut(dir, "/")
	if known {
		setDate(v, t)
	}
	if c.title != "" {
		v["title"] = slugOf(c.title)
	}
	return v
}
