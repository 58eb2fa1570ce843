//go:build e2e

package e2e

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/internal/hosts"
)

// N3, H5d: real engines serve each of three headers as was wanted: twins with the canonical link of
// their page, filled in by Cloudflare, a dictionary whose rules overlap, and X-Robots-Tag, in rules
// of the same paths.
func TestHosts_ServeSeveralHeaders(t *testing.T) {
	t.Parallel()
	for i, c := range []struct {
		target string
		engine string
		pages  int
	}{
		{headers.TargetCloudflare, "pages", 10000}, {headers.TargetNetlify, "netlify", 1000},
		{headers.TargetPortable, "pages", 30}, {headers.TargetPortable, "netlify", 30},
		{headers.TargetCloudflare, "workers", 1000},
	} {
		if !everything && i >= 2 {
			break // these two are the rules of both engines; the others take a part of them
		}
		if !everything {
			c.pages = min(c.pages, 300)
		}
		t.Run(c.target+"/"+c.engine, func(t *testing.T) { serveHeaders(t, c.target, c.engine, c.pages) })
	}
}

func serveHeaders(t *testing.T, target, engine string, pages int) {
	publish := t.TempDir()
	demands := []robotstag.Demand{{Header: robotstag.XRobotsTag()}, {Header: robotstag.Header{Name: "Link", Join: true}},
		{Header: robotstag.Header{Name: "Content-Usage"}}}
	add := func(name string, values ...string) {
		write(t, filepath.Join(publish, name), name)
		w := robotstag.Want{Path: name, URL: "/" + name, HTML: strings.HasSuffix(name, ".html")}
		for i := range demands {
			own := w
			if values[i] != "" {
				own.Values = []string{values[i]}
			}
			demands[i].Wants = append(demands[i].Wants, own)
		}
	}
	canonical := func(path string) string {
		return "<https://example.org" + (&url.URL{Path: path}).EscapedPath() + `>; rel="canonical"`
	}
	add("index.html", "", "", "")
	add("index.md", "", canonical("/"), "")
	for i := range pages {
		folder := fmt.Sprintf("s%d/%s%d", i%40, []string{"f", "a b ", "é", "x-", "F~"}[i%5], i%400)
		page := fmt.Sprintf("%s/p%d", folder, i)
		add(page+"/index.html", "", "", "")
		add(page+"/index.md", "", canonical("/"+page+"/"), map[bool]string{true: "train-ai=n"}[i%40 < 20])
	}
	add("s1/a.pdf", "noindex", "", "train-ai=n")
	add("s2/b.pdf", "noindex, nofollow", canonical("/s2/"), "search=y")
	own := []byte("/*\n  X-Frame-Options: DENY\n/s2/b.pdf\n  X-Own: y\n")
	o := robotstag.Task{Target: target}
	made, err := hosts.Compile(own, demands, o)
	if err != nil || len(made.Lost) > 0 {
		t.Fatalf("%v, lost %d of Link, %d of Content-Usage", err, len(made.Lost["Link"]), len(made.Lost["Content-Usage"]))
	}
	for _, f := range headers.Verify(made, demands, o) {
		t.Error(f)
	}
	write(t, filepath.Join(publish, "_headers"), string(made.File))
	d := headers.Netlify
	if engine != "netlify" {
		d = headers.Cloudflare
	}
	var questions []question
	var wants []string
	for _, demand := range demands {
		step := pages/550 | 1 // odd, so that pages and twins take turns
		if !demand.Header.Join {
			step = step*4 | 1
		}
		for i := 0; i < len(demand.Wants); i += step {
			if len(demand.Wants)-i <= step {
				i = max(i, len(demand.Wants)-2) // the two of the end are always asked for
			}
			for form := range d.Requests(nil, demand.Wants[i].Path, "") {
				questions = append(questions, question{Path: form, Header: demand.Header.Name})
				wants = append(wants, strings.Join(demand.Wants[i].Values, ", "))
			}
		}
	}
	var wrong failures
	for i, a := range ask(t, engine, publish, questions) {
		if got := strings.Join(a.Lines, ", "); a.Status != 200 || got != wants[i] {
			wrong.errorf(t, "%s of %s: status %d, %q, want %q", questions[i].Header, questions[i].Path, a.Status, got,
				wants[i])
		}
	}
	t.Logf("%s on %s: %d rules, %d questions, %d with a value", target, engine, made.Total, len(questions),
		len(slices.DeleteFunc(wants, func(w string) bool { return w == "" })))
}
