package policy

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// axes are the chains of D in words, each from nothing stated to the most restrictive. Words side
// by side mean the same.
var axes = map[string][][]string{
	"index": {{""}, {"index"}, {"noindex, indexifembedded", "indexifembedded, index, noindex"},
		{"noindex", "index, noindex"}},
	"follow": {{""}, {"follow"}, {"nofollow", "follow, nofollow"}},
	"cache": {{""}, {"archive"}, {"nocache", "archive, nocache"},
		{"noarchive", "nocache, noarchive", "noarchive, archive"}},
	"snippet": {{""}, {"max-snippet:-1"}, {"max-snippet:2147483647", "max-snippet:99999999999999999999"},
		{"max-snippet:160"}, {"max-snippet:50", "max-snippet:050"}, {"max-snippet:1"},
		{"nosnippet", "max-snippet:0", "max-snippet:20, nosnippet"}},
	"image": {{""}, {"max-image-preview:large"}, {"max-image-preview:standard"}, {"max-image-preview:none"}},
	"video": {{""}, {"max-video-preview:-1"}, {"max-video-preview:30"}, {"max-video-preview:10"},
		{"max-video-preview:0"}},
	"expiry": {{""}, {"unavailable_after: 9999-12-31"}, {"unavailable_after: 2099-01-01T00:00:01Z"},
		{"unavailable_after: 2099-01-01", "unavailable_after: 01 Jan 2099 01:00:00 CET"},
		{"unavailable_after: 0001-01-01"}},
}

func init() {
	for _, name := range flagNames {
		axes[name] = [][]string{{""}, {name, name + ", " + name}}
	}
}

// D: on every axis the order goes from nothing stated to the most restrictive, combining is the
// maximum, and a word says nothing on any other axis (D9a).
func TestLaw_EveryAxisIsAChain(t *testing.T) {
	for axis, chain := range axes {
		var values []Directives
		for _, same := range chain {
			d := read(t, same[0])
			if d.On(Axis(axis)) != d || d.IsZero() != (same[0] == "") {
				t.Errorf("%q is %+v, on %s it is %+v", same[0], d, axis, d.On(Axis(axis)))
			}
			for _, other := range same[1:] {
				if got := read(t, other); got != d {
					t.Errorf("%s: %q is %+v, %q is %+v", axis, same[0], d, other, got)
				}
			}
			values = append(values, d)
		}
		for i, a := range values {
			for j, b := range values {
				if got, want := a.AtLeast(b), i >= j; got != want {
					t.Errorf("%s: %q at least %q: %v, want %v", axis, chain[i][0], chain[j][0], got, want)
				}
				if got, want := MostRestrictive(a, b), values[max(i, j)]; got != want {
					t.Errorf("%s: %q with %q is %+v, want %+v", axis, chain[i][0], chain[j][0], got, want)
				}
				if got, want := LeastRestrictive(a, b), values[min(i, j)]; got != want {
					t.Errorf("%s: the lesser of %q and %q is %+v, want %+v", axis, chain[i][0], chain[j][0], got, want)
				}
				for k, c := range values {
					laws(t, a, b, c)
					if got, want := MostRestrictive(a, MostRestrictive(b, c)), values[max(i, j, k)]; got != want {
						t.Errorf("%s: three: %+v, want %+v", axis, got, want)
					}
				}
			}
		}
	}
}

type failer interface{ Errorf(string, ...any) }

// laws of a distributive lattice, for any three values. That combining is commutative, associative,
// idempotent and absorbing, and that it is monotone, follows from bounds that are the least and the
// greatest.
func laws(t failer, a, b, c Directives) {
	most, least := MostRestrictive(a, b), LeastRestrictive(a, b)
	for law, holds := range map[string]bool{
		"reflexive":                   a.AtLeast(a),
		"antisymmetric":               (a.AtLeast(b) && b.AtLeast(a)) == (a == b),
		"transitive":                  !(a.AtLeast(b) && b.AtLeast(c)) || a.AtLeast(c),
		"nothing stated is the least": a.AtLeast(Directives{}) && MostRestrictive(a, Directives{}) == a,
		"upper bound":                 most.AtLeast(a) && most.AtLeast(b),
		"least upper bound":           c.AtLeast(most) == (c.AtLeast(a) && c.AtLeast(b)),
		"lower bound":                 a.AtLeast(least) && b.AtLeast(least),
		"greatest lower bound":        least.AtLeast(c) == (a.AtLeast(c) && b.AtLeast(c)),
		"distributive": MostRestrictive(a, LeastRestrictive(b, c)) ==
			LeastRestrictive(most, MostRestrictive(a, c)),
		"what is stricter restricts": !a.AtLeast(b) ||
			(a.NoIndex() || !b.NoIndex()) && (a.Restricts() || !b.Restricts()),
	} {
		if !holds {
			t.Errorf("not %s: %+v, %+v, %+v", law, a, b, c)
		}
	}
}

