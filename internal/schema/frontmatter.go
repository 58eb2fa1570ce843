package schema

import (
	"slices"
	"strings"

	"metarobots/frontmatter"
	"metarobots/policy"
)

// FrontMatter returns the schema of a page's front matter, in YAML, TOML or JSON. Other keys are the site's own.
func FrontMatter() []byte {
	crawlers := policy.KnownCrawlers()
	// A table holds the keys of its level and the tables of the levels below it.
	var table func(path []string) *node
	table = func(path []string) *node {
		n := &node{Type: "object", Properties: map[string]*node{}}
		for key, form := range frontmatter.Keys(crawlers) {
			n.Properties[key] = frontMatterKey(crawlers, key, form)
		}
		for _, level := range frontmatter.Levels() {
			if len(level) == len(path)+1 && slices.Equal(level[:len(path)], path) {
				below := table(level)
				below.Type = "" // front matter may have something else there
				below.Description = "The same keys, as under " + strings.Join(level, ".") + " of a theme or plugin."
				n.Properties[level[len(path)]] = below
			}
		}
		return n
	}
	root := table(nil)
	root.Schema, root.Title = draft, "metarobots in front matter"
	root.Description = "What a page's front matter says to crawlers. Keys that are not listed are not looked at."
	root.Definitions = used(root, definitions(crawlers))
	return root.print()
}

// frontMatterKey is one key of a level (docs/semantics.md, F).
func frontMatterKey(crawlers policy.Crawlers, key string, form frontmatter.Form) *node {
	var n *node
	switch form {
	case frontmatter.FormDirectives:
		n = ref("directives")
		n.Description = "What crawlers may do with this page: \"noindex, nofollow\", a list, a map such as {index: " +
			"false, max-snippet: 50, googlebot: nosnippet}, or false for noindex, nofollow."
		n.Examples = []any{"noindex", "noindex, nofollow", []any{"noindex", "nofollow"},
			map[string]any{"index": false, "max-snippet": 50}, false}
	case frontmatter.FormCrawler:
		n = ref("crawler")
		n.Description = told(crawlers, key)
	case frontmatter.FormNoIndex:
		n = ref("stated")
		n.Description = "true: noindex, this page stays out of search results. false states nothing."
		n.Default = false
	case frontmatter.FormNoFollow:
		n = ref("stated")
		n.Description = "true: nofollow, this page's links are not followed. false states nothing."
		n.Default = false
	case frontmatter.FormDate:
		n = ref("date")
		n.Description = Directives["unavailable_after"].String()
	case frontmatter.FormExpiry:
		n = &node{Description: "Read as unavailable_after where the policy says expiry = true."}
	case frontmatter.FormInert:
		n = &node{Description: "Does nothing here: " + key + " " + policy.Inert(key) + "."}
	}
	return n
}
