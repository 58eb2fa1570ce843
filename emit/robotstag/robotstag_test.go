package robotstag

import (
	"maps"
	"testing"

	"metarobots/internal/tables"
	"metarobots/policy"
)

// A crawler's name governs until the next one, and a colon within a value names none.
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag
// D0b, D0c.
func TestGoogle_NamesGovernUntilTheNext(t *testing.T) {
	for _, c := range []struct {
		value string
		want  map[string]string
	}{
		{"", nil},
		{" , ,", nil},
		{"NoIndex,  follow", map[string]string{"": "noindex, follow"}},
		{"googlebot: noindex, nofollow, bingbot: noarchive",
			map[string]string{"googlebot": "noindex, nofollow", "bingbot": "noarchive"}},
		{"bingbot: nocache, *: noindex, robots: nofollow",
			map[string]string{"bingbot": "nocache", "": "noindex, nofollow"}},
		{"max-snippet: 5, unavailable_after: 2030-01-31T10:00:00Z",
			map[string]string{"": "max-snippet:5, unavailable_after:2030-01-31T10:00:00Z"}},
		{"googlebot: max-snippet:5", map[string]string{"googlebot": "max-snippet:5"}},
		{"googlebot:, noindex", map[string]string{"googlebot": "noindex"}},
	} {
		want := map[string]policy.Directives{}
		for crawler, text := range c.want {
			want[crawler] = policy.Stating(text)
		}
		if got := Told(c.value); !maps.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", c.value, got, want)
		}
	}
}

// Two values are the same where they state the same, however it is written; nothing is the same as
// nothing alone.
func TestHouse_SameWhateverTheOrder(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/same.txt") {
		same := c["same"] == "true"
		if Same(c["a"], c["b"]) != same || Same(c["b"], c["a"]) != same {
			t.Errorf("%q and %q: the same %t, want %t", c["a"], c["b"], !same, same)
		}
	}
}

// D0c: a name governs to the end of its line and no further, and lines of one answer are one source
// (D3b).
func TestHouse_LinesOfAnAnswer(t *testing.T) {
	for _, c := range []struct {
		a, b   string
		same   bool
		covers bool // a restricts all that b does
	}{
		{"noindex\ngooglebot: nosnippet", "noindex, googlebot: nosnippet", true, true},
		{"googlebot: nosnippet\nnoindex", "noindex, googlebot: nosnippet", true, true},
		{"googlebot: nosnippet, noindex", "googlebot: nosnippet\nnoindex", false, false},
		{"googlebot: nosnippet\nnoindex", "googlebot: nosnippet, noindex", false, true},
		{"noindex\nindexifembedded", "noindex, indexifembedded", true, true},
		{"noindex\nindexifembedded", "noindex", false, false},
		{"noindex\ngooglebot: indexifembedded", "noindex", true, true},
		{"noindex", "", false, true},
		{"", "googlebot: noai", false, false},
		{"noai\nnobot: noindex", "googlebot: noai", false, true},
	} {
		if same, covers := Same(c.a, c.b), Covers(c.a, c.b); same != c.same || covers != c.covers {
			t.Errorf("%q and %q: the same %t, covers %t", c.a, c.b, same, covers)
		}
	}
}
