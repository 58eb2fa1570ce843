package site

import (
	"path"
	"regexp"
	"strings"
)

// twinName matches the names of texts that may publish a page again. The group is the page's address.
// Of llmstxt.org is x.html.md; Docusaurus, Starlight and VitePress write x.md or x/index.md by plugins:
// https://llmstxt.org/#format, https://github.com/rachfop/docusaurus-plugin-llms,
// https://github.com/okineadev/vitepress-plugin-llms
var twinName = regexp.MustCompile(`^(.+?)(?:\.html)?\.(?i:md|mdx|markdown|txt)$`)

// llmsName matches the lists of a site's pages that are written for language models, of which llms-full.txt and others
// hold the pages' texts. https://llmstxt.org/, https://delucis.github.io/starlight-llms-txt/
var llmsName = regexp.MustCompile(`(?i)(?:^|/)llms(?:-[a-z]+)?\.(?:txt|md)$`)

// IsLLMs reports whether a file is llms.txt, llms-full.txt or one of their kind.
func IsLLMs(name string) bool { return llmsName.MatchString(name) }

// Twin returns the HTML page, by its name from the publish root, that a file publishes again as text (H7); empty for
// none. What a program of the page loads (__next*.txt, JSON) is a copy and no twin. has reports whether a file is
// published.
func Twin(f *File, has func(name string) bool) string {
	if f.HTML || !f.Role.Policed() || IsLLMs(f.Name) || strings.HasPrefix(path.Base(f.Name), "__next.") {
		return ""
	}
	if f.CopyOf != "" {
		if strings.HasSuffix(f.Name, ".json") {
			return ""
		}
		return f.CopyOf
	}
	m := twinName.FindStringSubmatch(f.Name)
	if m == nil {
		return ""
	}
	names := []string{m[1] + ".html", m[1] + "/index.html"}
	if dir, ok := strings.CutSuffix(m[1], "/index"); ok {
		names = append(names, dir+".html")
	}
	for _, page := range names {
		if has(page) {
			return page
		}
	}
	return ""
}
