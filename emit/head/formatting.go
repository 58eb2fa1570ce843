package head

import "bytes"

// mark puts a marker on the list of active formatting elements: what was active
// before ends at this element's border.
//
// https://html.spec.whatwg.org/multipage/parsing.html#the-list-of-active-formatting-elements
func (t *tree) mark() { t.activate(element{}) }

// unmark clears the list up to the last marker.
func (t *tree) unmark() {
	for len(t.active) > 0 {
		e := t.active[len(t.active)-1]
		t.active = t.active[:len(t.active)-1]
		if e.id == 0 {
			return
		}
	}
}

// open returns the index of an element in the stack, -1 where it is not there.
func (t *tree) open(id int) int { return t.index(t.stack, id) }

func (t *tree) index(es []element, id int) int {
	for i := len(es) - 1; i >= 0; i-- {
		t.work++
		if es[i].id == id {
			return i
		}
	}
	return -1
}

// close notes of the active elements that they leave the stack, which loses all
// from index n on. Both lists mostly have the same order.
func (t *tree) close(n int) {
	from := len(t.active)
	for i := len(t.stack) - 1; i >= n; i-- {
		if !t.stack[i].in(&formatting) {
			continue
		}
		a := t.index(t.active[:from], t.stack[i].id)
		if a < 0 {
			a = t.index(t.active, t.stack[i].id)
		}
		if a >= 0 {
			t.active[a].closed = true
			from = a
		}
	}
}

// activate adds to the list of active formatting elements, which forgets the oldest
// where it is full.
func (t *tree) activate(e element) {
	if len(t.active) == maxDepth {
		t.active = remove(t.active, 0)
	}
	t.active = append(t.active, e)
}

func remove(es []element, i int) []element { return append(es[:i], es[i+1:]...) }

func insert(es []element, i int, e element) []element {
	es = append(es, e)
	copy(es[i+1:], es[i:])
	es[i] = e
	return es
}

// format opens a formatting element. Of four alike, the first is no longer
// active (the "Noah's Ark clause").
func (t *tree) format(k token) {
	e := *t.push(k, htmlNS)
	alike, first := 0, 0
	for i := len(t.active) - 1; i >= 0 && t.active[i].id != 0; i-- {
		t.work++
		if o := &t.active[i]; o.name == e.name && bytes.Equal(t.src[o.n1:o.to], t.src[e.n1:e.to]) {
			alike, first = alike+1, i
		}
	}
	if alike >= 3 {
		t.active = remove(t.active, first)
	}
	t.activate(e)
}

// reconstruct opens anew the active formatting elements that were closed.
//
// https://html.spec.whatwg.org/multipage/parsing.html#reconstruct-the-active-formatting-elements
func (t *tree) reconstruct() {
	i := len(t.active)
	for i > 0 && t.active[i-1].closed {
		t.work++
		i--
	}
	for ; i < len(t.active) && len(t.stack) < maxDepth; i++ {
		t.work++
		t.active[i] = t.clone(t.active[i])
		t.stack = append(t.stack, t.active[i])
	}
}

func (t *tree) clone(e element) element {
	t.serial++
	e.id, e.closed = t.serial, false
	return e
}

// adopt is the adoption agency: it closes a formatting element whose content
// overlaps with that of others. It returns false where the tag is any other end tag.
//
// https://html.spec.whatwg.org/multipage/parsing.html#adoption-agency-algorithm
func (t *tree) adopt(n name) bool {
	if e := t.top(); e.is(n) && t.index(t.active, e.id) < 0 {
		t.cut(len(t.stack) - 1)
		return true
	}
	for range 8 {
		f := t.lastActive(n)
		if f < 0 {
			return false
		}
		s := t.open(t.active[f].id)
		if s < 0 {
			t.active = remove(t.active, f)
			return true
		}
		if !t.visible(s) {
			return true
		}
		block := s + 1
		for block < len(t.stack) && !t.stack[block].special() {
			block++
		}
		if block == len(t.stack) {
			t.cut(s)
			t.active = remove(t.active, f)
			return true
		}
		t.reparent(f, s, block)
	}
	return true
}

// lastActive returns the index of the last active element of that name after
// the last marker, -1 where there is none.
func (t *tree) lastActive(n name) int {
	for i := len(t.active) - 1; i >= 0 && t.active[i].id != 0; i-- {
		t.work++
		if t.active[i].name == n {
			return i
		}
	}
	return -1
}

// visible reports whether the element at index s is in scope.
func (t *tree) visible(s int) bool {
	for i := len(t.stack) - 1; i > s; i-- {
		t.work++
		if t.stack[i].hides(anyScope) {
			return false
		}
	}
	return true
}

// reparent is the part of the adoption agency that moves a clone of the
// formatting element, at f among the active and s on the stack, into the
// furthest block.
func (t *tree) reparent(f, s, block int) {
	id, mark, moved := t.active[f].id, f, false
	for x, inner := block-1, 1; x > s; x, inner = x-1, inner+1 {
		a := t.index(t.active, t.stack[x].id)
		if inner > 3 && a >= 0 {
			t.active = remove(t.active, a)
			if a < mark {
				mark--
			}
			a = -1
		}
		if a < 0 {
			t.stack = remove(t.stack, x)
			block--
			continue
		}
		t.active[a] = t.clone(t.active[a])
		t.stack[x] = t.active[a]
		if !moved {
			mark, moved = a+1, true
		}
	}
	old := t.index(t.active, id)
	e := t.clone(t.active[old])
	t.active = remove(t.active, old)
	if old < mark {
		mark--
	}
	t.active = insert(t.active, mark, e)
	t.stack = remove(t.stack, s)
	t.stack = insert(t.stack, block, e) // right after the block, which has moved up by one
}
