package tree

import (
	"path"
	"strings"
)

// mkdocs: every Markdown file of docs_dir is a page at its own path.
// https://www.mkdocs.org/user-guide/writing-your-docs/ https://www.mkdocs.org/user-guide/configuration/
var mkdocs = profile{
	name:    "mkdocs",
	configs: []string{"mkdocs.yml", "mkdocs.yaml"},
	detect:  func(root string) bool { return exists(root, "mkdocs.yml", "mkdocs.yaml") },
	layout: func(c *config) (layout, error) {
		root, docs := c.root, clean(c.text("docs_dir", "docs"))
		directories := c.boolean("use_directory_urls", true)
		var patterns []string // as gitignore has them
		for pattern := range strings.FieldsSeq(c.text("exclude_docs", "")) {
			if !strings.HasPrefix(pattern, "/") {
				pattern = "**/" + pattern
			}
			if strings.HasSuffix(pattern, "/") {
				pattern += "**"
			}
			patterns = append(patterns, pattern)
		}
		excluded := globs(patterns)
		page := func(name string) []string {
			base := path.Base(name)
			switch {
			case base == "index" || strings.EqualFold(base, "readme"):
				return []string{path.Join(path.Dir(name), "index.html")}
			case directories:
				return []string{name + "/index.html"}
			}
			return []string{name + ".html"}
		}
		return layout{publish: clean(c.text("site_dir", "site")), baseURL: c.text("site_url", ""), fallback: true, folders: []folder{{
			dir: docs, extensions: []string{".md", ".markdown", ".mdown", ".mkdn", ".mkd"}, dialect: metaDialect,
			leaves: func(rel string) bool { return matches(excluded, rel) },
			place: func(c *content) {
				if strings.EqualFold(c.base, "readme") && exists(joined(root, docs), path.Join(c.dir, "index.md")) {
					c.unpublished = true // beside an index it is left out
					return
				}
				c.places = page(c.rel())
				if name, language, ok := cutLast(c.base, "."); ok && languageFolder.MatchString(language) {
					// A translation of mkdocs-static-i18n, whose default language has no folder.
					c.language = language
					c.places = append(c.places, page(path.Join(language, c.dir, name))...)
					c.places = append(c.places, page(path.Join(c.dir, name))...)
				}
				if blog, _, ok := strings.Cut(c.dir, "posts"); ok && strings.HasSuffix(blog, "/") {
					// The blog of Material for MkDocs: https://squidfunk.github.io/mkdocs-material/plugins/blog/
					v := c.values()
					if slug := c.text("slug"); slug == "" && v["title"] != "" {
						v["slug"] = v["title"]
					}
					c.places = append(c.places, urls(expanded("/"+blog+":year/:month/:day/:slug/", v))...)
				}
			}}}}, nil
	},
}

// cutLast cuts around the last sep.
func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
