package pages

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	pagerFile  = regexp.MustCompile(`^(.*?)/?(?:page/|page-?)(\d+)(?:/index)?\.html$`)
	numberFile = regexp.MustCompile(`^((?:.*?[^\d/])?)(/?)(\d{1,3})((?:/index)?\.html)$`)
)

// pager returns the first page of the list that a file is a later page of, and its number. The list has to be there;
// where the number alone tells, all pages before it too. behind is the file's content, which makes a page of its own.
func (m *pageMap) pager(name string, behind []*content) (owner string, n int) {
	if last := strings.TrimSuffix(strings.TrimSuffix(name, ".html"), "/index"); strings.TrimRight(last, "0123456789") == last {
		return "", 0
	}
	list := func(forms ...string) bool {
		i := slices.IndexFunc(forms, func(form string) bool { return form != name && m.published.has(form) })
		if i >= 0 {
			owner = forms[i]
		}
		return i >= 0 && n > 1
	}
	if match := pagerFile.FindStringSubmatch(name); match != nil {
		n, _ = strconv.Atoi(match[2])
		if list(path.Join(match[1], "index.html"), match[1]+".html") && !m.ofItsOwn(behind, owner) {
			return owner, n
		}
	}
	match := numberFile.FindStringSubmatch(name)
	if match == nil || len(behind) > 0 || !m.numbered(match) {
		return "", 0
	}
	n, _ = strconv.Atoi(match[3])
	forms := []string{path.Join(match[1], "index.html"), match[1] + ".html"}
	if match[1] != "" && match[2] == "" { // blog2.html
		forms = forms[1:]
	}
	// A page that is saved where a list would be has no pages.
	if !list(forms...) || m.ofItsOwn(m.behind[owner], "") {
		return "", 0
	}
	for before := 2; before < n; before++ {
		if !m.published.has(match[1] + match[2] + strconv.Itoa(before) + match[4]) {
			return "", 0
		}
	}
	return owner, n
}

// numbered reports whether a number may count the pages of a list: of its generator, where things are not numbered from
// 1 on, or of a route that is known.
func (m *pageMap) numbered(match []string) bool {
	around := match[1] + match[2]
	return m.site.layout.numbered && !m.published.has(around+"1"+match[4]) ||
		slices.ContainsFunc(m.site.layout.pagers, func(route string) bool {
			fits, _ := path.Match(route, strings.TrimPrefix(around+match[3], "/"))
			return fits
		})
}

// ofItsOwn reports whether a page has a content file that makes it alone, and not the list too, if one is named: it is
// called as a pager is, and is none.
func (m *pageMap) ofItsOwn(behind []*content, list string) bool {
	return slices.ContainsFunc(behind, func(c *content) bool { return !c.many && !slices.Contains(m.behind[list], c) })
}
