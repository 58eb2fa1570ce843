package head

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"metarobots/emit/patch"
)

const newAddress = "https://example.org/docs/it's&a/"

// named is a page that names newAddress as canonical; stray is what [Scanner.StrayCanonical] says
// of it before.
func named(src string) (out string, stray int, undo patch.Patch) {
	s := Scanner{Relations: true}
	f := s.Scan([]byte(src), func([]byte) Kind { return None })
	stray = s.StrayCanonical(&f)
	made := patch.New([]byte(src), f.CanonicalEdits(newAddress))
	page, _ := made.Apply(nil, []byte(src))
	return string(page), stray, made.Inverse()
}

// L10k: a link gets another address in the place of its own, within its quotes, and a page without
// one gets one where its robots tag would be.
func TestHouse_CanonicalLinksGetAnotherAddress(t *testing.T) {
	const double, single = `"https://example.org/docs/it's&amp;a/"`, `'https://example.org/docs/it&#39;s&amp;a/'`
	const added = `<link rel="canonical" href=` + double + ` />`
	for _, c := range []struct{ name, page, want string }{
		{"double quotes", `<head><link rel="canonical" href="/a"><title>`, `<head><link rel="canonical" href=` + double + `><title>`},
		{"single quotes", `<head><LINK HREF = '/a' REL=Canonical />`, `<head><LINK HREF = ` + single + ` REL=Canonical />`},
		{"no quotes", `<head><link href=/a/ rel=canonical>`, `<head><link href=` + double + ` rel=canonical>`},
		{"no quotes, at the end", `<head><link rel=canonical href=/a>`, `<head><link rel=canonical href=` + double + `>`},
		{"an empty value", `<head><link rel=canonical href="">`, `<head><link rel=canonical href=` + double + `>`},
		{"an empty value without quotes", `<head><link rel=canonical href=>`, `<head><link rel=canonical href=` + double + `>`},
		{"no value", `<head><link rel=canonical href><link rel=icon href>`,
			`<head><link rel=canonical href=` + double + `><link rel=icon href>`},
		{"the first of two attributes", `<head><link rel=canonical href="/a" href="/b">`,
			`<head><link rel=canonical href=` + double + ` href="/b">`},
		{"two links", `<head><link rel=canonical href="/a"><link rel="x canonical" href='/a'>`,
			`<head><link rel=canonical href=` + double + `><link rel="x canonical" href=` + single + `>`},
		{"none", "<!doctype html>\r\n<head>\r\n<meta charset=utf-8>\r\n<title>", "<!doctype html>\r\n<head>\r\n<meta charset=utf-8>" +
			added + "\r\n<title>"},
		{"one in a comment, a script, a noscript, a template", `<head><!--<link rel=canonical href=/a>--><script>"<link rel=canonical ` +
			`href=/a>"</script><noscript><link rel=canonical href=/a></noscript><template><link rel=canonical href=/a></template>`,
			`<head>` + added + `<!--<link rel=canonical href=/a>--><script>"<link rel=canonical ` +
				`href=/a>"</script><noscript><link rel=canonical href=/a></noscript><template><link rel=canonical href=/a></template>`},
		{"one without an address", `<head><link rel=canonical>`, `<head>` + added + `<link rel=canonical>`},
	} {
		got, stray, undo := named(c.page)
		if got != c.want || stray != 0 {
			t.Errorf("%s:\n%s, line %d is stray; want\n%s", c.name, got, stray, c.want)
		}
		if back, ok := undo.Apply(nil, []byte(got)); !ok || string(back) != c.page {
			t.Errorf("%s: taken back it is %q", c.name, back)
		}
	}
}

