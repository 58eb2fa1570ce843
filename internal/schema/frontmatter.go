package schema

import (
	"slices"
	"strings"

	"metarobots/frontmatter"
)

// frontMatterLevel are the keys of a level of front matter, and the tables of the levels below it.
// Other keys are the site's own.
func frontMatterLevel(path []string) *node {
	n := &node{object: object{Properties: map[string]*node{}}}
	if path == nil {
		n.Type = "object" // below it, front matter may have something else in a table's place
	}
	for key, form := range frontmatter.Keys(crawlers) {
		n.Properties[key] = frontMatterKey(key, form)
	}
	for _, level := range frontmatter.Levels() {
		if len(level) == len(path)+1 && slices.Equal(level[:len(path)], path) {
			n.Properties[level[len(path)]] = frontMatterLevel(level).describe("The same keys, as under " +
				strings.Join(level, ".") + " of a theme or plugin.")
		}
	}
	return n
}

// frontMatterKey is one key of a level (docs/semantics.md, F).
func frontMatterKey(key string, form frontmatter.Form) *node {
	switch form {
	case frontmatter.FormCrawler:
		return ref("crawler").describe(ofCrawler(key))
	case frontmatter.FormDate:
		return directivesMap()["unavailable_after"]
	case frontmatter.FormInert:
		return inert(key)
	}
	return forms().FrontMatter[string(form)]
}
