package plan_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"metarobots/internal/published"
	"metarobots/internal/tables"
)

// Law (S2f, U4): a page is disallowed where an address that stands for it is, on a host that may
// serve the site, and each of these is one at which a host serves it, if any does.
func TestLaw_APageIsDisallowedAtTheAddressesThatStandForIt(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 3))
	rules := []string{"Disallow: /p$", "Disallow: /*.html$", "Disallow: /*/index.html", "Disallow: /q", "Disallow: /q/",
		"Disallow: /s.pdf$", "Disallow: /*?", "Allow: /q/$", "Disallow: /index", "Disallow: /e%2Bf/", "Disallow: /e+f/",
		"Disallow: /n$", "Allow: /p.html"}
	disallowed, elsewhere := 0, 0
	for range tables.Cases(60, 150) {
		files := randomAISite(r)
		files["out/robots.txt"] = "User-agent: *\n"
		for _, rule := range rules {
			if r.IntN(4) == 0 {
				files["out/robots.txt"] += rule + "\n"
			}
		}
		s := planned(t, tables.Folder(t, files))
		for _, pg := range s.Pages {
			if !pg.File.Role.Policed() {
				continue
			}
			question := published.QuestionAbout(s, pg)
			v, at := question.Ask("", "bingbot")
			var refused []string
			for _, path := range s.Sites.Representatives(pg) {
				if !question.Robots.File.Ask("bingbot", path).Allowed {
					refused = append(refused, path)
				}
			}
			_, site, file := s.Site(pg.File.Name)
			for _, path := range s.Sites.Representatives(pg) {
				if len(slices.Collect(site.Serving(file))) > 0 && !slices.Contains(site.Served(path), file) {
					t.Fatalf("%s stands for %s, which is not served there", path, file)
				}
			}
			switch {
			case v.Allowed != (len(refused) == 0):
				t.Fatalf("%s: allowed %v at %s, and refused at %q\n%s\n%s\n%s", file, v.Allowed, at, refused,
					files["out/robots.txt"], files["metarobots.toml"], files["out/_redirects"])
			case !v.Allowed && at != pg.URL:
				elsewhere++
				fallthrough
			case !v.Allowed:
				disallowed++
			}
		}
	}
	if t.Logf("%d pages are disallowed, %d of them not at their URL", disallowed, elsewhere); elsewhere == 0 {
		t.Error("the sites are too plain")
	}
}
