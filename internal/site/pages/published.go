package pages

import (
	"cmp"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"metarobots/internal/site"
)

// published are the files of a publish folder.
type published struct {
	names []string       // sorted
	html  []string       // of pages, sorted
	below map[string]int // HTML files in or below a folder, its own index.html left out
}

// publishedOf takes the sorted names of the files.
func publishedOf(names []string) *published {
	p := &published{names: names, below: map[string]int{}}
	for _, name := range names {
		if !site.IsHTML(name) {
			continue
		}
		p.html = append(p.html, name)
		dir := path.Dir(name)
		if path.Base(name) == "index.html" && dir != "." {
			dir = path.Dir(dir)
		}
		for ; dir != "."; dir = path.Dir(dir) {
			p.below[dir]++
		}
	}
	return p
}

func (p *published) has(name string) bool {
	_, found := slices.BinarySearch(p.names, name)
	return found
}

// hasFolder reports whether a folder of that name, from the publish root, holds a file.
func (p *published) hasFolder(dir string) bool {
	at, _ := slices.BinarySearch(p.names, dir+"/")
	return at < len(p.names) && strings.HasPrefix(p.names[at], dir+"/")
}

// named are the files at which URLs may be published, in their order: /x/ at x/index.html; /x there too, at x.html, or
// at x.
func named(urls ...string) (names []string) {
	for _, url := range urls {
		url, _, _ = strings.Cut(url, "?")
		name := strings.TrimPrefix(path.Clean("/"+url), "/")
		switch {
		case name == "" || strings.HasSuffix(url, "/"):
			names = append(names, path.Join(name, "index.html"))
		case site.IsHTML(name):
			names = append(names, name)
		default:
			names = append(names, name+"/index.html", name+".html", name)
		}
	}
	return names
}

// filed are the files at which a generator that adds an extension to addresses publishes one, the likeliest first.
func filed(address, extension string) []string {
	if unescaped, err := url.PathUnescape(address); err == nil {
		address = unescaped
	}
	names := named(address)
	if strings.HasSuffix(address, "/") {
		return append(names, strings.TrimSuffix(names[0], ".html")+extension)
	}
	return append([]string{strings.TrimSuffix(strings.Trim(address, "/"), extension) + extension}, names...)
}

// aNumber stands in a place for the number of a page of a list.
const aNumber = "*#"

// placePattern matches the names that a place with * stands for; a group is a number.
func placePattern(place string) *regexp.Regexp {
	pattern := regexp.QuoteMeta(place)
	for _, part := range [][2]string{{`\*#`, `(\d{1,9})`}, {`\*\*`, `.+`}, {`\*`, `[^/]*`}} {
		pattern = strings.ReplaceAll(pattern, part[0], part[1])
	}
	return regexp.MustCompile(`^` + pattern + `$`)
}

// match returns the pages whose names a place with * matches. Numbers begin with 0, 1 or 2 and leave none out:
// /blog/2026/ is no page of a list of four.
func (p *published) match(place string) (names []string) {
	matches := placePattern(place)
	numbered := map[int]string{}
	prefix, _, _ := strings.Cut(place, "*")
	first, _ := slices.BinarySearch(p.html, prefix)
	for _, name := range p.html[first:] {
		if !strings.HasPrefix(name, prefix) {
			break
		}
		if m := matches.FindStringSubmatch(name); len(m) == 2 {
			n, _ := strconv.Atoi(m[1])
			numbered[n] = name
		} else if m != nil {
			names = append(names, name)
		}
	}
	for n := 0; n < 3 || numbered[n] != ""; n++ {
		if name := numbered[n]; name != "" && (n < 3 || numbered[n-1] != "") {
			names = append(names, name)
		}
	}
	return names
}

// comparePlaces compares two places with *: negative where the first tells more of the name.
func comparePlaces(a, b string) int {
	count := func(s, part string) int { return strings.Count(s, part) }
	wild := func(s string) int { return count(s, "*") - count(s, aNumber) - count(s, "**") }
	return cmp.Or(count(a, "**")-count(b, "**"), wild(a)-wild(b),
		len(strings.ReplaceAll(b, "*", ""))-len(strings.ReplaceAll(a, "*", "")))
}

// Some generators publish what a page says again beside it, for programs: another form of it, or what a script loads.

// copyOf is the page whose content a file publishes again; empty where that is not known of its name. For any other
// name a rule of robots.rules says what holds.
func (p *published) copyOf(name string) string {
	dir, base := path.Split(name)
	ext := path.Ext(base)
	stem, folder, of := dir+strings.TrimSuffix(base, ext), strings.TrimSuffix(dir, "/"), ""
	switch {
	case slices.Contains([]string{".md", ".mdx", ".markdown"}, strings.ToLower(ext)):
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
