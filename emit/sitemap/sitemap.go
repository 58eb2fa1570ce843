// Package sitemap takes entries out of sitemaps and leaves every other byte as it was.
// https://www.sitemaps.org/protocol.html
package sitemap

import (
	"bytes"
	"errors"

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
