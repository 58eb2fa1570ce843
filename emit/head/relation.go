package head

import "bytes"

// A Relation is a link element of the head that says how the page stands to
// others: rel canonical, or rel alternate with a hreflang. Crawlers read both in
// the head alone.
// https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls#rel-canonical-link-method
type Relation struct {
	// Canonical: rel names canonical; else it is an alternate.
	Canonical bool
	// Href is the address as written, character references decoded, trimmed.
	Href string
	// Hreflang is the language of an alternate, in lower case.
	Hreflang string
	// Start is the offset of the tag.
	Start int
}

// relate takes in a link element of the head.
func (p *Page) relate(src []byte, t *token) {
	var a attr
	var rel, href, lang []byte
	for i, more := t.n1, true; ; {
		if i, more = attribute(src, i, &a); !more {
			break
		}
		var v *[]byte
		switch n := src[a.n0:a.n1]; {
		case fold(n, "rel"):
			v = &rel
		case fold(n, "href"):
			v = &href
		case fold(n, "hreflang"):
			v = &lang
		default:
			continue
		}
		if *v == nil {
			*v = src[a.v0:a.v1:a.v1]
		}
	}
	if rel == nil || href == nil || len(href) > maxValue {
		return
	}
	canonical, alternate := false, false
	for word := range bytes.FieldsSeq(p.decode(rel)) {
		canonical = canonical || fold(word, "canonical")
		alternate = alternate || fold(word, "alternate")
	}
	if !canonical && (!alternate || lang == nil) {
		return
	}
	r := Relation{Canonical: canonical, Start: t.from, Href: string(trim(p.decode(href)))}
	if alternate {
		r.Hreflang = string(p.title(lang))
	}
	p.Relations = append(p.Relations, r)
}

// Title returns the text of the page's title, character references decoded and
// white space as in one line; empty where the head has none.
func (p *Page) Title() string {
	return string(bytes.Join(bytes.Fields(p.decode(p.Text[p.title0:p.title1])), []byte(" ")))
}
