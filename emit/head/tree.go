package head

// A tree is tree construction without the tree: what decides whether a tag
// becomes an element, and nothing that depends on where that element is put.
// Left out are foster parenting and quirks mode (a table in a p), neither of
// which makes or unmakes a meta.
//
// https://html.spec.whatwg.org/multipage/parsing.html#tree-construction
type tree struct {
	page *Scanner
	src  []byte
	pos  int // where the next token begins

	mode  mode
	modes []mode // of the open templates

	stack  []element // of open elements
	active []element // formatting elements; one with id 0 is a marker
	serial int       // id of the newest element

	templates int  // how many are open
	form      int  // id of the form element pointer, 0 for null
	frameset  bool // frameset-ok
	broke     bool // the token in hand ended foreign content
	work      int  // bytes read and entries looked at so far; tests hold it against the size of the page
}

// maxDepth is how deep elements nest, and how many formatting elements are active,
// which bounds the work that a token can cost. Browsers stop at the same depth:
// what is opened there becomes a sibling of the innermost element.
// https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/renderer/core/html/parser/html_construction_site.cc
const maxDepth = 512

// A mode is an insertion mode.
type mode uint8

const (
	afterHead mode = iota
	inBody
	inTable
	inCaption
	inColgroup
	inTableBody
	inRow
	inCell
	inTemplate
	afterBody // and after after body
	inFrameset
)

// A space of names.
type namespace uint8

const (
	htmlNS namespace = iota
	svgNS
	mathNS
)

// An element is an entry of the stack of open elements. Its tag stays in the
// source: the name is there, and a clone has the same attributes.
type element struct {
	id     int
	name   name
	ns     namespace
	point  bool // an HTML integration point
	closed bool // of an active formatting element: it is no longer on the stack
	n0, n1 int  // the tag's name; 0, 0 for an implied tag
	to     int  // the tag's end
}

func (e *element) is(n name) bool { return e.ns == htmlNS && e.name == n }

func (e *element) in(s *set) bool { return e.ns == htmlNS && s[e.name] }

// textPoint reports whether e is a MathML text integration point.
func (e *element) textPoint() bool {
	if e.ns != mathNS {
		return false
	}
	switch e.name {
	case nMi, nMo, nMn, nMs, nMtext:
		return true
	}
	return false
}

// special reports whether e is in the special category.
func (e *element) special() bool {
	switch e.ns {
	case htmlNS:
		return special[e.name]
	case svgNS:
		return e.name == nForeignObject || e.name == nDesc || e.name == nTitle
	}
	return e.textPoint() || e.name == nAnnotationXML
}

// begin readies t for src, with the elements that are open at i.
func (t *tree) begin(s *Scanner, src []byte, i int, open ...name) {
	t.page, t.src, t.pos = s, src, i
	t.modes, t.stack, t.active = t.modes[:0], t.stack[:0], t.active[:0]
	t.serial, t.templates, t.form, t.frameset, t.work = 0, 0, 0, false, 0
	for _, n := range open {
		t.push(token{name: n}, htmlNS)
	}
}

// body reads the page from the end of its head, and adds the asked metas to s.
// It stops after the last of the candidates.
func (t *tree) body(s *Scanner, src []byte, i, last int) {
	robots, inert, seen := len(s.facts.Robots), len(s.facts.Inert), len(s.elements)
	t.begin(s, src, i, nHTML)
	t.mode, t.frameset = afterHead, true
	// While a frameset may still take the body's place, its metas are not certain.
	for (t.pos <= last || t.frameset && len(s.facts.Robots)+len(s.facts.Inert) > robots+inert) && t.mode != inFrameset {
		if !t.step() {
			break
		}
	}
	if t.mode == inFrameset {
		s.facts.Robots, s.facts.Inert = s.facts.Robots[:robots:robots], s.facts.Inert[:inert:inert]
		s.elements = s.elements[:seen]
	}
	t.page, t.src = nil, nil
}

// template reads a template of the head, whose start tag is tag, and returns the
// offset after its end.
func (t *tree) template(s *Scanner, src []byte, tag token) int {
	t.begin(s, src, tag.to, nHTML, nHead)
	t.enter(tag)
	for len(t.stack) > 2 && t.step() {
	}
	t.page, t.src = nil, nil
	return t.pos
}

// step handles the next token; it returns false at the end of the page.
func (t *tree) step() bool {
	var k token
	k.next(t.src, t.pos, t.top().ns != htmlNS)
	t.pos = k.to
	if k.kind == eof {
		return false
	}
	if k.kind == comment || k.kind == doctype {
		return true
	}
	t.work += k.to - k.from
	t.broke = false
	for !t.dispatch(k) {
	}
	return true
}

// dispatch hands a token to the rules that apply. It returns false where the
// token is to be processed again.
//
// https://html.spec.whatwg.org/multipage/parsing.html#tree-construction-dispatcher
func (t *tree) dispatch(k token) bool {
	if t.foreign(k) {
		return t.inForeign(k)
	}
	return t.byMode(k)
}

func (t *tree) byMode(k token) bool {
	switch t.mode {
	case afterHead:
		return t.afterHead(k)
	case inBody:
		return t.inBody(k)
	case inTable:
		return t.inTable(k)
	case inCaption:
		return t.inCaption(k)
	case inColgroup:
		return t.inColgroup(k)
	case inTableBody:
		return t.inTableBody(k)
	case inRow:
		return t.inRow(k)
	case inCell:
		return t.inCell(k)
	case inTemplate:
		return t.inTemplate(k)
	case afterBody:
		return t.afterBody(k)
	}
	return true // in frameset: a meta is nothing there, and no token leads out
}

