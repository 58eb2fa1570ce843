package servers

import (
	"errors"
	"strings"
	"testing"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// In an environment that states noindex one rule carries it, and only what wants
// something else has a rule of its own (N7).
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

// The scopes (N2): auto gives HTML up, all at once; files leaves it; all fails.
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
				!strings.Contains(res.Findings[0].Message, "400 HTML pages") {
				t.Errorf("%s: %+v", target, res.Findings)
			}
			reports(t, target, verify(target, res.File, wants, robotstag.Task{Scope: scope}, res.GivenUp))
		}
		res, err := compile(target, nil, wants, robotstag.Task{Scope: robotstag.ScopeFiles})
		if err != nil || res.Rules != 1 || len(res.GivenUp) > 0 || len(res.Findings) > 0 {
			t.Errorf("%s: %v %+v", target, err, res.Findings)
		}
		res, err = compile(target, nil, wants, robotstag.Task{Scope: robotstag.ScopeAll})
		if !errors.Is(err, robotstag.ErrBudget) || len(res.Findings) != 1 ||
			!strings.Contains(res.Findings[0].Message, `headers.scope = "files"`) {
			t.Errorf("%s: %v %+v", target, err, res.Findings)
		}
		// Where the other files alone do not fit, nothing is given up.
		res, err = compile(target, nil, append(pages, many(500, "%d.pdf")...), plain)
		if !errors.Is(err, robotstag.ErrBudget) || len(res.Findings) != 1 || res.Findings[0].Severity != policy.Error {
			t.Errorf("%s: %v %+v", target, err, res.Findings)
		}
	}
}
