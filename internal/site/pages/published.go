package pages

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"metarobots/internal/site"
)

type published struct {
	names []string       // sorted
	html  []string       // of pages, sorted
	below map[string]int // HTML files in or below a folder, its own index.html left out
}

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

// first is the first of some names that is published; empty for none.
func (p *published) first(names ...string) string {
	if i := slices.IndexFunc(names, p.has); i >= 0 {
		return names[i]
	}
	return ""
}

// match returns the files whose names a place with * matches: pages, or those of the extension that it has. Numbers
// begin with 0, 1 or 2 and leave none out: /blog/2026/ is no page of a list of four.
func (p *published) match(place string) (names []string) {
	matches := placePattern(place)
	numbered := map[int]string{}
	prefix, _, _ := strings.Cut(place, "*")
	all := p.html
	if ext := path.Ext(place); ext != "" && !strings.Contains(ext, "*") {
		all = p.names
	}
	first, _ := slices.BinarySearch(all, prefix)
	for _, name := range all[first:] {
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
	for n := 0; n < 3 || numbered[n] != "" && numbered[n-1] != ""; n++ {
		if numbered[n] != "" {
			names = append(names, numbered[n])
		}
	}
	return names
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
	if of, ok := strings.CutSuffix(strings.TrimRight(before, "-/"), "page"); ok && len(before)-len(of) <= len("page/") {
		of = strings.TrimSuffix(of, "/")
		owner = m.published.first(path.Join(of, "index.html"), of+".html")
		if owner != "" && !m.ofItsOwn(behind, owner) {
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
	if owner = m.published.first(forms...); owner == "" || m.ofItsOwn(m.behind[owner], "") {
		return "", 0
	}
	for i := 2; i < n; i++ {
		if !m.published.has(before + strconv.Itoa(i) + tail) {
			return "", 0
		}
	}
	return owner, n
}

// numbered reports whether a number may count the pages of a list: by the generator, or by a route that is known.
func (m *pageMap) numbered(before string, n int, tail string) bool {
	return m.reader.site.numbered && !m.published.has(before+"1"+tail) ||
		slices.ContainsFunc(m.reader.site.pagers, func(route string) bool {
			fits, _ := path.Match(route, strings.TrimPrefix(before+strconv.Itoa(n), "/"))
			return fits
		})
}

// ofItsOwn reports whether a page has content that makes it alone, and not the list too: its name is a pager's.
func (m *pageMap) ofItsOwn(behind []*content, list string) bool {
	return slices.ContainsFunc(behind, func(c *content) bool { return !c.makesMany && !slices.Contains(m.behind[list], c) })
}
