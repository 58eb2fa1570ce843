package config

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"metarobots/internal/printable"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// getenv reads "KEY=value KEY=value".
func getenv(text string) func(string) string {
	vars := map[string]string{}
	for field := range strings.FieldsSeq(text) {
		key, value, _ := strings.Cut(field, "=")
		vars[key] = value
	}
	return func(key string) string { return vars[key] }
}

// E2a, E2b, E3b: the policy's environment, what chose it, and what it states. -e is written first,
// [site] and environments as configuration.
func TestHouse_EnvironmentAndWhatChoseIt(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/environments.txt") {
		name := fmt.Sprintf("-e %q, %q, %q", c["flag"], c["variables"], c["configuration"])
		config, err := parse(c["configuration"])
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := config.Choose(c["flag"], getenv(c["variables"]))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var states []string
		for _, s := range got.Statements {
			states = append(states, s.States())
			if s.Crawler != "" || s.Origin.Layer != policy.LayerEnvironment {
				t.Errorf("%s: %+v", name, s)
			}
		}
		if text := fmt.Sprintf("%s (%s): %s", got.Name, got.By, strings.Join(states, "; ")); text != c["chosen"] {
			t.Errorf("%s\n got %s\nwant %s", name, text, c["chosen"])
		}
		found := len(got.Findings) == 1
		if fmt.Sprint(found) != c["finding"] || found && got.Findings[0].Severity != policy.Warning {
			t.Errorf("%s: findings %v", name, got.Findings)
		}
	}
}

// E3c: any other name is a configuration error that prints the two lines to choose from.
func TestHouse_UnknownEnvironmentsAreErrors(t *testing.T) {
	for _, c := range []struct{ flag, env, config, message string }{
		{"prod", "", "", "\tprod = true\nor not,\n\tprod = \"noindex, nofollow\""},
		{"Prod", "", "", "from -e"},
		{"", "HUGO_ENVIRONMENT=live", "", "from HUGO_ENVIRONMENT"},
		{"", "", "[site]\nenvironment = \"a b\"\n", `"a b" = true`}, // a line that TOML takes
		{"", "VERCEL_ENV=custom", "", "from VERCEL_ENV"},
		{"production", "NETLIFY=true CONTEXT=custom", "", "from Netlify's CONTEXT"},
	} {
		config := tables.Value(parse(c.config))(t)
		_, err := config.Choose(c.flag, getenv(c.env))
		if err == nil {
			t.Fatalf("%v: no error", c)
		}
		text := err.Error()
		if help, ok := errors.AsType[*printable.Help](err); ok {
			text += "\n" + strings.Join(help.Lines, "\n")
		}
		if !strings.Contains(text, c.message) || !strings.Contains(text, "[robots.environments]") {
			t.Errorf("%v: %s, want %q in it", c, text, c.message)
		}
	}
}

// E2b: where the branch decides and is not named, nothing is taken for production.
func TestHouse_ABranchWithoutANameIsAnError(t *testing.T) {
	config := tables.Value(parse("[site]\nproductionBranch = \"main\"\n"))(t)
	const without = "CF_PAGES=1 CF_PAGES_BRANCH="
	if c, err := config.Choose("", getenv(without)); err == nil || !strings.Contains(err.Error(), "which branch") {
		t.Errorf("%+v, %v", c, err)
	}
	for flag, env := range map[string]string{"production": without, "": ""} {
		if c, err := config.Choose(flag, getenv(env)); err != nil || c.Name != "production" {
			t.Errorf("-e %q, %q: %+v, %v", flag, env, c, err)
		}
	}
}

// L7b: the clock is --now, SOURCE_DATE_EPOCH, or the system's.
func TestHouse_NowIsOfFlagOrVariableOrClock(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/now.txt") {
		got, err := Now(c["now"], getenv(c["env"]))
		if c["fault"] != "" {
			if err == nil || !strings.Contains(err.Error(), c["fault"]) {
				t.Errorf("%v: %v", c, err)
			}
			continue
		}
		if err != nil || got.Format("2006-01-02T15:04:05Z07:00") != c["want"] {
			t.Errorf("%v: %v (%v)", c, got, err)
		}
	}
	if now, err := Now("", getenv("")); err != nil || now.Year() < 2026 || now.Location().String() != "UTC" {
		t.Errorf("%v (%v)", now, err)
	}
}

// I2a: what is said of AI in [robots.ai], an environment, visibility and a rule reaches decisions,
// with the line of each use.
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
	tables.Must(t, err)
	uat := tables.Value(c.Choose("uat", func(string) string { return "" }))(t)
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
