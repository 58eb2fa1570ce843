package head

// foreign reports whether the rules for foreign content apply to a token.
//
// https://html.spec.whatwg.org/multipage/parsing.html#tree-construction-dispatcher
func (t *tree) foreign(k token) bool {
	e := t.top()
	switch {
	case e.ns == htmlNS:
		return false
	case k.kind == end:
		return true
	case e.textPoint():
		return k.kind == start && (k.name == nMglyph || k.name == nMalignmark)
	case e.ns == mathNS && e.name == nAnnotationXML && k.kind == start && k.name == nSvg:
		return false
	}
	return !e.point
}

// inForeign handles a token in svg and math. A meta, like many an element of
// HTML, ends them.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inforeign
func (t *tree) inForeign(k token) bool {
	switch {
	case k.kind == text:
		if !hollow(t.src[k.n0:k.n1]) {
			t.frameset = false
		}
		return true
	case k.kind == start && t.breaksOut(k), k.kind == end && (k.name == nBr || k.name == nP):
		for e := t.top(); e.ns != htmlNS && !e.point && !e.textPoint(); e = t.top() {
			t.cut(len(t.stack) - 1)
		}
		t.broke = true
		return t.byMode(k)
	case k.kind == start:
		t.pushForeign(k, t.top().ns)
		return true
	}
	for i := len(t.stack) - 1; i > 0; i-- {
		t.work++
		if t.stack[i].ns == htmlNS {
			return t.byMode(k)
		}
		if t.spelled(&t.stack[i], k) {
			t.cut(i)
			return true
		}
	}
	return true
}

func (t *tree) breaksOut(k token) bool {
	if k.name == nFont {
		return t.attribute(k, "color") != nil || t.attribute(k, "face") != nil || t.attribute(k, "size") != nil
	}
	return breakout[k.name]
}

// pushForeign opens an element of svg or math.
func (t *tree) pushForeign(k token, ns namespace) {
	if k.self {
		return
	}
	e := t.push(k, ns)
	switch {
	case ns == svgNS:
		e.point = e.name == nForeignObject || e.name == nDesc || e.name == nTitle
	case e.name == nAnnotationXML:
		v := t.attribute(k, "encoding")
		e.point = fold(v, "text/html") || fold(v, "application/xhtml+xml")
	}
}
