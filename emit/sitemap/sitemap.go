// Package sitemap takes entries out of sitemaps and leaves every other byte as it was.
// https://www.sitemaps.org/protocol.html
package sitemap

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"metarobots/emit/patch"
)

// A List is a sitemap or a sitemap index, read for its entries.
type List struct {
	// Index: it lists sitemaps and no pages.
	Index bool
	// Entries are in the order of the file.
	Entries []Entry

	src []byte
}

// An Entry is one url element of a sitemap, or one sitemap element of an index; in a text it is a line.
type Entry struct {
	// Loc is the address, as decoded text without white space around it; of several the first. Empty where there is
	// none.
	Loc string
	// Alternates are the addresses of the page in other languages.
	// https://developers.google.com/search/docs/specialty/international/localized-versions#sitemap
	Alternates []string
	// start and end are the element's bytes and the white space in front of it, or the bytes of the line.
	start, end int
}

// ErrNoSitemap is returned for a text that is no list of addresses, and for XML whose root is neither urlset nor
// sitemapindex.
var ErrNoSitemap = errors.New("no sitemap: the root element is neither urlset nor sitemapindex")

// ErrEncoding is returned for a sitemap in UTF-16 or any other encoding that is not UTF-8, which crawlers may not read.
// https://www.sitemaps.org/protocol.html#escaping
var ErrEncoding = errors.New("it is not UTF-8, as a sitemap must be")

// MaxEntries is how many addresses a sitemap or an index may have. https://www.sitemaps.org/protocol.html#index
const MaxEntries = 50_000

// ErrTooMany is returned for a sitemap of more than [MaxEntries], which crawlers refuse.
var ErrTooMany = errors.New("it has more than the 50,000 entries that a sitemap may have")

// Without returns the edits that take out the entries that drop names; drop is asked once for each, in their order.
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

var mark = []byte("\ufeff")

// declaration is the encoding that an XML declaration names. https://www.w3.org/TR/xml/#NT-EncodingDecl
var declaration = regexp.MustCompile(`^<\?xml[ \t\r\n][^>]*?[ \t\r\n]encoding[ \t\r\n]*=[ \t\r\n]*["']([^"']*)["']`)

// encoded returns ErrEncoding where a file is not UTF-8, by its bytes or by what it says.
// https://www.w3.org/TR/xml/#sec-guessing
func encoded(src []byte) error {
	m := declaration.FindSubmatch(bytes.TrimPrefix(src[:min(len(src), 1024)], mark))
	if bytes.IndexByte(src[:min(len(src), 4)], 0) >= 0 || !utf8.Valid(src) ||
		m != nil && !slices.Contains([]string{"utf-8", "utf8", "us-ascii", "ascii"}, strings.ToLower(string(m[1]))) {
		return ErrEncoding
	}
	return nil
}

// Read reads a sitemap: XML, or a text with an address in each line. Names are compared without their namespace, as
// crawlers are lenient about it. XML that is not well-formed is an error that names the line.
func Read(src []byte) (*List, error) {
	if err := encoded(src); err != nil {
		return nil, err
	}
	text := bytes.TrimPrefix(src, mark)
	if !bytes.HasPrefix(bytes.TrimLeft(text, space), []byte("<")) {
		return readText(src, len(src)-len(text))
	}
	f := &List{src: src}
	d := xml.NewDecoder(bytes.NewReader(text))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8
	err := f.read(d, len(src)-len(text))
	var syntax *xml.SyntaxError
	switch {
	case err == nil:
		return f, nil
	case !errors.As(err, &syntax):
		return nil, err
	case strings.Contains(syntax.Msg, "character entity"):
		syntax.Msg += " (& is written &amp;)"
	}
	return nil, fmt.Errorf("line %d: %s", syntax.Line, syntax.Msg)
}

// readText reads a list of addresses behind a mark of so many bytes. A text that has other lines is no sitemap.
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
var address = regexp.MustCompile(`^(?i:https?)://\S+$`)

// read reads the root and its children; skipped is how many bytes stand before those that the decoder reads.
func (f *List) read(d *xml.Decoder, skipped int) error {
	for root, ended := false, false; ; {
		start := skipped + int(d.InputOffset())
		token, err := d.Token()
		switch t := token.(type) {
		case xml.StartElement:
			switch name := t.Name.Local; {
			case ended:
				line, _ := d.InputPos()
				return fmt.Errorf("line %d: <%s> stands after the end of the root", line, name)
			case !root && name != "urlset" && name != "sitemapindex":
				return ErrNoSitemap
			case !root:
				root, f.Index = true, name == "sitemapindex"
			case name == "url" && !f.Index, name == "sitemap" && f.Index:
				err = f.entry(d, &t, start, skipped)
			default:
				err = d.Skip()
			}
		case xml.EndElement:
			ended = true
		case xml.Directive:
			if !bytes.HasPrefix(t, []byte("DOCTYPE")) {
				line, _ := d.InputPos()
				return fmt.Errorf("line %d: a declaration that is not a document type", line)
			}
		case xml.CharData:
			if !root && len(bytes.Trim(t, space)) > 0 {
				return ErrNoSitemap
			}
		}
		switch {
		case err == io.EOF && root:
			return nil
		case err == io.EOF:
			return ErrNoSitemap
		case err != nil:
			return err
		}
	}
}

// entry adds the entry that begins with a tag.
func (f *List) entry(d *xml.Decoder, tag *xml.StartElement, start, skipped int) error {
	var has struct {
		Locs  []string `xml:"loc"`
		Links []struct {
			Rel      string `xml:"rel,attr"`
			Language string `xml:"hreflang,attr"`
			URL      string `xml:"href,attr"`
		} `xml:"link"`
	}
	if len(f.Entries) == MaxEntries {
		return ErrTooMany
	}
	if err := d.DecodeElement(&has, tag); err != nil {
		return err
	}
	// The white space in front of it goes with it.
	e := Entry{start: len(bytes.TrimRight(f.src[:start], space)), end: skipped + int(d.InputOffset())}
	if len(has.Locs) > 0 {
		e.Loc = strings.TrimSpace(has.Locs[0])
	}
	for _, l := range has.Links {
		if l.Rel == "alternate" && l.Language != "" && l.URL != "" {
			e.Alternates = append(e.Alternates, strings.TrimSpace(l.URL))
		}
	}
	f.Entries = append(f.Entries, e)
	return nil
}
