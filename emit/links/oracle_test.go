package links

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"metarobots/internal/tables"
)

// probes are tags to be edited and their likes that are not.
var probes = []string{
	`<a href=//out>`, `<a href="https://out/x">`, `<a href='http://out' rel=noopener>`, `<a rel href=//out>`,
	`<a href=//out rel="a b ">`,
	`<a href=//out rel='nofollow'>`, `<a rel=x"y href=//out>`, `<A HREF=//out REL=>`, `<area href=//out>`,
	`<a href=/own>`, `<a href=mailto:x>`, `<a>`,
	`<div class=quiet>`, `<span class="x quiet">`, `<section class=quiet data-nosnippet>`, `<div class=loud>`,
	`<p class=quiet>`,
	`<base href=/>`, `<base href=//cdn>`, `<a href=x>`,
}

// vocabulary is what the soup is cooked from: the tags that tree construction treats in a way of
// their own, and the tokens that end and hide others.
var vocabulary = func() (v []string) {
	for _, n := range strings.Fields("html head body title meta base link script style noscript template svg math " +
		"desc foreignobject " +
		"annotation-xml mi mtext p div section span b i font nobr a area map h1 ul li dd form button table caption " +
		"colgroup col tbody tr td th select option " +
		"optgroup input textarea iframe xmp plaintext noembed noframes frameset frame object marquee applet ruby rt " +
		"rp br hr img pre x-y") {
		if n != "plaintext" {
			v = append(v, "</"+n+">")
		}
		v = append(v, "<"+n+">")
	}
	for range 5 {
		v = append(v, probes...)
	}
	return append(v, "x", " ", "\n", "<", "<!---->", "<!--", "-->", "<![CDATA[", "]]>", "<svg/>", "<!doctype html>",
		"<?xml?>", "</>",
		"<script><!--", "<script><!--<script>", "'", `"`, "<a b='", "<a ", "<br/>", "&amp;", "\x00", "\r\n", "</a",
		"\xff")
}()

// cook makes a page; pick returns a number below n.
func cook(pick func(n int) int) string {
	var b strings.Builder
	for range 1 + pick(14) {
		b.WriteString(vocabulary[pick(len(vocabulary))])
	}
	return b.String()
}

// differences are the reasons why x/net may see other links than we do, each with a pattern of the
// pages it can concern: there x/net departs from the standard, and emit/head has the cases; or one
// tag makes two elements.
var differences = []struct {
	reason  string
	concern *regexp.Regexp
}{
	{"gives up at a template in foreign content", regexp.MustCompile(`(?is)<(svg|math).*<template`)},
	{"ends the escape of a script at a < that begins nothing", regexp.MustCompile(`(?is)<script.*<!--.*<[^a-z/]`)},
	{"reads the text of an element that is ignored in a column group", regexp.MustCompile(`(?is)<template.*<col`)},
	{"takes a byte order mark for text", regexp.MustCompile(`^\x{FEFF}`)},
	{"a link of a template is opened anew after it, and both have one tag", regexp.MustCompile(`(?is)<template.*<(applet|marquee|object|td|th|caption)`)},
}

func explained(src []byte) bool {
	for _, d := range differences {
		if d.concern.Match(src) {
			return true
		}
	}
	return false
}

// A link that is opened anew outside of what it stood in is one there.
func TestStandard_LinksThatAreOpenedAnewElsewhere(t *testing.T) {
	for _, page := range []string{"<template><a href=//out><object></template>x", "<a href=//out><frameset></frameset></html> "} {
		if err := judge([]byte(page)); err != nil {
			t.Error(err)
		}
		if edit(everything, page) == page {
			t.Errorf("%q: left alone", page)
		}
	}
}

// dom checks a page against the parser of x/net: what differs between the pages before and after is
// the rel and data-nosnippet that were asked for, on exactly the elements that were to have it.
func dom(src []byte) error {
	p := Scan(src, own, everything)
	if p.Encoding != "" {
		return nil
	}
	before, err := html.Parse(bytes.NewReader(src))
	if err != nil {
		return nil // nested too deep for x/net
	}
	after, err := html.Parse(bytes.NewReader(p.rewrite(nil, src)))
	if err != nil {
		return fmt.Errorf("it cannot be parsed any more: %v", err)
	}
	base := first(before, func(n *html.Node) bool {
		_, ok := attribute(n, "href")
		return ok && n.Data == "base" && n.Namespace == ""
	})
	at := resolve([]byte(own), place{})
	if base != nil {
		href, _ := attribute(base, "href")
		if to := led(href, at); !to.elsewhere() {
			at = to
		}
	}
	return same(before, after, at)
}

// led reads an href as a node has it. Where URLs lead is tested by itself: the same code is asked
// here.
func led(href string, base place) place {
	return resolve([]byte(strings.ReplaceAll(href, "&", "&amp;")), base)
}

func attribute(n *html.Node, key string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val, true
		}
	}
	return "", false
}

