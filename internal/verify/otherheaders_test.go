package verify

import (
	"strings"
	"testing"

	"metarobots/internal/result"
)

// H: a line of another header that is missing, or has another value, is looser than what was decided.
func TestHouse_OtherHeadersAreCompared(t *testing.T) {
	const link = `<https://example.org/x/>; rel="canonical"`
	for _, c := range []struct {
		name, value string
		served      []string
		want        Verdict
	}{
		{"Link", link, []string{"Link: " + link}, Match},
		{"Link", link, []string{"Link: </a.css>; rel=preload, <https://example.org/x/>;rel=canonical"}, Match},
		{"Link", link, []string{"link: </a.css>; rel=preload", "LINK: " + link}, Match},
		{"Link", link, nil, Looser},
		{"Link", link, []string{`Link: <https://example.org/y/>; rel="canonical"`}, Looser},
		{"Link", link, []string{"Link: " + link, `Link: </y/>; rel="canonical"`}, Looser},
		{"Content-Usage", "train-ai=n", []string{"Content-Usage: train-ai=n"}, Match},
		{"Content-Usage", "train-ai=n", []string{"Content-Usage: train-ai=n", "Content-Usage: train-ai=y"}, Looser},
		{"Content-Usage", "train-ai=n", nil, Looser},
	} {
		file := pdf(c.served...)
		o, _ := options(t, host{"/x": file})
		s := snapshotOf(map[string]string{"/x": ""})
		s.Entries[0].Headers = []result.HeaderLine{{Name: c.name, Value: c.value}}
		res := find(t, against(t, s, o), "/x", Everyone)
		if res.Verdict != c.want || (c.want == Looser) != strings.Contains(res.Why, c.value+" missing; the answer has") {
			t.Errorf("%s served as %q: %s, %q", c.value, c.served, res.Verdict, res.Why)
		}
	}
}
