package head

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// Google reads data-nosnippet on div, span and section alone: any other element with it is named
// (A4d).
func TestGoogle_SnippetsOnOtherElements(t *testing.T) {
	for _, c := range []struct{ page, want string }{
		{"<p data-nosnippet>x</p>", "p:1"},
		{"<div>\n<ul><li class=a data-nosnippet=''>x<LI Data-NoSnippet></ul>", "li:2 li:2"},
		{"<div data-nosnippet>x</div><span data-nosnippet></span><section data-nosnippet></section>", ""},
		{"<div data-nosnippet><p data-nosnippet>", "p:1"},
		{"<p title='data-nosnippet'>data-nosnippet</p>", ""},
		{"<!-- <p data-nosnippet> --><script>'<p data-nosnippet>'</script><template><p data-nosnippet></template>", ""},
		{"<p data-nosnippet-x>", ""},
		{"<x-y data-nosnippet>", "x-y:1"},
		{"<p a='" + strings.Repeat("<p data-nosnippet ", 10_000), ""},
	} {
		s := Scanner{Snippets: true}
		facts := s.Scan([]byte("<html><head></head><body>"+c.page), func([]byte) Kind { return None })
		var got []string
		for _, e := range facts.Snippets {
			got = append(got, fmt.Sprintf("%s:%d", e.Name, e.Line))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%.60s: %q, want %q", c.page, text, c.want)
		}
	}
}

// A template in the head does not hide what the body asks in vain (A4d), and its metas count once.
func TestGoogle_SnippetsBehindATemplateInTheHead(t *testing.T) {
	const page = "<head><template><meta name=robots></template></head><body>\n<p data-nosnippet><meta name=robots>"
	s := Scanner{Snippets: true}
	facts := s.Scan([]byte(page), func([]byte) Kind { return Robots })
	if got := facts.Snippets; len(got) != 1 || got[0] != (Snippet{Name: "p", Line: 2}) || len(facts.Robots) != 1 {
		t.Errorf("snippets %v, %d metas, want p in line 2, one meta", got, len(facts.Robots))
	}
}

// One pass looks for both "<meta" and "data-nosnippet" by what they have in common, at every offset
// of a page.
func FuzzTAIsFound(f *testing.F) {
	f.Add([]byte("<Meta data-nosnippet tatata TA"), 0)
	f.Add([]byte(strings.Repeat("x", 15)+"ta"+strings.Repeat("t", 14)+"A"), 3)
	f.Add([]byte("\xd4a t\xc1 T\x01 \x54\x41 \x74\x81"), 0)
	f.Fuzz(func(t *testing.T, src []byte, i int) {
		if i < 0 || i > len(src) {
			return
		}
		want := bytes.Index(asciiLower(src[i:]), []byte("ta"))
		if want >= 0 {
			want += i
		}
		if got := indexTA(src, i); got != want {
			t.Errorf("%q from %d: %d, want %d", src, i, got, want)
		}
	})
}

// asciiLower is bytes.ToLower for ASCII alone.
func asciiLower(src []byte) []byte {
	lower := bytes.Clone(src)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return lower
}
