package head

// A scope says which elements hide what is open above them.
//
// https://html.spec.whatwg.org/multipage/parsing.html#has-an-element-in-the-specific-scope
type scope uint8

const (
	anyScope scope = iota
	listScope
	buttonScope
	tableScope
)

// hides reports whether the search through a scope stops at e.
func (e *element) hides(s scope) bool {
	if e.ns != htmlNS {
		return s != tableScope && e.special()
	}
	switch e.name {
	case nHTML, nTable, nTemplate:
		return true
	case nApplet, nCaption, nTd, nTh, nMarquee, nObject, nSelect:
		return s != tableScope
	case nOl, nUl:
		return s == listScope
	case nButton:
		return s == buttonScope
	}
	return false
}

// find returns the index of the innermost open element of that name in the
// scope, -1 where there is none.
func (t *tree) find(s scope, n name) int {
	for i := len(t.stack) - 1; i >= 0; i-- {
		t.work++
		e := &t.stack[i]
		if e.is(n) {
			return i
		}
		if e.hides(s) {
			return -1
		}
	}
	return -1
}

// findAny is find for several names.
func (t *tree) findAny(s scope, ns *set) int {
	for i := len(t.stack) - 1; i >= 0; i-- {
		t.work++
		e := &t.stack[i]
		if e.in(ns) {
			return i
		}
		if e.hides(s) {
			return -1
		}
	}
	return -1
}

// has reports whether an element of that name is in the scope.
func (t *tree) has(s scope, n name) bool { return t.find(s, n) >= 0 }

// pop closes the innermost element of that name in the scope, and all within it.
func (t *tree) pop(s scope, n name) bool {
	i := t.find(s, n)
	if i >= 0 {
		t.cut(i)
	}
	return i >= 0
}

// imply generates implied end tags, but for elements named except.
func (t *tree) imply(except name) {
	for e := t.top(); e.in(&implied) && (except == other || e.name != except); e = t.top() {
		t.cut(len(t.stack) - 1)
	}
}

// closeP closes a p element in button scope.
func (t *tree) closeP() { t.pop(buttonScope, nP) }

// clear pops to the element a table's part belongs in.
func (t *tree) clear(context *set) {
	for !t.top().in(context) && !t.top().is(nHTML) && !t.top().is(nTemplate) {
		t.cut(len(t.stack) - 1)
	}
}