// D: the product of the chains is a distributive lattice (D9a, D9b).
func TestLaw_DirectivesAreALattice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := directives.Draw(t, "a"), directives.Draw(t, "b"), directives.Draw(t, "c")
		laws(t, a, b, c)
		laws(t, a, MostRestrictive(a, b), c) // comparable ones too
	})
}

func TestHouse_WhatRestricts(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "all": false,
		"index, follow, archive, max-snippet:-1, max-image-preview:large, max-video-preview:-1": false,
		"noindex": true, "noindex, indexifembedded": true, "nofollow": true, "nocache": true, "noarchive": true,
		"max-snippet:2147483647":     true,
		"max-image-preview:standard": true, "max-video-preview:600": true, "unavailable_after: 9999-12-31": true,
		"notranslate": true,
		"noai":        true, "indexifembedded": false,
	} {
		if got := read(t, text).Restricts(); got != want {
			t.Errorf("%q restricts: %v, want %v", text, got, want)
		}
	}
	if d, _ := Parse("x-no-such", Found); !d.Directives.Restricts() {
		t.Error("an unknown directive that is kept is a restriction") // D, flags
	}
}

// D: flags and unknown directives are sets; the order and number of their words is nothing.
func TestHouse_UnknownKeptVerbatim(t *testing.T) {
	a, _ := Parse("X-One, noai, x-two", Found) // D7: lower case
	b, _ := Parse("x-two, X-TWO, noai", Found)
	sum := MostRestrictive(a.Directives, b.Directives)
	if got, want := sum.String(), "noai, x-one, x-two"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := LeastRestrictive(a.Directives, b.Directives).String(), "noai, x-two"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !sum.AtLeast(a.Directives) || !a.Directives.AtLeast(b.Directives) || b.Directives.AtLeast(a.Directives) {
		t.Error("the order of sets is inclusion")
	}
	if x, y := (Directives{flags: "b"}), (Directives{flags: "a,b,c"}); !y.AtLeast(x) || x.AtLeast(y) {
		t.Error("the order of sets is inclusion")
	}
}

func TestLaw_OnPicksOneAxis(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := directives.Draw(t, "d")
		var sum Directives
		axes := []Axis{AxisIndex, AxisFollow, "cache", "snippet", "image", "video", "expiry"}
		for _, name := range split(d.flags) {
			axes = append(axes, Axis(name))
		}
		for _, a := range axes {
			on := d.On(a)
			if !d.AtLeast(on) || on.On(a) != on || !LeastRestrictive(sum, on).IsZero() {
				t.Fatalf("%v on %s: %+v", d, a, on)
			}
			sum = MostRestrictive(sum, on)
		}
		if sum != d {
			t.Fatalf("the axes of %+v sum to %+v", d, sum)
		}
	})
}

// The common path of a decision allocates nothing.
func TestHouse_DecidingAllocatesNothing(t *testing.T) {
	a, b := read(t, "noindex, follow, noai, max-snippet:50"), read(t,
		"index, max-image-preview:large, unavailable_after: 2099-01-01")
	var sink Directives
	for name, f := range map[string]func(){
		"MostRestrictive":  func() { sink = MostRestrictive(a, b) },
		"LeastRestrictive": func() { sink = LeastRestrictive(a, b) },
		"AtLeast":          func() { a.AtLeast(b) },
		"WithoutImplied":   func() { sink = a.WithoutImplied() },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times (%v)", name, n, sink)
		}
	}
}

func ExampleMostRestrictive() {
	page, _ := Parse("index, max-snippet:50", Own)
	section, _ := Parse("noarchive, max-snippet:20", Own)
	fmt.Println(MostRestrictive(page.Directives, section.Directives))
	// Output: index, follow, noarchive, max-snippet:20
}
