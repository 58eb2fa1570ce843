package head

// inBody handles a token in the body.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody
func (t *tree) inBody(k token) bool {
	switch k.kind {
	case text:
		return t.characters(t.src[k.n0:k.n1])
	case end:
		return t.endInBody(k)
	}
	return t.startInBody(k)
}

func (t *tree) characters(v []byte) bool {
	some := false
	for _, c := range v {
		if c != 0 {
			some = true
			break
		}
	}
	if some {
		t.reconstruct()
		if t.frameset && !hollow(v) {
			t.frameset = false
		}
	}
	return true
}

// startInBody opens what stands on its own: what ends an open p, and what is not put into the body at all.
func (t *tree) startInBody(k token) bool {
	switch k.name {
	case nBase, nBasefont, nBgsound, nLink, nMeta, nNoframes, nScript, nStyle, nTemplate, nTitle:
		return t.inHead(k)
	case nHTML, nHead, nCaption, nCol, nColgroup, nFrame, nTbody, nTd, nTfoot, nTh, nThead, nTr:
		// Ignored.
	case nBody:
		if t.templates == 0 {
			t.frameset = false
		}
	case nFrameset:
		if t.frameset && len(t.stack) > 1 && t.stack[1].is(nBody) {
			t.mode = inFrameset // the body, and all in it, is taken out
		}
	case nAddress, nArticle, nAside, nBlockquote, nCenter, nDetails, nDialog, nDir, nDiv, nDl, nFieldset,
		nFigcaption, nFigure, nFooter, nHeader, nHgroup, nMain, nMenu, nNav, nOl, nP, nSearch, nSection,
		nSummary, nUl:
		t.closeP()
		t.push(k, htmlNS)
	case nH1, nH2, nH3, nH4, nH5, nH6:
		t.closeP()
		if t.top().in(&headings) {
			t.cut(len(t.stack) - 1)
		}
		t.push(k, htmlNS)
	case nPre, nListing, nTable:
		t.closeP()
		t.push(k, htmlNS)
		t.frameset = false
		if k.name == nTable {
			t.mode = inTable
		}
	case nForm:
		t.startForm(k)
	case nLi:
		t.startItem(k, nLi, nLi)
	case nDd, nDt:
		t.startItem(k, nDd, nDt)
	case nHr:
		t.closeP()
		if t.has(anyScope, nSelect) {
			t.imply(other)
		}
		t.frameset = false
	case nXmp:
		t.closeP()
		t.reconstruct()
		t.frameset = false
		t.pos = raw(t.src, t.pos, nXmp)
	case nTextarea, nIframe:
		t.frameset = false
		t.pos = raw(t.src, t.pos, k.name)
	case nPlaintext, nNoembed, nNoscript:
		t.pos = raw(t.src, t.pos, k.name)
	case nParam, nSource, nTrack:
		// Opened and closed.
	default:
		t.startInLine(k)
	}
	return true
}

// startInLine opens what stands in a line of text: it may be inside a p.
func (t *tree) startInLine(k token) {
	switch k.name {
	case nA:
		t.startA(k)
		return
	case nOption, nOptgroup:
		t.startOption(k)
		return
	case nRb, nRtc, nRp, nRt:
		t.startRuby(k)
		return
	case nButton:
		if t.has(anyScope, nButton) {
			t.pop(anyScope, nButton)
		}
	case nInput:
		t.pop(anyScope, nSelect)
	case nSelect:
		if t.pop(anyScope, nSelect) {
			return
		}
	}
	t.reconstruct()
	switch k.name {
	case nNobr:
		if t.has(anyScope, nNobr) {
			t.endFormatting(k)
			t.reconstruct()
		}
		t.format(k)
	case nB, nBig, nCode, nEm, nFont, nI, nS, nSmall, nStrike, nStrong, nTt, nU:
		t.format(k)
	case nApplet, nMarquee, nObject:
		t.push(k, htmlNS)
		t.mark()
		t.frameset = false
	case nButton, nSelect:
		t.push(k, htmlNS)
		t.frameset = false
	case nArea, nBr, nEmbed, nImg, nImage, nKeygen, nWbr:
		t.frameset = false
		if k.name == nArea {
			t.see(k)
		}
	case nInput:
		if !t.hidden(k) {
			t.frameset = false
		}
	case nMath:
		t.pushForeign(k, mathNS)
	case nSvg:
		t.pushForeign(k, svgNS)
	default:
		t.push(k, htmlNS)
	}
}

