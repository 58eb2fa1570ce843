// Package sitemap takes entries out of sitemaps and leaves every other byte as it was.
// https://www.sitemaps.org/protocol.html
//
// A [List] is read by a parser, which is an XML decoder with limits. An offset is a place in the
// bytes of the file; the decoder's own count begins behind a byte order mark, so the parser adds
// what it skipped.
package sitemap

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"metarobots/emit/patch"
	"metarobots/internal/lazyregexp"
)

// A List is a sitemap or a sitemap index, read for its entries.
type List struct {
	// Index: it lists sitemaps and no pages.
	Index bool
	// Entries are in the order of the file.
	Entries []Entry

	src []byte
}

// An Entry is one url element of a sitemap, or one sitemap element of an index; in a text it is a
// line.
type Entry struct {
	// Loc is the address, as decoded text without white space around it; of several the first.
	// Empty where there is none.
	Loc string
	// Alternates are the addresses of the page in other languages.
	// https://developers.google.com/search/docs/specialty/international/localized-versions#sitemap
	Alternates []string
	// start and end are the element's bytes and the white space in front of it, or the bytes of the
	// line.
	start, end int
}

// ErrNoSitemap is returned for a text that is no list of addresses, and for XML whose root is
// neither urlset nor sitemapindex.
var ErrNoSitemap = errors.New("no sitemap: the root element is neither urlset nor sitemapindex")

// ErrEncoding is returned for a sitemap in UTF-16 or any other encoding that is not UTF-8, which
// crawlers may not read.
// https://www.sitemaps.org/protocol.html#escaping
var ErrEncoding = errors.New("it is not UTF-8, as a sitemap must be")

// MaxEntries is how many addresses a sitemap or an index may have.
// https://www.sitemaps.org/protocol.html#index
const MaxEntries = 50_000

// ErrTooMany is returned for a sitemap of more than [MaxEntries], which crawlers refuse.
var ErrTooMany = errors.New("it has more than the 50,000 entries that a sitemap may have")

// Without returns the edits that take out the entries that drop names; drop is asked once for each,
// in their order.
func (f *List) Without(drop func(loc string) bool) (edits []patch.Edit) {
	for _, e := range f.Entries {
		if drop(e.Loc) {
			edits = append(edits, patch.Edit{Start: e.start, End: e.end})
		}
	}
	return edits
}

// space is the white space of XML. https://www.w3.org/TR/xml/#NT-S
const space = " \t\r\n"

var byteOrderMark = []byte("\ufeff")

// encodingDeclaration finds the encoding that an XML declaration names.
// https://www.w3.org/TR/xml/#NT-EncodingDecl
var encodingDeclaration = lazyregexp.New(`^<\?xml[ \t\r\n][^>]*?[ \t\r\n]encoding[ \t\r\n]*=[ \t\r\n]*["']([^"']*)["']`)

// checkEncoding returns ErrEncoding where a file is not UTF-8, by its bytes or by what it says.
// https://www.w3.org/TR/xml/#sec-guessing
func checkEncoding(src []byte) error {
	m := encodingDeclaration.FindSubmatch(bytes.TrimPrefix(src[:min(len(src), 1024)],
		byteOrderMark))
	if bytes.IndexByte(src[:min(len(src), 4)], 0) >= 0 || !utf8.Valid(src) ||
		m != nil && !slices.Contains([]string{"utf-8", "utf8", "us-ascii", "ascii"},
			strings.ToLower(string(m[1]))) {
		return ErrEncoding
	}
	return nil
}

// Read reads a sitemap: XML, or a text with an address in each line. Names are compared without
// their namespace, as crawlers are lenient about it. XML that is not well-formed is an error that
// names the line; that of another version than 1.0 is one that names the version.
func Read(src []byte) (*List, error) {
	if err := checkEncoding(src); err != nil {
		return nil, err
	}
	text := bytes.TrimPrefix(src, byteOrderMark)
	if !bytes.HasPrefix(bytes.TrimLeft(text, space), []byte("<")) {
		return readText(src, len(src)-len(text))
	}
	f := &List{src: src}
	in := &reader{Reader: bytes.NewReader(text)}
	d := xml.NewDecoder(in)
	// Whatever encoding is declared, it is UTF-8: checkEncoding was content.
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	p := &parser{Decoder: d, in: in, skipped: len(src) - len(text)}
	err := f.read(p)
	var syntax *xml.SyntaxError
	line, _ := d.InputPos()
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, errDeep), errors.Is(err, errLong):
		return nil, fmt.Errorf("line %d: %w", line, err)
	case !errors.As(err, &syntax):
		return nil, err // ErrNoSitemap, ErrTooMany, one that names its line, or the XML's version
	case strings.Contains(syntax.Msg, "character entity"):
		syntax.Msg += " (& is written &amp;)"
	}
	return nil, fmt.Errorf("line %d: %s", syntax.Line, syntax.Msg)
}

