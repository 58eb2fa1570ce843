package robotstag

import (
	"maps"
	"testing"

	"metarobots/internal/tables"
	"metarobots/policy"
)

// A crawler's name governs until the next one, and a colon within a value names none.
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag
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
		if got := Stated(c.value); !maps.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", c.value, got, want)
		}
	}
}

// Two values are the same where they state the same, however it is written; nothing is the same as nothing alone.
func TestHouse_SameWhateverTheOrder(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/same.txt") {
		same := c["same"] == "true"
		if Same(c["a"], c["b"]) != same || Same(c["b"], c["a"]) != same {
			t.Errorf("%q and %q: the same %t, want %t", c["a"], c["b"], !same, same)
		}
	}
}
