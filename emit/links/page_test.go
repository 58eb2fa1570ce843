package links

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"metarobots/emit/patch"
	"metarobots/internal/tables"
)

// everything asks for nofollow on every link that leads away, and for no snippet of "quiet".
var everything = New(Config{Rules: []Rule{{Rel: Nofollow}}, NoSnippet: []Class{"quiet"}})

// rewrite appends src, which is what p has scanned, to dst with the edits.
func (p *Page) rewrite(dst, src []byte) []byte {
	made := patch.New(src, p.Inserts)
	out, _ := made.Apply(dst, src)
	return out
}

func edit(policy *Policy, src string) string {
	p := Scan([]byte(src), own, policy)
	return string(p.rewrite(nil, []byte(src)))
}

func ExampleScan() {
	any, _ := ParseHost("*.shop.example")
	policy := New(Config{Rules: []Rule{
		{Rel: Nofollow},
		{Rel: Sponsored, Hosts: []Host{any}},
	}})
	src := []byte(`<p><a href="/">Home</a>, <a href=//www.shop.example rel=noopener>a shop</a>`)
	p := Scan(src, "https://example.com/p/", policy)
	made := patch.New(src, p.Inserts)
	out, _ := made.Apply(nil, src)
	fmt.Printf("%s\n", out)
	src, _ = made.Undo(nil, out)
	fmt.Printf("%s\n", src)
	// Output:
	// <p><a href="/">Home</a>, <a href=//www.shop.example rel="noopener nofollow sponsored">a shop</a>
	// <p><a href="/">Home</a>, <a href=//www.shop.example rel=noopener>a shop</a>
}

// Where want is empty the page stays as it is.
func TestHouse_RelIsAddedToWhatStands(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/rel.txt") {
		if c["want"] == "" {
			c["want"] = c["page"]
		}
		if got := edit(everything, c["page"]); got != c["want"] {
			t.Errorf("%s:\ngot  %q\nwant %q\nof   %q", c["name"], got, c["want"], c["page"])
		}
		if err := law([]byte(c["page"]), everything); err != nil {
			t.Errorf("%s: %v", c["name"], err)
		}
	}
}

