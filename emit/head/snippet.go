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

// snippets looks for elements of the body, from an offset on, that ask for data-nosnippet in vain,
// and adds them to the facts. Hardly any page has one: see [Scanner.search].
func (s *Scanner) snippets(src []byte, body int) {
	asksInVain := map[int]bool{} // by where a tag begins
	bytesLeft := 4 * len(src)    // to read: a value may hold what looks like tags, each to be read to its end
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
			asksInVain[from] = true
		}
	}
	if len(asksInVain) == 0 {
		return
	}
	asked := func(from, _ int) bool { return asksInVain[from] }
	for _, e := range find(src, body, headIsOver, maxTags, asked) {
		if len(s.page.facts.Snippets) < maxSnippets {
			snippet := Snippet{Name: e.Name, Line: Line(src, e.Start)}
			s.page.facts.Snippets = append(s.page.facts.Snippets, snippet)
		}
	}
}

// maxSnippets is how many elements are named: the rest is like them.
const maxSnippets = 100
