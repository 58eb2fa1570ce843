package head

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// find returns the asked ones of the start tags in src[i:] that make elements of HTML, outside of
// templates, in their order. asked says which tags these are, by where a tag begins and where its
// attributes do; it is called more than once for a tag. head is the head's state at i.
//
// The tree of x/net tells which tags make elements. If more than most are asked for, or if the tree
// would be too large or may be wrong, [byTags] answers in its place. It answers also for the end of
// a page that x/net drops, which may be so behind a template in an svg: see [size].
func find(src []byte, i int, head headState, most int, asked func(from, attrs int) bool) []Element {
	size := measure(src)
	tags, isTooMany := tagsToMark(src, i, most, &size, asked)
	w := walk{src: src, tags: tags, last: -1}
	if isTooMany || size.isTooLarge() || !w.parse(size.mayLoseEnd) {
		return byTags(src, i, head, asked)
	}
	all := w.elements(asked)
	// The last mark is that of the tag which parse puts at the end: its number is len(tags).
	if isEndLost := size.mayLoseEnd && w.last < len(tags); isEndLost {
		all = append(all, byTags(src, max(i, w.end()), headIsOver, asked)...)
	}
	return all
}

// tagsToMark returns the start tags in src[i:] that are to have a mark in the tree: those that are
// asked for, and if x/net may drop the end of the page nearly all, since the last mark that arrives
// tells then where it did. If they are more than most, isTooMany is true. It adds to the size of
// the page each formatting element that a mark makes unlike the others.
func tagsToMark(src []byte, i, most int, page *size, asked func(from, attrs int) bool) (
	tags []Element, isTooMany bool) {
	for from, attrs := range StartTags(src, i) {
		isFormatting := slices.Contains(formatting, lookup(src[from+1:attrs]))
		isMarked := asked(from, attrs) || page.mayLoseEnd && !isFormatting
		if !isMarked {
			continue
		}
		if tags = append(tags, Element{Start: from, Attrs: attrs}); len(tags) > most {
			return nil, true
		}
		if isFormatting {
			page.reopened++
		}
	}
	return tags, false
}

// StartTags yields where each start tag in src[i:] begins and its attributes do, also in
// the text, in a comment or in a value.
func StartTags(src []byte, i int) iter.Seq2[int, int] {
	return func(yield func(from, attrs int) bool) {
		for attrs := i; ; i++ {
			k := bytes.IndexByte(src[i:], '<')
			if i += k; k < 0 || i+1 == len(src) {
				return
			}
			if !letter(src[i+1]) {
				continue
			}
			// One within a name ends where that does.
			for attrs = max(attrs, i+2); attrs < len(src) && class[src[attrs]]&stopsName == 0; attrs++ {
			}
			if attrs == len(src) || !yield(i, attrs) {
				return
			}
		}
	}
}

// marked begins the name of a mark. x/net sorts the attributes of some elements: it comes
// first, and so does a smaller number.
const marked = "\x01"

// mark returns the page with one attribute more in each of the tags, the first: its number, with a
// value, since an "=" may follow. That changes nothing else of the tree, for a tag that is in a
// comment, a script or a value stays there. With marksEnd it puts one more tag at the end.
func mark(src []byte, tags []Element, marksEnd bool) []byte {
	page := make([]byte, 0, len(src)+13*len(tags)+16)
	from := 0
	if bytes.HasPrefix(src, []byte(byteOrderMark)) {
		from = len(byteOrderMark) // to x/net it is text
	}
	for n, t := range tags {
		page = fmt.Appendf(append(page, src[from:t.Attrs]...), ` %s%08d=""`, marked, n)
		from = t.Attrs
	}
	page = withoutBare(append(page, src[from:]...))
	if marksEnd {
		page = fmt.Appendf(page, "<meta %s%08d>", marked, len(tags))
	}
	return page
}

// A walk is one through the tree of a page.
type walk struct {
	src   []byte
	tags  []Element    // what may be elements: each is marked with its number
	nodes []*html.Node // what each makes: nil where it makes no element that counts
	above []int        // the number of the nearest element that counts around each; -1 for none
	last  int          // the last tag that makes any element, also the one put at the end; -1 for none
	odd   bool         // the tree may be wrong
}

// parse walks through the tree that x/net makes. It returns false where it makes none, as where
// elements nest deeper than 512, which browsers do not let them either; or where that may not be
// the standard's: it takes what follows a style for its text, even where it ignores the style, as
// after a col in a template.
//
// With marksEnd, one more tag is at the end. x/net drops all that follows a template in
// an svg or math, and that tag as well.
func (w *walk) parse(marksEnd bool) bool {
	doc, err := html.Parse(bytes.NewReader(mark(w.src, w.tags, marksEnd)))
	if err != nil {
		return false
	}
	w.nodes = make([]*html.Node, len(w.tags)+1)
	w.above = slices.Repeat([]int{-1}, len(w.tags)+1)
	const isInTemplate, above = false, -1
	w.visit(doc, isInTemplate, above)
	return !w.odd
}

