package head

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// swollen are pages that take a square of time where work is not bounded, each of n parts.
var swollen = []struct {
	name string
	page func(n int) string
}{
	{"open elements", func(n int) string { return strings.Repeat("<div>", n) + strings.Repeat("<p>x", n) }},
	{"open elements that no end tag closes",
		func(n int) string { return strings.Repeat("<x-y>", n) + strings.Repeat("</q>", n) }},
	{"closed and opened again", func(n int) string {
		return strings.Repeat("<div>", n) +
			strings.Repeat("</div><div>", n)
	}},
	{"elements of svg", func(n int) string { return "<svg>" + strings.Repeat("<g>", n) + strings.Repeat("</q>", n) }},
	{"CDATA of svg", func(n int) string { return "<svg>" + strings.Repeat("<![CDATA[x]]>", n) }},
	{"CDATA of svg, never closed", func(n int) string { return "<svg>" + strings.Repeat("<![CDATA[", n) }},
	{"CDATA of HTML", func(n int) string { return "<p>" + strings.Repeat("<![CDATA[", n) }},
	{"CDATA of an integration point",
		func(n int) string { return "<svg><title>" + strings.Repeat("<![CDATA[<]]>", n) }},
	{"formatting elements, each another", func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<font size=%d>", i)
		}
		return b.String()
	}},
	{"formatting elements, opened again and again", func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<font size=%d>", i)
		}
		return "<p>" + b.String() + strings.Repeat("</p><p>x", n)
	}},
	{"formatting elements that overlap",
		func(n int) string { return strings.Repeat("<b><div>", n) + strings.Repeat("</b>", n) }},
	{"links in links", func(n int) string { return strings.Repeat("<a><div>", n) }},
	{"templates", func(n int) string {
		return "<p>" + strings.Repeat("<template>", n) +
			strings.Repeat("</template>", n)
	}},
	{"tables", func(n int) string { return strings.Repeat("<table><td>", n) + strings.Repeat("</table>", n) }},
	{"markers", func(n int) string { return strings.Repeat("<object><b>", n) + strings.Repeat("</object>", n) }},
	{"lists", func(n int) string { return strings.Repeat("<ul><li>", n) + strings.Repeat("<li>", n) }},
	{"metas", func(n int) string { return "<p>" + strings.Repeat(probe, n) }},
	{"metas of the head", func(n int) string { return strings.Repeat(probe, n) }},
	{"metas in metas", func(n int) string { return "<p>" + strings.Repeat(`<meta a="`, n) }},
	{"metas in metas, quoted in turns",
		func(n int) string { return "<p>" + strings.Repeat(`<meta a="'<meta a='"`, n) }},
	{"metas that end an svg", func(n int) string { return "<p>" + strings.Repeat("<svg>"+probe+"<style>", n) }},
	{"metas that would close up", func(n int) string {
		return strings.Repeat("<", n) + strings.Repeat(strings.TrimPrefix(probe, "<"), n)
	}},
	{"less-than signs", func(n int) string { return strings.Repeat("<", n) }},
	{"comments that never end", func(n int) string { return "<p>" + strings.Repeat("<!--", n) }},
	{"scripts in scripts", func(n int) string { return "<p><script>" + strings.Repeat("<!--<script>", n) }},
}

// work returns what reading a page takes: bytes read of tags, and nodes of a tree.
func work(src []byte) int {
	var s Scanner
	f := s.Scan(src, robots)
	total := s.page.work + len(f.Robots)
	if s := measure(src); s.elements*(1+s.reopened) > maxNodes {
		return total
	}
	if doc, err := html.Parse(bytes.NewReader(src)); err == nil {
		for range doc.Descendants() {
			total++
		}
	}
	return total
}

func TestHouse_WorkGrowsWithThePage(t *testing.T) {
	const n = 2000
	for _, c := range swollen {
		small := work([]byte(c.page(n) + probe))
		large := work([]byte(c.page(8*n) + probe))
		if large > 10*small {
			t.Errorf("%s: %d parts take %d, %d take %d", c.name, n, small, 8*n, large)
		}
	}
}

// A rewrite takes one pass, and a second one changes nothing.
func TestHouse_SwollenPagesKeepTheLaw(t *testing.T) {
	for _, c := range swollen {
		if err := law([]byte(c.page(700) + probe)); err != nil {
			t.Errorf("%s: %.300v", c.name, err)
		}
	}
}

// A template that deep is one still: what is in it is no meta (M2b).
func TestHouse_DepthOf512(t *testing.T) {
	deep := strings.Repeat("<div>", 600)
	for page, want := range map[string]int{
		deep + probe: 1,
		deep + "<template>" + probe + "</template>":                                       0,
		deep + "<template>" + probe + "</template>" + probe:                               1,
		deep + "<template><script>'<template>'</script></template>" + probe:               1,
		deep + "<table><tr><td>" + probe + "</table>" + probe:                             2,
		deep + "<svg><style>" + probe + "</style></svg>":                                  1,
		deep + "<style>" + probe + "</style><p>":                                          0,
		deep + strings.Repeat("</div>", 600) + "<textarea>" + probe + "</textarea><p>":    0,
		strings.Repeat("<template>", 600) + probe:                                         0,
		strings.Repeat("<template>", 600) + strings.Repeat("</template>", 600) + probe:    1,
		strings.Repeat("<font>", 600) + "<svg><desc><template>" + probe + "</template>":   0,
		strings.Repeat("<b><i><u>", 300) + "<p>" + strings.Repeat("</b>", 300) + probe:    1,
		strings.Repeat("<svg><desc>", 600) + strings.Repeat("</desc></svg>", 600) + probe: 1,
	} {
		if got := ours(new(Scanner), []byte(page)); got.body+got.head != want {
			t.Errorf("got %v, want %d of %.20s … %s", got, want, page, page[len(page)-60:])
		}
	}
}

// A page with more tags than x/net may make a tree of is read tag by tag: all of its links count,
// at a fraction of the memory (M2b).
func TestHouse_APageOfManyTagsTakesNoTree(t *testing.T) {
	const n = maxTags + 1
	src := []byte("<!doctype html><body>" + strings.Repeat("<a href=x>x</a>", n))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var s Scanner
	all, _ := s.Elements(src, func(from, attrs int) bool { return Fold(src[from+1:attrs], "a") })
	runtime.ReadMemStats(&after)
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; len(all) != n || took > 400 {
		t.Errorf("%d links of %d, with %d MB", len(all), n, took)
	}
}
