package schema

import (
	"slices"
	"strings"

	"metarobots/frontmatter"
)

// frontMatterLevel are the keys of a level of front matter, and the tables of the levels below it. Other keys are the
// site's own.
func frontMatterLevel(path []string) *node {
	n := &node{Properties: map[string]*node{}}
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
	case frontmatter.FormDirectives:
		n := ref("directives").describe("What crawlers may do with this page: \"noindex, nofollow\", a list, a map " +
			"such as {index: false, max-snippet: 50, googlebot: nosnippet}, or false for noindex, nofollow.")
		n.Examples = []any{"noindex", "noindex, nofollow", []any{"noindex", "nofollow"},
			map[string]any{"index": false, "max-snippet": 50}, false}
		return n
	case frontmatter.FormCrawler:
		return ref("crawler").describe(ofCrawler(key))
	case frontmatter.FormNoIndex:
		return ref("stated").describe("true: noindex, this page stays out of search results. false has no effect.")
	case frontmatter.FormNoFollow:
		return ref("stated").describe("true: nofollow, this page's links are not followed. false has no effect.")
	case frontmatter.FormDate:
		return directivesMap()["unavailable_after"]
	case frontmatter.FormAI:
		// A map may be somebody else's.
		return anyOf(ref("preferences"), &node{}).describe("What AI may do with this page: {training: deny, search: " +
			"allow}, or false, which denies all.")
	case frontmatter.FormExpiry:
		return &node{Description: "Read as unavailable_after where the policy says expiry = true."}
	}
	return inert(key)
}
