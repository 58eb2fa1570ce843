package verify

import (
	"strings"
	"testing"
)

// X18b: a page and its header that name two URLs as canonical are a note, and two spellings of one URL are none.
// https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
func TestGoogle_CanonicalLinksAgree(t *testing.T) {
	const body = `<!doctype html><title>x</title><link rel=canonical href="/a">`
	for link, isNoted := range map[string]bool{`</a>; rel="canonical"`: false, `<a>; rel=canonical`: false,
		`</b>; rel="canonical"`: true, `</b>; rel="next"`: false} {
		o, _ := options(t, host{"/a": {header: []string{htmlType, "Link: " + link}, body: body}})
		r := against(t, snapshotOf(map[string]string{"/a": ""}), o)
		notes := strings.Join(find(t, r, "/a", Everyone).Notes, "\n")
		if isNoted != strings.Contains(notes, "the header names /b as canonical, the page in line 1 /a: ") {
			t.Errorf("Link: %s: notes %q", link, notes)
		}
	}
}