// readText reads a list of addresses behind a mark of so many bytes. A text that has other lines is
// no sitemap.
// https://www.sitemaps.org/protocol.html#otherformats
func readText(src []byte, start int) (*List, error) {
	f := &List{src: src}
	for line := range bytes.Lines(src[start:]) {
		end := start + len(line)
		switch loc := string(bytes.TrimSpace(line)); {
		case loc == "":
		case !address.MatchString(loc):
			return nil, ErrNoSitemap
		case len(f.Entries) == MaxEntries:
			return nil, ErrTooMany
		default:
			f.Entries = append(f.Entries, Entry{Loc: loc, start: start, end: end})
		}
		start = end
	}
	if len(f.Entries) == 0 {
		return nil, ErrNoSitemap
	}
	return f, nil
}

// address is a line of such a list.
var address = lazyregexp.New(`^(?i:https?)://\S+$`)

// Limits of what is read, so that a hostile file takes no more memory than its bytes.
const (
	// maxDepth counts elements in each other: urlset, url, news:news, news:publication, news:name.
	maxDepth = 5
	maxToken = 256 << 10 // bytes of one tag, text or comment
)

var (
	errDeep = fmt.Errorf("elements are nested more than %d deep, as in no sitemap", maxDepth)
	errLong = fmt.Errorf("a tag, text or comment is longer than %d KB", maxToken>>10)
)

// A reader gives a decoder no more than maxToken bytes for one token. The decoder takes them by
// ReadByte, which alone has the limit.
type reader struct {
	*bytes.Reader
	left int
}

func (r *reader) ReadByte() (byte, error) {
	if r.left--; r.left < 0 {
		return 0, errLong
	}
	return r.Reader.ReadByte()
}

// A parser reads the tokens of a sitemap. It keeps the limits, and knows how deep it is and where
// it is in the file.
type parser struct {
	*xml.Decoder
	in      *reader
	skipped int // bytes of the file before those that the decoder reads: a byte order mark
	depth   int // how many elements are open: 0 outside of the root, 1 between its children
	start   int // the offset at which the token begins that was read last
}

// Token returns the next token: a start tag, an end tag, a text, a comment, an instruction or a
// declaration. <url/> is two tokens, as <url></url> is. It fails with io.EOF at the end of the
// file, if no element is open there, and with another error if a limit is in the way, if a
// declaration that is not the document type is outside of the root's children, and for whatever the
// decoder refuses: above all XML that is not well-formed. With an error there is no token.
func (p *parser) Token() (xml.Token, error) {
	p.in.left = maxToken
	p.start = p.offset()
	token, err := p.Decoder.Token()
	switch t := token.(type) {
	case xml.StartElement:
		p.depth++
	case xml.EndElement:
		p.depth--
	case xml.Directive:
		isOutsideChildren := p.depth <= 1
		if isOutsideChildren && !bytes.HasPrefix(t, []byte("DOCTYPE")) {
			return nil, p.faultAtLine("a declaration that is not a document type")
		}
	}
	if p.depth > maxDepth {
		return nil, errDeep
	}
	return token, err
}

// offset is where the next token begins in the file.
func (p *parser) offset() int { return p.skipped + int(p.InputOffset()) }

// faultAtLine is an error about the token that was read last.
func (p *parser) faultAtLine(fault string) error {
	line, _ := p.InputPos()
	return fmt.Errorf("line %d: %s", line, fault)
}

// eachChild calls read for the start tag of each child of the element whose own start tag was read
// last. read has to go on to the end of the child, as [parser.skipElement] does. What else is in
// the element is passed over, and its end tag is the last token that is read. It fails if read or
// [parser.Token] does; a file that ends in the element is an error of the decoder's.
func (p *parser) eachChild(read func(child xml.StartElement) error) error {
	for {
		token, err := p.Token()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.EndElement:
			return nil
		case xml.StartElement:
			if err := read(t); err != nil {
				return err
			}
		}
	}
}

