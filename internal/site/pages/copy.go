package pages

import (
	"path"
	"strings"
)

// Some generators publish what a page says again beside it, for programs: another form of it, or what a script loads.

// copyOf is the page whose content a file publishes again; empty where that is not known of its name. For any other
// name a rule of robots.rules says what holds.
func (p *published) copyOf(name string) string {
	dir, base := path.Split(name)
	ext := path.Ext(base)
	stem := dir + strings.TrimSuffix(base, ext)
	var pages []string
	switch {
	case ext == ".md" || ext == ".mdx":
		// Markdown twins, as of Docusaurus, Starlight and VitePress by plugins: https://llmstxt.org/
		pages = []string{stem, stem + ".html", stem + "/index.html"}
	case ext == ".txt" && strings.HasPrefix(base, "__next.") && p.hasFolder("_next"):
		// What its router loads ahead, in a folder of the page's name: __next._full.txt holds all that the page says.
		of := strings.TrimSuffix(dir, "/")
		pages = []string{of + ".html", dir + "index.html"}
	case ext == ".txt" && p.hasFolder("_next"):
		// https://nextjs.org/docs/app/guides/static-exports: what its router loads.
		pages = []string{stem + ".html", stem + "/index.html"}
	case ext == ".json" && strings.HasPrefix(name, "_next/data/"):
		// Below the name of the build, what its older router loads.
		_, of, _ := strings.Cut(strings.TrimPrefix(stem, "_next/data/"), "/")
		pages = []string{of + ".html", of + "/index.html"}
	case base == "_payload.json": // https://nuxt.com/docs/api/nuxt-config#payloadextraction
		pages = []string{dir + "index.html", strings.TrimSuffix(dir, "/") + ".html"}
	// https://www.gatsbyjs.com/docs/gatsby-internals-terminology/
	case base == "page-data.json" && strings.HasPrefix(name, "page-data/"):
		of := strings.TrimSuffix(strings.TrimPrefix(dir, "page-data/"), "/")
		if of == "index" {
			of = ""
		}
		pages = []string{path.Join(of, "index.html"), of + ".html"}
	}
	for _, page := range pages {
		if strings.HasSuffix(page, ".html") && p.has(page) {
			return page
		}
	}
	return ""
}
