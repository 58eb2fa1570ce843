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

// filesAt are the files at which URLs may be published, in their order: /x/ at x/index.html; /x there too, at x.html, or
// at x.
func filesAt(urls ...string) (names []string) {
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

// filesWith are the files at which a generator that adds an extension to addresses publishes one, the likeliest first.
func filesWith(address, extension string) []string {
	if unescaped, err := url.PathUnescape(address); err == nil {
		address = unescaped
	}
	names := filesAt(address)
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

// comparePlaces compares two places with *: negative where the first has more of the name.
func comparePlaces(a, b string) int {
	count := func(s, part string) int { return strings.Count(s, part) }
	wild := func(s string) int { return count(s, "*") - count(s, aNumber) - count(s, "**") }
	return cmp.Or(count(a, "**")-count(b, "**"), wild(a)-wild(b),
		len(strings.ReplaceAll(b, "*", ""))-len(strings.ReplaceAll(a, "*", "")))
}

// copies are the files in which some generators publish a page again, for programs. The first group is the page's
// address; below is a folder that must hold files, too. For any other name a rule of robots.rules says what holds.
var copies = []struct {
	name  *regexp.Regexp
	below string
}{
	// Markdown twins, as of Docusaurus, Starlight and VitePress by plugins: https://llmstxt.org/
	{regexp.MustCompile(`^(.+?)(?:\.html)?\.(?i:md|mdx|markdown)$`), ""},
	// What the router of Next loads ahead, in a folder of the page's name, and what it loads.
	// https://nextjs.org/docs/app/guides/static-exports
	{regexp.MustCompile(`^(?:(.*)/)?__next\.[^/]*\.txt$`), "_next"},
	{regexp.MustCompile(`^(.+)\.txt$`), "_next"},
	{regexp.MustCompile(`^_next/data/[^/]+/(.+)\.json$`), ""}, // of the older router, below the name of the build
	// https://nuxt.com/docs/api/nuxt-config#payloadextraction
	{regexp.MustCompile(`^(?:(.*)/)?_payload\.json$`), ""},
	// https://www.gatsbyjs.com/docs/gatsby-internals-terminology/
	{regexp.MustCompile(`^page-data/(?:index|(.+))/page-data\.json$`), ""},
}

// copyOf is the page whose content a file publishes again; empty where that is not known of its name.
func (p *published) copyOf(name string) string {
	for _, c := range copies {
		m := c.name.FindStringSubmatch(name)
		if m == nil || c.below != "" && !p.hasFolder(c.below) {
			continue
		}
		for _, page := range []string{m[1] + ".html", path.Join(m[1], "index.html")} {
			if p.has(page) {
				return page
			}
		}
	}
	return ""
}