func TestGoogle_NoSnippetOnDivSpanAndSectionAlone(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/nosnippet.txt") {
		if c["want"] == "" {
			c["want"] = c["page"]
		}
		p := Scan([]byte(c["page"]), own, everything)
		if got := string(p.rewrite(nil, []byte(c["page"]))); got != c["want"] {
			t.Errorf("%s:\ngot  %q\nwant %q\nof   %q", c["name"], got, c["want"], c["page"])
		}
		var ignored []string
		for _, g := range p.Ignored {
			if g.Class != "quiet" {
				t.Errorf("%s: class %q", c["name"], g.Class)
			}
			ignored = append(ignored, fmt.Sprint(g.Offset, " ", g.Name))
		}
		if got := strings.Join(ignored, ", "); got != c["ignored"] {
			t.Errorf("%s: ignored %q, want %q", c["name"], got, c["ignored"])
		}
		if err := law([]byte(c["page"]), everything); err != nil {
			t.Errorf("%s: %v", c["name"], err)
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
	policy := New(Config{
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
	for _, c := range tables.Read(t, "testdata/which.txt") {
		src := []byte(`<a ` + c["attributes"] + `>`)
		p := Scan(src, own, policy)
		got := ""
		if n := len(p.Inserts); n > 0 { // a value in quotes, or its end
			got = strings.Trim(strings.TrimPrefix(p.Inserts[n-1].Text, " rel="), ` "`)
		}
		if got != c["want"] {
			t.Errorf("%s: got %q, want %q", c["attributes"], got, c["want"])
		}
		if err := law(src, policy); err != nil {
			t.Error(err)
		}
	}

	p := Scan([]byte(`<a href=//a.shop.example rel="nofollow sponsored"><a href=//friend.example>`), own, policy)
	if want := []bool{true, true, false, false, false}; !reflect.DeepEqual(p.Rules, want) || p.Edited > 0 {
		t.Errorf("rules %v, edits %v", p.Rules, p.Inserts)
	}
	p = Scan([]byte(`<!-- <a href=//a.shop.example> --><a href=//out.example class=guest>`), own, policy)
	if want := []bool{true, false, true, false, false}; !reflect.DeepEqual(p.Rules, want) || p.Edited != 1 {
		t.Errorf("rules %v, edits %v", p.Rules, p.Inserts)
	}
	only := policy.Only(func(rule int) bool { return rule == 2 })
	p = Scan([]byte(`<a href=//out.example><a href=//out.example class=guest><!-- <a href=//a.shop.example> -->`), own, only)
	if want := []bool{false, false, true, false, false}; !reflect.DeepEqual(p.Rules, want) || p.Edited != 1 || p.Inserts[0].Text != ` rel="ugc"` {
		t.Errorf("rules %v, edits %v", p.Rules, p.Inserts)
	}
	if !New(Config{}).Empty() || policy.Empty() || !policy.Only(func(int) bool { return false }).Empty() || everything.Only(func(int) bool { return false }).Empty() {
		t.Error("which policies are empty")
	}
	p = Scan([]byte(`<div class=quiet data-nosnippet>`), own, everything)
	if !reflect.DeepEqual(p.NoSnippet, []bool{true}) || !reflect.DeepEqual(p.Rules, []bool{false}) {
		t.Errorf("classes %v, rules %v", p.NoSnippet, p.Rules)
	}
}

// https://html.spec.whatwg.org/multipage/semantics.html#the-base-element
func TestStandard_BaseDecidesOnRelativeURLs(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/base.txt") {
		p := Scan([]byte(c["page"]), own, everything)
		if p.Edited != c.Int(t, "edited") {
			t.Errorf("%s: %d edits, want %d: %s", c["name"], p.Edited, c.Int(t, "edited"),
				p.rewrite(nil, []byte(c["page"])))
		}
		if err := law([]byte(c["page"]), everything); err != nil {
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
		p := Scan([]byte(src), own, everything)
		if p.Encoding != want || (want == "") != (p.Edited == 1) {
			t.Errorf("%q: encoding %q, want %q, %d edits", src, p.Encoding, want, p.Edited)
		}
		if err := law([]byte(src), everything); err != nil {
			t.Error(err)
		}
		p = Scan([]byte(src), own, New(Config{}))
		if p.Encoding != "" || p.Edited > 0 {
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

// A page's own host is none that a link leads away to.
func TestHouse_PagesHaveTheirOwnHosts(t *testing.T) {
	for _, c := range []struct {
		url, href string
		away      bool
	}{
		{own, "https://own.example/", false},
		{"https://b.example/", "https://own.example/", true},
		{"", "https://own.example/", true},
		{"https://b.example/", "/x", false},
		{own, "https://b.example/", true},
	} {
		p := Scan([]byte(`<p class=quiet><a href="`+c.href+`">`), c.url, everything)
		if got := p.Edited == 1; got != c.away || len(p.Ignored) != 1 {
			t.Errorf("%s on %s: edits %v, ignored %v", c.href, c.url, p.Inserts, p.Ignored)
		}
	}
}

// law checks what every page must keep, without a second parser. It returns an error in words.
func law(src []byte, policy *Policy) error {
	before := bytes.Clone(src)
	p := Scan(src, own, policy)
	out := p.rewrite([]byte("kept"), src)
	if out = out[4:]; !bytes.Equal(src, before) {
		return fmt.Errorf("the source was written to: %q", before)
	}
	if (p.Edited == 0) != bytes.Equal(out, src) {
		return fmt.Errorf("%d edits make %q of %q", p.Edited, out, src)
	}
	last := -1
	for _, e := range p.Inserts {
		if e.Start < last || e.End != e.Start {
			return fmt.Errorf("edit %+v of %q", e, src)
		}
		last = e.Start
	}
	made := patch.New(src, p.Inserts)
	if back, ok := made.Undo(nil, out); !ok || !bytes.Equal(back, src) {
		return fmt.Errorf("undone: %q, %v, of %q", back, ok, src)
	}
	ignored := len(p.Ignored)
	p = Scan(out, own, policy)
	if p.Edited > 0 || len(p.Ignored) != ignored {
		return fmt.Errorf("a second run edits %v, ignores %v, in %q", p.Inserts, p.Ignored, out)
	}
	return nil
}

func TestLaw_PolicyThatGrowsAndShrinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rel := rapid.Map(rapid.IntRange(0, 7), func(n int) Rel { return Rel(n) })
		policy := func(label string) *Policy {
			return New(Config{Rules: []Rule{{Rel: rel.Draw(t, label)}}})
		}
		src := []byte(cook(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "pick") }))
		a, b := policy("a"), policy("b")
		tables.Must(t, law(src, a))
		// What the second policy makes of a page does not depend on the first, once that is undone.
		p := Scan(src, own, a)
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
	policy := New(Config{Rules: []Rule{{Rel: UGC, Class: []Class{"comment"}}}})
	for _, row := range tables.Read(t, "testdata/containers.txt") {
		page, edited := row["page"], row["edited"] == "true"
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
	policy := New(Config{Rules: []Rule{{Rel: UGC, Class: []Class{"comment"}}}})
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
