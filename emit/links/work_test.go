package links

import (
	"fmt"
	"strings"
	"testing"
)

// Pages that take a square of time where work is not bounded, each of n parts.
func TestHouse_WorkGrowsWithThePage(t *testing.T) {
	for _, c := range []struct {
		name string
		page func(n int) string
	}{
		{"links in links", func(n int) string { return strings.Repeat(`<a x="`, n) }},
		{"links in links, quoted in turns", func(n int) string { return strings.Repeat(`<a x="'<a x='"`, n) }},
		{"names that never end", func(n int) string { return strings.Repeat("<a<b<area<div", n) }},
		{"classes that never end", func(n int) string { return strings.Repeat(`<p class="quieter `, n) }},
		{"links that never end", func(n int) string { return strings.Repeat("<svg><!--<a href=//x ", n) + ">" }},
		{"links that stay", func(n int) string { return strings.Repeat("<a href=/x>", n) }},
		{"bases without an address", func(n int) string {
			return strings.Repeat("<base>", n) +
				strings.Repeat("<a href=//x>", n)
		}},
	} {
		work := func(n int) int {
			p := Scan([]byte(c.page(n)), own, everything)
			return p.work
		}
		const n = 2000
		if small, large := work(n), work(8*n); large > 9*small {
			t.Errorf("%s: %d parts take %d bytes, %d take %d", c.name, n, small, 8*n, large)
		}
	}
}

// No link leads to a host whose name is longer than DNS allows, and none is mapped to ASCII.
func TestStandard_HostNamesHaveAnEnd(t *testing.T) {
	for _, label := range []string{"a.", "ü", "%C3%BC"} {
		for n, want := range map[int]bool{10: true, 100_000: false} {
			p := Scan([]byte("<a href=//"+strings.Repeat(label, n)+"example/>"), own, everything)
			if got := p.Edited == 1; got != want {
				t.Errorf("%d times %s: edited %v", n, label, got)
			}
		}
	}
}

// A page without an edit is not copied: it costs a Page, and each host that its links name.
func TestHouse_NoCopyWhereNothingChanges(t *testing.T) {
	policy := New(Config{Rules: []Rule{{Rel: Nofollow, Except: []Host{host(t, "x:8080")}}, {Rel: UGC,
		Class: []Class{"comment"}}}, NoSnippet: []Class{"quiet"}})
	for src, most := range map[string]float64{string(pageOf(0, "")): 5, string(pageOf(500, " rel=nofollow")): 505,
		`<base href=//own.example/docs/><a href=x>`: 6} {
		page := []byte(src)
		n := testing.AllocsPerRun(20, func() {
			if p := Scan(page, "https://own.example/a/rather/long/address/of/a/page/index.html", policy); p.Edited > 0 {
				t.Fatal(p.Inserts)
			}
		})
		if n > most {
			t.Errorf("%.0f allocations for %.60q", n, src)
		}
	}
}

// pageOf makes a page like those of a theme, with links of the site's own, an icon in an svg, and n
// links that lead away, each with rel.
func pageOf(n int, rel string) []byte {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html lang=\"en-us\">\n<head><meta charset=\"utf-8\">\n<title>Clocks</title>\n" +
		"<script>(function(d){for(var i=0;i<9;i++){d.push(i<<1)}})(window.q=[]);</script>\n</head>\n<body>\n" +
		"<a class=\"logo\" href=\"/\"><svg viewBox=\"0 0 9 9\"><path d=\"M0 0h9v9z\"/></svg></a>\n")
	for i := range n {
		fmt.Fprintf(&b, "<p>See <a href=\"https://clocks-%d.example/repair?lang=en&amp;id=%d\"%s>a note</a>.</p>\n", i%9, i, rel)
	}
	b.WriteString(strings.Repeat("<p>A clock that <em>stood</em> still wants <a href=\"/oil/\">oil</a>.</p>\n", 200))
	return []byte(b.String())
}
