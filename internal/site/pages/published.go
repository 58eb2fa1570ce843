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

// match returns the published files whose names a place with * matches. They are pages; but if the
// place ends in an extension, files of that. For a place with aNumber they are the pages of one
// list: those of numbers that follow each other from 0, 1 or 2 on. So of blog/*#/index.html, with
//
//	blog/2/index.html, blog/3/index.html, blog/2026/index.html
//
// it returns the first two: the last is no page of that list.
func (p *published) match(place string) (names []string) {
	pattern := placePattern(place)
	numbered := map[int]string{} // names by the number at aNumber
	candidates := p.html
	if ext := path.Ext(place); ext != "" && !strings.Contains(ext, "*") {
		candidates = p.names
	}
	// They are sorted, so those that begin as the place does follow each other.
	beginning, _, _ := strings.Cut(place, "*")
	at, _ := slices.BinarySearch(candidates, beginning)
	for _, name := range candidates[at:] {
		if !strings.HasPrefix(name, beginning) {
			break
		}
		found := pattern.FindStringSubmatch(name)
		if hasNumber := len(found) == 2; hasNumber {
			n, _ := strconv.Atoi(found[1])
			numbered[n] = name
		} else if found != nil {
			names = append(names, name)
		}
	}
	return append(names, inSequence(numbered)...)
}

// inSequence returns the names of the numbers 0, 1 and 2, or of those that are there, and of the
// numbers that follow without a gap.
func inSequence(numbered map[int]string) (names []string) {
	for n := 0; n <= 2 || numbered[n] != "" && numbered[n-1] != ""; n++ {
		if numbered[n] != "" {
			names = append(names, numbered[n])
		}
	}
	return names
}

const digits = "0123456789"

// findList returns the list, by its first page, that a file is a later page of, and the file's
// number in it; "" and 0 if it is none. files are the content files that may make it. A number
// behind the word page is enough if the list is there. A number alone may be a year or a chapter,
// and has to satisfy more.
//
//	blog/page/2/index.html, blog/page-2.html   blog/index.html, else blog.html
//	blog/2/index.html                          blog/index.html, else blog.html
//	blog2.html                                 blog.html
//	page/2/index.html                          index.html
func (m *pageMap) findList(name string, files []*content) (list string, n int) {
	stem := strings.TrimSuffix(strings.TrimSuffix(name, ".html"), "/index")
	before := strings.TrimRight(stem, digits)
	n, err := strconv.Atoi(stem[len(before):])
	if err != nil || n < 2 || !strings.HasSuffix(name, ".html") {
		return "", 0
	}
	if list = m.listBeforeWord(before); list != "" && !m.hasOwnContent(files, list) {
		return list, n
	}
	if isLong := len(stem)-len(before) > 3; isLong || len(files) > 0 { // 2026 is a year
		return "", 0
	}
	if list = m.listBeforeNumber(before, n, name[len(stem):]); list == "" {
		return "", 0
	}
	return list, n
}

// listBeforeWord returns the list whose later pages are named by the word page, one separator at
// most and a number: blog for blog/page/, blog/page- and blog/page. It is empty if that is not
// published.
func (m *pageMap) listBeforeWord(before string) string {
	base, isPage := strings.CutSuffix(strings.TrimRight(before, "-/"), "page")
	if !isPage || len(before)-len(base) > len("page/") {
		return ""
	}
	base = strings.TrimSuffix(base, "/")
	return m.published.first(path.Join(base, "index.html"), base+".html")
}

// listBeforeNumber returns the list whose later pages are named by a number alone. The generator
// has to make such names, and pages 2 to n-1 have to be there. ending is what the name has after
// the number.
func (m *pageMap) listBeforeNumber(before string, n int, ending string) string {
	base := strings.TrimSuffix(before, "/")
	endsWithNumber := strings.TrimRight(base, digits+"/") != base // a date: 2026/11/
	if endsWithNumber || !m.numbered(before, n, ending) {
		return ""
	}
	lists := []string{path.Join(base, "index.html"), base + ".html"}
	if base != "" && base == before { // blog2.html, which lies beside its list
		lists = lists[1:]
	}
	list := m.published.first(lists...)
	// A list is made by a template. What one content file makes is a page, which has no later ones.
	if list == "" || m.hasOwnContent(m.behind[list], "") {
		return ""
	}
	for i := 2; i < n; i++ {
		if !m.published.has(before + strconv.Itoa(i) + ending) {
			return ""
		}
	}
	return list
}

// numbered reports whether a number may count the pages of a list: by the generator, or by a route
// that is known.
func (m *pageMap) numbered(before string, n int, ending string) bool {
	// The first page of a list has no number: where there is a 1, the numbers are of other things.
	return m.reader.site.pagers.areNumbered && !m.published.has(before+"1"+ending) ||
		slices.ContainsFunc(m.reader.site.pagers.others, func(route string) bool {
			fits, _ := path.Match(route, strings.TrimPrefix(before+strconv.Itoa(n), "/"))
			return fits
		})
}

// hasOwnContent reports whether one of some content files makes a page alone, and not the list too,
// if there is one: then its name only looks like that of a later page.
func (m *pageMap) hasOwnContent(files []*content, list string) bool {
	isOwn := func(c *content) bool { return !c.makesMany && !slices.Contains(m.behind[list], c) }
	return slices.ContainsFunc(files, isOwn)
}
