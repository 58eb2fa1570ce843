package sitemap

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// byEncodingXML reads the addresses of a sitemap as encoding/xml fills a value, and whether it is
// an index.
func byEncodingXML(src []byte) (locs []string, index bool, err error) {
	type entry struct {
		Loc []string `xml:"loc"`
	}
	var root struct {
		XMLName  xml.Name
		URLs     []entry `xml:"url"`
		Sitemaps []entry `xml:"sitemap"`
	}
	d := xml.NewDecoder(bytes.NewReader(src))
	if err := d.Decode(&root); err != nil {
		return nil, false, err
	}
	for { // only comments, instructions and texts follow
		token, err := d.Token()
		if err == io.EOF {
			break
		} else if _, more := token.(xml.StartElement); err != nil || more {
			return nil, false, errors.Join(err, errors.New("a second root"))
		}
	}
	entries := root.URLs
	if index = root.XMLName.Local == "sitemapindex"; index {
		entries = root.Sitemaps
	}
	for _, e := range entries {
		locs = append(locs, strings.TrimSpace(append(e.Loc, "")[0]))
	}
	return locs, index, nil
}

// nasty are sitemaps, and what may be taken for one.
func nasty(t testing.TB) (all []string) {
	for _, row := range tables.Read(t, "testdata/nasty.txt") {
		all = append(all, row["sitemap"])
	}
	return all
}

// The entries are those that encoding/xml reads, and the bytes of each are one element with its
// address. What it does not read is refused, and what is refused here is refused there.
func sameAsEncodingXML(t *testing.T, src []byte) (read bool) {
	t.Helper()
	got, err := Read(src)
	if !isXML(src) {
		return false // a text, which it knows nothing about
	}
	locs, index, theirs := byEncodingXML(bytes.TrimPrefix(src, byteOrderMark))
	if err != nil {
		forbidden := errors.Is(err, ErrNoSitemap) || errors.Is(err, ErrEncoding) || strings.Contains(err.Error(), "declaration")
		if theirs == nil && !forbidden {
			t.Fatalf("%q: %v, but encoding/xml reads it", src, err)
		}
		return false
	}
	if theirs != nil || got.Index != index || len(got.Entries) != len(locs) {
		t.Fatalf("%q: index %v with %d entries, want %v with %q, %v", src, got.Index, len(got.Entries), index, locs, theirs)
	}
	for i, e := range got.Entries {
		alone := "<urlset>" + string(src[e.start:e.end]) + "</urlset>"
		if index {
			alone = "<sitemapindex>" + string(src[e.start:e.end]) + "</sitemapindex>"
		}
		its, _, err := byEncodingXML([]byte(alone))
		if e.Loc != locs[i] || err != nil || !slices.Equal(its, locs[i:i+1]) {
			t.Fatalf("%q: entry %d is %q in %q, want %q", src, i, e.Loc, alone, locs[i])
		}
	}
	return true
}

func isXML(src []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(src, byteOrderMark), space), []byte("<"))
}

// testdata/nasty.txt has 25 that are read, and then those that are not.
func TestStandard_SameAsEncodingXML(t *testing.T) {
	for i, src := range nasty(t) {
		if got := sameAsEncodingXML(t, []byte(src)); got != (i < 25) {
			t.Errorf("%q: read %v", src, got)
		}
	}
}

// What XML 1.0 forbids is refused: a file that crawlers may not read either stays as it is.
func TestStandard_WhatXMLForbids(t *testing.T) {
	for _, c := range []struct{ name, src string }{
		{"a control character", "<urlset><url><loc>a\x01</loc></url></urlset>"},
		{"]]> in a text", "<urlset><url><loc>a]]></loc></url></urlset>"},
		{"< in a value", "<urlset><url a='<'><loc>a</loc></url></urlset>"},
		{"another version of XML", "<?xml version='1.1'?><urlset><url><loc>a</loc></url></urlset>"},
	} {
		if f, err := Read([]byte(c.src)); err == nil {
			t.Errorf("%s: %v, %v", c.name, f, err)
		}
	}
}

func FuzzSameAsEncodingXML(f *testing.F) {
	for _, src := range nasty(f) {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) { sameAsEncodingXML(t, src) })
}