// L10n: canonical links of the body, and those that are too long to be read, are known.
func TestHouse_StrayCanonicalLinksAreFound(t *testing.T) {
	for page, want := range map[string]int{
		"<head>\n<div>\n<link rel=canonical href=/a>":                                          3,
		"<head></head><body><p>x\n<link href=/a rel='x Canonical'>":                            2,
		"<head><link rel=canonical href=/a></head><body>\n<link rel=canonical href=/a>":        2,
		"<head>\n<link rel=canonical href='" + strings.Repeat("a", maxValue+1) + "'>":          2,
		"<head></head>\n<link rel=canonical href=/a><body>":                                    0, // it is in the head
		"<head></head><body><!--<link rel=canonical href=/a>--><link rel=icon href=canonical>": 0,
		"<head></head><body><link rel=canonical>":                                              0,
	} {
		if _, got, _ := named(page); got != want {
			t.Errorf("%.100s: line %d, want %d", page, got, want)
		}
	}
}

// L10q, by the tree that x/net makes: whatever a page is made of, all canonical links of its head
// get the address, there is at least one, and the bytes come back.
func TestLaw_AllCanonicalLinksOfAHeadNameOneAddress(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	links := []string{`<link rel=canonical href=/a>`, `<link rel="canonical" href='/b'>`, `<link href rel=canonical>`, `<meta>`}
	runs, edited := 20_000, 0
	if testing.Short() {
		runs = 2_000
	}
	for range runs {
		src := "<!doctype html>" + soupOfHeads(r, links)
		out, stray, undo := named(src)
		if back, ok := undo.Apply(nil, []byte(out)); !ok || string(back) != src {
			t.Fatalf("%q is not given back by %q", src, out)
		}
		if explained(src) {
			continue
		}
		inHead, elsewhere := canonicalsOf(t, out)
		if len(inHead) == 0 {
			t.Fatalf("%q names nothing: %q", src, out)
		}
		for _, href := range inHead {
			if href != newAddress {
				t.Fatalf("%q names %q in its head: %q", src, href, out)
			}
		}
		if elsewhere > 0 && stray == 0 {
			t.Fatalf("%q has a link in its body that nobody knows of", src)
		}
		edited++
	}
	if edited < runs/2 {
		t.Fatalf("only %d of %d pages were compared", edited, runs)
	}
}

// soupOfHeads is a page with links among what may be in a head and what ends it.
func soupOfHeads(r *rand.Rand, links []string) string {
	var b strings.Builder
	among := []string{"<head>", "</head>", "<title>x</title>", "<script>x</script>", "<style></style>", "<noscript>", "</noscript>",
		"<template>", "</template>", "<!--", "-->", "<body>", "<p>", "x", " ", "<base>", "<svg>", "</svg>", "<textarea>", "<html lang=en>"}
	for range 1 + r.IntN(10) {
		if r.IntN(3) == 0 {
			b.WriteString(links[r.IntN(len(links))])
		} else {
			b.WriteString(among[r.IntN(len(among))])
		}
	}
	return b.String()
}

// canonicalsOf are the addresses of the canonical links of a page's head, and how many are
// elsewhere, outside of templates.
func canonicalsOf(t *testing.T, page string) (inHead []string, elsewhere int) {
	t.Helper()
	doc, err := html.Parse(bytes.NewReader([]byte(page)))
	if err != nil {
		t.Fatal(err)
	}
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		if n.DataAtom == atom.Template {
			return
		}
		if n.DataAtom == atom.Link && n.Namespace == "" {
			attrs, isThere := map[string]string{}, map[string]bool{}
			for _, a := range n.Attr {
				attrs[a.Key], isThere[a.Key] = a.Val, true
			}
			switch isCanonical := strings.Contains(attrs["rel"], "canonical") && isThere["href"]; {
			case isCanonical && n.Parent.DataAtom == atom.Head:
				inHead = append(inHead, attrs["href"])
			case isCanonical:
				elsewhere++
			}
		}
		for c := range n.ChildNodes() {
			visit(c)
		}
	}
	visit(doc)
	return inHead, elsewhere
}