// afterHead handles the token that ended the head.
func (t *tree) afterHead(k token) bool {
	t.mode = inBody
	if k.kind == start && k.name == nFrameset {
		t.mode = inFrameset
		return true
	}
	if k.kind == start && k.name == nBody {
		t.push(k, htmlNS)
		t.frameset = false
		return true
	}
	t.push(token{name: nBody}, htmlNS)
	return false
}

func (t *tree) afterBody(k token) bool {
	switch {
	case k.kind == text && blank(t.src[k.n0:k.n1]),
		k.kind == start && k.name == nHTML:
		return t.inBody(k)
	case k.kind == end && k.name == nHTML:
		return true
	}
	t.mode = inBody
	return false
}

func (t *tree) inTemplate(k token) bool {
	if k.kind == text {
		return t.inBody(k)
	}
	if k.kind == end {
		return k.name != nTemplate || t.inHead(k)
	}
	m := inBody
	switch k.name {
	case nBase, nBasefont, nBgsound, nLink, nMeta, nNoframes, nScript, nStyle, nTemplate, nTitle:
		return t.inHead(k)
	case nCaption, nColgroup, nTbody, nTfoot, nThead:
		m = inTable
	case nCol:
		m = inColgroup
	case nTr:
		m = inTableBody
	case nTd, nTh:
		m = inRow
	}
	t.modes[len(t.modes)-1], t.mode = m, m
	return false
}

// inHead handles the tags of the head that may stand anywhere.
func (t *tree) inHead(k token) bool {
	switch {
	case k.kind == end: // of a template
		t.leave()
	case k.name == nMeta:
		if t.templates == 0 {
			t.page.meta(t.src, &k, true)
		}
	case k.name == nBase:
		t.see(k)
	case k.name == nTemplate:
		t.enter(k)
	case k.name == nNoframes, k.name == nScript, k.name == nStyle, k.name == nTitle:
		t.pos = raw(t.src, t.pos, k.name)
	}
	return true
}

// enter opens a template.
func (t *tree) enter(k token) {
	t.push(k, htmlNS)
	t.mark()
	t.frameset = false
	t.mode = inTemplate
	t.modes = append(t.modes, inTemplate)
}

// leave closes the innermost template.
func (t *tree) leave() {
	if t.templates == 0 {
		return
	}
	for t.top().in(&thoroughly) {
		t.cut(len(t.stack) - 1)
	}
	for i := len(t.stack) - 1; ; i-- {
		if t.stack[i].is(nTemplate) {
			t.cut(i)
			break
		}
	}
	t.unmark()
	t.modes = t.modes[:len(t.modes)-1]
	t.resetMode()
}

// resetMode finds the insertion mode that fits the stack.
//
// https://html.spec.whatwg.org/multipage/parsing.html#reset-the-insertion-mode-appropriately
func (t *tree) resetMode() {
	for i := len(t.stack) - 1; i > 0; i-- {
		e := &t.stack[i]
		if e.ns != htmlNS {
			continue
		}
		switch e.name {
		case nTd, nTh:
			t.mode = inCell
		case nTr:
			t.mode = inRow
		case nTbody, nThead, nTfoot:
			t.mode = inTableBody
		case nCaption:
			t.mode = inCaption
		case nColgroup:
			t.mode = inColgroup
		case nTable:
			t.mode = inTable
		case nTemplate:
			t.mode = t.modes[len(t.modes)-1]
		case nBody:
			t.mode = inBody
		default:
			continue
		}
		return
	}
	t.mode = inBody
}

// push puts an element on the stack.
func (t *tree) push(k token, ns namespace) *element {
	if len(t.stack) == maxDepth {
		t.replace()
	}
	t.serial++
	t.stack = append(t.stack, element{id: t.serial, name: k.name, ns: ns, n0: k.n0, n1: k.n1, to: k.to})
	if ns == htmlNS {
		if k.name == nTemplate {
			t.templates++
		}
		t.see(k)
	}
	return t.top()
}

// replace makes room for an element in place of the innermost one.
func (t *tree) replace() {
	if t.top().is(nTemplate) {
		t.unmark()
		t.modes = t.modes[:len(t.modes)-1]
	}
	t.cut(len(t.stack) - 1)
}

// see takes in the element that the tag k makes; an implied one has no tag.
func (t *tree) see(k token) {
	if t.templates == 0 && k.to > 0 {
		t.page.element(&k)
	}
}

func (t *tree) top() *element { return &t.stack[len(t.stack)-1] }

// cut pops all elements from index n on.
func (t *tree) cut(n int) {
	for i := n; i < len(t.stack); i++ {
		if t.stack[i].is(nTemplate) {
			t.templates--
		}
	}
	t.close(n)
	t.stack = t.stack[:n]
}

// spelled reports whether e's name is that of the tag k, in any case.
func (t *tree) spelled(e *element, k token) bool {
	if e.name != other || k.name != other {
		return e.name == k.name
	}
	a, b := t.src[e.n0:e.n1], t.src[k.n0:k.n1]
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if toLower(a[i]) != toLower(b[i]) {
			return false
		}
	}
	return true
}

// attribute returns an attribute of a tag, decoded; nil where it is absent.
func (t *tree) attribute(k token, lower string) []byte {
	var a attr
	for i, more := k.n1, true; ; {
		if i, more = attribute(t.src, i, &a); !more {
			return nil
		}
		if fold(t.src[a.n0:a.n1], lower) {
			return t.page.decode(t.src[a.v0:a.v1:a.v1])
		}
	}
}

// blank reports whether v is white space alone.
func blank(v []byte) bool {
	for _, c := range v {
		if !space(c) {
			return false
		}
	}
	return true
}

// hollow reports whether v is white space and null characters, which are read over.
func hollow(v []byte) bool {
	for _, c := range v {
		if c != 0 && !space(c) {
			return false
		}
	}
	return true
}
