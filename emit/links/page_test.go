package links

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"metarobots/emit/head"
	"metarobots/emit/patch"
)

// everything asks for nofollow on every link that leads away, and for no snippet of "quiet".
var everything = New(Options{Rules: []Rule{{Rel: Nofollow}}, NoSnippet: []Class{"quiet"}})

// rewrite appends src, which is what p has scanned, to dst with the edits.
func (p *Page) rewrite(dst, src []byte) []byte {
	made := patch.New(src, p.Inserts)
	out, _ := made.Apply(dst, src)
	return out
}

func edit(policy *Policy, src string) string {
	var p Page
	p.Scan([]byte(src), own, policy)
	return string(p.rewrite(nil, []byte(src)))
}

func ExamplePage_Scan() {
	any, _ := ParseHost("*.shop.example")
	policy := New(Options{Rules: []Rule{
		{Rel: Nofollow},
		{Rel: Sponsored, Hosts: []Host{any}},
	}})
	src := []byte(`<p><a href="/">Home</a>, <a href=//www.shop.example rel=noopener>a shop</a>`)
	var p Page
	p.Scan(src, "https://example.com/p/", policy)
	for _, e := range p.Edits {
		fmt.Println(head.Line(src, e.Offset), e.Name, e.What())
	}
	made := patch.New(src, p.Inserts)
	out, _ := made.Apply(nil, src)
	fmt.Printf("%s\n", out)
	src, _ = made.Undo(nil, out)
	fmt.Printf("%s\n", src)
	// Output:
	// 1 a nofollow sponsored
	// <p><a href="/">Home</a>, <a href=//www.shop.example rel="noopener nofollow sponsored">a shop</a>
	// <p><a href="/">Home</a>, <a href=//www.shop.example rel=noopener>a shop</a>
}

