package site

import (
	"strings"

	"metarobots/internal/lazyregexp"
)

// indexName matches files in which generators and their plugins keep the texts of pages for a
// search in the browser, and feeds in JSON.
// https://squidfunk.github.io/mkdocs-material/plugins/search/,
// https://www.jsonfeed.org/version/1.1/
var indexName = lazyregexp.New(`(?i)(?:^|[-_./])(?:index|feed|search|search[-_]?index|lunr|lunr[-_]?index)\.json$`)

// IsIndex reports whether a file is a search index or a feed in JSON.
func IsIndex(name string) bool { return indexName.MatchString(name) }

// IsFragment reports whether a file is what Pagefind keeps of one page. https://pagefind.app/docs/
func IsFragment(name string) bool { return strings.HasSuffix(name, ".pf_fragment") }

// IsFeed reports whether a file is a feed of RSS or Atom, by its name or its generator's format.
func (f *File) IsFeed() bool {
	return FeedFormat(f.Name) != "" || f.Facts.Format == "rss" || f.Facts.Format == "atom"
}

// ListsPages reports whether a file beside the pages names them or repeats their texts, so that
// checks read it.
func (f *File) ListsPages() bool {
	return !f.HTML && (IsIndex(f.Name) || IsFragment(f.Name) || IsLLMs(f.Name) || f.IsFeed())
}