// first returns the first element outside of templates that holds what is wanted.
func first(n *html.Node, holds func(*html.Node) bool) *html.Node {
	if n.Type == html.ElementNode {
		if n.Data == "template" && n.Namespace == "" {
			return nil
		}
		if holds(n) {
			return n
		}
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if f := first(k, holds); f != nil {
			return f
		}
	}
	return nil
}

// same compares two trees; base is where their relative URLs lead.
func same(a, b *html.Node, base place) error {
	if a.Type != b.Type || a.Data != b.Data || a.Namespace != b.Namespace {
		return fmt.Errorf("a node %q became %q", a.Data, b.Data)
	}
	want := map[string]string{}
	for _, t := range a.Attr {
		if _, twice := want[t.Namespace+" "+t.Key]; !twice {
			want[t.Namespace+" "+t.Key] = t.Val
		}
	}
	if a.Type == html.ElementNode && a.Namespace == "" && !within(a, "template") {
		href, link := attribute(a, "href")
		at := led(href, base)
		link = link && !at.elsewhere() && string(at.host) != "own.example"
		if rel := strings.Fields(want[" rel"]); link && (a.Data == "a" || a.Data == "area") && !slices.Contains(rel, "nofollow") {
			want[" rel"] = strings.Join(append(rel, "nofollow"), " ")
		}
		if a.Data == "div" || a.Data == "span" || a.Data == "section" {
			if _, there := want[" data-nosnippet"]; !there && slices.Contains(strings.Fields(want[" class"]), "quiet") {
				want[" data-nosnippet"] = ""
			}
		}
	}
	seen := map[string]bool{}
	for _, t := range b.Attr {
		key := t.Namespace + " " + t.Key
		if seen[key] {
			continue // x/net keeps what occurs twice
		}
		seen[key] = true
		w, ok := want[key]
		if key == " rel" && ok && w != t.Val {
			w, t.Val = strings.Join(strings.Fields(w), " "), strings.Join(strings.Fields(t.Val), " ")
		}
		if !ok || w != t.Val {
			return fmt.Errorf("<%s> has %s=%q, want %q, %v", b.Data, key, t.Val, w, ok)
		}
		delete(want, key)
	}
	if len(want) > 0 {
		return fmt.Errorf("<%s> lacks %v", b.Data, want)
	}
	k, l := a.FirstChild, b.FirstChild
	for ; k != nil && l != nil; k, l = k.NextSibling, l.NextSibling {
		if err := same(k, l, base); err != nil {
			return err
		}
	}
	if k != nil || l != nil {
		return fmt.Errorf("the children of <%s> are not as many", a.Data)
	}
	return nil
}

func within(n *html.Node, name string) bool {
	for ; n != nil; n = n.Parent {
		if n.Data == name && n.Namespace == "" && n.Type == html.ElementNode {
			return true
		}
	}
	return false
}

// judge applies both laws to a page.
func judge(src []byte) error {
	if err := law(src, everything); err != nil {
		return err
	}
	if err := dom(src); err != nil && !explained(src) {
		return err
	}
	return nil
}

// A probe at every offset of every page: exactly what x/net makes a link of is edited. With
// PROOFS=all, else at every sixth offset, others in each page.
func TestStandard_ProbeAtEveryOffsetSameAsXNet(t *testing.T) {
	cases, edited, step := 0, 0, 6
	if os.Getenv("PROOFS") == "all" {
		step = 1
	}
	pages, _ := tables.HTML5Lib(t)
	for n, page := range pages {
		for i := n % step; i <= min(len(page), 400); i += step {
			src := []byte(page[:i] + probes[(n+i)%len(probes)] + page[i:])
			cases++
			if p := Scan(src, own, everything); p.Edited > 0 {
				edited++
			}
			if err := judge(src); err != nil {
				t.Errorf("page %d, offset %d: %v\n%q", n, i, err, src)
				break
			}
		}
	}
	if edited < 7_800/step {
		t.Errorf("the pages are not those they were: %d edited of %d", edited, cases)
	}
	t.Logf("%d cases, %d edited", cases, edited)
}

// Random soup, with PROOFS=all ten times as much.
func TestStandard_SoupSameAsXNet(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	apart, n := 0, 4_000
	if os.Getenv("PROOFS") == "all" {
		n = 40_000
	}
	for range n {
		src := []byte(cook(r.IntN))
		if err := judge(src); err != nil {
			t.Errorf("%v\n%q", err, src)
		}
		if explained(src) {
			apart++
		}
	}
	t.Logf("%d not compared", apart)
	if apart > n/10 {
		t.Errorf("%d pages were not compared", apart)
	}
}

func FuzzLinksAreThoseOfXNet(f *testing.F) {
	for _, s := range probes {
		f.Add([]byte(s))
	}
	pages, _ := tables.HTML5Lib(f)
	for i, page := range pages {
		if i%4 == 0 {
			f.Add([]byte(page[:len(page)/2] + probes[i%len(probes)] + page[len(page)/2:]))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if err := judge(src); err != nil {
			t.Errorf("%v\nof %q", err, src)
		}
	})
}
