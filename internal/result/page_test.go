package result

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"metarobots/internal/seen"
	"metarobots/policy"
)

const everything = "index, follow, max-snippet:-1, max-image-preview:large, max-video-preview:-1"

// standard is the statement of the default line, beside which every page stands.
var standard = why(policy.LayerDefault, "", 0, "robots.default", everything)

// why is a statement of a layer.
func why(layer policy.Layer, file string, line int, key, states string) policy.Statement {
	crawler, text := seen.Addressee(states)
	if crawler == seen.Everyone {
		crawler = ""
	}
	return policy.Statement{Crawler: crawler, Directives: policy.Stating(text),
		Origin: policy.Origin{Layer: layer, File: file, Line: line, Key: key}}
}

// decided are statements with what each does to their decision.
func decided(of ...policy.Statement) []Why {
	d := (&policy.Policy{Now: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)}).Resolve(of)
	return statements(&d, policy.Style{})
}

// page is a page that says one thing.
func page(url, robots string, of ...policy.Statement) Page {
	return Page{URL: url, Role: "page", Meta: map[string]string{"robots": robots}, Why: decided(of...)}
}

func TestHouse_ADecisionHasItsReason(t *testing.T) {
	for _, c := range []struct {
		name   string
		page   Page
		text   string
		state  seen.State
		brief  string
		reason string
	}{
		{"what is not restricted has no header", page("/", everything, standard), everything, seen.Indexable, "", ""},
		{"noindex, and what it leaves over", // P3
			page("/", "noindex, follow, noarchive", standard, why(policy.LayerRule, "c.toml", 1, "r", "noindex"),
				why(policy.LayerPage, "a.md", 2, "robots", "noarchive")),
			"noindex, follow, noarchive", seen.Noindex, "noindex, noarchive", "rule, r"},
		{"what two places say has two reasons", page("/", "noindex, follow", why(policy.LayerRule, "c.toml", 1, "r",
			"noindex"), why(policy.LayerPage, "a.md", 2, "robots", "noindex, nofollow")),
			"noindex, follow", seen.Noindex, "noindex", "rule, r; front matter, robots"},
		{"a header alone", Page{URL: "/a.pdf", Header: []string{"noindex, follow"}}, "noindex, follow (header " +
			"only)", seen.Noindex, "noindex", ""},
		{"the header is what was decided, also beside a looser tag", // a symlink's, say
			Page{URL: "/a/", Meta: map[string]string{"robots": "index, follow"}, Header: []string{"noindex, follow"}},
			"noindex, follow", seen.Noindex, "noindex", ""},
		{"an ordinary word is no crawler", Page{URL: "/a/", Header: []string{"max-snippet:50"}},
			"max-snippet:50 (header only)", seen.Limited, "max-snippet:50", ""},
		{"one crawler is kept out", // A5: the generic line is left out
			Page{URL: "/a/", Meta: map[string]string{"robots": "follow", "yandex": "noindex, follow"},
				Header: []string{"yandex: noindex, follow"},
				Why:    decided(standard, why(policy.LayerPage, "a.md", 2, "yandex", "yandex: noindex"))},
			"follow; yandex: noindex, follow", seen.Limited, "yandex: noindex", "front matter, yandex"},
		{"what everyone is told is not repeated", Page{URL: "/a/", Header: []string{"index, follow, noarchive",
			"bingbot: index, follow, noarchive, nosnippet"}},
			"index, follow, noarchive; bingbot: index, follow, noarchive, nosnippet (header only)", seen.Limited,
			"noarchive; bingbot: nosnippet", ""},
		{"a date that has passed", page("/", "noindex, follow", standard, why(policy.LayerPage, "a.md", 2,
			"unavailable_after", "noindex, unavailable_after: 2020-01-01T00:00:00Z")), // L7
			"noindex, follow", seen.Noindex, "noindex", "front matter, unavailable_after"},
		{"embeddable", page("/", "noindex, follow, indexifembedded", why(policy.LayerRule, "c.toml", 1, "r",
			"noindex, indexifembedded")), // D3
			"noindex, follow, indexifembedded", seen.Noindex, "noindex, indexifembedded", "rule, r"},
		{"a redirect has no policy, whatever stands in it", Page{URL: "/a/", Role: "redirect",
			Meta: map[string]string{"robots": "noindex"}}, "redirect", seen.Redirect, "", ""}, // L4
		{"nothing", Page{URL: "/a.css"}, "nothing", seen.Indexable, "", ""},
	} {
		d := c.page.Told()
		if got := d.String(); got != c.text {
			t.Errorf("%s: text %q, want %q", c.name, got, c.text)
		}
		if got := d.State(); got != c.state {
			t.Errorf("%s: state %s, want %s", c.name, got, c.state)
		}
		if got := d.Brief(); got != c.brief {
			t.Errorf("%s: brief %q, want %q", c.name, got, c.brief)
		}
		if got := c.page.Reason().Text; got != c.reason {
			t.Errorf("%s: reason %q, want %q", c.name, got, c.reason)
		}
	}
}

func TestHouse_WhatIsOutdoneDoesNotDecide(t *testing.T) {
	p := page("/", "index, follow, max-snippet:50",
		standard,
		why(policy.LayerRule, "c.toml", 1, "a", "max-snippet:160"),
		why(policy.LayerPage, "a.md", 2, "b", "max-snippet:50"),
		why(policy.LayerPage, "a.md", 3, "c", "index"))
	if got, want := p.Reason().Text, "front matter, b"; got != want || p.Cause().Line != 2 {
		t.Errorf("got %q at line %d, want %q", got, p.Cause().Line, want)
	}
}

// Where a page's cause stands is the same, whether the decision is asked or the page is read from a
// file of --json.
func TestLaw_CauseOfAPageIsTheDecisions(t *testing.T) {
	said := rapid.Custom(func(t *rapid.T) policy.Statement {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"index", "noindex", "noindex, indexifembedded", "follow",
			"nofollow", "noarchive", "max-snippet:50", "max-snippet:-1", "noai", "unheard-of",
			"unavailable_after: 2020-01-01", "unavailable_after: 2099-01-01"}), 1, 3).Draw(t, "words")
		s := why(policy.Layer(rapid.IntRange(0, 5).Draw(t, "layer")), "", 0,
			rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "key"), strings.Join(words, ", "))
		s.Crawler = rapid.SampledFrom([]string{"", "", "bingbot", "googlebot", "googlebot-news", "yandex"}).Draw(t, "crawler")
		return s
	})
	rapid.Check(t, func(t *rapid.T) {
		p := policy.Policy{Now: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), Style: policy.Style{
			KeepRedundant: rapid.Bool().Draw(t, "keep"), None: rapid.Bool().Draw(t, "none")}}
		d := p.Resolve(rapid.SliceOfN(said, 0, 5).Draw(t, "statements"))
		page := Page{Why: statements(&d, p.Style)}
		if got, want := page.Cause(), d.DecidedAt(p.Style); got != want {
			t.Fatalf("%v: cause %v, want %v", page.Why, got, want)
		}
	})
}
