package servers

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// In an environment that states noindex one rule carries it, and only what wants
// something else has a rule of its own (N7a).
func TestHouse_OneRuleForEverything(t *testing.T) {
	o := robotstag.Task{Everywhere: []string{"noindex, nofollow"}}
	wants := many(5000, "a/%d.html")
	for i := range wants {
		wants[i].Values = []string{"noindex, nofollow"}
	}
	wants = append(
		wants,
		published("b.pdf", "noindex, nofollow, noarchive"),
		robotstag.Want{Path: "robots.txt", URL: "robots.txt", Free: true},
		published("c.txt"),
	)
	for _, target := range targets {
		res := must(t, target, nil, wants, o)
		if len(res.Findings) > 0 || res.Rules != 2 || strings.Contains(string(res.File), "a/1") {
			t.Errorf("%s: %d rules, problems %+v\n%s", target, res.Rules, res.Findings, res.File)
		}
		reports(t, target, verify(target, res.File, wants, o, nil))
		// The file of an environment does for no other.
		if ps := verify(target, res.File, wants, plain, nil); len(ps) != 1 || ps[0].URL != "c.txt" {
			t.Errorf("%s: %d problems", target, len(ps))
		}
	}
}

// The scopes (N2a, N2b, N2c): auto gives HTML up, all at once; files leaves it; all fails.
func TestHouse_Scopes(t *testing.T) {
	pages := many(400, "a/%d.html")
	for i := range pages {
		pages[i].HTML = true
	}
	wants := append(pages, published("b.pdf", "noindex, follow"))
	for _, target := range []string{"amplify", "azure"} {
		for _, scope := range []string{"", robotstag.ScopeAuto} {
			res, err := compile(target, nil, wants, robotstag.Task{Scope: scope})
			if err != nil || res.Rules != 1 || len(res.GivenUp) != 400 || res.GivenUp[0] != "a/0.html" {
				t.Fatalf("%s: %v, %d rules, %d given up", target, err, res.Rules, len(res.GivenUp))
			}
			if len(res.Findings) != 1 || res.Findings[0].Severity != policy.Warning ||
				res.Findings[0].ID != "header-budget" ||
				!strings.Contains(res.Findings[0].Text(), "400 HTML pages") {
				t.Errorf("%s: %+v", target, res.Findings)
			}
			reports(t, target, verify(target, res.File, wants, robotstag.Task{Scope: scope}, res.GivenUp))
		}
		res, err := compile(target, nil, wants, robotstag.Task{Scope: robotstag.ScopeFiles})
		if err != nil || res.Rules != 1 || len(res.GivenUp) != 400 || len(res.Findings) > 0 {
			t.Errorf("%s: %v %+v", target, err, res.Findings)
		}
		res, err = compile(target, nil, wants, robotstag.Task{Scope: robotstag.ScopeAll})
		if !errors.Is(err, robotstag.ErrBudget) || len(res.Findings) != 1 ||
			!strings.Contains(res.Findings[0].Text(), `headers.scope = "files"`) {
			t.Errorf("%s: %v %+v", target, err, res.Findings)
		}
		// Where the other files alone do not fit, nothing is given up.
		res, err = compile(target, nil, append(pages, many(500, "%d.pdf")...), plain)
		if !errors.Is(err, robotstag.ErrBudget) || len(res.Findings) != 1 || res.Findings[0].Severity != policy.Error {
			t.Errorf("%s: %v %+v", target, err, res.Findings)
		}
	}
}

// N2e: a page that restricts a crawler which reads headers alone is given up last, if other pages
// do not make room.
func TestHouse_PagesWithUntoldCrawlersAreGivenUpLast(t *testing.T) {
	pages := many(300, "a/%d.html")
	for i := range pages {
		pages[i].HTML = true
	}
	files := many(1, "%d.pdf")
	for _, target := range []string{"amplify", "azure"} {
		for _, c := range []struct {
			scope    string
			untagged int
			rules    int // with one for the PDF
			left     int
			findings string
		}{
			{robotstag.ScopeAuto, 20, 21, 300, "300 HTML pages"},
			{robotstag.ScopeAuto, 400, 1, 700, "700 HTML pages"},
			{robotstag.ScopeFiles, 20, 21, 300, ""},
			{robotstag.ScopeFiles, 400, 1, 700, "400 HTML pages"},
		} {
			untagged := many(c.untagged, "u/%d.txt") // pages at one address, as files are
			for i := range untagged {
				untagged[i].Untagged = true
			}
			wants := slices.Concat(pages, untagged, files)
			o := robotstag.Task{Scope: c.scope}
			res, err := compile(target, nil, wants, o)
			if err != nil || res.Rules != c.rules || len(res.GivenUp) != c.left ||
				len(res.Findings) != min(len(c.findings), 1) {
				t.Fatalf("%s %+v: %v, %d rules, %d given up, %v", target, c, err, res.Rules,
					len(res.GivenUp), res.Findings)
			}
			for _, f := range res.Findings {
				if f.ID != "header-budget" || f.Severity != policy.Warning ||
					!strings.Contains(f.Text(), c.findings) {
					t.Errorf("%s %+v: %+v", target, c, f)
				}
			}
			reports(t, target, verify(target, res.File, wants, o, res.GivenUp))
			_, err = compile(target, nil, wants, robotstag.Task{Scope: robotstag.ScopeAll})
			if !errors.Is(err, robotstag.ErrBudget) {
				t.Errorf("%s, scope all: %v", target, err)
			}
		}
	}
}

// N3, N8: Azure may take a rule for an index for its folder too. Where p.html may be served there,
// and gets what everything gets, a rule for that path goes ahead.
func TestHouse_ADisputedPathKeepsWhatEverythingGets(t *testing.T) {
	wants := []robotstag.Want{published("p.html", "noindex", "googlebot: none"),
		published("p/index.html", "noindex, bingbot: nosnippet")}
	for i := range wants {
		wants[i].HTML = true
	}
	o := robotstag.Task{Everywhere: []string{"noindex", "googlebot: none"}}
	res, err := compile("azure", nil, wants, o)
	if err != nil {
		t.Fatal(err)
	}
	reports(t, "azure", verify("azure", res.File, wants, o, nil))
	ahead := strings.Index(string(res.File), `"route": "/p",`)
	if index := strings.Index(string(res.File), `"route": "/p/",`); ahead < 0 || index < ahead {
		t.Errorf("the rule for /p is not ahead of the one for /p/:\n%s", res.File)
	}
}
