// Package links adds rel values to the links of an HTML page that lead away from the site, and
// data-nosnippet to parts of it, leaving every other byte of the page as it was.
//
// A link is an a or area element of HTML with an href, as the standard's tree construction makes it
// (see emit/head): not one in a comment, a script, a textarea, a template or a noscript, and not
// the a of an svg, for Google can follow only a link of an <a> tag
// (https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links).
// area is among them because the HTML standard gives it the same link types
// (https://html.spec.whatwg.org/multipage/links.html#linkTypes); form is not: what it leads to is no link.
//
// It leads away where its URL, read as a browser reads it, is of http or https and has a host that
// is not the site's own. A mailto:, a javascript:, a fragment, or what no browser can read, does
// not.
//
// The work is done in two parts, as in emit/head. Every page is searched for a tag that would be
// edited if it were markup; most have none, or have no more once they were edited. Where there is
// one the whole page is read by the tree construction, and only what it makes an element is edited.
// All edits insert, none removes.
//
// # Words of this package
//
//   - A place is where a URL leads: scheme, host and port. nowhere is that of a URL that no crawler
//     follows, as mailto:; the zero place that of a page whose URL is not known.
//   - A [Host] is a pattern of the configuration: "example.com", "*.example.com", "*". It fits a
//     place.
//   - Host names are normalized: in lower case, ASCII, without a dot at the end. split parts a host
//     and its port, 0 for none.
//   - Offsets are of src, the page; an attribute ([head.Attr]) is Given if the tag has it.
//   - The classes of a policy are those that its rules name, by which a rule is for the links in an
//     element, and those that ask for data-nosnippet. find and addClasses look for them in a value.
//
// From emit/head: Fold compares a name with a text in lower case, in any case; Decode reads the
// character references of a value; Wide names UTF-16; StartTags yields all that looks like a start
// tag; Scanner.Elements returns, in their order, the asked tags that make elements, each with the
// nearest of them around it (Within, counted from 1; 0 for none).
package links

import (
	"slices"

	"metarobots/emit/head"
	"metarobots/emit/patch"
)

// A Page is what [Scan] saw of a page.
type Page struct {
	// Edited is how many elements are to be edited. Where there is none the page stays as it is.
	Edited int

	// Inserts are the texts that they get. A rel value keeps what it holds, in its order, case and
	// quotes, and gets what is missing at its end; one without quotes gets them. Where the tag has
	// no rel, it goes right after the name, and so does data-nosnippet.
	Inserts []patch.Edit

	// Ignored are elements with a class that asks for data-nosnippet, which do not
	// get it, because Google reads it on div, span and section alone.
	// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#data-nosnippet-attr
	Ignored []Ignored

	// Rules says for each rule of the policy, by its index in [Config], whether it is for a link of
	// the page, edited or not. Where none is edited a link that is no element, such as one in a
	// comment, may count.
	Rules []bool

	// NoSnippet says the same of each class of Config.NoSnippet, an element with several counting
	// for the first.
	NoSnippet []bool

	// Encoding is as in [head.Facts]: where it is not empty the page was not read and is not to be
	// edited. Of the encodings that hold ASCII it is set only where there would have been something
	// to edit.
	Encoding string

	policy *Policy
	page   place // of its URL
	base   place // where its relative URLs lead
	work   int   // bytes read of tags that may be links
}

// An Ignored is an element that asks for data-nosnippet in vain.
type Ignored struct {
	Offset int    // of its tag, in the page that was scanned; see [head.Line]
	Name   string // of the element, as it is written
	Class  Class
}

const noSnippet = "data-nosnippet"

// Scan reads a page and returns what the policy asks to insert in it. url is the page's own
// address; where it is not known ("", or without a host) only links that name a host can lead away.
// Nothing is to be inserted if the policy asks for nothing, if the page has an Encoding, or if no
// tag in it looks as if it had to be edited, which is so of most pages.
func Scan(src []byte, url string, policy *Policy) *Page {
	searched := newPage(url, policy)
	if policy.Empty() {
		return searched
	}
	// UTF-16 holds no tag that can be searched for.
	if searched.Encoding = head.Wide(src); searched.Encoding != "" {
		return searched
	}
	if isCandidate := searched.candidate(src); !isCandidate {
		return searched // with the Rules and NoSnippet that were met
	}
	decided := newPage(url, policy) // anew: the search took for links what is in comments, too
	decided.work = searched.work
	decided.decideOnElements(src)
	return decided
}

// decideOnElements reads the whole page by the tree construction, and decides on each element that
// matters. If the page has an encoding that cannot be read it sets that alone.
func (p *Page) decideOnElements(src []byte) {
	var html head.Scanner
	asked := func(from, attrs int) bool { return p.asksFor(src, from, attrs) }
	elements, encoding := html.Elements(src, asked)
	if encoding != "" {
		p.Encoding = encoding
		return
	}
	// Before any link: a base counts for those before it, too.
	p.rebase(src, elements)
	classes := make([][]Class, len(elements)) // of each element, and of the elements around it
	for i := range elements {
		e := &elements[i]
		f, _ := read(src, e.Attrs)
		if hasParent := e.Within > 0; hasParent { // it came before e, and has the number Within-1
			classes[i] = slices.Clip(classes[e.Within-1]) // siblings share them: append has to copy
		}
		classes[i] = p.policy.addClasses(classes[i], value(src, &f.class))
		p.element(src, e, &f, classes[i])
	}
}