// Where want is empty the page stays as it is.
func TestHouse_RelIsAddedToWhatStands(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"no rel", `<a href="//x">`, `<a rel="nofollow" href="//x">`},
		{"empty rel", `<a href="//x" rel="">`, `<a href="//x" rel="nofollow">`},
		{"rel without a value", `<a href="//x" rel>`, `<a href="//x" rel="nofollow">`},
		{"rel without a value, in between", `<a rel href="//x">`, `<a rel="nofollow" href="//x">`},
		{"rel without a value, before a slash", `<a href="//x" rel/>`, `<a href="//x" rel="nofollow"/>`},
		{"rel with nothing after its sign", `<a href="//x" rel=>`, `<a href="//x" rel="nofollow">`},
		{"rel with a blank after its sign", `<a href="//x" rel = >`, `<a href="//x" rel = "nofollow">`},
		{"double quotes", `<a rel="noopener" href="//x">`, `<a rel="noopener nofollow" href="//x">`},
		{"single quotes", `<a rel='noopener noreferrer' href='//x'>`,
			`<a rel='noopener noreferrer nofollow' href='//x'>`},
		{"no quotes", `<a href=//x rel=noopener>`, `<a href=//x rel="noopener nofollow">`},
		{"no quotes, then a slash that belongs to it", `<a href=//x rel=noopener/>`,
			`<a href=//x rel="noopener/ nofollow">`},
		{"no quotes, then a blank and a slash", `<a href=//x rel=noopener />`,
			`<a href=//x rel="noopener nofollow" />`},
		{"no quotes, and one quote within", `<a href=//x rel=no"opener>`, `<a href=//x rel=no"opener&#32;nofollow>`},
		{"no quotes, and a single one within", `<a href=//x rel=no'opener>`, `<a href=//x rel="no'opener nofollow">`},
		{"white space kept", "<a rel=' Me\n\tNoOpener ' href=//x>", "<a rel=' Me\n\tNoOpener nofollow' href=//x>"},
		{"white space alone", `<a rel=" " href=//x>`, `<a rel=" nofollow" href=//x>`},
		{"there already", `<a rel="nofollow" href=//x>`, ""},
		{"there already, in capitals", `<a rel="External NOFOLLOW" href=//x>`, ""},
		{"there already, with commas", `<a rel="ugc,nofollow" href=//x>`, ""},
		{"there already, as a reference", `<a rel="no&#102;ollow" href=//x>`, ""},
		{"part of another", `<a rel="nofollows xnofollow" href=//x>`,
			`<a rel="nofollows xnofollow nofollow" href=//x>`},
		{"a kelvin sign is no k", "<a rel='nofollo\u212A' href=//x>", "<a rel='nofollo\u212A nofollow' href=//x>"},
		{"the first rel counts", `<a rel=a rel=nofollow href=//x>`, `<a rel="a nofollow" rel=nofollow href=//x>`},
		{"the first href counts", `<a href=/ href=//x>`, ""},
		{"the first href leads away", `<a href=//x href=/>`, `<a rel="nofollow" href=//x href=/>`},
		{"upper case", `<A HREF=//x REL=ME>`, `<A HREF=//x REL="ME nofollow">`},
		{"slashes for blanks", `<a/href=//x/rel=y>`, `<a rel="nofollow"/href=//x/rel=y>`},
		{"slashes for blanks, quoted", `<a/href="//x"/rel=y>`, `<a/href="//x"/rel="y nofollow">`},
		{"no blank between attributes", `<a href="//x"rel="y"title="z">`, `<a href="//x"rel="y nofollow"title="z">`},
		{"line ends", "<a\r\nhref\r\n=\r\n'//x'\r\n>", "<a rel=\"nofollow\"\r\nhref\r\n=\r\n'//x'\r\n>"},
		{"an unfinished reference", `<a href=//x rel="a&amp">`, `<a href=//x rel="a&amp nofollow">`},
		{"data-rel is none", `<a href=//x data-rel=a>`, `<a rel="nofollow" href=//x data-rel=a>`},
		{"a null in its name", "<a href=//x re\x00l=a>", "<a rel=\"nofollow\" href=//x re\x00l=a>"},
		{"a sign before the name", `<a href=//x =rel=a>`, `<a rel="nofollow" href=//x =rel=a>`},
		{"a greater-than in a value", `<a title="a>b" href=//x>`, `<a rel="nofollow" title="a>b" href=//x>`},
		{"bytes that are no UTF-8", "\xff<a title=\xc3 href=//x>\xfe", "\xff<a rel=\"nofollow\" title=\xc3 " +
			"href=//x>\xfe"},
		{"area", `<map><area href=//x></map>`, `<map><area rel="nofollow" href=//x></map>`},
		{"byte order mark", "\uFEFF<a href=//x>", "\uFEFF<a rel=\"nofollow\" href=//x>"},
		{"several", `<a href=//x><a href=/><a href=//y>`,
			`<a rel="nofollow" href=//x><a href=/><a rel="nofollow" href=//y>`},

		{"no href", `<a rel=me>`, ""},
		{"a name", `<a name=//x>`, ""},
		{"another element", `<link href=//x><form action=//x><img href=//x><abbr href=//x><a-b href=//x>`, ""},
		{"in a comment", `<!-- <a href=//x> -->`, ""},
		{"in a script", `<script>"<a href=//x>"</script>`, ""},
		{"in a style", `<style>/*<a href=//x>*/</style>`, ""},
		{"in a title", `<title><a href=//x></title>`, ""},
		{"in a textarea", `<textarea><a href=//x></textarea>`, ""},
		{"in a noscript", `<noscript><a href=//x></noscript>`, ""},
		{"in a noscript of the head", `<head><noscript><a href=//x></noscript>`, ""},
		{"in a template", `<template><a href=//x></template>`, ""},
		{"in a template of the body", `<p><template><div><a href=//x></div></template>`, ""},
		{"in an iframe", `<iframe><a href=//x></iframe>`, ""},
		{"in an xmp", `<xmp><a href=//x></xmp>`, ""},
		{"in plain text", `<plaintext><a href=//x>`, ""},
		{"in a value", `<p title='<a href=//x>'>`, ""},
		{"of an svg", `<svg><a href=//x xlink:href=//x></a></svg>`, ""},
		{"of a math", `<math><a href=//x></a></math>`, ""},
		{"in a frameset", `<frameset><a href=//x>`, ""},
		{"before a frameset", `<span><a href=//x></a></span><frameset>`, ""},
		{"cut off", `<p><a href=//x`, ""},
		{"cut off in a value", `<p><a href="//x>`, ""},
		{"a null in the tag's name", "<a\x00 href=//x>", ""},

		{"in a foreignObject", `<svg><foreignObject><a href=//x>`, `<svg><foreignObject><a rel="nofollow" href=//x>`},
		{"in a style of an svg", `<svg><style><a href=//x></style></svg><a href=//x>`, `<svg><style><a href=//x></style></svg><a rel="nofollow" href=//x>`},
		{"after an svg that a p ends", `<svg><p><a href=//x>`, `<svg><p><a rel="nofollow" href=//x>`},
		{"in a table", `<table><tr><a href=//x>`, `<table><tr><a rel="nofollow" href=//x>`},
		{"in a select", `<select><option><a href=//x></select>`, `<select><option><a rel="nofollow" href=//x></select>`},
		{"without a body", `<!doctype html><html><head><title>x</title><a href=//x>`, `<!doctype html><html><head><title>x</title><a rel="nofollow" href=//x>`},
		{"after the end", `<body></body></html><a href=//x>`, `<body></body></html><a rel="nofollow" href=//x>`},
		{"a CDATA section is a comment", `<![CDATA[ <a href=//x> ]]>`, ""},
		{"a CDATA section of an svg", `<svg><![CDATA[ > <a href=//x> ]]></svg><a href=//x>`, `<svg><![CDATA[ > <a href=//x> ]]></svg><a rel="nofollow" href=//x>`},
		{"misnested", `<p><b><a href=//x><p></b>y</a>`, `<p><b><a rel="nofollow" href=//x><p></b>y</a>`},
	} {
		if c.want == "" {
			c.want = c.page
		}
		if got := edit(everything, c.page); got != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q\nof   %q", c.name, got, c.want, c.page)
		}
		if err := law([]byte(c.page), everything); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestGoogle_NoSnippetOnDivSpanAndSectionAlone(t *testing.T) {
	const N = ` data-nosnippet=""`
	for _, c := range []struct{ name, page, want, ignored string }{
		{"each", `<div class=quiet><span class="a quiet b"><SECTION CLASS='quiet'>`, `<div` + N + ` class=quiet><span` + N + ` class="a quiet b"><SECTION` + N + ` CLASS='quiet'>`, ""},
		{"others", `<p class=quiet><X-Ad class=quiet></X-Ad><div class=quiet>`, `<p class=quiet><X-Ad class=quiet></X-Ad><div` + N + ` class=quiet>`, "0 p, 15 X-Ad"},
		{"others alone", `<body class=quiet>`, ``, "0 body"},
		{"a link", `<a href=//x class=quiet>`, `<a rel="nofollow" href=//x class=quiet>`, "0 a"},
		{"there already", `<div class=quiet data-nosnippet><div class=quiet DATA-nosnippet=x>`, "", ""},
		{"no such class", `<div class=Quiet><div class="quiets un-quiet"><div class><div id=quiet>`, "", ""},
		{"the first class attribute counts", `<div class=a class=quiet>`, "", ""},
		{"as a reference", `<div class="a&#32;qui&#101;t">`, `<div` + N + ` class="a&#32;qui&#101;t">`, ""},
		{"separated by what is no white space", "<div class='a\u00A0quiet'><div class='a\vquiet'><div class='a,quiet'>", "", ""},
		{"separated by white space of any kind", "<div class='a\fquiet\tb'>", "<div" + N + " class='a\fquiet\tb'>", ""},
		{"no element", `<!--<div class=quiet>--><template><div class=quiet></template><svg><g class=quiet></svg>`, "", ""},
		{"nothing after the name but a slash", `<div/class=quiet>`, `<div` + N + `/class=quiet>`, ""},
	} {
		if c.want == "" {
			c.want = c.page
		}
		var p Page
		p.Scan([]byte(c.page), own, everything)
		if got := string(p.rewrite(nil, []byte(c.page))); got != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q\nof   %q", c.name, got, c.want, c.page)
		}
		var ignored []string
		for _, g := range p.Ignored {
			if g.Class != "quiet" {
				t.Errorf("%s: class %q", c.name, g.Class)
			}
			ignored = append(ignored, fmt.Sprint(g.Offset, " ", g.Name))
		}
		if got := strings.Join(ignored, ", "); got != c.ignored {
			t.Errorf("%s: ignored %q, want %q", c.name, got, c.ignored)
		}
		if err := law([]byte(c.page), everything); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestHouse_WhichLinks(t *testing.T) {
	h := func(texts ...string) (all []Host) {
		for _, s := range texts {
			all = append(all, host(t, s))
		}
		return all
	}
	policy := New(Options{
		Own:    h("*.own.example", "other.example:8080"),
		Except: h("friend.example", "*.friend.example"),
		Rules: []Rule{
			{Rel: Nofollow, Except: h("good.example")},
			{Rel: Sponsored, Hosts: h("*.shop.example", "shop.example")},
			{Rel: UGC, Class: []Class{"comment", "guest"}},
			{Rel: Nofollow | UGC, Hosts: h("good.example"), Class: []Class{"comment"}},
			{Rel: Sponsored, Hosts: h("friend.example")},
		},
	})
	for _, c := range []struct{ attributes, want string }{
		{`href=https://out.example`, "nofollow"},
		{`href=https://own.example`, ""},
		{`href=http://own.example:99`, ""},
		{`href=https://www.own.example`, ""},
		{`href=https://WWW.Own.Example.`, ""},
		{`href=http://other.example:8080`, ""},
		{`href=http://other.example`, "nofollow"},
		{`href=https://friend.example class=comment`, ""},
		{`href=https://www.friend.example`, ""},
		{`href=https://shop.example`, "nofollow sponsored"},
		{`href=https://a.shop.example class="guest"`, "nofollow ugc sponsored"},
		{`href=https://out.example class="x comment"`, "nofollow ugc"},
		{`href=https://out.example class="x comment" rel=nofollow`, "ugc"},
		{`href=https://out.example class="x comment" rel="nofollow ugc"`, ""},
		{`href=https://good.example`, ""},
		{`href=https://good.example class=comment`, "nofollow ugc"},
		{`href=https://good.example class=guest`, "ugc"},
		{`href=https://own.example class=comment`, ""},
		{`href=/x class=comment`, ""},
		{`href=mailto:x@shop.example class=comment`, ""},
	} {
		src := []byte(`<a ` + c.attributes + `>`)
		var p Page
		p.Scan(src, own, policy)
		got := ""
		if len(p.Edits) > 0 {
			got = p.Edits[0].What()
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.attributes, got, c.want)
		}
		if err := law(src, policy); err != nil {
			t.Error(err)
		}
	}

	var p Page
	p.Scan([]byte(`<a href=//a.shop.example rel="nofollow sponsored"><a href=//friend.example>`), own, policy)
	if want := []bool{true, true, false, false, false}; !reflect.DeepEqual(p.Rules, want) || len(p.Edits) > 0 {
		t.Errorf("rules %v, edits %v", p.Rules, p.Edits)
	}
	p.Scan([]byte(`<!-- <a href=//a.shop.example> --><a href=//out.example class=guest>`), own, policy)
	if want := []bool{true, false, true, false, false}; !reflect.DeepEqual(p.Rules, want) || len(p.Edits) != 1 {
		t.Errorf("rules %v, edits %v", p.Rules, p.Edits)
	}
	only := policy.Only(func(rule int) bool { return rule == 2 })
	p.Scan([]byte(`<a href=//out.example><a href=//out.example class=guest><!-- <a href=//a.shop.example> -->`), own, only)
	if want := []bool{false, false, true, false, false}; !reflect.DeepEqual(p.Rules, want) || len(p.Edits) != 1 || p.Edits[0].Rel != UGC {
		t.Errorf("rules %v, edits %v", p.Rules, p.Edits)
	}
	if !New(Options{}).Empty() || policy.Empty() || !policy.Only(func(int) bool { return false }).Empty() || everything.Only(func(int) bool { return false }).Empty() {
		t.Error("which policies are empty")
	}
	p.Scan([]byte(`<div class=quiet data-nosnippet>`), own, everything)
	if !reflect.DeepEqual(p.NoSnippet, []bool{true}) || !reflect.DeepEqual(p.Rules, []bool{false}) {
		t.Errorf("classes %v, rules %v", p.NoSnippet, p.Rules)
	}
}

