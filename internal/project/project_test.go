package project

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metarobots/internal/config"
	"metarobots/internal/site/pages"
	"metarobots/internal/tables"
)

// A policy file that is a link to no file is not the same as none: what it says would be lost in
// silence.
func TestHouse_APolicyFileThatIsABrokenLink(t *testing.T) {
	dir := t.TempDir()
	tables.Must(t, os.Symlink("gone.toml", filepath.Join(dir, "metarobots.toml")))
	p := &Project{Options: Options{WorkDir: dir, Getenv: func(string) string { return "" }}}
	want := "metarobots.toml: the file is not read: it is a symlink to no file"
	if _, err := p.findPolicy(); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// C: where the policy file is found, and what its paths are relative to (C1b).
func TestHouse_WhereThePolicyFileIsFound(t *testing.T) {
	const (
		here    = "[robots]\nnone = true\n"
		hugo    = "baseURL = \"https://example.org/\"\n[robots]\nnone = true\n"
		apart   = "[site]\nsource = \"www\"\n"
		public  = "public/index.html"
		another = "[site]\nsource = \"../www\"\n"
	)
	for _, c := range []struct {
		name, source, policy string
		files                map[string]string
		want                 string // policy file, source folder
	}{
		{"none", "", "", map[string]string{public: ""}, " ."},
		{"metarobots.toml", "", "", map[string]string{"metarobots.toml": here}, "metarobots.toml ."},
		{"config.toml", "", "", map[string]string{"config.toml": here}, "config.toml ."},
		{"metarobots.toml goes first", "", "", map[string]string{"metarobots.toml": here, "config.toml": apart,
			"www/a": ""}, "metarobots.toml ."},
		{"Hugo's config.toml", "", "", map[string]string{"config.toml": hugo}, " ."},
		{"a config.toml of something else", "", "", map[string]string{"config.toml": "title = \"x\"\n"}, " ."},
		{"a config.toml that is no TOML", "", "", map[string]string{"config.toml": "baseURL = \n"}, " ."},
		{"in capitals", "", "", map[string]string{"config.toml": "[ROBOTS]\n"}, "config.toml ."},
		{"BASEURL in any case", "", "", map[string]string{"config.toml": "baseurl = \"/\"\n[robots]\n"}, " ."},
		{"an empty config.toml", "", "", map[string]string{"config.toml": ""}, " ."},
		{"an empty metarobots.toml", "", "", map[string]string{"metarobots.toml": ""}, "metarobots.toml ."},
		{"with -s", "site", "", map[string]string{"site/metarobots.toml": here, "metarobots.toml": apart},
			"site/metarobots.toml site"},
		{"with -s, none there", "site", "", map[string]string{"site/a": "", "metarobots.toml": here}, " site"},
		{"source is relative to the policy file", "", "", map[string]string{"metarobots.toml": apart, "www/a": ""},
			"metarobots.toml www"},
		{"--policy", "", "conf/p.toml", map[string]string{"conf/p.toml": another, "www/a": "",
			"metarobots.toml": here}, "conf/p.toml www"},
		{"--policy with baseURL", "", "p.toml", map[string]string{"p.toml": here}, "p.toml ."},
		{"--policy and -s", "other", "conf/p.toml", map[string]string{"conf/p.toml": another, "www/a": "",
			"other/a": ""}, "conf/p.toml other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := tables.Folder(t, c.files)
			p := &Project{Options: Options{WorkDir: dir, Source: c.source, Policy: c.policy, Getenv: func(string) string { return "" }}}
			found := tables.Value(p.findPolicy())(t)
			config := tables.Value(config.Parse(found.values, found.locate, config.NoHome))(t)
			tables.Must(t, p.findSource(found.file, config.Site.Source))
			wantFile, wantSource, _ := strings.Cut(c.want, " ")
			if p.PolicyFile != wantFile || p.Source != filepath.Join(dir, wantSource) {
				t.Errorf("policy %q, source %q, want %q", p.PolicyFile, p.Source, c.want)
			}
		})
	}
}

// C: DIR is relative to the working folder, -d and destination to the source (C1c).
func TestHouse_DestinationIsRelativeToTheSource(t *testing.T) {
	for _, c := range []struct {
		options Options
		config  string
		want    string
	}{
		{Options{Dir: "out"}, "", "out"},
		{Options{Dir: "out", Destination: "elsewhere"}, "", "out"},
		{Options{Destination: "out"}, "[site]\nsource = \"www\"\n", "www/out"},
		{Options{}, "[site]\nsource = \"www\"\ndestination = \"out\"\n", "www/out"},
		{Options{Destination: "a"}, "[site]\nsource = \"www\"\ndestination = \"b\"\n", "www/a"},
		{Options{}, "[site]\ngenerator = \"html\"\n", "."},
	} {
		dir := tables.Folder(t, map[string]string{"metarobots.toml": c.config, "out/a.html": "", "elsewhere/a.html": "",
			"www/out/a.html": "", "www/a/a.html": "", "www/b/a.html": ""})
		c.options.WorkDir, c.options.Getenv = dir, func(string) string { return "" }
		p, err := Open(context.Background(), c.options, pages.HTML())
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if got, want := p.Settings.Publish, filepath.Join(dir, c.want); got != want {
			t.Errorf("%+v, %q: %s, want %s", c.options, c.config, got, want)
		}
		p.Close()
	}
}
