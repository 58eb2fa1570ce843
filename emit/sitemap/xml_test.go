package sitemap

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// What XML forbids and encoding/xml reads.
var (
	errTwoRoots    = errors.New("a second root")
	errDeclaration = errors.New("a declaration that is not a document type")
)

// byEncodingXML reads a sitemap by the tokens of encoding/xml.
func byEncodingXML(src []byte) (*File, error) {
	f := &File{src: src}
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(src, mark)))
	skipped := len(src) - len(bytes.TrimPrefix(src, mark))
	var (
		depth             int
		root, entry, some bool
		loc               bool
		text              strings.Builder
	)
	for {
		start := int(d.InputOffset()) + skipped
		token, err := d.Token()
		switch {
		case err == io.EOF && !root:
			return nil, ErrNoSitemap
		case err == io.EOF:
			return f, nil
		case err != nil:
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch depth++; depth {
			case 1:
				switch {
				case root:
					return nil, errTwoRoots
				case t.Name.Local == "sitemapindex":
					f.Index = true
				case t.Name.Local != "urlset":
					return nil, ErrNoSitemap
				}
				root = true
			case 2:
				some, entry = false, t.Name.Local == map[bool]string{false: "url", true: "sitemap"}[f.Index]
				if entry {
					f.Entries = append(f.Entries, Entry{start: len(bytes.TrimRight(src[:start], " \t\r\n"))})
					text.Reset()
				}
			case 3:
				loc = entry && !some && t.Name.Local == "loc"
				some = some || loc
			}
		case xml.EndElement:
			if depth == 2 && entry {
				e := &f.Entries[len(f.Entries)-1]
				e.end, e.Loc = int(d.InputOffset())+skipped, strings.TrimSpace(text.String())
				entry = false
			}
			depth--
			loc = loc && depth >= 3
		case xml.Directive:
			if !bytes.HasPrefix(t, []byte("DOCTYPE")) {
				return nil, errDeclaration
			}
		case xml.CharData:
			if !root && strings.Trim(string(t), " \t\r\n") != "" {
				return nil, ErrNoSitemap
			}
			if loc && depth == 3 {
				text.Write(t)
			}
		}
	}
}

// nasty are sitemaps, and what may be taken for one.
func nasty(t testing.TB) (all []string) {
	for _, row := range tables.Read(t, "testdata/nasty.txt") {
		all = append(all, row["sitemap"])
	}
	return all
}

// Wherever encoding/xml reads a sitemap the entries are the same ones, and what is refused here is refused there.
func sameAsEncodingXML(t *testing.T, src []byte) (read bool) {
	t.Helper()
	got, err := Read(src)
	if errors.Is(err, ErrEncoding) {
		return false
	}
	want, theirs := byEncodingXML(src)
	if err != nil {
		if theirs == nil {
			t.Fatalf("%q: %v, but encoding/xml reads it", src, err)
		}
		return false
	}
	if theirs != nil {
		return true
	}
	unify := strings.NewReplacer("\r\n", "\n", "\r", "\n")
	if got.Index != want.Index || len(got.Entries) != len(want.Entries) {
		t.Fatalf("%q: index %v with %d entries, want %v with %d", src, got.Index, len(got.Entries), want.Index,
			len(want.Entries))
	}
	for i, w := range want.Entries {
		g := got.Entries[i]
		if g.start != w.start || g.end != w.end || unify.Replace(g.Loc) != unify.Replace(w.Loc) {
			t.Fatalf("%q: entry %d is %q at %d to %d, want %q at %d to %d", src, i, g.Loc, g.start, g.end, w.Loc,
				w.start, w.end)
		}
	}
	return true
}

func TestStandard_SameAsEncodingXML(t *testing.T) {
	read, nasty := 0, nasty(t)
	for _, src := range nasty {
		got := sameAsEncodingXML(t, []byte(src))
		if _, err := byEncodingXML([]byte(src)); (err == nil) != got {
			t.Errorf("%q: read %v, by encoding/xml %v", src, got, err)
		}
		if got {
			read++
		}
	}
	if read < 20 || len(nasty)-read < 20 {
		t.Errorf("%d of %d are read: too few of one kind to prove anything", read, len(nasty))
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