// https://html.spec.whatwg.org/multipage/semantics.html#the-base-element
func TestStandard_BaseDecidesOnRelativeURLs(t *testing.T) {
	for _, c := range []struct {
		name, page string
		edited     int
	}{
		{"no base", `<a href=x><a href=//y>`, 1},
		{"to another host", `<base href=https://cdn.example/><a href=x><a href=//y><a href=#><a href=https://own.example>`, 3},
		{"to the same host", `<base href=/docs/><a href=x>`, 0},
		{"within the site, by its host", `<base href=https://own.example/docs/><a href=x>`, 0},
		{"the first counts", `<base href=/><base href=//cdn.example><a href=x>`, 0},
		{"the first with an href counts", `<base target=_top><base href=//cdn.example><a href=x>`, 1},
		{"after the link", `<a href=x></a><base href=//cdn.example>`, 1},
		{"in a comment", `<!-- <base href=//cdn.example> --><a href=x>`, 0},
		{"in a template", `<template><base href=//cdn.example></template><a href=x>`, 0},
		{"in a template of the body", `<p><template><base href=//cdn.example></template><a href=x>`, 0},
		{"in an svg", `<svg><base href=//cdn.example></svg><a href=x>`, 0},
		{"in a body that a frameset replaces", `<span><base href=//cdn.example><a href=x></span><frameset>`, 0},
		{"that cannot be read", `<base href=https://><base href=//cdn.example><a href=x>`, 0},
		{"of data", `<base href=data:,><a href=x>`, 0},
		{"another scheme", `<base href=http://own.example/><a href=x><a href=https:/y>`, 1},
	} {
		var p Page
		p.Scan([]byte(c.page), own, everything)
		if len(p.Edits) != c.edited {
			t.Errorf("%s: %d edits, want %d: %s", c.name, len(p.Edits), c.edited, p.rewrite(nil, []byte(c.page)))
		}
		if err := law([]byte(c.page), everything); err != nil {
			t.Error(err)
		}
	}
}