// skipElement reads the element whose start tag was read last to its end.
func (p *parser) skipElement() error {
	return p.eachChild(func(xml.StartElement) error { return p.skipElement() })
}

// ownText reads the element whose start tag was read last to its end, and returns its text without
// that of the elements in it: "a" of <loc>a<x>b</x></loc>.
func (p *parser) ownText() (string, error) {
	var own []byte
	for {
		token, err := p.Token()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.CharData:
			own = append(own, t...)
		case xml.StartElement:
			if err := p.skipElement(); err != nil {
				return "", err
			}
		case xml.EndElement:
			return string(own), nil
		}
	}
}

// read reads the whole file, for [Read]: its root, which says whether it is an index (f.Index), and
// the root's children. It keeps those that are entries (f.Entries). Its error is [ErrNoSitemap],
// [ErrTooMany] or one of [parser.Token].
//
//	<urlset>                              or  <sitemapindex>
//	  <url><loc>https://…</loc></url>           <sitemap><loc>https://…</loc></sitemap>
func (f *List) read(p *parser) error {
	if err := f.readRoot(p); err != nil {
		return err
	}
	entryName := "url"
	if f.Index {
		entryName = "sitemap"
	}
	err := p.eachChild(func(child xml.StartElement) error {
		if child.Name.Local == entryName {
			return f.addEntry(p)
		}
		return p.skipElement()
	})
	if err != nil {
		return err
	}
	return p.readBehindRoot()
}

// readRoot reads the file up to the start tag of its root, and sets f.Index. It fails with
// [ErrNoSitemap] if there is no root, if text is before it, or if it is not one of a sitemap.
func (f *List) readRoot(p *parser) error {
	for {
		token, err := p.Token()
		if err == io.EOF {
			return ErrNoSitemap
		} else if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.CharData:
			if hasText := len(bytes.Trim(t, space)) > 0; hasText {
				return ErrNoSitemap
			}
		case xml.StartElement:
			f.Index = t.Name.Local == "sitemapindex"
			if !f.Index && t.Name.Local != "urlset" {
				return ErrNoSitemap
			}
			return nil
		}
	}
}

// readBehindRoot reads what is behind the end tag of the root, up to the end of the file. A text
// there does no harm, but an element is an error.
func (p *parser) readBehindRoot() error {
	for {
		token, err := p.Token()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if element, isElement := token.(xml.StartElement); isElement {
			return p.faultAtLine("<" + element.Name.Local + "> is after the end of the root")
		}
	}
}

// addEntry reads the entry whose start tag was read last to its end, and adds it. Its address is
// the text of the first of its children that is a loc, even if that is empty. Its alternates are
// the children that are links and name a language. An entry beyond [MaxEntries] is [ErrTooMany].
func (f *List) addEntry(p *parser) error {
	if len(f.Entries) == MaxEntries {
		return ErrTooMany
	}
	var e Entry
	// The white space in front of an entry goes with it, if it is taken out.
	e.start = len(bytes.TrimRight(f.src[:p.start], space))
	hasLoc := false
	err := p.eachChild(func(child xml.StartElement) error {
		switch name := child.Name.Local; {
		case name == "loc" && !hasLoc:
			hasLoc = true
			text, err := p.ownText()
			e.Loc = strings.TrimSpace(text)
			return err
		case name == "link":
			e.addAlternate(child.Attr)
		}
		return p.skipElement()
	})
	if err != nil {
		return err
	}
	e.end = p.offset() // its end tag was read last
	f.Entries = append(f.Entries, e)
	return nil
}

// addAlternate adds the address of a link that names a language, by the link's attributes. Of any
// other link it adds nothing.
//
//	<xhtml:link rel="alternate" hreflang="de" href="https://…"/>
func (e *Entry) addAlternate(attributes []xml.Attr) {
	has := map[string]string{}
	for _, a := range attributes {
		if name := a.Name.Local; name == "rel" || name == "hreflang" || name == "href" {
			has[name] = a.Value
		}
	}
	if has["rel"] == "alternate" && has["hreflang"] != "" && has["href"] != "" {
		e.Alternates = append(e.Alternates, strings.TrimSpace(has["href"]))
	}
}
