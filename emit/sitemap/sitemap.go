// Package sitemap takes entries out of sitemaps and leaves every other byte as it was.
// https://www.sitemaps.org/protocol.html
//
// A [List] is read by a parser, which is an XML decoder that counts how deep it is. An offset is a
// place in the bytes of the file; the decoder's own count begins behind a byte order mark, so the
// parser adds what it skipped.
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
	m := encodingDeclaration.FindSubmatch(bytes.TrimPrefix(src[:min(len(src), 1024)], byteOrderMark))
	if bytes.IndexByte(src[:min(len(src), 4)], 0) >= 0 || !utf8.Valid(src) ||
		m != nil && !slices.Contains([]string{"utf-8", "utf8", "us-ascii", "ascii"}, strings.ToLower(string(m[1]))) {
		return ErrEncoding
	}
	return nil
}

// Read reads a sitemap: XML, or a text with an address in each line. Names are compared without
// their namespace, as crawlers are lenient about it. XML that is not well-formed is an error that
// names the line.
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
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8
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
		return nil, err
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
	maxDepth = 5         // elements in each other: urlset, url, news:news, news:publication, news:name
	maxToken = 256 << 10 // bytes of one tag, text or comment
)

var (
	errDeep = fmt.Errorf("elements are nested more than %d deep, as in no sitemap", maxDepth)
	errLong = fmt.Errorf("a tag, text or comment is longer than %d KB", maxToken>>10)
)

// A reader gives a decoder no more than maxToken bytes for one token.
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

// A parser is a decoder that knows how deep it is.
type parser struct {
	*xml.Decoder
	in      *reader
	skipped int // bytes before those that it reads
	depth   int
}

// Token is the next token, within the limits.
func (p *parser) Token() (xml.Token, error) {
	p.in.left = maxToken
	token, err := p.Decoder.Token()
	switch token.(type) {
	case xml.StartElement:
		p.depth++
	case xml.EndElement:
		p.depth--
	}
	if p.depth > maxDepth {
		return nil, errDeep
	}
	return token, err
}

// offset is where the next token begins in the file.
func (p *parser) offset() int { return p.skipped + int(p.InputOffset()) }

// eachWithin calls f for each token within the element whose start tag was read last, up to its end
// tag, with how deep the token is there. In <url>a<loc>b</loc></url>, a and both tags of loc are at
// 1, b is at 2. The error is the decoder's, or a limit of the parser's.
func (p *parser) eachWithin(f func(token xml.Token, depth int)) error {
	for outside := p.depth - 1; ; {
		token, err := p.Token()
		if err != nil {
			return err
		}
		if p.depth == outside {
			return nil
		}
		depth := p.depth - outside
		if _, ok := token.(xml.StartElement); ok {
			depth--
		}
		f(token, depth)
	}
}

// read reads the whole file: the root, which says whether it is an index (f.Index), and its
// children. It adds those that are entries (f.Entries):
//
//	<urlset>                              or  <sitemapindex>
//	  <url><loc>https://…</loc></url>           <sitemap><loc>https://…</loc></sitemap>
//
// It fails with [ErrNoSitemap] if there is text before the root, or if the root is no sitemap's,
// and with another error if an element is behind the root, if a declaration is not the document
// type, if a limit is in the way, and for whatever the decoder refuses. Text behind the root,
// comments and instructions are passed over.
func (f *List) read(p *parser) error {
	hasRoot, hasEnded := false, false // the root's start tag, and its end tag
	for {
		start := p.offset() // where an entry begins, if the token is its start tag
		token, err := p.Token()
		switch t := token.(type) { // nil at the end of the file, and with any other error: see below
		case xml.StartElement:
			switch name := t.Name.Local; {
			case hasEnded:
				line, _ := p.InputPos()
				return fmt.Errorf("line %d: <%s> is after the end of the root", line, name)
			case !hasRoot && name != "urlset" && name != "sitemapindex":
				return ErrNoSitemap
			case !hasRoot:
				hasRoot, f.Index = true, name == "sitemapindex"
			case name == "url" && !f.Index, name == "sitemap" && f.Index:
				err = f.addEntry(p, start)
			default: // any other child of the root is passed over
				err = p.eachWithin(func(xml.Token, int) {})
			}
		case xml.EndElement: // of the root: addEntry and eachWithin read those of its children
			hasEnded = true
		case xml.Directive:
			if !bytes.HasPrefix(t, []byte("DOCTYPE")) {
				line, _ := p.InputPos()
				return fmt.Errorf("line %d: a declaration that is not a document type", line)
			}
		case xml.CharData:
			if !hasRoot && len(bytes.Trim(t, space)) > 0 {
				return ErrNoSitemap
			}
		}
		switch {
		case err == io.EOF && hasRoot: // the decoder refuses a root without an end before that
			return nil
		case err == io.EOF:
			return ErrNoSitemap
		case err != nil:
			return err
		}
	}
}

// addEntry adds the entry whose start tag was read last, at the offset start, and reads it to its
// end. Its address is the text of the first loc that is its own, not one of an element within; its
// alternates are the links that name a language. It is an error if the list is full, and whatever
// the decoder refuses.
func (f *List) addEntry(p *parser, start int) error {
	if len(f.Entries) == MaxEntries {
		return ErrTooMany
	}
	var e Entry
	var loc []byte              // the text of the first loc
	locs, isInFirst := 0, false // how many were seen, and whether the token is within the first
	err := p.eachWithin(func(token xml.Token, depth int) {
		switch t := token.(type) {
		case xml.StartElement:
			if depth == 1 && t.Name.Local == "loc" {
				locs++
				isInFirst = locs == 1
			} else if depth == 1 && t.Name.Local == "link" {
				e.addAlternate(t.Attr)
			}
		case xml.EndElement:
			isInFirst = isInFirst && depth > 1 // at 1 it is the loc that ends
		case xml.CharData:
			if isInFirst && depth == 2 { // its own text
				loc = append(loc, t...)
			}
		}
	})
	if err != nil {
		return err
	}
	e.Loc = strings.TrimSpace(string(loc))
	// The white space in front of it goes with it.
	e.start, e.end = len(bytes.TrimRight(f.src[:start], space)), p.offset()
	f.Entries = append(f.Entries, e)
	return nil
}

// addAlternate adds the address of a link that names a language.
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
