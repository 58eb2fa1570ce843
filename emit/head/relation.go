package head

import "bytes"

// A Relation is a link element of the head that says how the page stands to others: rel canonical, or rel alternate
// with a hreflang. Crawlers read both in the head alone.
// https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls#rel-canonical-link-method
type Relation struct {
	// Canonical: rel names canonical; else it is an alternate.
	Canonical bool
	// Href is the address as written, character references decoded, trimmed.
	Href string
	// Hreflang is the language of an alternate, in lower case.
	Hreflang string
	// Line is the line of the tag, from 1.
	Line int
}

func (s *Scanner) relate(src []byte, t *token) {
	var rel, href, lang Attr
	Attrs(src, t.n1, []string{"rel", "href", "hreflang"}, &rel, &href, &lang)
	if !rel.Given() || !href.Given() || href.ValueEnd-href.Value > maxValue {
		return
	}
	canonical, alternate := false, false
	for word := range bytes.FieldsSeq(s.value(&rel)) {
		canonical = canonical || Fold(word, "canonical")
		alternate = alternate || Fold(word, "alternate")
	}
	if !canonical && (!alternate || !lang.Given()) {
		return
	}
	r := Relation{Canonical: canonical, Line: s.lineOf(t.from), Href: string(trim(s.value(&href)))}
	if alternate {
		r.Hreflang = string(s.name(&lang))
	}
	s.page.facts.Relations = append(s.page.facts.Relations, r)
}

// title takes in the text of a title, with white space as in one line. The first counts, be it empty.
func (s *Scanner) title(text []byte) {
	if s.Title && !s.page.titled {
		s.page.facts.Title = string(bytes.Join(bytes.Fields(s.decode(text)), []byte(" ")))
	}
	s.page.titled = true
}
