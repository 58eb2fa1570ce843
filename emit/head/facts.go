package head

import (
	"bytes"
	"iter"
	"strconv"
	"unicode/utf8"

	"metarobots/internal/lazyregexp"
)

// Facts are what a [Scanner] found in a page: a value made of its bytes alone, which
// it holds none of. All offsets are of those bytes.
type Facts struct {
	// Robots holds the metas of kind Robots in document order, those of the head first.
	Robots []Meta

	// Inert holds the metas of kind Inert in the same order.
	Inert []Meta

	// Unread counts the metas of kind Robots behind the first 128 KB of them, which are not read
	// and stay in the page. UnreadAt is the line of the first.
	Unread, UnreadAt int

	// Insert is the offset at which a tag belongs where the head holds none: right after the
	// character encoding declaration where that lies in the first 1,024 bytes, else right after
	// <head …>, else where the standard opens the implied head.
	// https://html.spec.whatwg.org/multipage/semantics.html#charset1024
	Insert int

	// Fragment marks a page that is not to be edited, because it is none: it has no doctype, and
	// the first token that is neither white space nor a comment begins no html, head, body, title,
	// meta, link, base, script or style. An empty file is one too.
	Fragment bool

	// Encoding is empty where ASCII bytes mean ASCII characters. Otherwise it names the encoding
	// ("utf-16le", "utf-16be", "iso-2022-jp", "replacement"); the page was read all the same, and
	// is not to be edited. Offsets are of [Scanner.Text].
	Encoding string

	// Refresh is what the head's first readable meta of http-equiv=refresh says; nil where there is
	// none.
	// https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
	Refresh *Refresh

	// Relations are the canonical and the alternate links of the head, where the scanner is asked
	// for them.
	Relations []Relation
	// canonicals are where the canonical ones have their addresses: [Facts.CanonicalEdits]
	// exchanges these.
	canonicals []address

	// Base is the address against which those of the page are resolved, as the first base element
	// of the head with one says; empty for none. It may be relative to the page. The scanner is
	// asked for it with Relations.
	// https://html.spec.whatwg.org/multipage/semantics.html#the-base-element
	Base string

	// IsBaseFirst: the base element is before the meta of Refresh, whose URL is read against it
	// then. One that comes later says nothing of that meta.
	// https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps
	IsBaseFirst bool

	// Language is what the lang attribute of the html element says that the page begins
	// with, as it is written, trimmed; empty for nothing.
	// https://html.spec.whatwg.org/multipage/dom.html#the-lang-and-xml:lang-attributes
	Language string

	// Title is the text of the page's title, character references decoded and white
	// space as in one line, where the scanner is asked for it.
	Title string

	// Snippets are elements with data-nosnippet on which Google does not read it, the first
	// hundred, where the scanner is asked for them.
	Snippets []Snippet
}

// A Meta is one real meta element of a page whose name the caller asked for, or one
// that was meant to be: see [Mistake].
type Meta struct {
	Name       string // character references decoded, ASCII white space trimmed, lower case
	Content    string // character references decoded, as written; without curly quotes
	HasContent bool   // false: no content attribute at all, nor the attribute value in its place
	Start, End int    // the whole tag is src[Start:End]
	Line       int    // of Start, from 1
	Cut        bool   // Content is longer than 64 KB, and the rest was not read
	Body       bool   // it is in the body, not in the head
	Ours       bool   // it is in the head, in exactly the form of [Tags]
	Mistake    Mistake

	// Holds: without a meta in this place the rest would read differently.
	Holds bool
}

// A Kind is what the name of a meta is to a caller.
type Kind uint8

const (
	None   Kind = iota // it is not asked for
	Robots             // it is read, and [Facts.Edits] exchange the meta
	Inert              // it is read, and the meta stays: no crawler obeys it
)

