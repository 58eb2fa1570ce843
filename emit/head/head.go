package head

import (
	"bytes"
	"slices"

	"golang.org/x/net/html/atom"
)

// pageElements are those that a page, and no fragment of one, begins with: see [Facts].Fragment.
var pageElements = []atom.Atom{atom.Html, atom.Head, atom.Body, atom.Title, atom.Meta, atom.Link,
	atom.Base, atom.Script, atom.Style}

// head reads the page up to the end of its head, for [Scanner.Scan] and [Scanner.Elements], and
// returns where the body begins: at the token that ends the head, or at the page's end if nothing
// ends it. A template in the head counts as the body's beginning: the metas of all that follows are
// taken in here then, and areAllMetasTaken says so. It takes in what the head says, and sets
// Fragment, Language and Insert of the facts. It knows the standard's insertion modes from
// "initial" to "after head". For a meta, these differ only in which tags open the head:
//
//	white space, comments, doctypes   nothing
//	<head>                            opens the head behind the tag
//	<html>                            nothing
//	<meta>, <script> …                open the head before the tag, if it is not open yet: all that
//	                                  [Scanner.headElement] knows
//	</head>                           the same; what belongs into a head and follows it is in it, too
//	</body>, </html>, </br>           end the head, which is opened before it, if it is not
//	any other end tag                 nothing: the standard ignores it
//	text, any other start tag         ends the head, as </body> does
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead
func (s *Scanner) head() (body int) {
	src, i := s.Text, 0
	if bytes.HasPrefix(src, []byte(byteOrderMark)) {
		i = len(byteOrderMark)
	}
	s.page.facts.Fragment = true // until a doctype or the first tag shows otherwise
	isFirst := true              // no tag has been seen yet; text would have ended the head
	isAfterHead := false         // "</head>" has been seen
	var t token
	for {
		t.next(src, skipSpace(src, i))
		i = t.to
		if isTag := t.kind == start || t.kind == end; isTag && isFirst {
			s.firstTag(&t)
			isFirst = false
		}
		switch {
		case t.cut, t.kind == eof: // the page ends within the token, or before one begins
			// A tag of ours must not end up within what the page's end cuts off.
			s.openHead(t.from)
			return len(src)
		case t.kind == comment:
		case t.kind == doctype:
			if isFirst { // behind a tag it says nothing
				s.page.facts.Fragment = false
			}
		case t.kind == text: // more than white space, which is skipped above
			s.openHead(t.from)
			return t.from
		case t.kind == end && t.name == atom.Head:
			s.openHead(t.from)
			isAfterHead = true
		case t.kind == end && slices.Contains(bodyEnds, t.name):
			s.openHead(t.from)
			return t.from
		case t.kind == end, t.name == atom.Html: // any other end tag, or <html>
		case t.name == atom.Head: // a second one is ignored: the head is open then
			s.openHead(t.to)
		default:
			s.openHead(t.from)
			var isOver bool
			if i, isOver = s.headElement(&t, isAfterHead); isOver {
				return i
			}
		}
	}
}

// headElement takes in what a start tag says if its element belongs into a head, where the tag is
// none of html and head. It returns where the head goes on, or if it is over, where the body
// begins, as [Scanner.head] returns it. isAfterHead says that "</head>" is before the tag.
func (s *Scanner) headElement(t *token, isAfterHead bool) (next int, isOver bool) {
	src := s.Text
	switch t.name {
	case atom.Basefont, atom.Bgsound: // they have no content, and say nothing here
		return t.to, false
	case atom.Base, atom.Meta, atom.Link, atom.Title:
		e := Element{Name: t.name.String(), Start: t.from, Attrs: t.attrs, End: t.to, head: true}
		return s.take(src, &e), false
	case atom.Script, atom.Style, atom.Noframes:
		return raw(src, t.to, t.name), false // behind its end tag: what it holds is no markup
	case atom.Noscript:
		if isAfterHead { // the standard has it in the head alone, unlike script
			return t.from, true
		}
		return raw(src, t.to, t.name), false // where scripts run, what it holds is no markup
	case atom.Template: // where it ends, the tree alone can tell: all that is left is read by that
		s.rest(src, t.from, headIsOpen)
		s.page.areAllMetasTaken = true
		return t.from, true
	}
	return t.from, true
}

// bodyEnds are the end tags that end the head, because the standard makes a body for them.
var bodyEnds = []atom.Atom{atom.Body, atom.Html, atom.Br}

// firstTag takes in what the first tag of a page says of it: whether it is a page or a fragment,
// and the language of the html element.
func (s *Scanner) firstTag(t *token) {
	if t.kind != start {
		return
	}
	if slices.Contains(pageElements, t.name) {
		s.page.facts.Fragment = false
	}
	if t.name == atom.Html {
		s.language(s.Text, t)
	}
}

// A headState says whether the head of a page is over at an offset.
type headState bool

const (
	headIsOpen headState = true
	headIsOver headState = false
)

// rest takes in the metas of src[i:] by the page's tree and, as long as the head is open, what else
// says something in a head.
func (s *Scanner) rest(src []byte, i int, head headState) {
	saysSomething := func(from, attrs int) bool {
		n := lookup(src[from+1 : attrs])
		saysSomethingInHead := n == atom.Base || n == atom.Link || n == atom.Title
		return n == atom.Meta || head == headIsOpen && saysSomethingInHead
	}
	for _, e := range find(src, i, head, maxMetaTags, saysSomething) {
		s.take(src, &e)
	}
}

// take takes in what a tag says in its place, and returns where what it opens ends: behind the tag,
// or for a title behind its end tag.
func (s *Scanner) take(src []byte, e *Element) (end int) {
	switch {
	case e.Name == "meta":
		s.meta(src, e)
	case e.Name == "link" && e.head && s.Relations:
		s.relate(src, e)
	case e.Name == "base" && e.head && s.Relations:
		s.base(src, e)
	case e.Name == "title" && e.head:
		behindEndTag := raw(src, e.End, atom.Title)
		endTag := bytes.LastIndexByte(src[:behindEndTag], '<') // before the title where there is none
		s.title(src[e.End:max(e.End, endTag)])
		return behindEndTag
	}
	return e.End
}

// language takes in the language of the html element. Most pages of a site have one and the same.
func (s *Scanner) language(src []byte, t *token) {
	var a Attr
	Attrs(src, t.attrs, []string{"lang"}, &a)
	if lang := trim(s.value(&a)); string(lang) != s.lang {
		s.lang = string(lang)
	}
	s.page.facts.Language = s.lang
}

// openHead notes that the head is open from an offset on, unless it is already: there a tag of ours
// would belong.
func (s *Scanner) openHead(offset int) {
	if !s.page.opened {
		s.page.opened, s.page.facts.Insert = true, offset
	}
}
