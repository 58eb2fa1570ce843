//go:build e2e

package e2e

import (
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// loadable is a site that loads, with what a Hugo of the user's own has made of it.
var loadable = map[string]string{
	"hugo.toml": "baseURL = \"https://site.example/\"\ndisableKinds = [\"taxonomy\", \"term\", \"rss\", " +
		"\"sitemap\"]\n",
	"metarobots.toml":     "[robots]\ndefault = \"noarchive\"\nheaders.targets = [\"none\"]\n",
	"layouts/all.html":    plainPage,
	"assets/x.css":        "a {}\n",
	"assets/x.scss":       "a {}\n",
	"content/a.md":        "---\ntitle: A\nrobots: nosnippet\n---\n",
	"public/index.html":   plainPage,
	"public/a/index.html": plainPage,
}

// Issue 5: a site that the compiled-in Hugo cannot load gets an error that names what Hugo stopped
// at, and nothing is written: not by build, not by apply.
func TestHouse_AnUnloadableSiteIsLeftAlone(t *testing.T) {
	t.Parallel()
	for _, test := range tables.Read(t, "testdata/unloadable.txt") {
		t.Run(test["name"], func(t *testing.T) {
			for _, args := range [][]string{{"build", "-d", "built"}, {"apply"}} {
				dir := unloadable(t, test)
				before := tables.Tree(t, dir)
				r := inPlainPath(t, dir, args...)
				if code := test["code"]; fmt.Sprint(r.code) != code && (code != "" || r.code != 2 && r.code != 3) {
					t.Errorf("%s: exit code %d, want %s\n%s", args[0], r.code, code, r.stderr)
				}
				if !strings.Contains(r.stderr, "error: ") || strings.Contains(r.stderr, "goroutine ") {
					t.Errorf("%s: no error in our own form:\n%s", args[0], r.stderr)
				}
				has(t, r.stderr, test.List("said")...)
				after := tables.Tree(t, dir)
				delete(after, ".hugo_build.lock")
				sameTexts(t, args[0]+" wrote something", before, after)
			}
		})
	}
}

// Issue 5: apply renders nothing. It needs neither the tools that rendering takes nor templates
// that this Hugo can run.
func TestHouse_ApplyRendersNothing(t *testing.T) {
	t.Parallel()
	for _, test := range tables.Read(t, "testdata/unrendered.txt") {
		t.Run(test["name"], func(t *testing.T) {
			dir := unloadable(t, test)
			r := inPlainPath(t, dir, "build", "-d", "built")
			r.is(t, map[bool]int{true: 0, false: 3}[test["said"] == ""], test["said"], test["warned"])
			inPlainPath(t, dir, "apply").is(t, 0, test["warned"])
			sameTexts(t, "tags", tagsOf(t, filepath.Join(dir, "public")),
				map[string]string{"index.html": "noarchive", "a/index.html": "noarchive, nosnippet"})
		})
	}
}

// unloadable writes the site of loadable with the changes of a row.
func unloadable(t *testing.T, row tables.Row) (dir string) {
	t.Helper()
	files := maps.Clone(loadable)
	files["hugo.toml"] += row["configuration"]
	if row["file"] != "" {
		files[row["file"]] = row["text"]
	}
	return tables.Folder(t, files)
}

// inPlainPath runs metarobots in a folder where no other program is to be found.
func inPlainPath(t *testing.T, dir string, args ...string) result {
	t.Helper()
	c := exec.Command(program, args...)
	c.Dir, c.Env = dir, append(command().Env, "PATH="+t.TempDir())
	return finish(t, c)
}
