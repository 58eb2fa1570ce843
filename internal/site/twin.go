package site

import (
	"path"
	"slices"
	"strings"

	"metarobots/internal/lazyregexp"
)

// twinName matches the names of texts that may publish a page again. The group is the page's
// address. Of llmstxt.org is x.html.md; Docusaurus, Starlight and VitePress write x.md or
// x/index.md by plugins:
// https://llmstxt.org/#format, https://github.com/rachfop/docusaurus-plugin-llms,
// https://github.com/okineadev/vitepress-plugin-llms
var twinName = lazyregexp.New(`^(.+?)(?:\.html)?\.(?i:md|mdx|markdown|txt)$`)

// llmsName matches the lists of a site's pages that are written for language models, of which
// llms-full.txt and others hold the pages' texts. https://llmstxt.org/,
// https://delucis.github.io/starlight-llms-txt/
var llmsName = lazyregexp.New(`(?i)^llms(?:-[a-z]+)?\.(?:txt|md)$`)

// IsLLMs reports whether a file is llms.txt, llms-full.txt or one of their kind.
func IsLLMs(name string) bool { return llmsName.MatchString(path.Base(name)) }

// Twin returns the HTML page, by its name from the publish root, that a file publishes again as
// text (H7); empty for none. What a program of the page loads (__next*.txt, JSON) is a copy and no
// twin. has reports whether a file is published.
func Twin(f *File, has func(name string) bool) string {
	if f.HTML || !f.Role.Policed() || IsLLMs(f.Name) || strings.HasPrefix(path.Base(f.Name), "__next.") ||
		strings.HasSuffix(f.Name, ".json") {
		return ""
	}
	m := twinName.FindStringSubmatch(f.Name)
	if f.CopyOf != "" || m == nil {
		return f.CopyOf
	}
	return pageAt(m[1], has)
}

// copies are the files in which some generators publish a page again, for programs. The groups
// together are the page's address; below is a folder that must hold files, too. For any other name
// a rule of robots.rules says what holds.
var copies = []struct {
	name  *lazyregexp.Regexp
	below string
}{
	// Markdown twins, as of Docusaurus, Starlight and VitePress by plugins: https://llmstxt.org/
	{lazyregexp.New(`^(.+?)(?:\.html)?\.(?i:md|mdx|markdown)$`), ""},
	// What the router of Next loads ahead, in a folder of the page's name, and what it loads.
	// https://nextjs.org/docs/app/guides/static-exports
	{lazyregexp.New(`^(?:(.*)/)?__next\.[^/]*\.txt$`), "_next"},
	{lazyregexp.New(`^(.+)\.txt$`), "_next"},
	{lazyregexp.New(`^_next/data/[^/]+/(.+)\.json$`), ""}, // of the older router, below the name of the build
	// https://nuxt.com/docs/api/nuxt-config#payloadextraction
	{lazyregexp.New(`^(?:(.*)/)?_payload\.json$`), ""},
	// https://www.gatsbyjs.com/docs/gatsby-internals-terminology/
	{lazyregexp.New(`^page-data/(?:index|(.+))/page-data\.json$`), ""},
	// The source of each page of Sphinx: html_copy_source, html_sourcelink_suffix.
	// https://www.sphinx-doc.org/en/master/usage/configuration.html#confval-html_copy_source
	{lazyregexp.New(`^((?:.*/)?)_sources/(.+?)(?:\.(?:rst|rest|md|markdown|myst|ipynb|py|txt))?(?:\.txt)?$`), ""},
	// What the router of SvelteKit loads: in the page's folder, or beside a page whose URL ends
	// with .html.
	// https://svelte.dev/docs/kit/page-options#prerender
	{lazyregexp.New(`^(?:(.*)/)?__data\.json$`), ""},
	{lazyregexp.New(`^(.+)\.html__data\.json$`), ""},
}

// copyEndings are those of the names in copies, except sources of Sphinx, which may have any.
var copyEndings = []string{".md", ".mdx", ".markdown", ".txt", ".json"}

// CopyOf returns the page whose content a file publishes again, by its name; empty where that does
// not tell.
func CopyOf(name string, has, hasFolder func(name string) bool) string {
	ending := strings.ToLower(path.Ext(name))
	if !slices.Contains(copyEndings, ending) && !strings.Contains(name, "_sources/") { // most files: no pattern is asked
		return ""
	}
	for _, c := range copies {
		m := c.name.FindStringSubmatch(name)
		if m == nil || c.below != "" && !hasFolder(c.below) {
			continue
		}
		if page := pageAt(strings.Join(m[1:], ""), has); page != "" {
			return page
		}
	}
	return ""
}

// pageAt is the published page of an address without its ending, such as x or x/index; empty for
// none.
func pageAt(address string, has func(name string) bool) string {
	folder := strings.TrimSuffix(address, "/index")
	for _, name := range []string{address + ".html", path.Join(address, "index.html"), folder + ".html"} {
		if has(name) {
			return name
		}
	}
	return ""
}

// documents are the extensions of files that search engines list by themselves, beside pages.
// https://developers.google.com/search/docs/crawling-indexing/indexable-file-types
var documents = []string{".pdf", ".ps", ".epub", ".doc", ".docx", ".odt", ".rtf", ".txt", ".xls", ".xlsx", ".ods",
	".ppt", ".pptx", ".odp"}

// IsDocument reports whether a file is one that search engines list by itself, by its name.
func IsDocument(name string) bool { return slices.Contains(documents, strings.ToLower(path.Ext(name))) }
