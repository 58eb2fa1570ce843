package policy

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metarobots/internal/tables"
)

// parsePrinted reads what was printed as one source, as a crawler or our next run finds it.
func parsePrinted(text string) (Directives, []Finding) {
	reading, problems := Parse(text, Found)
	return At(Origin{}, reading)[0].Directives, problems
}

// P6b: print∘parse∘print = print, in every style; P2: no word twice, never both polarities; P1a:
// the order (P1b).
func TestLaw_WhatIsPrintedIsReadAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := directives.Draw(t, "d")
		for _, s := range stylesAll {
			text := d.Format(s)
			back, problems := parsePrinted(text)
			for _, p := range problems {
				if p.ID != "unknown-directive" {
					t.Fatalf("%q cannot be read: %s", text, p.Text())
				}
			}
			if got := back.Format(s); got != text {
				t.Fatalf("%+v: %q, read and printed again %q", s, text, got)
			}
			wellFormed(t, text)
			if s.KeepRedundant {
				wantSame(t, d, back, text)
			} else {
				wantSame(t, d.WithoutImplied(), back, text)
			}
			if (text == "") != (back == Directives{}) || (text == "") != d.IsZero() {
				t.Fatalf("%+v prints %q", d, text)
			}
		}
		if d.String() != d.Format(Style{}) {
			t.Fatalf("String is not the default style: %q", d)
		}
	})
}

type fataler interface{ Fatalf(string, ...any) }

// wantSame: printing lost nothing of d. P5 adds a permissive word where its twin stands.
func wantSame(t fataler, d, back Directives, text string) {
	if d.rank[index] == 0 && d.rank[follow] != 0 {
		d.rank[index] = permissive
	}
	if d.rank[follow] == 0 && d.rank[index] != 0 {
		d.rank[follow] = permissive
	}
	if back != d {
		t.Fatalf("%q says %+v, want %+v", text, back, d)
	}
}

// wellFormed checks a printed list against P1, P4 and P5. That no word contradicts another (P2)
// follows from P6: what is read of two would be printed as one.
func wellFormed(t fataler, text string) {
	if text == "" {
		return
	}
	words := strings.Split(text, ", ")
	rank := func(word string) int {
		order := []string{"none", "noindex", "index", "nofollow", "follow", "noarchive", "nocache", "archive",
			"nosnippet", "notranslate", "noimageindex", "indexifembedded"}
		if i := slices.Index(order, word); i >= 0 {
			return i
		}
		for i, name := range []string{"max-snippet:", "max-image-preview:", "max-video-preview:",
			"unavailable_after: "} {
			if strings.HasPrefix(word, name) {
				return 100 + i
			}
		}
		return 50 // the remaining flags
	}
	for i, word := range words {
		if slices.Contains(words[:i], word) {
			t.Fatalf("%q says %s twice", text, word) // P2
		}
		if i > 0 && (rank(words[i-1]) > rank(word) || rank(word) == 50 && rank(words[i-1]) == 50 && words[i-1] > word) {
			t.Fatalf("%q: %s stands after %s", text, word, words[i-1]) // P1
		}
		if strings.ContainsAny(word, ",\"\r\n") || strings.ToLower(word) != word &&
			!strings.HasPrefix(word, "unavailable_after") {
			t.Fatalf("%q: the word %q", text, word) // P4
		}
	}
	// P5: of index and follow both or neither, but for none.
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(words, n) })
	}
	if has("index", "noindex") != has("follow", "nofollow") {
		t.Fatalf("%q says one of index and follow alone", text)
	}
}

// What is printed loses no restriction, whatever P3a leaves out, and what restricts more never
// prints less (P6b).
func TestLaw_PrintingNeverLoosens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, more := directives.Draw(t, "a"), directives.Draw(t, "more")
		sum := MostRestrictive(a, more)
		for _, s := range stylesAll {
			before, _ := parsePrinted(a.Format(s))
			after, _ := parsePrinted(sum.Format(s))
			if obeyed(before) != obeyed(a) {
				t.Fatalf("%+v prints %q, which asks for %+v, want %+v", a, a.Format(s), obeyed(before), obeyed(a))
			}
			if !obeyed(after).AtLeast(obeyed(before)) {
				t.Fatalf("with %q, %q became %q", more, a.Format(s), sum.Format(s))
			}
		}
		if i := a.WithoutImplied(); i.WithoutImplied() != i || !a.AtLeast(i) {
			t.Fatalf("Implied of %+v is %+v", a, i)
		}
	})
}

