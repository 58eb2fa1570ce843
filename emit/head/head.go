package head

import (
	"bytes"
	"slices"

	"golang.org/x/net/html/atom"
)

// page holds the elements a page, and no fragment of one, begins with.
var page = []atom.Atom{atom.Html, atom.Head, atom.Body, atom.Title, atom.Meta, atom.Link, atom.Base, atom.Script,
	atom.Style}

// head reads the page up to the end of its head, and returns the offset of the token that ends it. It knows the
// insertion modes from "initial" to "after head"; the first four differ in nothing a meta could see but in which tags
// open the head.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead
func (s *Scanner) head() int {
	src, i := s.Text, 0
	if bytes.HasPrefix(src, []byte(byteOrderMark)) {
		i = len(byteOrderMark)
	}
	s.page.facts.Fragment = true
	first := true  // no token has been seen but white space, comments and doctypes
	after := false // "</head>" has been seen
	var t token
	for {
		i = skipSpace(src, i)
		t.next(src, i)
		if t.cut || t.kind == eof {
			// A tag of ours must not end up within what the page's end cuts off.
			s.open(t.from)
			return len(src)
		}
		i = t.to
		switch t.kind {
		case comment:
			continue
		case doctype:
			if first {
				s.page.facts.Fragment = false
			}
			continue
		case text:
			s.open(t.from)
			return t.from
		}
		if first {
			first = false
			if t.kind == start && slices.Contains(page, t.name) {
				s.page.facts.Fragment = false
			}
			if t.kind == start && t.name == atom.Html {
				s.language(src, &t)
			}
		}
		if t.kind == end {
			switch t.name {
			case atom.Head:
				s.open(t.from)
				after = true
			case atom.Body, atom.Html, atom.Br:
				s.open(t.from)
				return t.from
			}
			continue // others are ignored
		}
		switch t.name {
		case atom.Html:
			continue
		case atom.Head:
			if !s.page.opened {
				s.open(t.to)
			}
			continue
		}
		s.open(t.from)
		switch t.name {
		case atom.Base, atom.Basefont, atom.Bgsound:
		case atom.Meta, atom.Link, atom.Title:
			i = s.take(src, &Element{Name: t.name.String(), Start: t.from, Attrs: t.n1, End: t.to, head: true})
		case atom.Script, atom.Style, atom.Noframes:
			i = raw(src, i, t.name)
		case atom.Noscript:
			if after {
				return t.from
			}
			i = raw(src, i, t.name)
		case atom.Template:
			// Where it ends, the tree alone can tell.
			s.rest(src, t.from, true)
			return len(src)
		default:
			return t.from
		}
	}
}

// rest reads src[i:] by the page's tree. head says that the head is not over there.
func (s *Scanner) rest(src []byte, i int, head bool) {
	for _, e := range find(src, i, head, func(from, attrs int) bool {
		n := lookup(src[from+1 : attrs])
		return n == atom.Meta || head && (n == atom.Link || n == atom.Title)
	}) {
		s.take(src, &e)
	}
}

// take takes in what a tag says in its place, and returns where what it opens ends.
func (s *Scanner) take(src []byte, e *Element) (end int) {
	switch {
	case e.Name == "meta":
		s.meta(src, e)
	case e.Name == "link" && e.head && s.Relations:
		s.relate(src, e)
	case e.Name == "title" && e.head:
		end := raw(src, e.End, atom.Title)
		s.title(src[e.End:max(e.End, bytes.LastIndexByte(src[:end], '<'))])
		return end
	}
	return e.End
}

// language takes in the language of the html element. Most pages of a site have one and the same.
func (s *Scanner) language(src []byte, t *token) {
	var a Attr
	Attrs(src, t.n1, []string{"lang"}, &a)
	if lang := trim(s.value(&a)); string(lang) != s.lang {
		s.lang = string(lang)
	}
	s.page.facts.Language = s.lang
}

func (s *Scanner) open(offset int) {
	if !s.page.opened {
		s.page.opened, s.page.facts.Insert = true, offset
	}
}
