package head

import (
	"strings"

	"golang.org/x/net/html/atom"

	"metarobots/emit/patch"
)

// CanonicalLink prints a canonical link for a page, in its one form, which is XML too.
func CanonicalLink(to string) string {
	return `<link rel="canonical" href="` + escape.Replace(to) + `" />`
}

// CanonicalEdits make a page name an address as canonical: each canonical link of the head gets it
// in the place of its own, within the quotes that it has. If there is none, one is added at
// f.Insert. Every other byte stays.
//
// A page with an Encoding gets none; a Fragment is the caller's to leave alone.
func (f *Facts) CanonicalEdits(to string) (edits []patch.Edit) {
	if f.Encoding != "" {
		return nil
	}
	for _, a := range f.canonicals {
		edits = append(edits, patch.Edit{Start: a.start, End: a.end, Text: a.text(to)})
	}
	if len(edits) == 0 {
		edits = []patch.Edit{{Start: f.Insert, End: f.Insert, Text: CanonicalLink(to)}}
	}
	return edits
}

// An address is where a link has the one that it leads to, by offsets, without its quotes.
type address struct {
	tag           int // where the link begins
	start, end    int
	before, after string // what another one needs around it
	isSingle      bool   // it is in single quotes
}

// addressOf is that of a link whose tag begins at an offset, and that has this attribute href.
func addressOf(src []byte, tag int, a *Attr) address {
	p := address{tag: tag, start: a.Value, end: a.ValueEnd}
	switch quote := src[a.Value-1]; {
	case a.Value == a.NameEnd: // it has no value
		p.before, p.after = `="`, `"`
	case quote == '\'':
		p.isSingle = true
	case quote != '"':
		p.before, p.after = `"`, `"`
	}
	return p
}

// text is what is put in the place of the address for a value.
func (p *address) text(value string) string {
	value = escape.Replace(value)
	if p.isSingle {
		value = strings.ReplaceAll(value, "'", "&#39;")
	}
	return p.before + value + p.after
}

// StrayCanonical returns the line of the first canonical link of the page that was scanned last,
// whose facts are f, that is not among its Relations: because it is in the body, or too long to be
// read. It is 0 if there is none.
func (s *Scanner) StrayCanonical(f *Facts) (line int) {
	isAsked := func(from, attrs int) bool {
		return lookup(s.Text[from+1:attrs]) == atom.Link && s.isCanonical(attrs)
	}
	isKnown := map[int]bool{}
	for _, a := range f.canonicals {
		isKnown[a.tag] = true
	}
	isStray := func(from, attrs int) bool { return !isKnown[from] && isAsked(from, attrs) }
	for from, attrs := range StartTags(s.Text, 0) {
		if !isStray(from, attrs) {
			continue
		}
		for _, e := range find(s.Text, 0, headIsOpen, maxMetaTags, isStray) { // else it is in a comment or the like
			return Line(s.Text, e.Start)
		}
		return 0
	}
	return 0
}

// isCanonical reports whether the tag whose attributes begin at an offset would be a canonical
// link.
func (s *Scanner) isCanonical(attrs int) bool {
	var rel, href Attr
	Attrs(s.Text, attrs, []string{"rel", "href"}, &rel, &href)
	if !rel.Given() || !href.Given() {
		return false
	}
	for word := range words(s.value(&rel)) {
		if Fold(word, "canonical") {
			return true
		}
	}
	return false
}
