// Package sitemap takes entries out of sitemaps and leaves every other byte as it was.
// https://www.sitemaps.org/protocol.html
package sitemap

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// A File is a sitemap or a sitemap index, read for its entries.
type File struct {
	// Index: it lists sitemaps and no pages.
	Index bool
	// Entries are in the order of the file.
	Entries []Entry

	src []byte
}

// An Entry is one url or sitemap element.
type Entry struct {
	// Loc is the address, as decoded text without white space around it.
	Loc string
	// start and end are the element's bytes and the white space in front of it.
	start, end int
}

// ErrNoSitemap is returned for XML whose root is neither urlset nor sitemapindex.
var ErrNoSitemap = errors.New("no sitemap: the root element is neither urlset nor sitemapindex")

// Read reads a sitemap. Names are compared without their namespace, as crawlers are lenient about it.
func Read(src []byte) (*File, error) {
	f := &File{src: src}
	d := xml.NewDecoder(bytes.NewReader(src))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // an address is ASCII
	var (
		depth int
		entry *Entry
		loc   bool
		blank = -1 // where white space before the next element starts
	)
	for {
		start := int(d.InputOffset())
		token, err := d.Token()
		if err == io.EOF {
			return f, nil
		} else if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			depth++
			switch {
			case depth == 1 && t.Name.Local == "sitemapindex":
				f.Index = true
			case depth == 1 && t.Name.Local != "urlset":
				return nil, ErrNoSitemap
			case depth == 2 && (t.Name.Local == "url" || t.Name.Local == "sitemap"):
				if blank >= 0 {
					start = blank
				}
				f.Entries = append(f.Entries, Entry{start: start})
				entry = &f.Entries[len(f.Entries)-1]
			}
			loc = depth == 3 && t.Name.Local == "loc"
			blank = -1
		case xml.EndElement:
			if depth == 2 && entry != nil {
				entry.end = int(d.InputOffset())
				entry.Loc = strings.TrimSpace(entry.Loc)
				entry = nil
			}
			depth--
			loc, blank = false, -1
		case xml.CharData:
			if loc && entry != nil {
				entry.Loc += string(t)
			}
			if len(bytes.TrimSpace(t)) == 0 {
				blank = start
			} else {
				blank = -1
			}
		default:
			blank = -1
		}
	}
}

// Without returns the file without the entries that drop names, and how many those are. Where drop names none, the
// bytes are those that were read.
func (f *File) Without(drop func(loc string) bool) (out []byte, dropped int) {
	from := 0
	for _, e := range f.Entries {
		if drop(e.Loc) {
			out = append(out, f.src[from:e.start]...)
			from = e.end
			dropped++
		}
	}
	if dropped == 0 {
		return f.src, 0
	}
	return append(out, f.src[from:]...), dropped
}
