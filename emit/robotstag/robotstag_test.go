package robotstag

import (
	"maps"
	"testing"

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
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"noindex, follow", "FOLLOW,noindex", true},
		{"noindex, noindex", "noindex", true},
		{"googlebot: noindex, bingbot: nofollow", "bingbot: nofollow, googlebot: noindex", true},
		{"*: noindex", "noindex", true},
		{"noindex", "noindex, nofollow", false},
		{"noindex, nofollow", "noindex, follow", false},
		{"googlebot: noindex", "noindex", false},
		{"googlebot: noindex, nofollow", "nofollow, googlebot: noindex", false},
		{"noindex", "noindex, follow", true}, // P5
		{"nofollow", "index, nofollow", true},
		{"index, follow, max-snippet:50", "max-snippet:50", true},
		{"noindex, nosnippet", "noindex, follow", true}, // P3
		{"noindex, noarchive", "noindex", false},
		{"noindex, indexifembedded", "noindex", false},
		{"all", "index, follow", true},
		{"googlebot: noindex", "index, follow, googlebot: noindex, follow", true},
		{"noindex, googlebot: noindex", "noindex", true}, // A2: a crawler obeys the sum
		{"noindex, googlebot: nosnippet", "noindex", true},
		{"yandex: noindex", "index, yandex: noindex", false}, // A5
		{"follow, yandex: noindex", "yandex: noindex, follow", true},
		{"yandex: nofollow", "follow, yandex: nofollow", false},
		{"", "noindex", false},
		{"", "", true},
		{"", ",", false},
	} {
		if Same(c.a, c.b) != c.same || Same(c.b, c.a) != c.same {
			t.Errorf("%q and %q: the same %t, want %t", c.a, c.b, !c.same, c.same)
		}
	}
}