// P3a, P3b, P3c, P3d, P3e, P3f, word by word: what is dropped beside which directive, and what
// outlives it.
func TestHouse_ImpliedDirectivesAreNotPrinted(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/redundant.txt") {
		d := read(t, c["directives"])
		if got := d.String(); got != c["printed"] {
			t.Errorf("%q\n got %q\nwant %q", c["directives"], got, c["printed"])
		}
		// redundant = "keep" keeps all.
		if kept, _ := parsePrinted(d.Format(Style{KeepRedundant: true})); !kept.AtLeast(d) {
			t.Errorf("%q, kept: %q", c["directives"], d.Format(Style{KeepRedundant: true}))
		}
	}
	x, _ := Parse("noindex, x-foo, nosnippet", Found)
	if got, want := x.Directives.String(), "noindex, follow, x-foo"; got != want {
		t.Errorf("%q, want %q: unknown ones outlive noindex", got, want)
	}
	// Dropped when printing, never before: a laxer noindex brings it back.
	loosened := MostRestrictive(read(t, "noindex, indexifembedded"), read(t, "max-snippet:50"))
	if got, want := loosened.String(), "noindex, follow, indexifembedded, max-snippet:50"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// D1a, D1b: none is read; it is printed only on demand, and then in place of exactly noindex,
// nofollow.
func TestYoast_NoneIsReadNotPrinted(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/none.txt") {
		d := read(t, c["directives"])
		if got := d.Format(Style{}); got != c["plain"] {
			t.Errorf("%q prints %q, want %q", c["directives"], got, c["plain"])
		}
		if got := d.Format(Style{None: true}); got != c["none"] {
			t.Errorf("%q prints %q with none, want %q", c["directives"], got, c["none"])
		}
	}
}

// P5a: an axis is printed with its twin, and said to be implied.
func TestYoast_UnstatedTwinIsPrinted(t *testing.T) {
	for text, want := range map[string][]Word{
		"noindex":   {{AxisIndex, "noindex", false}, {AxisFollow, "follow", true}},
		"nofollow":  {{AxisIndex, "index", true}, {AxisFollow, "nofollow", false}},
		"index":     {{AxisIndex, "index", false}, {AxisFollow, "follow", true}},
		"all":       {{AxisIndex, "index", false}, {AxisFollow, "follow", false}},
		"nosnippet": {{"snippet", "nosnippet", false}},
		"noai":      {{"noai", "noai", false}},
		"":          {},
	} {
		if got := read(t, text).Words(Style{}); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// P4: ISO 8601, UTC, no comma.
func TestHouse_ExpiryHoldsNoComma(t *testing.T) {
	d := read(t, "unavailable_after: Friday, 25-Jun-10 15:00:00 PST")
	if got, want := d.String(), "unavailable_after: 2010-06-25T23:00:00Z"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if at, ok := d.Expiry(); !ok || at.Format("2006-01-02 15:04 MST") != "2010-06-25 23:00 UTC" {
		t.Errorf("%v %v", at, ok)
	}
	if _, ok := (Directives{}).Expiry(); ok {
		t.Error("nothing stated has an expiry")
	}
}

// States prints what a statement says and no word that it does not.
func TestHouse_StatesAddsNothing(t *testing.T) {
	for text, want := range map[string]string{
		"noindex":                     "noindex",
		"googlebot: nofollow":         "googlebot: nofollow",
		"noindex, nosnippet, archive": "noindex, archive, nosnippet",
		"all":                         "index, follow",
	} {
		if got := say(t, text)[0].States(); got != want {
			t.Errorf("%q states %q, want %q", text, got, want)
		}
	}
}