// visit notes what a node of the tree says of the tags, and visits the nodes in it. above is the
// number of the nearest element that counts around it; -1 for none.
func (w *walk) visit(n *html.Node, isInTemplate bool, above int) {
	if n.Type == html.ElementNode {
		k := w.number(n)
		w.last = max(w.last, k)
		if n.Namespace == "" {
			if k >= 0 && !isInTemplate {
				if w.nodes[k] = n; above < k { // else the standard has moved it into what stood in it
					w.above[k] = above
				}
				above = k
			}
			w.odd = w.odd || n.DataAtom == atom.Col && n.Parent.DataAtom == atom.Template
			isInTemplate = isInTemplate || n.DataAtom == atom.Template
		}
	}
	for c := range n.ChildNodes() {
		w.visit(c, isInTemplate, above)
	}
}

// number returns the number of the marked tag that makes an element; -1 for one that is implied, or
// not marked.
func (w *walk) number(n *html.Node) int {
	if len(n.Attr) > 0 {
		if mark, ok := strings.CutPrefix(n.Attr[0].Key, marked); ok {
			if k, err := strconv.Atoi(mark); err == nil && 0 <= k && k <= len(w.tags) {
				return k
			}
		}
	}
	return -1
}

// elements returns those of the asked tags that make elements.
func (w *walk) elements(asked func(from, attrs int) bool) (all []Element) {
	var t token
	places := make([]int, len(w.tags)) // in all, from 1
	for k, e := range w.tags {
		n, name := w.nodes[k], w.src[e.Start+1:e.Attrs]
		if n == nil || !Fold(name, n.Data) || !asked(e.Start, e.Attrs) {
			continue // of another name is one whose name holds a "<"
		}
		if t.next(w.src, e.Start); t.kind != start {
			continue // the page's end cut it off, unless it is the tag put there
		}
		e.Name, e.End = n.Data, t.to
		e.head = n.Parent.DataAtom == atom.Head
		e.breaks = n.PrevSibling != nil && n.PrevSibling.Namespace != ""
		for a := w.above[k]; a >= 0 && e.Within == 0; a = w.above[a] {
			e.Within = places[a]
		}
		all = append(all, e)
		places[k] = len(all)
	}
	return all
}

// end returns where the last tag that makes any element ends, with its text where that is raw.
func (w *walk) end() int {
	if w.last < 0 {
		return 0
	}
	var t token
	if t.next(w.src, w.tags[w.last].Start); slices.Contains(rawText, t.name) {
		return raw(w.src, t.to, t.name)
	}
	return t.to
}

// maxNodes is how many elements x/net may have to make of a page. Each may take 200 bytes.
const maxNodes = 1 << 21

// maxTags is the most tags of a page for which x/net makes a tree. Each takes a kilobyte, with its
// marks.
const maxTags = 1 << 19

// maxMetaTags is the same for metas that are asked for. No template prints as many.
const maxMetaTags = 1 << 15

// formatting elements are opened again in each paragraph until they are closed. Links are
// not among them: one closes another.
// https://html.spec.whatwg.org/multipage/parsing.html#reconstruct-the-active-formatting-elements
var formatting = []atom.Atom{atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.S,
	atom.Small, atom.Strike, atom.Strong, atom.Tt, atom.U}

// A size says what x/net may have to make of a page, at most, by its start tags: the few elements
// that no start tag makes, such as an implied html, are not counted.
type size struct {
	elements int // without those that are opened again
	reopened int // formatting elements that may be open at once, three of those that are alike
	// mayLoseEnd says that a template follows an svg or math: if it is in one, x/net drops what
	// follows.
	mayLoseEnd bool
}

// isTooLarge reports whether x/net is to make no tree of the page: for each element it may have to
// make all those anew that are opened again.
func (s *size) isTooLarge() bool {
	return s.elements > maxTags || s.elements*(1+s.reopened) > maxNodes
}

