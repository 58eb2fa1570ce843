package sitemap

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

const head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- <url><loc>https://example.org/comment/</loc></url> -->\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"\n  xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n"

// S1: an entry leaves with the white space in front of it, the rest stays byte for byte.
func TestHouse_EntriesLeaveAndTheRestStays(t *testing.T) {
	entry := func(loc string) string {
		return "  <url>\n    <loc>" + loc + "</loc><lastmod>2026-01-01</lastmod>\n    <xhtml:link rel=\"alternate\" href=\"https://example.org/x/\"/>\n  </url>\n"
	}
	src := head + entry("https://example.org/a/") + entry(" https://example.org/b/?x=1&amp;y=2 ") + entry("<![CDATA[https://example.org/c/]]>") + "</urlset>\n"
	f, err := Read([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	var locs []string
	for _, e := range f.Entries {
		locs = append(locs, e.Loc)
	}
	if got := strings.Join(locs, " "); got != "https://example.org/a/ https://example.org/b/?x=1&y=2 https://example.org/c/" || f.Index {
		t.Errorf("locs %s, index %v", got, f.Index)
	}
	out, n := f.Without(func(loc string) bool { return strings.Contains(loc, "/b/") })
	want := head + strings.TrimSuffix(entry("https://example.org/a/"), "\n") + "\n" + entry("<![CDATA[https://example.org/c/]]>") + "</urlset>\n"
	if n != 1 || string(out) != want {
		t.Errorf("%d dropped\n got %q\nwant %q", n, out, want)
	}
	if out, n := f.Without(func(string) bool { return false }); n != 0 || string(out) != src {
		t.Errorf("nothing dropped, but %d and %q", n, out)
	}
	if out, n := f.Without(func(string) bool { return true }); n != 3 || string(out) != head+"</urlset>\n" && string(out) != strings.TrimSuffix(head, "\n")+"\n</urlset>\n" {
		t.Errorf("all dropped: %d and %q", n, out)
	}
}

func TestHouse_IndexAndOthers(t *testing.T) {
	f, err := Read([]byte("\ufeff<sitemapindex><sitemap><loc>https://example.org/en/sitemap.xml</loc></sitemap></sitemapindex>"))
	if err != nil || !f.Index || len(f.Entries) != 1 {
		t.Errorf("%+v, %v", f, err)
	}
	for _, src := range []string{"<rss><channel/></rss>", "<urlset><url></urlset>", "not xml <"} {
		if f, err := Read([]byte(src)); err == nil && len(f.Entries) > 0 {
			t.Errorf("%q: %+v", src, f)
		}
	}
}

// What is taken out and what is kept are together what was there.
func FuzzWithout(f *testing.F) {
	f.Add([]byte(head+"<url><loc>a</loc></url> <url><loc>b</loc></url></urlset>"), 1)
	f.Add([]byte("<urlset><url/><url><loc>x</loc></url></urlset>"), 3)
	f.Fuzz(func(t *testing.T, src []byte, mask int) {
		s, err := Read(src)
		if err != nil {
			return
		}
		i := 0
		out, n := s.Without(func(string) bool { i++; return mask>>(i%30)&1 == 1 })
		again, err := Read(out)
		if err != nil {
			t.Fatalf("%q without entries is no sitemap: %v", out, err)
		}
		if len(again.Entries) != len(s.Entries)-n {
			t.Fatalf("%d entries, %d dropped, %d left\n%q\n%q", len(s.Entries), n, len(again.Entries), src, out)
		}
	})
}

func BenchmarkRead50000(b *testing.B) {
	var src bytes.Buffer
	src.WriteString(head)
	for i := range 50000 {
		fmt.Fprintf(&src, "  <url>\n    <loc>https://example.org/section/page-%d/</loc>\n    <lastmod>2026-04-15T00:00:00+00:00</lastmod>\n  </url>\n", i)
	}
	src.WriteString("</urlset>\n")
	b.SetBytes(int64(src.Len()))
	b.ReportAllocs()
	for b.Loop() {
		f, err := Read(src.Bytes())
		if err != nil {
			b.Fatal(err)
		}
		f.Without(func(loc string) bool { return strings.HasSuffix(loc, "7/") })
	}
}
