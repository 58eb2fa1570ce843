package pages

import (
	"path"
	"regexp"
	"slices"
	"strconv"
)

var (
	pagerFile   = regexp.MustCompile(`^(.*?)/?(?:(?:page/|page-?)(\d+))(/index)?\.html$`)
	numberFile  = regexp.MustCompile(`^(.*?)(/?)(\d{1,3})((?:/index)?\.html)$`)
	trailingNum = regexp.MustCompile(`^(.*?[^\d/])()(\d+)(\.html)$`)
)

// pager returns the first page of the list that a file is a later page of, and its number. The list has to be there;
// where the number alone tells, all pages before it too, and none may be numbered 1 unless a list is known to be:
// things are numbered as well. behind is the file's content, which makes a page of its own.
func (m *pageMap) pager(name string, behind []*content) (owner string, n int) {
	first := func(forms ...string) bool {
		for _, owner = range forms {
			if m.published.has(owner) && owner != name {
				return n > 1
			}
		}
		return false
	}
	if match := pagerFile.FindStringSubmatch(name); match != nil {
		n, _ = strconv.Atoi(match[2])
		is, known := m.listed(name)
		if first(path.Join(match[1], "index.html"), match[1]+".html") && (is || !known) && !m.ofItsOwn(behind, owner) {
			return owner, n
		}
	}
	if !m.site.layout.numbered || len(behind) > 0 {
		return "", 0
	}
	for _, form := range []*regexp.Regexp{numberFile, trailingNum} {
		match := form.FindStringSubmatch(name)
		if match == nil || form == numberFile && (match[1] == "") != (match[2] == "") {
			continue // not a name of its own: index2.html
		}
		n, _ = strconv.Atoi(match[3])
		lists := []string{path.Join(match[1], "index.html"), match[1] + ".html"}
		if form == trailingNum {
			lists = lists[1:]
		}
		if !first(lists...) {
			continue
		}
		around := [2]string{match[1] + match[2], match[4]}
		is, known := m.listed(name)
		if !is && m.ofItsOwn(m.standing(owner, m.manifest[owner]), "") {
			continue // a page that is saved where a list would be, which others are the pages of
		}
		if (is || !known && !m.published.has(around[0]+"1"+around[1])) && n <= m.run(around) {
			return owner, n
		}
	}
	return "", 0
}

// listed tells what is known of a page's being one of a list: see [layout.lists].
func (m *pageMap) listed(name string) (is, known bool) {
	if m.site.layout.lists == nil {
		return false, false
	}
	return m.site.layout.lists(name)
}

// ofItsOwn reports whether a page has a content file that makes it alone, and not the list too, if one is named: it is
// called as a pager is, and is none.
func (m *pageMap) ofItsOwn(behind []*content, list string) bool {
	of := m.standing(list, m.manifest[list])
	return slices.ContainsFunc(behind, func(c *content) bool { return !c.many && !slices.Contains(of, c) })
}

// run returns the last of the files that are numbered from 2 on without a gap; 1 where there are none.
func (m *pageMap) run(around [2]string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	last, ok := m.runs[around]
	if ok {
		return last
	}
	for last = 1; m.published.has(around[0] + strconv.Itoa(last+1) + around[1]); last++ {
	}
	if m.runs == nil {
		m.runs = map[[2]string]int{}
	}
	m.runs[around] = last
	return last
}
