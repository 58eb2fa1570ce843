package pages

import (
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

const digits = "0123456789"

// pager returns the first page of the list that a file is a later page of, and its number. The list has to be there;
// if there is only a number, all pages before it too. behind is the file's content, which makes a page of its own.
func (m *pageMap) pager(name string, behind []*content) (owner string, n int) {
	stem := strings.TrimSuffix(strings.TrimSuffix(name, ".html"), "/index")
	before := strings.TrimRight(stem, digits)
	n, err := strconv.Atoi(stem[len(before):])
	if err != nil || n < 2 || !strings.HasSuffix(name, ".html") {
		return "", 0
	}
	list := func(forms ...string) bool {
		i := slices.IndexFunc(forms, func(form string) bool { return form != name && m.published.has(form) })
		if i >= 0 {
			owner = forms[i]
		}
		return i >= 0
	}
	if of, ok := strings.CutSuffix(strings.TrimRight(before, "-/"), "page"); ok && len(before)-len(of) <= len("page/") {
		of = strings.TrimSuffix(of, "/")
		if list(path.Join(of, "index.html"), of+".html") && !m.ofItsOwn(behind, owner) {
			return owner, n
		}
	}
	of, tail := strings.TrimSuffix(before, "/"), name[len(stem):]
	if len(stem)-len(before) > 3 || len(behind) > 0 || strings.TrimRight(of, digits+"/") != of ||
		!m.numbered(before, n, tail) {
		return "", 0
	}
	forms := []string{path.Join(of, "index.html"), of + ".html"}
	if of != "" && of == before { // blog2.html
		forms = forms[1:]
	}
	// A page that is saved where a list would be has no pages.
	if !list(forms...) || m.ofItsOwn(m.behind[owner], "") {
		return "", 0
	}
	for i := 2; i < n; i++ {
		if !m.published.has(before + strconv.Itoa(i) + tail) {
			return "", 0
		}
	}
	return owner, n
}

// numbered reports whether a number in a name may count the pages of a list: of its generator, where things are not
// numbered from 1 on, or of a route that is known.
func (m *pageMap) numbered(before string, n int, tail string) bool {
	return m.reader.site.layout.numbered && !m.published.has(before+"1"+tail) ||
		slices.ContainsFunc(m.reader.site.layout.pagers, func(route string) bool {
			fits, _ := path.Match(route, strings.TrimPrefix(before+strconv.Itoa(n), "/"))
			return fits
		})
}

// ofItsOwn reports whether a page has a content file that makes it alone, and not the list too: it is called as a pager
// is, and is none.
func (m *pageMap) ofItsOwn(behind []*content, list string) bool {
	return slices.ContainsFunc(behind, func(c *content) bool { return !c.many && !slices.Contains(m.behind[list], c) })
}
