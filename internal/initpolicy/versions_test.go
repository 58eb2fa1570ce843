package initpolicy_test

import (
	"slices"
	"strings"
	"testing"

	"metarobots/internal/initpolicy"
)

// X20a: the first policy suggests to hide old versions of a documentation, says which is the
// newest, and names the other way.
func TestHouse_FirstPolicyKnowsOldVersions(t *testing.T) {
	for _, c := range []struct{ name, list, says string }{
		{"an alias", `[{"version": "1.1", "title": "1.1", "aliases": ["latest"]},
			{"version": "1.0", "title": "1.0", "aliases": []}]`, "1.1 (latest) by "},
		{"two versions with aliases", `[{"version": "1.0", "aliases": ["lts"]},
			{"version": "1.1", "aliases": ["latest", "stable"]}, {"version": "0.9", "aliases": []}]`, "1.1 (latest, stable) by "},
		{"no aliases", `[{"version": "1.1", "aliases": []}, {"version": "0.9", "aliases": []}]`, "1.1 by "},
		{"versions that are not published", `[{"version": "3.1", "aliases": ["latest"]}, {"version": "3.0", "aliases": []}]`, ""},
		{"one version", `[{"version": "1.1", "aliases": ["latest"]}]`, ""},
		{"texts", `["1.1", "1.0"]`, ""},
		{"no JSON", "versions", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := &fixture{dir: t.TempDir(), publish: "site", named: true}
			x.write(t, "site/versions.json", c.list)
			for _, version := range []string{"0.9", "1.0", "1.1", "latest", "lts", "stable"} {
				x.write(t, "site/"+version+"/index.html", "<html><head></head>")
			}
			s, _ := x.starter(t)
			isOfVersions := func(g *initpolicy.Suggestion) bool { return g.Name == "versions" }
			i := slices.IndexFunc(s.Suggestions, isOfVersions)
			if i < 0 {
				if c.says != "" {
					t.Fatalf("nothing is suggested:\n%s", s.Text(initpolicy.AsComments))
				}
				return
			}
			if g := s.Suggestions[i]; !strings.Contains(g.What, c.says) || !strings.Contains(g.What, `Or "canonical"`) ||
				!slices.Equal(g.Lines, []string{`versions = "newest"`}) {
				t.Errorf("%q: %s", g.Lines, g.What)
			}
			if c.says == "" {
				t.Errorf("it suggests %s", s.Suggestions[i].What)
			}
		})
	}
}