// asksFor reports whether a tag matters if it makes an element: a link, a base, or a tag with a
// class of the policy. src[from:] begins with the tag, and its attributes with src[attrs:]. Once
// too many bytes were read, every tag counts, since one too many does no harm.
func (p *Page) asksFor(src []byte, from, attrs int) bool {
	switch {
	case linkName(src[from+1:attrs]) != "":
		return true
	case !p.policy.hasClasses():
		return false
	case p.spent(0, len(src)):
		return true
	}
	f, end := read(src, attrs)
	v := value(src, &f.class)
	return p.spent(end-from, len(src)) || find(v, p.policy.options.NoSnippet) >= 0 ||
		find(v, p.policy.classes) >= 0
}

func newPage(url string, policy *Policy) *Page {
	p := &Page{policy: policy, page: resolve([]byte(url), place{}),
		Rules:     make([]bool, len(policy.options.Rules)),
		NoSnippet: make([]bool, len(policy.options.NoSnippet))}
	if p.page.elsewhere() {
		p.page = place{}
	}
	p.base = p.page
	return p
}

func (p *Page) insert(at int, text string) {
	p.Inserts = append(p.Inserts, patch.Edit{Start: at, End: at, Text: text})
}

// linkName returns the name of a tag in lower case, where it is that of a link or a base.
func linkName(name []byte) string {
	for _, n := range []string{"a", "area", "base"} {
		if head.Fold(name, n) {
			return n
		}
	}
	return ""
}

// spent reports whether more bytes of tags were read than a page of this size may cost: of
// tags within tags, each is read to the end of them all.
func (p *Page) spent(n, size int) bool {
	p.work += n
	return p.work > 8*size
}

// candidate reports whether src holds a tag that would be edited or reported if
// it were markup; or one that may change where other links lead.
func (p *Page) candidate(src []byte) bool {
	var classes []Class // of rules, of the elements before one
	for from, attrs := range head.StartTags(src, 0) {
		e := head.Element{Name: linkName(src[from+1 : attrs]), Start: from, Attrs: attrs}
		if e.Name == "" && !p.policy.hasClasses() {
			continue
		}
		f, end := read(src, attrs)
		// It may be around what follows.
		classes = p.policy.addClasses(classes, value(src, &f.class))
		p.element(src, &e, &f, classes)
		isFound := p.Edited+len(p.Ignored) > 0 || e.Name == "base" && p.moves(src, &f)
		if isFound || p.spent(end-from, len(src)) {
			return true
		}
	}
	return false
}

// moves reports whether a base element would make relative URLs lead elsewhere than the page's own
// does.
func (p *Page) moves(src []byte, f *fields) bool {
	at := resolve(src[f.href.Value:f.href.ValueEnd], p.page)
	return f.href.Given() && (at.scheme != p.page.scheme || at.host != p.page.host)
}

// rebase takes in the first base element with an href. One that leads nowhere is as good as none:
// so it is by the standard for what cannot be read and for data: and javascript:, and with any
// other scheme no relative URL leads away.
//
// https://html.spec.whatwg.org/multipage/semantics.html#set-the-frozen-base-url
func (p *Page) rebase(src []byte, elements []head.Element) {
	for i := range elements {
		if elements[i].Name != "base" {
			continue
		}
		if f, _ := read(src, elements[i].Attrs); f.href.Given() {
			if at := resolve(src[f.href.Value:f.href.ValueEnd], p.page); !at.elsewhere() {
				p.base = at
			}
			return
		}
	}
}

// fields holds the attributes that matter here.
type fields struct{ href, rel, class, snippet head.Attr }

var attributes = []string{"href", "rel", "class", noSnippet}

// read reads the attributes of a tag from the end of its name, and returns where the
// tag ends; len(src) where the page ends within it.
func read(src []byte, i int) (f fields, end int) {
	if end = head.Attrs(src, i, attributes, &f.href, &f.rel, &f.class, &f.snippet); end < 0 {
		end = len(src)
	}
	return f, end
}

// element decides on one element, with the classes that it and the elements around it have.
func (p *Page) element(src []byte, e *head.Element, f *fields, classes []Class) {
	if (e.Name == "a" || e.Name == "area") && f.href.Given() && len(p.policy.rules) > 0 {
		p.link(src, e, f, classes)
	}
	p.snippet(src, e, f)
}

func (p *Page) link(src []byte, e *head.Element, f *fields, classes []Class) {
	at := resolve(src[f.href.Value:f.href.ValueEnd], p.base)
	if at.elsewhere() || at.host == "" || at.host == p.page.host || fit(p.policy.options.Own, at) {
		return
	}
	if r := p.policy.rel(at, classes, p.Rules) &^ parseRel(value(src, &f.rel)); r != 0 {
		p.addRel(src, e, &f.rel, r)
	}
}

func (p *Page) snippet(src []byte, e *head.Element, f *fields) {
	i := find(value(src, &f.class), p.policy.options.NoSnippet)
	if i < 0 {
		return
	}
	p.NoSnippet[i] = true
	switch {
	case f.snippet.Given():
	case e.Name == "div" || e.Name == "span" || e.Name == "section":
		p.Edited++
		// With a value a page of XML stays well-formed.
		p.insert(e.Attrs, " "+noSnippet+`=""`)
	default:
		p.Ignored = append(p.Ignored, Ignored{e.Start, string(src[e.Start+1 : e.Attrs]),
			p.policy.options.NoSnippet[i]})
	}
}

// value returns the value of an attribute.
func value(src []byte, a *head.Attr) []byte {
	return head.Decoded(new([]byte), src[a.Value:a.ValueEnd])
}
