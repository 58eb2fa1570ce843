package head

import (
	"slices"
	"testing"
)

// Crawlers read canonical and hreflang links in the head alone.
// https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls#rel-canonical-link-method
func TestGoogle_RelationsOfTheHead(t *testing.T) {
	for _, test := range []struct {
		name, page string
		want       []Relation
	}{
		{"canonical", "<!DOCTYPE html>\n<head><link rel=\"canonical\"\nhref=\"/a/\"></head>",
			[]Relation{{true, "/a/", 2}}},
		{"any order, case and quoting", `<!DOCTYPE html><LINK HREF=' /a?x=1&amp;y=2 ' Rel=CANONICAL>`,
			[]Relation{{true, "/a?x=1&y=2", 1}}},
		{"one of several words", `<!DOCTYPE html><link rel="shortlink Canonical" href=/a>`,
			[]Relation{{true, "/a", 1}}},
		{"a word ends at ASCII white space alone", "<!DOCTYPE html><link rel=\"canonical\u00a0x\" href=/a>" +
			"<link rel=\"canonical\u0085\" href=/b><link rel=\"\fcanonical\tx\" href=/c>",
			[]Relation{{true, "/c", 1}}},
		{"hreflang", `<!DOCTYPE html><link rel=alternate hreflang=DE-at href=/de/>`,
			[]Relation{{false, "/de/", 1}}},
		{"a feed is none", `<!DOCTYPE html><link rel=alternate type=application/rss+xml href=/index.xml>`, nil},
		{"no href", `<!DOCTYPE html><link rel=canonical>`, nil},
		{"the first attribute of a name", `<!DOCTYPE html><link rel=canonical rel=icon href=/a href=/b>`,
			[]Relation{{true, "/a", 1}}},
		{"in a comment, a script, a title, a noscript",
			`<!DOCTYPE html><!--<link rel=canonical href=/a>--><script>"<link rel=canonical href=/a>"</script><title><link rel=canonical href=/a></title><noscript><link rel=canonical href=/a></noscript>`, nil},
		{"in the body", `<!DOCTYPE html><p><link rel=canonical href=/a>`, nil},
		{"both at once", `<!DOCTYPE html><link rel="canonical alternate" hreflang=en href=/a>`,
			[]Relation{{true, "/a", 1}}},
	} {
		s := Scanner{Relations: true}
		p := s.Scan([]byte(test.page), func([]byte) Kind { return None })
		if !slices.Equal(p.Relations, test.want) {
			t.Errorf("%s: %+v, want %+v", test.name, p.Relations, test.want)
		}
		s.Relations = false
		p = s.Scan([]byte(test.page), func([]byte) Kind { return None })
		if len(p.Relations) > 0 {
			t.Errorf("%s: relations that nobody asked for", test.name)
		}
	}
}

func TestStandard_Title(t *testing.T) {
	for page, want := range map[string]string{
		"<!DOCTYPE html><title>\n Fish &amp; <b>chips\n today </title><title>second</title>": "Fish & <b>chips today",
		"<!DOCTYPE html><p><svg><title>of a picture</title></svg>":                           "",
		"<!DOCTYPE html><title></title>":                                                     "",
		"<!DOCTYPE html><meta charset=utf-8>":                                                "",
	} {
		s := Scanner{Title: true}
		p := s.Scan([]byte(page), func([]byte) Kind { return None })
		if got := p.Title; got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}

// The language is what the html element says.
// https://html.spec.whatwg.org/multipage/dom.html#the-lang-and-xml:lang-attributes
func TestStandard_Language(t *testing.T) {
	for src, want := range map[string]string{
		"<html lang=de>": "de", "<!doctype html>\n<html class=x lang=\"de-DE\" dir=ltr>": "de-DE",
		"<HTML LANG='fr'>":                           "fr",
		"\ufeff<!-- <html lang=x> --><html lang=en>": "en", "<?xml version='1.0'?><html xmlns='x' lang='en'>": "en",
		"<html>": "", "": "", "<p><html lang=de>": "", "<html lang>": "", "<html lang=' de '>": "de",
		"<html\nlang=\"d&#101;\">": "de", "<html lang=de": "",
		"<html xml:lang=de>": "", "<htmlx lang=de>": "",
	} {
		if got := new(Scanner).Scan([]byte(src), func([]byte) Kind { return None }).Language; got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}
