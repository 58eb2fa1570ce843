package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"metarobots/internal/tables"
)

// texts prints a decision for everyone and for each crawler.
func texts(d Decision) string { return printTags(d.Texts(Style{})) }

func printTags(tags []Tag) string {
	var list []string
	for _, tag := range tags {
		list = append(list, tag.Name+": "+tag.Content)
	}
	return strings.Join(list, " + ")
}

// A2a: "the crawler will use the sum of the negative rules".
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
// A3b.
func TestGoogle_SumOfNegatives(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/sum.txt") {
		var all []Statement
		for _, text := range c.List("sources") {
			all = append(all, say(t, text)...)
		}
		var p Policy
		if got := texts(p.Resolve(all)); got != c["texts"] {
			t.Errorf("%q\n got %s\nwant %s", c["sources"], got, c["texts"])
		}
	}
}

// A1d, M1a: a tag for everyone, then one for each crawler that reads metas, alphabetically; a line
// for all of them.
func TestHouse_MetasAndHeaderLines(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/printed.txt") {
		var p Policy
		d := p.Resolve(say(t, c["sources"]))
		if got := printTags(d.Metas(Style{})); got != c["metas"] {
			t.Errorf("%q: metas\n got %v\nwant %v", c["sources"], got, c["metas"])
		}
		if got := strings.Join(d.Header(Style{}), " + "); got != c["header"] {
			t.Errorf("%q: header\n got %q\nwant %q", c["sources"], got, c["header"])
		}
	}
}

// L7a: a past date counts as noindex, for whom it is said.
func TestHouse_PastExpiryIsNoindex(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, c := range tables.Read(t, "testdata/expired.txt") {
		p := Policy{Now: now}
		given := say(t, c["source"])
		d := p.Resolve(given)
		if got := texts(d); got != c["texts"] || fmt.Sprint(len(d.Expired)) != c["expired"] {
			t.Errorf("%q: %v, %d expired, want %v, %s", c["source"], got, len(d.Expired), c["texts"], c["expired"])
		}
	}
	var p Policy // without a clock nothing has passed
	if d := p.Resolve(say(t, "unavailable_after: 2020-01-01")); d.NoIndex() || len(d.Expired) > 0 {
		t.Errorf("%v", d)
	}
}

// readersAgree: what each crawler keeps to, as the printed texts say, is what the decision says of
// it, whether its own text adds to the generic one or replaces it (A2, A3).
func readersAgree(t *rapid.T, p *Policy, d Decision, s Style) {
	metas, lines := d.Metas(s), d.Texts(s)
	for _, name := range pool {
		c, _ := p.Crawlers.Lookup(name)
		want := d.Obeyed(c)
		for _, how := range []reader{sums, replaces} {
			if !c.HeaderOnly() {
				if got := told(t, metas, name, how); got != obeyed(want) {
					t.Fatalf("%q reads %+v in %q, decided is %+v", name, got, metas, obeyed(want))
				}
			}
			if got := told(t, lines, name, how); got != obeyed(want) {
				t.Fatalf("%q reads %+v in %q, decided is %+v", name, got, lines, obeyed(want))
			}
		}
		if !want.AtLeast(d.Generic) {
			t.Fatalf("%q is told less than everyone", name) // A3
		}
	}
}

// wellPrinted: P1, P2, P5, A3, A5, M1, N1 for any decision.
func wellPrinted(t *rapid.T, d Decision, s Style) {
	metas := d.Metas(s)
	generic := ""
	for i, tag := range metas {
		if tag.Content == "" || i > 0 && tag.Name <= metas[i-1].Name && metas[i-1].Name != "robots" ||
			tag.Name == "robots" && i > 0 {
			t.Fatalf("metas %q", metas)
		}
		if c, _ := (Crawlers{}).Lookup(tag.Name); c.HeaderOnly() {
			t.Fatalf("a tag for %s", tag.Name) // A1
		}
		if tag.Name == "robots" {
			generic = tag.Content
		} else {
			wellFormed(t, tag.Content)
		}
	}
	omit := d.genericStyle(Style{})
	if omit == (Style{}) {
		wellFormed(t, generic)
	}
	words := strings.Split(generic, ", ")
	for _, a := range d.Agents {
		if a.Crawler.AllowWins && (a.Directives.NoIndex() && slices.Contains(words, "index") ||
			a.Directives.NoFollow() && slices.Contains(words, "follow")) {
			t.Fatalf("%s is told %v, and %q lets it win", a.Crawler.Name, a.Directives, generic) // A5
		}
	}
	header := d.Header(s)
	if (len(header) > 0) != d.Restricts() {
		t.Fatalf("restricts %v, header %q", d.Restricts(), header) // N1
	}
	for _, text := range header {
		name, rest, named := strings.Cut(text, ": ")
		if !named || !slices.Contains(pool, name) {
			name, rest = "", text
		}
		first, _, _ := strings.Cut(rest, ", ")
		if strings.Contains(first, ":") && (name != "" || omit != (Style{omit: [2]bool{true, true}})) {
			t.Fatalf("header line %q starts with a colon directive", text) // P5, A5
		}
	}
}

