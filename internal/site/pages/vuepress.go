package pages

import (
	"cmp"
	"path"
)

// vuepressFolders are where a site of VuePress lies: the folder that holds .vuepress.
var vuepressFolders = []string{"", "docs", "src"}

// vuepress: every Markdown file is a page at its own path, a README or an index that of its folder,
// or at its permalink; one that matches a pattern of the configuration goes there. Versions 1 and 2
// have words of their own for both.
// https://v1.vuepress.vuejs.org/guide/directory-structure.html#default-page-routing
// https://vuepress.vuejs.org/guide/page.html
func vuepress(s *openedSite) {
	c, root := s.config, ""
	for _, dir := range vuepressFolders {
		if exists(s.options.Source, path.Join(dir, ".vuepress")) {
			root = dir
			break
		}
	}
	if c.get("dest") == nil {
		s.publish = path.Join(root, s.publish)
	}
	pattern := c.text("permalinkPattern", c.text("permalink"))
	s.layout.folders = []folder{{dir: root, place: func(c *content) { c.vuepressPlace(pattern) }}}
}

// vuepressPlace puts a page first where its front matter says, then where a pattern does, then at
// its path. https://v1.vuepress.vuejs.org/guide/permalinks.html
// https://vuepress.vuejs.org/reference/frontmatter.html#permalinkpattern
func (c *content) vuepressPlace(pattern string) {
	own := c.at.path() + ".html"
	if folderIndex.MatchString(c.at.base) {
		own = path.Join(c.at.dir, "index.html")
	}
	date, name := c.dated(c.at.base)
	address := own // without what stands for a folder
	if path.Base(own) == "index.html" {
		address = clean(path.Dir(own)) + "/"
	}
	locale, _, _ := c.translation()
	for _, slug := range unique([]string{name, slugOf(name)}) {
		values := map[string]string{"slug": slug, "raw": address, "regular": address}
		for _, url := range []string{c.matter.text("permalink"), cmp.Or(c.matter.text("permalinkPattern"), pattern)} {
			if url != "" {
				url = expanded("/"+url, values, date)
				c.places = append(c.places, append(filesAt(url), filesAt("/"+path.Join(locale, url))...)...)
			}
		}
	}
	c.places = unique(append(c.places, own))
}
