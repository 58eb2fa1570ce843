package pages

import (
	"path"
	"strings"
)

// mkdocs: every Markdown file of docs_dir is a page at its own path. INHERIT is not followed.
// https://www.mkdocs.org/user-guide/writing-your-docs/
func mkdocs(_ *Generator, c *config, l *layout) error {
	if c.values.params["INHERIT"] != nil {
		c.values.miss("INHERIT")
	}
	s := &mkdocsSite{config: c, docs: clean(c.values.text("docs_dir", "docs"))}
	s.flat = !c.values.boolean("use_directory_urls", true)
	// Both are left out of what is built; what the second names is shown while it is written.
	excluded := leftOut(c.values.text("exclude_docs"), c.values.text("draft_docs"))
	f := folder{dir: s.docs, inherit: s.inherit, place: s.place,
		leaves: func(file string) bool { return matches(excluded, within(file, s.docs)) }}
	if on, _ := s.plugin("blog"); on {
		f.drafts = []string{"draft"} // https://squidfunk.github.io/mkdocs-material/plugins/blog/#meta.draft
	}
	if !strings.Contains(c.values.text("exclude_docs"), "!") { // which may take back what is left out by itself
		f.skip = func(file string, isDir bool) bool {
			return hidden(file, isDir) || within(file, s.docs) == "templates"
		}
	}
	if on, options := s.plugin("meta"); on {
		s.meta = options.text("meta_file", ".meta.yml")
	}
	l.base, l.folders = s.docs, []folder{f}
	return nil
}

type mkdocsSite struct {
	config *config
	docs   string // docs_dir, from the site's folder
	flat   bool   // use_directory_urls is false
	meta   string // the name of files of the meta plugin; empty for none
}

// page is where a file is published, by its path without the extension.
func (s *mkdocsSite) page(name string) string {
	base := path.Base(name)
	switch {
	case base == "index" || strings.EqualFold(base, "readme"):
		return path.Join(path.Dir(name), "index.html")
	case s.flat:
		return name + ".html"
	}
	return name + "/index.html"
}

func (s *mkdocsSite) place(c *content) {
	if strings.EqualFold(c.base, "readme") && exists(joined(s.config.root, s.docs), path.Join(c.dir, "index.md")) {
		c.unpublished = true // beside an index it is left out
		return
	}
	c.places = []string{s.page(c.rel())}
	if language, rest, ok := c.suffixed(); ok {
		// A translation of mkdocs-static-i18n, whose default language has no folder.
		c.language = language
		c.places = append(c.places, s.page(path.Join(language, rest)), s.page(rest))
	}
	if blog, _, ok := strings.Cut(c.dir, "posts"); ok && strings.HasSuffix(blog, "/") {
		// The blog of Material for MkDocs: https://squidfunk.github.io/mkdocs-material/plugins/blog/
		v := c.values("")
		if slug := c.matter.text("slug"); slug == "" && v["title"] != "" {
			v["slug"] = v["title"]
		}
		c.places = append(c.places, filesAt(expanded("/"+blog+":year/:month/:day/:slug/", v))...)
	}
}

// inherit reads what a plugin gives the pages of a folder: https://squidfunk.github.io/mkdocs-material/plugins/meta/
func (s *mkdocsSite) inherit(c *content) (all []header, err error) {
	if s.meta == "" {
		return nil, nil
	}
	for _, dir := range upTo(path.Join(s.docs, c.dir), s.docs) {
		if all, err = s.config.inherited(all, path.Join(dir, s.meta)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// upTo are a folder and those above it, up to one of them.
func upTo(dir, top string) (all []string) {
	for ; dir != top && dir != "." && dir != ""; dir = path.Dir(dir) {
		all = append(all, dir)
	}
	return append(all, top)
}

// plugin reports whether a plugin of Material for MkDocs is in use, with which options: in a map, or a list.
func (s *mkdocsSite) plugin(name string) (on bool, options section) {
	plugins := s.config.values.get("plugins")
	list, isList := plugins.([]any)
	if !isList {
		list = []any{plugins}
	}
	for _, plugin := range list {
		all := s.config.values.part(plugin)
		for _, key := range []string{name, "material/" + name} {
			if _, ok := all.params[key]; ok || plugin == key {
				return true, all.in(key)
			}
		}
	}
	return false, options
}
