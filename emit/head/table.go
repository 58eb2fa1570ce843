package head

var (
	tableContext = setOf(nTable)
	bodyContext  = setOf(nTbody, nTfoot, nThead)
	rowContext   = setOf(nTr)
	cells        = setOf(nTd, nTh)
)

// inTable handles a token in a table. Where its element would be put does not
// matter here: what belongs in no table is handled as in the body.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intable
func (t *tree) inTable(k token) bool {
	switch k.kind {
	case text:
		e := t.top()
		if (e.in(&tableParts) || e.is(nTemplate)) && hollow(t.src[k.n0:k.n1]) {
			return true
		}
	case start:
		if done, consumed := t.startInTable(k); done {
			return consumed
		}
	case end:
		switch k.name {
		case nTable:
			if t.pop(tableScope, nTable) {
				t.resetMode()
			}
			return true
		case nBody, nCaption, nCol, nColgroup, nHTML, nTbody, nTd, nTfoot, nTh, nThead, nTr:
			return true
		}
	}
	return t.inBody(k)
}

// startInTable handles the start tags a table knows; done is false for the others.
func (t *tree) startInTable(k token) (done, consumed bool) {
	switch k.name {
	case nCaption:
		t.clear(&tableContext)
		t.mark()
		t.push(k, htmlNS)
		t.mode = inCaption
		return true, true
	case nColgroup:
		t.clear(&tableContext)
		t.push(k, htmlNS)
		t.mode = inColgroup
		return true, true
	case nCol:
		t.clear(&tableContext)
		t.push(token{name: nColgroup}, htmlNS)
		t.mode = inColgroup
		return true, false
	case nTbody, nTfoot, nThead:
		t.clear(&tableContext)
		t.push(k, htmlNS)
		t.mode = inTableBody
		return true, true
	case nTd, nTh, nTr:
		t.clear(&tableContext)
		t.push(token{name: nTbody}, htmlNS)
		t.mode = inTableBody
		return true, false
	case nTable:
		if t.pop(tableScope, nTable) {
			t.resetMode()
			return true, false
		}
		return true, true
	case nInput:
		return t.hidden(k), true
	case nForm:
		if t.templates == 0 && t.form == 0 {
			t.serial++
			t.form = t.serial // opened and closed
		}
		return true, true
	}
	return false, false
}

func (t *tree) inCaption(k token) bool {
	switch k.name {
	case nCaption, nCol, nColgroup, nTbody, nTd, nTfoot, nTh, nThead, nTr, nTable, nBody, nHTML:
	default:
		return t.inBody(k)
	}
	switch {
	case k.kind == start && (k.name == nTable || k.name == nBody || k.name == nHTML):
		return t.inBody(k)
	case k.kind == start, k.name == nTable:
		if t.closeCaption() {
			return false
		}
	case k.name == nCaption:
		t.closeCaption()
	}
	return true
}

func (t *tree) closeCaption() bool {
	if !t.pop(tableScope, nCaption) {
		return false
	}
	t.unmark()
	t.mode = inTable
	return true
}

func (t *tree) inColgroup(k token) bool {
	switch {
	case k.kind == text && blank(t.src[k.n0:k.n1]),
		k.kind == start && (k.name == nCol || k.name == nHTML),
		k.kind == end && k.name == nCol:
		return true
	case k.name == nTemplate && k.kind != text:
		return t.inHead(k)
	case !t.top().is(nColgroup):
		return true
	}
	t.cut(len(t.stack) - 1)
	t.mode = inTable
	return k.kind == end && k.name == nColgroup
}

func (t *tree) inTableBody(k token) bool {
	switch {
	case k.kind == start && k.name == nTr:
		t.clear(&bodyContext)
		t.push(k, htmlNS)
		t.mode = inRow
		return true
	case k.kind == start && (k.name == nTd || k.name == nTh):
		t.clear(&bodyContext)
		t.push(token{name: nTr}, htmlNS)
		t.mode = inRow
		return false
	case k.kind == end && (k.name == nTbody || k.name == nTfoot || k.name == nThead):
		if t.has(tableScope, k.name) {
			t.closeBody()
		}
		return true
	}
	switch k.name {
	case nCaption, nCol, nColgroup, nTbody, nTfoot, nThead:
		if k.kind == end {
			return true
		}
		return !t.closeBody()
	case nTable:
		if k.kind == end {
			return !t.closeBody()
		}
	case nBody, nHTML, nTd, nTh, nTr:
		if k.kind == end {
			return true
		}
	}
	return t.inTable(k)
}

// closeBody closes the tbody, tfoot or thead that is open.
func (t *tree) closeBody() bool {
	if t.findAny(tableScope, &bodyContext) < 0 {
		return false
	}
	t.clear(&bodyContext)
	t.cut(len(t.stack) - 1)
	t.mode = inTable
	return true
}

func (t *tree) inRow(k token) bool {
	if k.kind == start && cells[k.name] {
		t.clear(&rowContext)
		t.push(k, htmlNS)
		t.mark()
		t.mode = inCell
		return true
	}
	switch k.name {
	case nTr:
		closed := t.closeRow()
		return k.kind == end || !closed
	case nTbody, nTfoot, nThead:
		if k.kind == end && !t.has(tableScope, k.name) {
			return true
		}
		return !t.closeRow()
	case nTable:
		if k.kind == end {
			return !t.closeRow()
		}
	case nCaption, nCol, nColgroup:
		if k.kind == end {
			return true
		}
		return !t.closeRow()
	case nBody, nHTML, nTd, nTh:
		if k.kind == end {
			return true
		}
	}
	return t.inTable(k)
}

// closeRow closes the tr that is open.
func (t *tree) closeRow() bool {
	if !t.has(tableScope, nTr) {
		return false
	}
	t.clear(&rowContext)
	t.cut(len(t.stack) - 1)
	t.mode = inTableBody
	return true
}

func (t *tree) inCell(k token) bool {
	switch k.name {
	case nCaption, nCol, nColgroup, nTbody, nTd, nTfoot, nTh, nThead, nTr:
		if k.kind == start {
			return !t.closeCell()
		}
	}
	if k.kind == end {
		switch k.name {
		case nTd, nTh:
			if t.pop(tableScope, k.name) {
				t.unmark()
				t.mode = inRow
			}
			return true
		case nBody, nCaption, nCol, nColgroup, nHTML:
			return true
		case nTable, nTbody, nTfoot, nThead, nTr:
			if !t.has(tableScope, k.name) {
				return true
			}
			return !t.closeCell()
		}
	}
	return t.inBody(k)
}

// closeCell closes the cell that is open.
func (t *tree) closeCell() bool {
	i := t.findAny(tableScope, &cells)
	if i < 0 {
		return false
	}
	t.cut(i)
	t.unmark()
	t.mode = inRow
	return true
}
