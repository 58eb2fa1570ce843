package initpolicy_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/initpolicy"
)

// X20a: the first policy suggests to hide old versions of documentation as mike publishes them, and
// says what an alias that is a symlink means for the rule.
func TestHouse_FirstPolicyKnowsTheVersionsOfMike(t *testing.T) {
	const (
		symlinks = "symlink shares the tags"
		guard    = "has noindex = 0.67"
	)
	for _, c := range []struct {
		name, versions string
		symlink        string   // the folder that latest leads to; empty for none
		match          string   // the line of the suggestion; empty for none
		says           []string // of its comment
		saysNot        []string
	}{
		{"an alias that is a symlink", `[{"version": "1.1", "title": "1.1", "aliases": ["latest"]},
			{"version": "1.0", "title": "1.0", "aliases": []}]`, "1.1", `match  = ["/1.0/**"]`,
			[]string{"1.1 (latest)", symlinks}, []string{guard}},
		{"two versions with aliases", `[{"version": "1.1", "aliases": ["latest"]},
			{"version": "1.0", "aliases": ["lts", "stable"]}, {"version": "0.9", "aliases": []}]`, "", `match  = ["/0.9/**"]`,
			[]string{"1.1 (latest) and 1.0 (lts, stable)"}, []string{symlinks}},
		{"no aliases", `[{"version": "1.1", "aliases": []}, {"version": "1.0", "aliases": []},
			{"version": "0.9", "aliases": []}]`, "", `match  = ["/0.9/**", "/1.0/**"]`,
			[]string{"current is 1.1.", guard}, nil},
		{"a version that is not published", `[{"version": "1.1", "aliases": ["latest"]}, {"version": "0.1", "aliases": []}]`,
			"1.1", "", nil, nil},
		{"one version", `[{"version": "1.1", "aliases": ["latest"]}]`, "1.1", "", nil, nil},
		{"Docusaurus", `["1.1", "1.0"]`, "", "", nil, nil},
		{"no JSON", "versions", "", "", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := &fixture{dir: t.TempDir(), publish: "site", named: true}
			x.write(t, "site/versions.json", c.versions)
			for _, version := range []string{"0.9", "1.0", "1.1"} {
				x.write(t, "site/"+version+"/index.html", "<html><head></head>")
			}
			if c.symlink != "" {
				if err := os.Symlink(c.symlink, filepath.Join(x.dir, "site/latest")); err != nil {
					t.Skip("no symlinks here:", err)
				}
			}
			s, _ := x.starter(t)
			i := slices.IndexFunc(s.Suggestions, func(g *initpolicy.Suggestion) bool { return strings.HasPrefix(g.What, "old versions") })
			if i < 0 {
				if c.match != "" {
					t.Fatalf("nothing is suggested:\n%s", s.Text(initpolicy.AsComments))
				}
				return
			}
			g := s.Suggestions[i]
			if !slices.Contains(g.Lines, c.match) {
				t.Errorf("lines %q, want %q", g.Lines, c.match)
			}
			for _, words := range c.says {
				if !strings.Contains(g.What, words) {
					t.Errorf("it does not say %q: %s", words, g.What)
				}
			}
			for _, words := range c.saysNot {
				if strings.Contains(g.What, words) {
					t.Errorf("it says %q: %s", words, g.What)
				}
			}
		})
	}
}
