package verify

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/address"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/seen"
	"metarobots/internal/site/pages"
	"metarobots/internal/snapshot"
	"metarobots/internal/tables"
)

// A model serves a plan's files as one host finds them, each with the X-Robots-Tag that is decided
// for it, but for one request path.
type model struct {
	site *address.Site
	plan *plan.Plan
	lost string
}

func (m model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := m.site.At(r.URL.EscapedPath())[0]
	pg := m.plan.Page(a.File)
	switch {
	case a.To != "":
		w.Header().Set("Location", a.To)
		w.WriteHeader(http.StatusPermanentRedirect)
	case pg == nil || a.By == address.Fallback:
		w.WriteHeader(http.StatusNotFound)
	default:
		w.Header().Set("Content-Type", "application/pdf") // so that headers say all
		for _, line := range pg.Header() {
			if r.URL.EscapedPath() != m.lost {
				w.Header().Add("X-Robots-Tag", line)
			}
		}
	}
}

// Law (U1, X): a host that serves each file with what is decided for it is found to do so, in
// whichever way it finds files, and one that loses a header anywhere is found looser.
func TestLaw_WhatIsServedAsDecidedMatches(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	names := []string{"index.html", "x.html", "x/index.html", "x/y.html", "z.html", "a=b.html", "s.pdf", "o.pdf", "old/a.pdf"}
	rules := []string{"/o.pdf /s.pdf 200", "/z /s.pdf 200", "/papers/* /old/:splat 200", "/moved /x/ 301", "/any/* /s.pdf 200"}
	targets := []string{"portable", "cloudflare", "netlify", "apache", "nginx", "caddy", "vercel", "firebase", "none"}
	asked, rewritten := 0, 0
	for range 200 {
		target := targets[r.IntN(len(targets))]
		files := map[string]string{}
		var noindex, redirects []string
		for _, name := range names {
			if r.IntN(2) == 0 || name == "s.pdf" {
				files["out/"+name] = "<!doctype html>"
			}
			if r.IntN(2) == 0 {
				noindex = append(noindex, "/"+name)
			}
		}
		for _, rule := range rules {
			if r.IntN(3) == 0 {
				redirects = append(redirects, rule)
			}
		}
		files["out/_redirects"] = strings.Join(redirects, "\n")
		files["metarobots.toml"] = fmt.Sprintf("[site]\ngenerator = \"html\"\ndestination = \"out\"\n[robots]\nguard.allow = true\n"+
			"headers.targets = [%q]\n[[robots.rules]]\nmatch = %s\nrobots = \"noindex\"\nallowEmpty = true\n", target,
			strings.ReplaceAll(fmt.Sprintf("%q", append(noindex, "/none")), " ", ", "))
		p := tables.Value(project.Open(t.Context(), project.Options{WorkDir: tables.Folder(t, files),
			Getenv: func(string) string { return "" }}, pages.HTML()))(t)
		s := tables.Value(plan.New(t.Context(), p))(t)
		p.Close()
		_, site, _ := s.Site("index.html")
		for _, h := range site.Handlings() {
			one := address.New(func(file string) bool { return files["out/"+file] != "" }, site.Routes(), h)
			o, w := options(t, model{one, s, ""})
			report := tables.Value(Against(t.Context(), snapshot.OfPlan(s), o))(t)
			hidden := func(c seen.Answer) bool { return c.Verdict == seen.Match && strings.HasPrefix(c.Want, "noindex") }
			if i := slices.IndexFunc(report.Results, hidden); i >= 0 {
				at, _ := url.Parse(cmp.Or(report.Results[i].Location, report.Results[i].URL))
				o, _ := options(t, model{one, s, at.EscapedPath()})
				without := tables.Value(Against(t.Context(), snapshot.OfPlan(s), o))(t)
				if without.Summary.Looser == 0 {
					t.Fatalf("%s, %s: nothing is looser without a header at %s: %s", target, h.Name, at, outcome(without.Results))
				}
			}
			for _, res := range report.Results {
				i := slices.IndexFunc(s.Pages, func(pg *plan.Page) bool { return pg.URL == res.URL })
				elsewhere := i >= 0 && len(one.Of(s.Pages[i].File.Name)) == 0 // another host of the target serves it
				if asked++; res.Verdict != seen.Match && !elsewhere {
					t.Fatalf("%s, %s, %q, noindex %q, %q: %+v\nasked %q", target, h.Name, slices.Sorted(maps.Keys(files)), noindex, redirects,
						res, w.asked())
				}
				if i < 0 {
					rewritten++
				}
			}
		}
	}
	if asked < 1000 || rewritten < 50 {
		t.Errorf("%d addresses asked, %d of rewrites", asked, rewritten)
	}
}
