package plan_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site/pages"
	"metarobots/internal/tables"
)

// Faults of what the user names are theirs to mend, and say what they named (X: exit code 2).
func TestHouse_FaultsNameWhatTheUserNamed(t *testing.T) {
	for _, c := range []struct {
		name    string
		options project.Options
		files   map[string]string
		message string
	}{
		{"no such site", project.Options{Source: "nowhere"}, nil, "nowhere does not exist"},
		{"the site is a file", project.Options{Source: "a"}, map[string]string{"a": ""}, "is a file: -s names the site's folder"},
		{"no such policy", project.Options{Policy: "p.toml"}, nil, "p.toml"},
		{"the policy is a folder", project.Options{Policy: "p"}, map[string]string{"p/a": ""}, "p"},
		{"metarobots.toml is a folder", project.Options{}, map[string]string{"metarobots.toml/a": ""}, "metarobots.toml"},
		{"metarobots.toml is no TOML", project.Options{}, map[string]string{"metarobots.toml": "[site\n"},
			"metarobots.toml:1: "},
		{"source is nowhere", project.Options{}, map[string]string{"metarobots.toml": "[site]\nsource = \"www\"\n"},
			"metarobots.toml"},
		{"no generator knows the folder", project.Options{}, nil, "metarobots apply DIR"},
		{"no publish folder", project.Options{Dir: "public"}, nil, "public does not exist"},
		{"the publish folder is a file", project.Options{Dir: "public"}, map[string]string{"public": ""}, "is a file"},
		{"an unknown environment", project.Options{Dir: "public", Environment: "prod"}, map[string]string{"public/a.html": ""},
			"prod = true"},
		{"no date", project.Options{Dir: "public", Now: "soon"}, map[string]string{"public/a.html": ""}, "--now"},
		{"two faults", project.Options{Dir: "public"}, map[string]string{"public/a.html": "",
			"metarobots.toml": "[robots]\npage = 1\nfound = 2\n"}, "metarobots.toml:3: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.options.WorkDir = tables.Folder(t, c.files)
			c.options.Getenv = func(string) string { return "" }
			p, err := project.Open(context.Background(), c.options, pages.HTML)
			if err == nil { // only a build can do without a publish folder
				_, err = plan.New(context.Background(), p)
			}
			var invalid *project.InvalidError
			if !errors.As(err, &invalid) || !strings.Contains(err.Error(), c.message) {
				t.Errorf("%v, want %q in it", err, c.message)
			}
		})
	}
}
