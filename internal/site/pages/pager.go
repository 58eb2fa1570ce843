package pages

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

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
