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
	stem, folder, of := dir+strings.TrimSuffix(base, ext), strings.TrimSuffix(dir, "/"), ""
	switch {
	case ext == ".md" || ext == ".mdx":
		// Markdown twins, as of Docusaurus, Starlight and VitePress by plugins: https://llmstxt.org/
		of = strings.TrimSuffix(stem, ".html")
	case ext == ".txt" && strings.HasPrefix(base, "__next.") && p.hasFolder("_next"):
		// What its router loads ahead, in a folder of the page's name: __next._full.txt holds all that the page says.
		of = folder
	case ext == ".txt" && p.hasFolder("_next"):
		// https://nextjs.org/docs/app/guides/static-exports: what its router loads.
		of = stem
	case ext == ".json" && strings.HasPrefix(name, "_next/data/"):
		// Below the name of the build, what its older router loads.
		_, of, _ = strings.Cut(strings.TrimPrefix(stem, "_next/data/"), "/")
	case base == "_payload.json": // https://nuxt.com/docs/api/nuxt-config#payloadextraction
		of = folder
	case base == "page-data.json" && strings.HasPrefix(name, "page-data/"):
		// https://www.gatsbyjs.com/docs/gatsby-internals-terminology/
		if of = strings.TrimPrefix(folder, "page-data/"); of == "index" {
			of = ""
		}
	default:
		return ""
	}
	for _, page := range []string{of + ".html", path.Join(of, "index.html")} {
		if p.has(page) {
			return page
		}
	}
	return ""
}
