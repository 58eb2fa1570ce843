package redirects

import (
	"reflect"
	"slices"
	"testing"

	"metarobots/emit/robotstag"
)

// N3: a rewrite with status 200 serves a path's file elsewhere; redirects, proxies to other hosts and comments do not.
// https://developers.cloudflare.com/pages/configuration/redirects/#proxying
func TestCloudflare_Rewrites(t *testing.T) {
	file := `# /no /comment 200
/old/* /blog/:splat 200
/old/first /elsewhere 200
/moved /blog/a 301
/plain /blog/a
/one /blog/a 200
/one /blog/b 200
/moved /blog/b 200
/y/:year/:slug /blog/:year-:slug 200!
/app/* /app/index.html 200
/api/* https://api.example.org/:splat 200
/q id=:id /blog/a?x=1#y 200 Country=de
not-a-path /blog/a 200
`
	for _, test := range []struct {
		path string
		want []string
	}{
		{"blog/a", []string{"old/a", "one", "q"}},
		{"blog/b", []string{"old/b"}}, // the other lines come after one of the same source
		{"blog/2026-x", []string{"old/2026-x", "y/2026/x"}},
		{"elsewhere", nil}, // line 2 takes /old/first
		{"app/index.html", nil},
		{"other", nil},
	} {
		wants := []robotstag.Want{{Path: test.path, Values: []string{"noindex"}}}
		more, unlisted := Rewritten([]byte(file), wants)
		var got []string
		for _, w := range more {
			got = append(got, w.Path)
		}
		slices.Sort(got)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s is served at %q, want %q", test.path, got, test.want)
		}
		var open []Open
		if test.path == "app/index.html" {
			open = []Open{{Line: 10, Pattern: "/app/*", Source: "app/~", Want: wants[0]}}
		}
		if !reflect.DeepEqual(unlisted, open) {
			t.Errorf("%s: %v cannot be listed, want %v", test.path, unlisted, open)
		}
	}
}

// No text makes it fail, and no source is served twice.
func FuzzNoSourceIsServedTwice(f *testing.F) {
	f.Add("/a/* /b/:splat 200\n/:x/:x /:x 200\n/** /* 200", "b/x")
	f.Fuzz(func(t *testing.T, file, path string) {
		if len(file) > 2000 || len(path) > 100 {
			return // sources with hundreds of parts take their time, and no more
		}
		more, _ := Rewritten([]byte(file), []robotstag.Want{{Path: path, Values: []string{"noindex"}}})
		seen := map[string]bool{path: true}
		for _, w := range more {
			if seen[w.Path] {
				t.Errorf("%q is served twice", w.Path)
			}
			seen[w.Path] = true
		}
	})
}
