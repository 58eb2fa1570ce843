package redirects

import (
	"slices"
	"strings"
	"testing"

	"metarobots/internal/address"
)

// servedAt are the addresses of a file on Cloudflare Pages beside its own, by the lines of a
// _redirects file.
func servedAt(file, name string) (all []string, site *address.Site) {
	site = address.New(nil, Cloudflare([]byte(file), "_redirects", true), address.CloudflarePages)
	for _, a := range site.Of(name) {
		if a.By == address.Rewritten {
			all = append(all, strings.TrimPrefix(a.Path, "/"))
		}
	}
	slices.Sort(all)
	return all, site
}

// U2a: a rewrite with status 200 serves a path's file elsewhere; redirects, proxies to other hosts
// and comments do not.
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
/y/:year/:slug /blog/:year-:slug 200
/app/* /app/page 200
/api/* https://api.example.org/:splat 200
not-a-path /blog/a 200
`
	for _, test := range []struct {
		name string
		want []string
	}{
		{"blog/a", []string{"not-a-path", "old/a", "one"}},
		{"blog/b", []string{"old/b"}}, // the other lines come after one of the same source
		{"blog/2026-x", []string{"old/2026-x", "y/2026/x"}},
		{"elsewhere", nil}, // line 2 takes /old/first
		// Its own path, app/page, is none of them: there line 10 changes nothing (U2k).
		{"app/page.html", []string{"app/page.html", "app/page/", "app/page/index", "app/page/index.html"}},
		{"other", nil},
	} {
		got, site := servedAt(file, test.name)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s is served at %q, want %q", test.name, got, test.want)
		}
		opens := slices.DeleteFunc(site.Opens(test.name), func(o address.Open) bool { return o.Route == nil })
		if unlisted := test.name == "app/page.html"; unlisted != (len(opens) == 1 && opens[0].Route.Origin.Line == 10) {
			t.Errorf("%s: %v cannot be listed", test.name, opens)
		}
	}
}

// No text makes it fail, and no address of a file is listed twice.
func FuzzNoSourceIsServedTwice(f *testing.F) {
	f.Add("/a/* /b/:splat 200\n/:x/:x /:x 200\n/** /* 200", "b/x")
	f.Fuzz(func(t *testing.T, file, name string) {
		if len(file) > 2000 || len(name) > 100 {
			return // sources with hundreds of parts take their time, and no more
		}
		all, site := servedAt(file, name)
		if len(slices.Compact(all)) < len(all) {
			t.Errorf("%q has an address twice", all)
		}
		for _, r := range Netlify([]byte(file), "_redirects") {
			r.Route("netlify")
		}
		site.Opens(name)
	})
}
