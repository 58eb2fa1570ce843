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
func (p *Page) head(src []byte, i int) int {
	p.Fragment = true
	first := true  // no token has been seen but white space, comments and doctypes
	after := false // "</head>" has been seen
	var t token
	for {
		i = skipSpace(src, i)
		t.next(src, i, false)
		if t.cut || t.kind == eof {
			// A tag of ours must not come to stand within what the page's end cuts off.
			p.open(t.from)
			return len(src)
		}
		i = t.to
		switch t.kind {
		case comment:
			continue
		case doctype:
			if first {
				p.Fragment = false
			}
			continue
		case text:
			p.open(t.from)
			return t.from
		}
		if first {
			first = false
			if t.kind == start && page[t.name] {
				p.Fragment = false
			}
		}
		if t.kind == end {
			switch t.name {
			case nHead:
				p.open(t.from)
				after = true
			case nBody, nHTML, nBr:
				p.open(t.from)
				return t.from
			}
			continue // others are ignored
		}
		switch t.name {
		case nHTML:
			continue
		case nHead:
			if !p.opened {
				p.open(t.to)
			}
			continue
		}
		p.open(t.from)
		switch t.name {
		case nMeta:
			p.meta(src, &t, false)
		case nBase:
			p.element(&t)
		case nLink:
			if p.Related {
				p.relate(src, &t)
			}
		case nBasefont, nBgsound:
		case nTitle:
			i = raw(src, i, t.name)
			if p.title1 == 0 {
				p.title0, p.title1 = t.to, max(t.to, bytes.LastIndexByte(src[:i], '<'))
			}
		case nScript, nStyle, nNoframes:
			i = raw(src, i, t.name)
		case nNoscript:
			if after {
				return t.from
			}
			i = raw(src, i, t.name)
		case nTemplate:
			i = p.tree.template(p, src, t)
		default:
			return t.from
		}
	}
}

// open notes where the head opens.
func (p *Page) open(offset int) {
	if !p.opened {
		p.opened, p.Insert = true, offset
	}
}
