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
	// What the meta plugin of Material for MkDocs gives the pages of a folder, in .meta.yml if it
	// has no other name, reaches none of them:
	// https://squidfunk.github.io/mkdocs-material/plugins/meta/
	meta := func(file string, isDir bool) bool { return !isDir && !hidden(file, isDir) }
	s.base = docs
	s.layout.folders = []folder{f, {dir: docs, extensions: []string{".yml"}, takesBare: never, skip: meta}}
}

// mkdocsPage sets the places of a Markdown file: where MkDocs may publish it. That is its own path,
// or nowhere. With the plugin mkdocs-static-i18n it may be a translation, and a file in a folder
// posts of the blog plugin may be a post, whose address has its date and its title. Of
// docs/guide/a.md, c.at.dir is "guide", c.at.base "a", c.at.path() "guide/a" and c.file the whole:
//
//	guide/a.md                  guide/a/index.html, or guide/a.html without use_directory_urls
//	guide/index.md, README.md   guide/index.html; README.md beside index.md is not published
//	guide/a.fr.md               also fr/guide/a/index.html and guide/a/index.html
//	blog/posts/2026/a.md        also blog/2026/11/29/its-title/index.html
func mkdocsPage(c *content) {
	site := c.reader.site
	isReadme := strings.EqualFold(c.at.base, "readme")
	if isReadme && exists(site.options.Source, path.Join(path.Dir(c.file), "index.md")) {
		c.unpublished = true
		return
	}
	names := []string{c.at.path()}
	if language, rest, isSuffixed := c.suffixed(); isSuffixed { // rest is the path without .fr
		// A translation is in the folder of its language, unless that is the default one.
		c.language = language
		names = append(names, path.Join(language, rest), rest)
	}
	for _, name := range names {
		isIndex := path.Base(name) == "index" || strings.EqualFold(path.Base(name), "readme")
		switch {
		case isIndex:
			name = path.Join(path.Dir(name), "index")
		case site.config.boolean("use_directory_urls", true):
			name += "/index"
		}
		c.places = append(c.places, name+".html")
	}
	c.places = append(c.places, c.mkdocsPost()...)
}

// mkdocsPost are the places of a post of the blog of Material for MkDocs, blog/posts/2026/a.md; nil
// for any other file. With blog_dir: . the posts are in posts at the root.
// https://squidfunk.github.io/mkdocs-material/plugins/blog/
func (c *content) mkdocsPost() (places []string) {
	blog, _, isPost := strings.Cut("/"+c.at.dir+"/", "/posts/")
	if !isPost {
		return nil
	}
	values, date := c.values(c.at.path()) // of placeholders
	if hasSlug := c.matter.text("slug") != ""; !hasSlug && values["title"] != "" {
		values["slug"] = values["title"]
	}
	return filesAt(expanded(blog+"/:year/:month/:day/:slug/", values, date))
}
