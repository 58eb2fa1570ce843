package visits

import (
	"testing"

	"metarobots/internal/snapshot"
)

// What may be either of two pages has been read of neither: one host serves /both as both.html, another as
// both/index.html.
func TestHouse_OneOfTwoPagesIsNone(t *testing.T) {
	x := newIndex(&snapshot.Snapshot{Entries: []snapshot.Entry{{URL: "/both.html"}, {URL: "/both/"}, {URL: "/one.html"},
		{URL: "/two/"}}})
	for path, want := range map[string]int{"/both.html": 0, "/both/": 1, "/both/index.html": 1, "/one": 2, "/two": 3,
		"/two.html": 3, "/both": -1} {
		got, ok := x.find(path, 200)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%s is entry %d, want %d", path, got, want)
		}
	}
}
