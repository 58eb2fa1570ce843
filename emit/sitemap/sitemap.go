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

// A File is a sitemap or a sitemap index, read for its entries.
type File struct {
	// Index: it lists sitemaps and no pages.
	Index bool
	// Entries are in the order of the file.
	Entries []Entry

	src []byte
}

// An Entry is one url element of a sitemap, or one sitemap element of an index.
type Entry struct {
	// Loc is the address, as decoded text without white space around it; of several the first. Empty where there is
	// none.
	Loc string
	// Alternates are the addresses of the page in other languages.
	// https://developers.google.com/search/docs/specialty/international/localized-versions#sitemap
	Alternates []string
	// start and end are the element's bytes and the white space in front of it.
	start, end int
}

// ErrNoSitemap is returned for what is no XML, such as a list of addresses, and for XML whose root is neither urlset
// nor sitemapindex.
var ErrNoSitemap = errors.New("no sitemap: the root element is neither urlset nor sitemapindex")

// ErrEncoding is returned for a sitemap in UTF-16 or any other encoding that is not UTF-8, which crawlers may not read.
// https://www.sitemaps.org/protocol.html#escaping
var ErrEncoding = errors.New("it is not UTF-8, as a sitemap must be")

// MaxEntries is how many addresses a sitemap or an index may have. https://www.sitemaps.org/protocol.html#index
const MaxEntries = 50_000

// ErrTooMany is returned for a sitemap of more than [MaxEntries], which crawlers refuse.
var ErrTooMany = errors.New("it has more than the 50,000 entries that a sitemap may have")

// Without returns the edits that take out the entries that drop names; drop is asked once for each, in their order.
func (f *File) Without(drop func(loc string) bool) (edits []patch.Edit) {
	for _, e := range f.Entries {
		if drop(e.Loc) {
			edits = append(edits, patch.Edit{Start: e.start, End: e.end})
		}
	}
	return edits
}

// before returns where the white space in front of an offset starts.
func before(src []byte, at int) int { return len(bytes.TrimRight(src[:at], space)) }

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

// Read reads a sitemap. Names are compared without their namespace, as crawlers are lenient about it. What is no
// well-formed XML is an error that names the line.
func Read(src []byte) (*File, error) {
	if err := encoded(src); err != nil {
		return nil, err
	}
	text := bytes.TrimPrefix(src, mark)
	if !bytes.HasPrefix(bytes.TrimLeft(text, space), []byte("<")) {
		return nil, ErrNoSitemap
	}
	r := reader{file: &File{src: src}, xml: xml.NewDecoder(bytes.NewReader(text)), skipped: len(src) - len(text)}
	r.xml.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8
	for {
		err := r.next()
		var syntax *xml.SyntaxError
		switch {
		case err == io.EOF:
			return r.file, nil
		case errors.As(err, &syntax):
			hint := ""
			if strings.Contains(syntax.Msg, "character entity") {
				hint = " (& is written &amp;)"
			}
			return nil, fmt.Errorf("line %d: %s%s", syntax.Line, syntax.Msg, hint)
		case err != nil:
			return nil, err
		}
	}
}

// A reader goes through a sitemap from tag to tag. It reads raw tokens, which cost a quarter of those whose namespaces
// are resolved, and so matches end tags itself.
type reader struct {
	file    *File
	xml     *xml.Decoder
	skipped int        // bytes before what xml reads
	open    []xml.Name // the open elements
	root    bool       // the root has begun
	inLoc   bool       // text belongs to the address of the last entry
	hasLoc  bool       // the last entry has an address
	loc     strings.Builder
}

func (r *reader) next() error {
	start := r.skipped + int(r.xml.InputOffset())
	token, err := r.xml.RawToken()
	switch t := token.(type) {
	case xml.StartElement:
		return r.begin(t, start)
	case xml.EndElement:
		return r.end(t.Name)
	case xml.Directive:
		if !bytes.HasPrefix(t, []byte("DOCTYPE")) {
			return r.errorf("a declaration that is not a document type")
		}
	case xml.CharData:
		if r.inLoc {
			r.loc.Write(t)
		}
		if !r.root && len(bytes.Trim(t, space)) > 0 {
			return ErrNoSitemap
		}
	}
	switch {
	case err == io.EOF && !r.root:
		return ErrNoSitemap
	case err == io.EOF && len(r.open) > 0:
		return r.errorf("it ends within <%s>", r.open[len(r.open)-1].Local)
	}
	return err
}

func (r *reader) errorf(format string, args ...any) error {
	line, _ := r.xml.InputPos()
	return fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...))
}

// begin opens an element whose tag starts at an offset.
func (r *reader) begin(tag xml.StartElement, start int) error {
	name := tag.Name
	r.inLoc = false
	switch len(r.open) {
	case 0:
		switch {
		case r.root:
			return r.errorf("<%s> stands after the end of the root", name.Local)
		case name.Local != "urlset" && name.Local != "sitemapindex":
			return ErrNoSitemap
		}
		r.root, r.file.Index = true, name.Local == "sitemapindex"
	case 1:
		if r.isEntry(name) {
			if len(r.file.Entries) == MaxEntries {
				return ErrTooMany
			}
			r.file.Entries = append(r.file.Entries, Entry{start: before(r.file.src, start)})
			r.hasLoc = false
			r.loc.Reset()
		}
	case 2:
		r.inLoc = !r.hasLoc && name.Local == "loc" && r.isEntry(r.open[1])
		r.hasLoc = r.hasLoc || r.inLoc
		if name.Local == "link" && r.isEntry(r.open[1]) {
			e := &r.file.Entries[len(r.file.Entries)-1]
			e.Alternates = append(e.Alternates, alternates(tag.Attr)...)
		}
	}
	r.open = append(r.open, name)
	return nil
}

// alternates is the address of a link with rel="alternate" and hreflang, none of any other link.
func alternates(attributes []xml.Attr) []string {
	values := map[string]string{}
	for _, a := range attributes {
		values[a.Name.Local] = a.Value
	}
	if values["rel"] != "alternate" || values["hreflang"] == "" || values["href"] == "" {
		return nil
	}
	return []string{strings.TrimSpace(values["href"])}
}

// end closes the innermost element, whose end tag was read.
func (r *reader) end(name xml.Name) error {
	r.inLoc = false
	depth := len(r.open) - 1
	switch {
	case depth < 0:
		return r.errorf("</%s> ends nothing", name.Local)
	case r.open[depth] != name:
		return r.errorf("</%s> stands within <%s>", name.Local, r.open[depth].Local)
	case depth == 1 && r.isEntry(name):
		e := &r.file.Entries[len(r.file.Entries)-1]
		e.end, e.Loc = r.skipped+int(r.xml.InputOffset()), strings.TrimSpace(r.loc.String())
	}
	r.open = r.open[:depth]
	return nil
}

// isEntry reports whether a child of the root with that name is an entry.
func (r *reader) isEntry(name xml.Name) bool {
	return name.Local == "url" && !r.file.Index || name.Local == "sitemap" && r.file.Index
}
