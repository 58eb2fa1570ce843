package head

import "bytes"

// page holds the elements a page, and no fragment of one, begins with.
var page = setOf(nHTML, nHead, nBody, nTitle, nMeta, nLink, nBase, nScript, nStyle)

// head reads the page up to the end of its head, and returns the offset of the
// token that ends it. It knows the insertion modes from "initial" to "after
// head"; the first four differ in nothing a meta could see but in which tags
// open the head.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead
func (s *Scanner) head(src []byte, i int) int {
	s.facts.Fragment = true
	first := true  // no token has been seen but white space, comments and doctypes
	after := false // "</head>" has been seen
	var t token
	for {
		i = skipSpace(src, i)
		t.next(src, i, false)
		if t.cut || t.kind == eof {
			// A tag of ours must not come to stand within what the page's end cuts off.
			s.open(t.from)
			return len(src)
		}
		i = t.to
		switch t.kind {
		case comment:
			continue
		case doctype:
			if first {
				s.facts.Fragment = false
			}
			continue
		case text:
			s.open(t.from)
			return t.from
		}
		if first {
			first = false
			if t.kind == start && page[t.name] {
				s.facts.Fragment = false
			}
		}
		if t.kind == end {
			switch t.name {
			case nHead:
				s.open(t.from)
				after = true
			case nBody, nHTML, nBr:
				s.open(t.from)
				return t.from
			}
			continue // others are ignored
		}
		switch t.name {
		case nHTML:
			continue
		case nHead:
			if !s.opened {
				s.open(t.to)
			}
			continue
		}
		s.open(t.from)
		switch t.name {
		case nMeta:
			s.meta(src, &t, false)
		case nBase:
			s.element(&t)
		case nLink:
			if s.Relations {
				s.relate(src, &t)
			}
		case nBasefont, nBgsound:
		case nTitle:
			i = raw(src, i, t.name)
			s.title(src[t.to:max(t.to, bytes.LastIndexByte(src[:i], '<'))])
		case nScript, nStyle, nNoframes:
			i = raw(src, i, t.name)
		case nNoscript:
			if after {
				return t.from
			}
			i = raw(src, i, t.name)
		case nTemplate:
			i = s.tree.template(s, src, t)
		default:
			return t.from
		}
	}
}

// open notes where the head opens.
func (s *Scanner) open(offset int) {
	if !s.opened {
		s.opened, s.facts.Insert = true, offset
	}
}