// measure returns the size of a page. A tag in a value of another may be read to the end of that
// one, so that many of them would take a square of time: after four times the bytes of the page,
// each formatting element counts as unlike the others.
func measure(src []byte) (s size) {
	alike := map[string]int{} // how many tags of that text have been counted
	hasForeign := false       // an svg or math has begun
	bytesLeft := 4 * len(src) // that may be read of tags
	var t token
	for from, attrs := range StartTags(src, 0) {
		s.elements++
		switch name := lookup(src[from+1 : attrs]); {
		case name == atom.Svg, name == atom.Math:
			hasForeign = true
		case name == atom.Template:
			s.mayLoseEnd = s.mayLoseEnd || hasForeign
		case slices.Contains(formatting, name):
			if bytesLeft < 0 {
				s.reopened++
				continue
			}
			t.next(src, from)
			bytesLeft -= t.to - from
			if tag := string(src[from:t.to]); alike[tag] < 3 {
				alike[tag]++
				s.reopened++
			}
		}
	}
	return s
}

// An Element is the start tag of an element, by offsets.
type Element struct {
	Name  string // in lower case
	Start int    // the tag is src[Start:End]
	Attrs int    // where its name ends, and its attributes begin
	End   int

	// Within is the place, from 1, of the nearest asked element around it; 0 for none, and where
	// the page makes no tree.
	Within int

	head   bool // it is in the head
	breaks bool // it may have ended an svg or math
}

// Elements returns the start tags of src that make elements of HTML outside of
// templates, in their order. asked says, by where a tag begins and its attributes do,
// which are wanted. What the standard reads as raw text, a textarea for one, holds none.
//
// A page that has an encoding, as in [Facts], is not read.
func (s *Scanner) Elements(src []byte, asked func(from, attrs int) bool) (
	elements []Element, encoding string) {
	if s.begin(src, func([]byte) Kind { return None }); s.page.facts.Encoding != "" {
		return nil, s.page.facts.Encoding
	}
	return find(src, 0, headIsOpen, maxTags, asked), ""
}

// byTags is [find] for a page that x/net makes no tree of, or too large a one; head says whether
// the head is open at i, or over. It reads src[i:] token by token, knows templates and raw text,
// and takes each other start tag for an element: rather one too many, for a restriction counts.
//
//	<p><meta 1>text<template><meta 2></template><script><meta 3></script>   returns meta 1
//
// The head is over at the first text or start tag that cannot be in it, outside of a template. From
// the first svg or math on, each element counts as one that may end it (breaks), and a style or title
// may be one of theirs, in which tags are tags: so they are no raw text there. A raw text element
// that is never closed holds the rest of the page by the standard; here its text is read as the
// page's, again as rather too much.
func byTags(src []byte, i int, head headState, asked func(from, attrs int) bool) (all []Element) {
	openTemplates := 0
	hasForeign := false              // an svg or math has begun
	unclosed := map[atom.Atom]bool{} // the raw text elements that no end tag follows
	var t token
	for t.next(src, i); t.kind != eof; t.next(src, t.to) {
		hasText := t.kind == text && skipSpace(src[:t.to], t.from) < t.to // more than white space
		if hasText && openTemplates == 0 {
			head = headIsOver
		}
		if t.kind == end && t.name == atom.Template {
			openTemplates = max(0, openTemplates-1)
		}
		if t.kind != start {
			continue
		}
		if openTemplates == 0 {
			if !slices.Contains(inHead, t.name) {
				head = headIsOver
			}
			hasForeign = hasForeign || t.name == atom.Svg || t.name == atom.Math
			if asked(t.from, t.attrs) {
				all = append(all, Element{Name: string(bytes.ToLower(src[t.from+1 : t.attrs])),
					Start: t.from, Attrs: t.attrs, End: t.to, head: head == headIsOpen, breaks: hasForeign})
			}
		}
		if t.name == atom.Template { // behind the above: a template is not within itself
			openTemplates++
		}
		mayBeForeign := hasForeign && (t.name == atom.Style || t.name == atom.Title)
		isRaw := slices.Contains(rawText, t.name) && !mayBeForeign
		if isRaw && !unclosed[t.name] { // within templates too
			// An end tag as the last of the page counts as a missing one: nothing is behind it.
			if behindEndTag := raw(src, t.to, t.name); behindEndTag < len(src) {
				t.to = behindEndTag
			} else {
				unclosed[t.name] = true
			}
		}
	}
	return all
}

var (
	// inHead are the elements that do not end a head.
	inHead = []atom.Atom{atom.Html, atom.Head, atom.Meta, atom.Link, atom.Base, atom.Basefont,
		atom.Bgsound, atom.Title, atom.Script, atom.Style, atom.Noframes, atom.Noscript, atom.Template}

	// rawText elements hold no markup.
	rawText = []atom.Atom{atom.Title, atom.Script, atom.Style, atom.Noframes, atom.Noscript,
		atom.Textarea, atom.Iframe, atom.Xmp, atom.Noembed, atom.Plaintext}
)
