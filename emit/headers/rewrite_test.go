package headers

import (
	"fmt"
	"slices"
	"testing"
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
	rewrites := Rewrites([]byte(file))
	for _, test := range []struct {
		path string
		want []string // line and source
	}{
		{"/blog/a", []string{"2 /old/a", "6 /one", "12 /q"}},
		{"/blog/b", []string{"2 /old/b"}}, // the other lines come after one of the same source
		{"/blog/2026-x", []string{"2 /old/2026-x", "9 /y/2026/x"}},
		{"/elsewhere", nil}, // line 2 takes /old/first
		{"/app/index.html", nil},
		{"/other", nil},
	} {
		var got []string
		for _, r := range rewrites {
			if from, ok := r.Source(test.path); ok {
				got = append(got, fmt.Sprint(r.Line, " ", from))
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s is served at %q, want %q", test.path, got, test.want)
		}
	}
	var open []int
	for _, r := range rewrites {
		if r.Open() {
			open = append(open, r.Line)
		}
	}
	if !slices.Equal(open, []int{10}) {
		t.Errorf("open lines %v, want 10", open)
	}
}

func FuzzRewrites(f *testing.F) {
	f.Add("/a/* /b/:splat 200\n/:x/:x /:x 200\n/** /* 200", "/b/x")
	f.Fuzz(func(t *testing.T, file, path string) {
		if len(file) > 2000 || len(path) > 100 {
			return // sources with hundreds of parts take their time, and no more
		}
		for _, r := range Rewrites([]byte(file)) {
			if from, ok := r.Source(path); ok && !wildcards(r.From).MatchString(from) {
				t.Errorf("%q: the source %q of %q is none", r.From, from, path)
			}
		}
	})
}