// refresh takes in a meta that sends the reader on. The first that says something readable counts.
func (s *Scanner) refresh(f *fields) {
	if s.page.facts.Refresh != nil || !f.content.Given() || !Fold(s.value(&f.equiv), "refresh") {
		return
	}
	if r, ok := ParseRefresh(s.value(&f.content)); ok {
		s.page.facts.Refresh, s.page.facts.IsBaseFirst = &r, s.page.based
	}
}

// A Refresh sends the reader on.
type Refresh struct {
	Delay float64 // in seconds
	URL   string  // "" is the page itself
}

// refreshForm is a delay, whose fraction is passed over, and a URL: with or without "url=", with or
// without quotes.
var refreshForm = lazyregexp.New(`(?s)^\s*(\d*)(\.[\d.]*)?(?:(?:\s+[;,]?|[;,])\s*(?:[uU][rR][lL]\s*=\s*)?` +
	`(?:"([^"]*).*|'([^']*).*|(.*)))?$`)

// ParseRefresh reads what a meta refresh says, or an HTTP header of that name. As
// in the standard, a fraction of the delay is read over: "0.5" is at once.
//
// https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps
func ParseRefresh(v []byte) (r Refresh, ok bool) {
	m := refreshForm.FindStringSubmatch(string(v))
	if m == nil || m[1]+m[2] == "" {
		return Refresh{}, false
	}
	r.Delay, _ = strconv.ParseFloat(m[1], 64)
	r.URL = m[3] + m[4] + m[5]
	return r, true
}

// A Relation is a link element of the head that says how the page relates to others: rel canonical,
// or rel alternate with a hreflang. Crawlers read both in the head alone.
// https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls#rel-canonical-link-method
type Relation struct {
	// Canonical: rel names canonical; else it is an alternate.
	Canonical bool
	// Href is the address as written, character references decoded, trimmed.
	Href string
	// Line is the line of the tag, from 1.
	Line int
}

// words are those of the value of a rel, which ASCII white space parts.
// https://html.spec.whatwg.org/multipage/dom.html#set-of-space-separated-tokens
func words(rel []byte) iter.Seq[[]byte] {
	return bytes.FieldsFuncSeq(rel, func(r rune) bool { return r < utf8.RuneSelf && space(byte(r)) })
}

// relate takes in a link element of the head, where the scanner is asked for Relations: a canonical
// link, or an alternate with a hreflang. It passes over one without an href, and one whose href is
// longer than maxValue. [Scanner.Scan] moves s.relations, which is memory for each page, to the
// Facts.
func (s *Scanner) relate(src []byte, e *Element) {
	var rel, href, lang Attr
	Attrs(src, e.Attrs, []string{"rel", "href", "hreflang"}, &rel, &href, &lang)
	if !rel.Given() || !href.Given() || href.ValueEnd-href.Value > maxValue {
		return
	}
	canonical, alternate := false, false
	for word := range words(s.value(&rel)) {
		canonical = canonical || Fold(word, "canonical")
		alternate = alternate || Fold(word, "alternate")
	}
	if !canonical && (!alternate || !lang.Given()) {
		return
	}
	r := Relation{Canonical: canonical, Line: s.lineOf(e.Start), Href: string(trim(s.value(&href)))}
	if canonical {
		s.page.facts.canonicals = append(s.page.facts.canonicals, addressOf(src, e.Start, &href))
	}
	s.relations = append(s.relations, r)
}

// base takes in the address of a base element. The first counts.
func (s *Scanner) base(src []byte, e *Element) {
	var href Attr
	if Attrs(src, e.Attrs, []string{"href"}, &href); href.Given() && !s.page.based {
		s.page.facts.Base, s.page.based = string(trim(s.value(&href))), true
	}
}

// title takes in the text of a title, with white space as in one line. The first counts, even an
// empty one.
func (s *Scanner) title(text []byte) {
	if s.Title && !s.page.titled {
		s.page.facts.Title = string(bytes.Join(bytes.Fields(s.decode(text)), []byte(" ")))
	}
	s.page.titled = true
}
