package head

import "bytes"

// A Meta is one real meta element of a page whose name the caller asked for.
type Meta struct {
	Name       string // character references decoded, ASCII white space trimmed, lower case
	Content    string // character references decoded, as written
	HasContent bool   // false: no content attribute at all
	Start, End int    // the whole tag is src[Start:End]
	Body       bool   // stands in the body, not in the head

	// holds: without a meta in this place the rest would read differently.
	holds bool
}

// A Page is what Scan saw of a page. The zero Page is ready to use, and one
// Page serves any number of pages, one after another.
type Page struct {
	// Metas holds the asked metas in document order, those of the head first.
	Metas []Meta

	// Insert is the offset at which a tag belongs where the head holds none:
	// right after the character encoding declaration where that lies in the
	// first 1,024 bytes, else right after <head …>, else where the standard
	// opens the implied head.
	// https://html.spec.whatwg.org/multipage/semantics.html#charset1024
	Insert int

	// Fragment marks a page that is not to be edited, because it is none: it
	// has no doctype, and the first token that is neither white space nor a
	// comment begins no html, head, body, title, meta, link, base, script or
	// style. An empty file is one too.
	Fragment bool

	// XML marks a page that begins with an XML declaration. It is read by the
	// rules of HTML all the same.
	XML bool

	// Encoding is empty where ASCII bytes mean ASCII characters. Otherwise it
	// names the encoding ("utf-16le", "utf-16be", "utf-32le", "utf-32be",
	// "iso-2022-jp", "replacement"); the page was not scanned and is not to be
	// edited.
	Encoding string

	// Refresh reports that the head holds a meta that sends the reader on,
	// after RefreshDelay seconds, to RefreshURL ("" is the page itself).
	// https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
	Refresh      bool
	RefreshDelay float64
	RefreshURL   string

	// Relations are the canonical and the alternate links of the head, where
	// Related asks for them before a Scan.
	Relations []Relation
	Related   bool

	asked    func(name []byte) bool
	charset  string // label of the first encoding declaration
	opened   bool   // the head is open
	settled  bool   // Insert stands after the encoding declaration
	title0   int    // the head's title is src[title0:title1]
	title1   int
	listing  bool // elements are wanted
	elements []Element
	buf      []byte
	tree     tree
	work     int // bytes read of tags that may be metas
}

// Scan reads src. asked reports whether the metas of a name are wanted; the name
// is decoded, trimmed and lower case, and is asked's only during the call.
//
// A page that holds no asked meta is scanned without allocating.
func (p *Page) Scan(src []byte, asked func(name []byte) bool) {
	p.reset(asked)
	if body := p.begin(src); p.Encoding == "" {
		if last := p.candidate(src, body); last >= 0 {
			p.tree.body(p, src, body, last)
		}
	}
}

// begin reads src up to the end of its head, and returns that offset. Of a page
// that is not to be read it leaves the encoding alone.
func (p *Page) begin(src []byte) (body int) {
	if p.Encoding = Wide(src); p.Encoding != "" {
		return 0
	}
	i := 0
	if bytes.HasPrefix(src, []byte("\uFEFF")) {
		// The byte order mark is taken off before parsing
		// (https://encoding.spec.whatwg.org/#decode).
		i = 3
	}
	p.XML = i+5 < len(src) && string(src[i:i+5]) == "<?xml" && space(src[i+5])
	body = p.head(src, i)
	if p.Encoding = p.stateful(src); p.Encoding != "" {
		p.forget()
	}
	return body
}

// reset makes p new, but for the memory it holds.
func (p *Page) reset(asked func(name []byte) bool) {
	clear(p.Metas) // lets go of the strings
	clear(p.Relations)
	*p = Page{Metas: p.Metas[:0], Relations: p.Relations[:0], Related: p.Related, asked: asked, elements: p.elements[:0], buf: p.buf, tree: p.tree}
}

// forget drops what was read of a page that should not have been read.
func (p *Page) forget() {
	encoding, asked := p.Encoding, p.asked
	p.reset(asked)
	p.Encoding = encoding
}

// Line returns the 1-based line of an offset.
func Line(src []byte, offset int) int {
	return 1 + bytes.Count(src[:max(0, min(offset, len(src)))], []byte("\n"))
}
