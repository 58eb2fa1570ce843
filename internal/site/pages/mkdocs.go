package pages

import (
	"path"
	"strings"
)

// mkdocs: every Markdown file of docs_dir is a page at its own path.
// https://www.mkdocs.org/user-guide/writing-your-docs/
func mkdocs(s *openedSite) {
	c := s.config
	docs, excluded := clean(c.text("docs_dir", "docs")), c.text("exclude_docs")
	// Both are left out of what is built; what the second names is shown while it is written.
	f := folder{dir: docs, place: mkdocsPage, leaves: leftOut(docs, excluded+"\n"+c.text("draft_docs"))}
	if !strings.Contains(excluded, "!") { // which may take back what is left out by itself
		f.skip = func(file string, isDir bool) bool {
			return hidden(file, isDir) || within(file, docs) == "templates"
		}
	}
	// What the meta plugin of Material for MkDocs gives the pages of a folder, in .meta.yml if it has no other name,
	// reaches none of them: https://squidfunk.github.io/mkdocs-material/plugins/meta/
	meta := func(file string, isDir bool) bool { return !isDir && !hidden(file, isDir) }
	s.base = docs
	s.layout = []folder{f, {dir: docs, extensions: []string{".yml"}, takesBare: never, skip: meta}}
}

// mkdocsPage sets where MkDocs publishes a Markdown file: at its own path, or nowhere. With the
// plugin mkdocs-static-i18n it may be a translation, and a file in a folder posts of the blog
// plugin may be a post, whose address has its date and its title. Of docs/guide/a.md, c.dir is
// "guide", c.base "a", c.rel() "guide/a" and c.file the whole:
//
//	guide/a.md                  guide/a/index.html, or guide/a.html without use_directory_urls
//	guide/index.md, README.md   guide/index.html
//	guide/a.fr.md               also fr/guide/a/index.html and guide/a/index.html
//	blog/posts/2026/a.md        also blog/2026/11/29/its-title/index.html
func mkdocsPage(c *content) {
	site := c.reader.site
	if strings.EqualFold(c.base, "readme") && exists(site.options.Source, path.Join(path.Dir(c.file), "index.md")) {
		c.unpublished = true // beside an index it is left out
		return
	}
	names := []string{c.rel()}
	if language, rest, ok := c.suffixed(); ok {
		// A translation of mkdocs-static-i18n, whose default language has no folder.
		c.language = language
		names = append(names, path.Join(language, rest), rest)
	}
	for _, name := range names {
		if base := path.Base(name); base == "index" || strings.EqualFold(base, "readme") {
			name = path.Join(path.Dir(name), "index")
		} else if site.config.boolean("use_directory_urls", true) {
			name += "/index"
		}
		c.places = append(c.places, name+".html")
	}
	// The blog of Material for MkDocs, blog/posts/2026/a.md: https://squidfunk.github.io/mkdocs-material/plugins/blog/
	// With blog_dir: . the posts are in posts at the root.
	if blog, _, isPost := strings.Cut("/"+c.dir+"/", "/posts/"); isPost {
		v, date := c.values(c.rel())
		if slug := c.matter.text("slug"); slug == "" && v["title"] != "" {
			v["slug"] = v["title"]
		}
		c.places = append(c.places, filesAt(expanded(blog+"/:year/:month/:day/:slug/", v, date))...)
	}
}