func TestHouse_WideAndStatefulEncodingsAreLeftAlone(t *testing.T) {
	const page = `<!doctype html><a href=//x>`
	var wide bytes.Buffer
	for _, u := range utf16.Encode([]rune(page)) {
		wide.Write([]byte{byte(u), byte(u >> 8)})
	}
	for src, want := range map[string]string{
		wide.String():                                         "utf-16le",
		"<meta charset=iso-2022-jp><a href=//x>":              "iso-2022-jp",
		"<meta charset=hz-gb-2312><a href=//x>":               "replacement",
		"<p>\x1b$B<a href=//x>\x1b(B":                         "iso-2022-jp",
		"<meta charset=utf-8><p>\x1b$B<a href=//x>":           "",
		"<base href=//y><meta charset=iso-2022-jp><a href=x>": "iso-2022-jp",
		"<meta charset=shift_jis><a href=//x>":                "",
	} {
		var p Page
		p.Scan([]byte(src), own, everything)
		if p.Encoding != want || (want == "") != (len(p.Edits) == 1) {
			t.Errorf("%q: encoding %q, want %q, %d edits", src, p.Encoding, want, len(p.Edits))
		}
		if err := law([]byte(src), everything); err != nil {
			t.Error(err)
		}
		p.Scan([]byte(src), own, New(Options{}))
		if p.Encoding != "" || len(p.Edits) > 0 {
			t.Errorf("%q: read for a policy that asks for nothing", src)
		}
	}
}

