package head

import "bytes"

// A Meta is one real meta element of a page whose name the caller asked for, or one
// that was meant to be: see [Mistake].
type Meta struct {
	Name       string // character references decoded, ASCII white space trimmed, lower case
	Content    string // character references decoded, as written; without curly quotes
	HasContent bool   // false: no content attribute at all
	Start, End int    // the whole tag is src[Start:End]
	Line       int    // of Start, from 1
	Cut        bool   // Content is longer than 64 KB, and the rest was not read
	Body       bool   // stands in the body, not in the head
	Mistake    Mistake

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
	// "iso-2022-jp", "replacement"); the page was read all the same, and is not to
	// be edited.
	Encoding string

	// Text is what all offsets are of: the page itself, or of a page that has an
	// Encoding what it says, with ASCII bytes for ASCII characters.
	Text []byte

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
	line     int // how many lines end in Text[:counted]
	counted  int
}

// Scan reads src. asked reports whether the metas of a name are wanted; the name
// is decoded, trimmed and lower case, and is asked's only during the call.
//
// A page that holds no asked meta is scanned without allocating, unless it has an
// Encoding.
func (p *Page) Scan(src []byte, asked func(name []byte) bool) {
	p.reset(asked)
	body := p.begin(src)
	if p.Encoding != "" {
		encoding := p.Encoding
		p.reset(asked)
		p.Encoding, p.Text = encoding, readable(src, encoding)
		body = p.start()
	}
	if last := p.candidate(p.Text, body); last >= 0 {
		p.tree.body(p, p.Text, body, last)
	}
}

// begin reads src up to the end of its head, and returns that offset. Of a page
// with an Encoding it finds out no more than that.
func (p *Page) begin(src []byte) (body int) {
	p.Text = src
	if p.Encoding = Wide(src); p.Encoding != "" {
		return 0
	}
	body = p.start()
	p.Encoding = p.stateful(src)
	return body
}

// start reads the text up to the end of its head, and returns that offset.
func (p *Page) start() (body int) {
	i := 0
	if bytes.HasPrefix(p.Text, []byte("\uFEFF")) {
		// The byte order mark is taken off before parsing
		// (https://encoding.spec.whatwg.org/#decode).
		i = 3
	}
	p.XML = i+5 < len(p.Text) && string(p.Text[i:i+5]) == "<?xml" && space(p.Text[i+5])
	return p.head(p.Text, i)
}

// reset makes p new, but for the memory it holds.
func (p *Page) reset(asked func(name []byte) bool) {
	clear(p.Metas) // lets go of the strings
	clear(p.Relations)
	*p = Page{Metas: p.Metas[:0], Relations: p.Relations[:0], Related: p.Related, asked: asked, elements: p.elements[:0], buf: p.buf, tree: p.tree}
}

// lineOf returns the line of an offset that is not before the last one asked for.
func (p *Page) lineOf(offset int) int {
	p.line += bytes.Count(p.Text[p.counted:offset], []byte("\n"))
	p.counted = offset
	return 1 + p.line
}

// Line returns the 1-based line of an offset.
func Line(src []byte, offset int) int {
	return 1 + bytes.Count(src[:max(0, min(offset, len(src)))], []byte("\n"))
}
