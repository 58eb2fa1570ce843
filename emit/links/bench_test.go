package links

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// pageOf makes a page like those of a Hugo theme: a head of about 4 KB, a body of 27 KB with links of the site's own,
// an icon in an svg, and n links that lead away, each with rel.
func pageOf(n int, rel string) []byte {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html lang=\"en-us\">\n<head><meta charset=\"utf-8\">\n<title>On the care of old " +
		"clocks</title>\n")
	for range 20 {
		b.WriteString("<meta property=\"og:image\" content=\"https://example.org/journal/old-clocks/cover.jpg\">\n")
		b.WriteString("<link rel=\"preload\" href=\"https://example.org/assets/site.min.3f2a.css\" " +
			"crossorigin=\"anonymous\">\n")
	}
	b.WriteString("<script>(function(d){for(var i=0;i<9;i++){d.push(i<<1)}})(window.q=[]);</script>\n</head>\n<body " +
		"class=\"post\">\n" +
		"<a class=\"logo\" href=\"/\"><svg viewBox=\"0 0 9 9\"><path d=\"M0 0h9v9z\"/></svg></a>\n")
	for i := 0; i < n || b.Len() < 31_500; i++ {
		if i < n {
			fmt.Fprintf(&b, "<p>See <a class=\"ref\" "+
				"href=\"https://clocks-%d.example/repair?lang=en&amp;id=%d\"%s>their note</a>.</p>\n", i%9, i, rel)
		} else {
			b.WriteString("<p>A clock that has <em>stood still</em> for a year wants oil, not force. See <a " +
				"href=\"/journal/oil/\">the note on oil</a>.</p>\n")
		}
	}
	b.WriteString("</body>\n</html>\n")
	return []byte(b.String())
}

func benchPolicy(b *testing.B) (links, all *Policy) {
	o := Options{
		Own: []Host{host(b, "*.example.org")},
		Rules: []Rule{
			{Rel: Nofollow, Except: []Host{host(b, "clocks-0.example"), host(b, "*.friend.example")}},
			{Rel: Sponsored, Hosts: []Host{host(b, "clocks-1.example")}},
			{Rel: UGC, Class: []Class{"comment"}},
		},
	}
	links = New(o)
	o.NoSnippet = []Class{"quiet"}
	return links, New(o)
}

var benchPages = []struct {
	name string
	n    int
	rel  string
}{
	{"Links0", 0, ""},
	{"Links20", 20, ""},
	{"Links20Done", 20, ` rel="nofollow noopener sponsored"`},
	{"Links500", 500, ""},
	{"Links500Done", 500, ` rel="nofollow noopener sponsored"`},
}

func BenchmarkScan(b *testing.B) {
	links, all := benchPolicy(b)
	for _, c := range benchPages {
		for _, of := range []struct {
			name   string
			policy *Policy
		}{{"", links}, {"Snippet", all}} {
			b.Run(c.name+of.name, func(b *testing.B) {
				src := pageOf(c.n, c.rel)
				var p Page
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				for b.Loop() {
					p.Scan(src, "https://example.org/journal/", of.policy)
				}
			})
		}
	}
}

func BenchmarkRewrite(b *testing.B) {
	links, _ := benchPolicy(b)
	for _, c := range benchPages {
		b.Run(c.name, func(b *testing.B) {
			src := pageOf(c.n, c.rel)
			var p Page
			var dst []byte
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if p.Scan(src, "https://example.org/journal/", links); len(p.Edits) > 0 {
					dst = p.rewrite(dst[:0], src)
				}
			}
		})
	}
}

// The yardsticks: finding every "<", and the tokenizer of x/net without and with the attributes of the links.
func BenchmarkIndexByte(b *testing.B) {
	for _, c := range benchPages[:2] {
		b.Run(c.name, func(b *testing.B) {
			src := pageOf(c.n, c.rel)
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				for rest := src; ; {
					i := bytes.IndexByte(rest, '<')
					if i < 0 {
						break
					}
					rest = rest[i+1:]
				}
			}
		})
	}
}

func BenchmarkXNetTokenizer(b *testing.B) {
	for _, c := range []int{0, 1, 3} {
		b.Run(benchPages[c].name, func(b *testing.B) {
			src := pageOf(benchPages[c].n, "")
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				links := 0
				for z := html.NewTokenizer(bytes.NewReader(src)); ; {
					k := z.Next()
					if k == html.ErrorToken {
						break
					}
					if name, more := z.TagName(); k == html.StartTagToken && len(name) == 1 && name[0] == 'a' {
						for more {
							var key []byte
							if key, _, more = z.TagAttr(); string(key) == "href" {
								links++
							}
						}
					}
				}
			}
		})
	}
}

// A page without an edit costs no memory once a Page has served one like it.
func TestHouse_NoAllocationsWhereNothingChanges(t *testing.T) {
	policy := New(Options{Rules: []Rule{{Rel: Nofollow, Except: []Host{host(t, "x:8080")}}, {Rel: UGC,
		Class: []Class{"comment"}}}, NoSnippet: []Class{"quiet"}})
	for _, src := range [][]byte{pageOf(0, ""), pageOf(500, " rel=nofollow"),
		[]byte(`<base href=//own.example/docs/><a href=x>`)} {
		var p Page
		urls := []string{"https://own.example/a/", "https://own.example/a/rather/long/address/of/a/page/index.html"}
		n := testing.AllocsPerRun(20, func() {
			for _, u := range urls {
				if p.Scan(src, u, policy); len(p.Edits) > 0 {
					t.Fatal(p.Edits)
				}
			}
		})
		if n != 0 {
			t.Errorf("%.0f allocations for %.60q", n, src)
		}
	}
}
