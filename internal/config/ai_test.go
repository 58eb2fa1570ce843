package config

import (
	"strings"
	"testing"

	"metarobots/policy"
)

// What is said of AI in [robots.ai], an environment, visibility and a rule reaches decisions, with the line of each use.
func TestHouse_PreferencesAboutAI(t *testing.T) {
	c, err := parse(`[robots.ai]
training = "deny"
search = true
[robots.environments]
uat = { noindex = true, ai = { input = "deny" } }
[robots.visibility]
types = { legal = { ai = { search = "deny" } } }
[[robots.rules]]
match = ["/press/**"]
ai = { training = "allow", input = "allow" }
[[robots.rules]]
match = ["/closed/**"]
ai = false
`)
	if err != nil {
		t.Fatal(err)
	}
	uat, err := c.Choose("uat", func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	path := func(p string) policy.Path { return policy.Path{URL: p, File: p + "index.html"} }
	for _, of := range []struct {
		e           Chosen
		path, kind  string
		want, lines string
	}{
		{Chosen{}, "/", "", "training = deny, search = allow", "2 3"},
		{Chosen{}, "/press/", "", "training = deny, search = allow, input = allow", "2 3 10 10"},
		{Chosen{}, "/terms/", "legal", "training = deny, search = deny", "2 3 7"},
		{Chosen{}, "/closed/", "", "training = deny, search = deny, input = deny", "2 3 13"},
		{uat, "/press/", "", "training = deny, search = allow, input = deny", "2 3 5 10 10"},
	} {
		p := c.Policy(of.e, c.Robots.Policy.Now)
		d := p.Decide(&policy.Subject{Role: policy.RolePage, HTML: true, Path: path(of.path),
			Facts: policy.Facts{Type: of.kind}})
		var lines []string
		for _, s := range d.Statements {
			if !s.AI.IsZero() {
				lines = append(lines, strings.TrimPrefix(policy.Place("", s.Origin.Line), ":"))
			}
		}
		if got := strings.Join(lines, " "); d.AI.String() != of.want || got != of.lines {
			t.Errorf("%s: %s at lines %s, want %s at %s", of.path, d.AI, got, of.want, of.lines)
		}
	}
}
