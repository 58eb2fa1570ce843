package sitemap

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
)

// sitemapOf makes a sitemap of n addresses as Hugo's template writes it, each with the pages of so many other
// languages.
func sitemapOf(n, languages int) []byte {
	var b bytes.Buffer
	b.WriteString(head)
	for i := range n {
		fmt.Fprintf(&b, "  <url>\n    <loc>https://example.org/section-%d/page-%d/</loc>\n    "+
			"<lastmod>2026-04-15T00:00:00+00:00</lastmod>\n", i%40, i)
		for l := range languages {
			fmt.Fprintf(&b, "    <xhtml:link\n                rel=\"alternate\"\n                hreflang=\"l%d\"\n                "+
				"href=\"https://example.org/l%d/section-%d/page-%d/\"\n                />\n", l, l, i%40, i)
		}
		b.WriteString("  </url>\n")
	}
	b.WriteString("</urlset>\n")
	return b.Bytes()
}

// The files have as many entries as the protocol lets a sitemap have.
var benchFiles = []struct {
	name      string
	languages int
}{{"Plain", 0}, {"FourLanguages", 4}}

func bench(b *testing.B, do func(src []byte)) {
	for _, c := range benchFiles {
		b.Run(c.name, func(b *testing.B) {
			src := sitemapOf(50_000, c.languages)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				do(src)
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	bench(b, func(src []byte) {
		if f, err := Read(src); err != nil || len(f.Entries) != 50_000 {
			b.Fatal(err)
		}
	})
}

func BenchmarkReadAndWithout(b *testing.B) {
	bench(b, func(src []byte) {
		f, err := Read(src)
		if err != nil {
			b.Fatal(err)
		}
		if _, n := f.without(func(loc string) bool { return strings.HasSuffix(loc, "7/") }); n != 5_000 {
			b.Fatal(n)
		}
	})
}

// The yardsticks: finding every "<", and the tokens of encoding/xml.
func BenchmarkIndexByte(b *testing.B) {
	bench(b, func(src []byte) {
		for rest := src; ; {
			i := bytes.IndexByte(rest, '<')
			if i < 0 {
				break
			}
			rest = rest[i+1:]
		}
	})
}

func BenchmarkEncodingXML(b *testing.B) {
	bench(b, func(src []byte) {
		for d := xml.NewDecoder(bytes.NewReader(src)); ; {
			if _, err := d.RawToken(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	})
}