func TestHouse_FaultsOfWords(t *testing.T) {
	for text, want := range map[string]Rel{"nofollow": Nofollow, " UGC ": UGC, "Sponsored": Sponsored, "": 0, "noopener": 0, "nofollow ugc": 0, "follow": 0} {
		if got, err := ParseRel(text); got != want || (err == nil) != (want != 0) {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
	for text, fault := range map[string]string{
		"quiet": "", " quiet ": "", "[&>p]:mt-4": "", "-x": "",
		"": "it is empty", "a b": "one class is wanted, not a list", ".quiet": "it is written without a dot",
	} {
		_, err := ParseClass(text)
		if fault == "" && err != nil || fault != "" && (err == nil || !strings.HasSuffix(err.Error(), fault)) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if got := (Sponsored | Nofollow).String(); got != "nofollow sponsored" {
		t.Error(got)
	}
}

// One Page serves any number of pages and sites.
func TestHouse_PageIsUsedAgain(t *testing.T) {
	var p Page
	for range 2 {
		for _, c := range []struct{ url, href, want string }{
			{own, "https://own.example/", ""},
			{"https://b.example/", "https://own.example/", "nofollow"},
			{"", "https://own.example/", "nofollow"},
			{"https://b.example/", "/x", ""},
			{own, "https://b.example/", "nofollow"},
		} {
			src := []byte(`<p class=quiet><a href="` + c.href + `">`)
			p.Scan(src, c.url, everything)
			if got := len(p.Edits) == 1; got != (c.want != "") || len(p.Ignored) != 1 {
				t.Errorf("%s on %s: edits %v, ignored %v", c.href, c.url, p.Edits, p.Ignored)
			}
		}
	}
}

// law checks what every page must keep, without a second parser. It returns an error in words.
func law(src []byte, policy *Policy) error {
	before := bytes.Clone(src)
	var p Page
	p.Scan(src, own, policy)
	out := p.rewrite([]byte("kept"), src)
	if out = out[4:]; !bytes.Equal(src, before) {
		return fmt.Errorf("the source was written to: %q", before)
	}
	if (len(p.Edits) == 0) != bytes.Equal(out, src) {
		return fmt.Errorf("%d edits make %q of %q", len(p.Edits), out, src)
	}
	last := -1
	for _, e := range p.Edits {
		if e.Offset <= last || src[e.Offset] != '<' || !strings.EqualFold(string(src[e.Offset+1:e.Offset+1+len(e.Name)]), e.Name) {
			return fmt.Errorf("edit %+v of %q", e, src)
		}
		last = e.Offset
	}
	made := patch.New(src, p.Inserts)
	if back, ok := made.Undo(nil, out); !ok || !bytes.Equal(back, src) {
		return fmt.Errorf("undone: %q, %v, of %q", back, ok, src)
	}
	ignored := len(p.Ignored)
	p.Scan(out, own, policy)
	if len(p.Edits) > 0 || len(p.Ignored) != ignored {
		return fmt.Errorf("a second run edits %v, ignores %v, in %q", p.Edits, p.Ignored, out)
	}
	return nil
}

func TestLaw_PolicyThatGrowsAndShrinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rel := rapid.Map(rapid.IntRange(0, 7), func(n int) Rel { return Rel(n) })
		policy := func(label string) *Policy {
			return New(Options{Rules: []Rule{{Rel: rel.Draw(t, label)}}})
		}
		src := []byte(cook(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "pick") }))
		a, b := policy("a"), policy("b")
		if err := law(src, a); err != nil {
			t.Fatal(err)
		}
		// What the second policy makes of a page does not depend on the first, once that is undone.
		var p Page
		p.Scan(src, own, a)
		mid := p.rewrite(nil, src)
		made := patch.New(src, p.Inserts)
		back, ok := made.Undo(nil, mid)
		if !ok {
			t.Fatalf("not undone: %q", mid)
		}
		if got, want := edit(b, string(back)), edit(b, string(src)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// Links of comments are links within an element of that class too.
func TestHouse_ClassOfAContainer(t *testing.T) {
	policy := New(Options{Rules: []Rule{{Rel: UGC, Class: []Class{"comment"}}}})
	for page, edited := range map[string]bool{
		`<div class="comment"><a href=//x.example>`:                                            true,
		`<div class="x comment y"><p class=z><b><a href=//x.example>`:                          true,
		`<article class="comment"><div class="comment body"><a href=//x.example>`:              true,
		`<a class=comment href=//x.example>`:                                                   true,
		`<div class=comment><svg><desc><a href=//x.example>`:                                   true,
		`<div class=comment><template></template><ul><li><a href=//x.example rel=noopener>`:    true,
		`<div class="comments"><a href=//x.example>`:                                           false,
		`<div class="comment"></div><a href=//x.example>`:                                      false,
		`<p class="comment">x<div><a href=//x.example>`:                                        false,
		`<!-- <div class="comment"> --><a href=//x.example>`:                                   false,
		`<div class="comment"><a href=/x>`:                                                     false,
		`<template><div class="comment"><a href=//x.example></a></div></template>`:             false,
		`<div class="comment"><a href=//x.example rel=ugc>`:                                    false,
		`<table class=comment><tr><td>x</table><a href=//x.example>`:                           false,
		`<div class=quiet><div class=comment></div></div><div class=y><a href=//x.example>`:    false,
		`<div class=comment><div class=quiet><div></div></div><i><a href=//x.example></a></i>`: true,
	} {
		got := edit(policy, "<!doctype html><body>"+page)
		if (strings.Contains(got, "ugc") && !strings.Contains(page, "ugc")) != edited {
			t.Errorf("%s: %s", page, got)
		}
		if again := edit(policy, got); again != got {
			t.Errorf("%s: a second run makes %s", page, again)
		}
	}
}

// Elements that the standard moves into what stood in them have an end all the same.
func TestStandard_ContainersThatAreMoved(t *testing.T) {
	policy := New(Options{Rules: []Rule{{Rel: UGC, Class: []Class{"comment"}}}})
	tags := []string{"<i class=comment>", "<b class=comment>", "<p class=comment>", "<div class=comment>", "<table>",
		"<td class=comment>", "</i>", "</b>", "</p>", "</div>", "</table>", "<a class=comment href=//x.example>", "</a>",
		"<template>", "<font class=comment>", "</font>"}
	rapid.Check(t, func(t *rapid.T) {
		page := strings.Join(rapid.SliceOfN(rapid.SampledFrom(tags), 0, 30).Draw(t, "tags"), "") +
			"<a href=//x.example>x</a>"
		got := edit(policy, "<!doctype html><body>"+page)
		if again := edit(policy, got); again != got {
			t.Fatalf("%s becomes %s, then %s", page, got, again)
		}
	})
}
