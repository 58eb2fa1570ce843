package head

import (
	"fmt"
	"strings"
	"testing"
)

// Google reads data-nosnippet on div, span and section alone: any other element with it is named (A4d).
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