// startRuby opens a part of a ruby annotation, which closes the one before.
func (t *tree) startRuby(k token) {
	if t.has(anyScope, nRuby) {
		if k.name == nRp || k.name == nRt {
			t.imply(nRtc)
		} else {
			t.imply(other)
		}
	}
	t.push(k, htmlNS)
}

// startForm opens a form, where none is open.
func (t *tree) startForm(k token) {
	if t.form != 0 && t.templates == 0 {
		return
	}
	t.closeP()
	e := t.push(k, htmlNS)
	if t.templates == 0 {
		t.form = e.id
	}
}

// startItem opens an item of a list, and closes one that is open; a and b are
// the names it may have.
func (t *tree) startItem(k token, a, b name) {
	t.frameset = false
	for i := len(t.stack) - 1; i >= 0; i-- {
		t.work++
		e := &t.stack[i]
		if e.is(a) || e.is(b) {
			t.cut(i)
			break
		}
		if e.special() && !e.is(nAddress) && !e.is(nDiv) && !e.is(nP) {
			break
		}
	}
	t.closeP()
	t.push(k, htmlNS)
}

// startA opens a link, and closes one that is open: links do not nest.
func (t *tree) startA(k token) {
	if f := t.lastActive(nA); f >= 0 {
		id := t.active[f].id
		t.endFormatting(k)
		if i := t.index(t.active, id); i >= 0 {
			t.active = remove(t.active, i)
		}
		if i := t.open(id); i >= 0 {
			t.stack = remove(t.stack, i)
		}
	}
	t.reconstruct()
	t.format(k)
}

func (t *tree) startOption(k token) {
	switch {
	case t.has(anyScope, nSelect):
		if k.name == nOption {
			t.imply(nOptgroup)
		} else {
			t.imply(other)
		}
	case t.top().is(nOption):
		t.cut(len(t.stack) - 1)
	}
	t.reconstruct()
	t.push(k, htmlNS)
}

// hidden reports whether an input shows nothing.
func (t *tree) hidden(k token) bool {
	return fold(t.attribute(k, "type"), "hidden")
}

func (t *tree) endInBody(k token) bool {
	switch k.name {
	case nTemplate:
		return t.inHead(k)
	case nBody:
		if t.has(anyScope, nBody) {
			t.mode = afterBody
		}
	case nHTML:
		if t.has(anyScope, nBody) {
			t.mode = afterBody
			return false
		}
	case nAddress, nArticle, nAside, nBlockquote, nButton, nCenter, nDetails, nDialog, nDir, nDiv, nDl, nFieldset,
		nFigcaption, nFigure, nFooter, nHeader, nHgroup, nListing, nMain, nMenu, nNav, nOl, nPre, nSearch,
		nSection, nSelect, nSummary, nUl, nDd, nDt:
		t.pop(anyScope, k.name)
	case nForm:
		t.endForm()
	case nP:
		// One that closes nothing opens a p first.
		t.closeP()
	case nLi:
		t.pop(listScope, nLi)
	case nH1, nH2, nH3, nH4, nH5, nH6:
		if i := t.findAny(anyScope, &headings); i >= 0 {
			t.cut(i)
		}
	case nA, nB, nBig, nCode, nEm, nFont, nI, nNobr, nS, nSmall, nStrike, nStrong, nTt, nU:
		t.endFormatting(k)
	case nApplet, nMarquee, nObject:
		if t.pop(anyScope, k.name) {
			t.unmark()
		}
	case nBr:
		t.reconstruct()
		t.frameset = false
	default:
		t.endOther(k)
	}
	return true
}

func (t *tree) endForm() {
	if t.templates > 0 {
		t.pop(anyScope, nForm)
		return
	}
	id := t.form
	t.form = 0
	i := t.open(id)
	if id == 0 || i < 0 || !t.visible(i) {
		return
	}
	t.imply(other)
	t.stack = remove(t.stack, i)
}

func (t *tree) endFormatting(k token) {
	if !t.adopt(k.name) {
		t.endOther(k)
	}
}

// endOther closes the innermost element of the tag's name, unless a special one
// stands before it.
func (t *tree) endOther(k token) {
	for i := len(t.stack) - 1; i > 0; i-- {
		t.work++
		e := &t.stack[i]
		if e.ns == htmlNS && t.spelled(e, k) {
			t.cut(i)
			return
		}
		if e.special() {
			return
		}
	}
}
