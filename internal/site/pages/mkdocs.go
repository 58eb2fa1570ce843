package pages

import (
	"path"
	"strings"
)

// mkdocs: every Markdown file of docs_dir is a page at its own path.
// https://www.mkdocs.org/user-guide/writing-your-docs/
func mkdocs(g *generated) {
	c := g.config.values
	s := &mkdocsSite{root: g.options.Source, docs: clean(c.text("docs_dir", "docs"))}
	s.flat = !c.boolean("use_directory_urls", true)
	// Both are left out of what is built; what the second names is shown while it is written.
	f := folder{dir: s.docs, place: s.place, leaves: leftOut(s.docs, c.text("exclude_docs")+"\n"+c.text("draft_docs"))}
	if !strings.Contains(c.text("exclude_docs"), "!") { // which may take back what is left out by itself
		f.skip = func(file string, isDir bool) bool {
			return hidden(file, isDir) || within(file, s.docs) == "templates"
		}
	}
	// What the meta plugin of Material for MkDocs gives the pages of a folder, in .meta.yml if it has no other name,
	// reaches none of them: https://squidfunk.github.io/mkdocs-material/plugins/meta/
	meta := func(file string, isDir bool) bool { return !isDir && !hidden(file, isDir) }
	g.base, g.layout = s.docs, []folder{f, {dir: s.docs, extensions: []string{".yml"}, required: always, skip: meta}}
}

type mkdocsSite struct {
	root string // the site's folder
	docs string // docs_dir, from the site's folder
	flat bool   // use_directory_urls is false
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
	if strings.EqualFold(c.base, "readme") && exists(joined(s.root, s.docs), path.Join(c.dir, "index.md")) {
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
		v, date := c.values("")
		if slug := c.matter.text("slug"); slug == "" && v["title"] != "" {
			v["slug"] = v["title"]
		}
		c.places = append(c.places, filesAt(expanded("/"+blog+":year/:month/:day/:slug/", v, date))...)
	}
}