// A decision: every reader is served, order is nothing, and a further statement loosens nothing
// (A3c, L9a).
func TestLaw_EveryReaderObeysTheDecision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &Policy{Now: clockOfTests}
		given := statements(t, "statements", 5)
		more := statement.Draw(t, "more")
		s := style.Draw(t, "style")
		d := p.Resolve(slices.Clone(given))
		readersAgree(t, p, d, s)
		wellPrinted(t, d, s)
		e := p.Resolve(append(rapid.Permutation(given).Draw(t, "shuffled"), more))
		notLooser(t, p, d, e, s)
		f := p.Resolve(append([]Statement{more}, given...))
		same(t, e, f, s)
		same(t, p.Resolve(append(slices.Clone(given), given...)), d, s) // said twice is said once
	})
}

// same: two decisions say the same to everyone.
func same(t *rapid.T, a, b Decision, s Style) {
	if a.Generic != b.Generic || a.AI != b.AI || !slices.Equal(a.Agents, b.Agents) || !slices.Equal(a.Header(s), b.Header(s)) ||
		!slices.Equal(a.Metas(s), b.Metas(s)) {
		t.Fatalf("order counts:\n%v %v\n%v %v", a.Generic, a.Agents, b.Generic, b.Agents)
	}
}

// notLooser: no crawler may do more under e than under d, by the sets and by what is printed.
func notLooser(t *rapid.T, p *Policy, d, e Decision, s Style) {
	for _, name := range pool {
		c, _ := p.Crawlers.Lookup(name)
		before, after := d.Obeyed(c), e.Obeyed(c)
		if !after.AtLeast(before) {
			t.Fatalf("%q was told %v, is told %v", name, before, after)
		}
		for _, how := range []reader{sums, replaces} {
			if before, after := told(t, d.Texts(s), name, how), told(t, e.Texts(s), name, how); !after.AtLeast(before) {
				t.Fatalf("%q read %q, reads %q", name, d.Texts(s), e.Texts(s))
			}
		}
	}
	if Strictest(d.AI, e.AI) != e.AI {
		t.Fatalf("AI: %v was stricter than %v", d.AI, e.AI)
	}
	if d.Restricts() && !e.Restricts() || d.NoIndex() && !e.NoIndex() {
		t.Fatalf("%v was stricter than %v", d.Generic, e.Generic)
	}
}

// A page with a statement for each of many directives that nobody knows is decided on and explained
// in linear work.
func TestHouse_ManyStatementsAreLinearWork(t *testing.T) {
	tables.Linear(t, func(n int) func() {
		d := &Decision{}
		for i := range n {
			d.Statements = append(d.Statements, Statement{Directives: Directives{flags: fmt.Sprint("flag", i)}})
		}
		return func() {
			d.Generic = sumFor(d.Statements, noCrawler)
			d.Deciding(Style{})
		}
	})
}

// L8a: for every printed directive, what fixed it; and what fixed it says so.
func TestHouse_EveryPrintedDirectiveHasItsCauses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &Policy{Now: clockOfTests}
		d := p.Resolve(statements(t, "statements", 5))
		s := style.Draw(t, "style")
		for _, tag := range d.Texts(s) {
			name := tag.Name
			if name == "robots" {
				name = ""
			}
			var words []string
			for _, f := range d.Causes(name, s) {
				words = append(words, f.Word.Text)
				if len(f.By) == 0 != f.Word.Implied {
					t.Fatalf("%s of %q: fixed by %v, implied %v", f.Word.Text, tag, f.By, f.Word.Implied)
				}
				for _, i := range f.By {
					if c := d.Statements[i].Crawler; name == "" && c != "" {
						t.Fatalf("%s for everyone is fixed by what %s is told", f.Word.Text, c)
					}
				}
			}
			if got := strings.Join(words, ", "); got != tag.Content {
				t.Fatalf("%q is explained as %q", tag, got)
			}
		}
	})
	var p Policy
	d := p.Resolve(append(append(say(t, "index, follow", LayerDefault), say(t, "noindex", LayerRule)...),
		say(t, "noindex, yandex: noarchive", LayerPage)...))
	if got, want := fmt.Sprint(d.Causes("",
		Style{})), "[{{index noindex false} [1 2]} {{follow follow false} [0]}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := fmt.Sprint(d.Causes("yandex", Style{})[2]), "{{cache noarchive false} [3]}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A1d: what everyone is told, the tag for everyone tells a crawler that reads no other; what is
// more needs a header.
func TestHouse_WhatNoTagTells(t *testing.T) {
	p := Policy{}
	for text, want := range map[string]string{
		"noindex":                                            "",
		"gptbot: noarchive":                                  "gptbot",
		"noarchive, gptbot: noarchive":                       "",
		"noindex, gptbot: nosnippet":                         "", // noindex implies it (P3)
		"noindex, gptbot: noarchive":                         "gptbot",
		"gptbot: index, follow":                              "",
		"bingbot: noindex":                                   "",
		"googlebot-image: noindex, gptbot: max-snippet:5":    "googlebot-image gptbot",
		"max-snippet:3, gptbot: max-snippet:5":               "",
		"googlebot: noindex, googlebot-image: nosnippet":     "googlebot-image",
		"noindex, indexifembedded, googlebot-image: noindex": "googlebot-image",
	} {
		readings, _ := ParseHeader(text, Own, Crawlers{})
		d := p.Resolve(At(Origin{File: "f", Line: 3}, readings...))
		if got := strings.Join(d.Untagged(), " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
		for _, name := range d.Untagged() {
			if at := d.UntaggedAt(name); at.Line != 3 {
				t.Errorf("%s: %s is stated at %v", text, name, at)
			}
		}
	}
}
