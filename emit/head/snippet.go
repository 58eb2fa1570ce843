package head

import "golang.org/x/net/html/atom"

// A Snippet is an element with data-nosnippet on which Google does not read it: any but div, span
// and section.
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#data-nosnippet-attr
type Snippet struct {
	// Name is the element's, in lower case.
	Name string
	// Line is the line of its tag, from 1.
	Line int
}

const noSnippet = "data-nosnippet"

// readsSnippet reports whether Google reads data-nosnippet on an element.
func readsSnippet(name atom.Atom) bool {
	return name == atom.Div || name == atom.Span || name == atom.Section
}

// snippets looks for elements of the body, which begins at an offset of src, that ask for
// data-nosnippet in vain, and adds the first maxSnippets to the facts. [Scanner.Scan] calls it only
// for a page that may have one, which hardly any may: see [Scanner.search].
func (s *Scanner) snippets(src []byte, body int) {
	asksInVain := tagsAskingInVain(src, body)
	if len(asksInVain) == 0 {
		return
	}
	asked := func(from, _ int) bool { return asksInVain[from] }
	elements := find(src, body, headIsOver, maxTags, asked) // those of the tags that make elements
	for _, e := range elements[:min(len(elements), maxSnippets)] {
		snippet := Snippet{Name: e.Name, Line: Line(src, e.Start)}
		s.page.facts.Snippets = append(s.page.facts.Snippets, snippet)
	}
}

// maxSnippets is how many elements are named: the rest is like them.
const maxSnippets = 100

// tagsAskingInVain returns where those start tags in src[body:] begin that have data-nosnippet and
// on which Google does not read it. Whether a tag makes an element is not known here: it may be in
// a comment or in the value of another one. If tags within values make it read more than four times
// the bytes of the page, the tags behind that are left out: what is lost is a warning.
func tagsAskingInVain(src []byte, body int) map[int]bool {
	begins := map[int]bool{}
	bytesLeft := 4 * len(src) // to read: each tag is read to its end
	for from, attrs := range StartTags(src, body) {
		if readsSnippet(lookup(src[from+1 : attrs])) {
			continue
		}
		var attribute Attr
		end := Attrs(src, attrs, []string{noSnippet}, &attribute)
		if end < 0 { // the page ends within the tag
			end = len(src)
		}
		if bytesLeft -= end - from; bytesLeft < 0 {
			break
		}
		if attribute.Given() {
			begins[from] = true
		}
	}
	return begins
}
