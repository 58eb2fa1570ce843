package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/disk"
	"metarobots/internal/plan"
	"metarobots/internal/site"
	"metarobots/policy"
)

// L5l: an item is what leads somewhere, and a text is more than a few words, in whatever form a
// feed or an index has it.
func TestHouse_ItemsOfFeedsAndIndexes(t *testing.T) {
	words := strings.TrimSpace(strings.Repeat("word ", fewWords+1))
	few := strings.TrimSpace(strings.Repeat("<b>word</b> ", fewWords))
	for _, c := range []struct{ name, text, want string }{
		{"feed.xml", "<item><link>/a</link><description>" + words + "</description></item>", "/a text"},
		{"feed.xml", "<item><link>\n<![CDATA[/a?b&c]]></link><content:encoded><![CDATA[" + few + "]]></content:encoded></item>", "/a?b&c"},
		{"feed.xml", "<rdf:RDF><item rdf:about='x'><link>/a?b&amp;c</link><content:encoded>" + words + "</content:encoded>", "/a?b&c text"},
		{"atom.xml", "<feed><link href='/x'/><entry><link rel='self' href='/y'/><link\nrel='alternate' href='/a'/><content>" + words +
			"</content></entry><entry><link href=\"/b\"/><summary>" + few + "</summary></entry>", "/a text; /b"},
		{"atom.xml", "<feed><entry></entry><entry", ""},
		{"index.json", `[{"url":"/a","content":"` + words + `"},{"URL" : 1, "uri":"/b","x":{"text":"` + words + `"}}]`, "/a text; /b"},
		{"search_index.json", `{"docs":[{"text":"{{\"}\" ` + words + `","location":"a\u002fb"}]}`, "a/b text"},
		{"index.json", `{"url": "/a", "content": "` + words, "/a"},
		{"index.json", `":"url":`, ""},
	} {
		var got []string
		formOf(&plan.Page{File: site.File{Name: c.name, Subject: policy.Subject{Role: policy.RoleStatic}}})([]byte(c.text),
			func(href string, hasText func() bool) {
				if hasText() {
					href += " text"
				}
				if href != "" {
					got = append(got, href)
				}
			})
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q\n%q, want %q", c.name, c.text, got, c.want)
		}
	}
	var got []string
	fragment(disk.Pack([]byte(`pagefind_dcd{"url":"/a/","content":"`+words+`","word_count":51}`)),
		func(href string, hasText func() bool) { got = append(got, fmt.Sprint(href, hasText())) })
	if !slices.Equal(got, []string{"/a/true"}) {
		t.Errorf("a fragment of Pagefind's: %q", got)
	}
}
