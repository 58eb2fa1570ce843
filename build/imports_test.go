package build

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The packages depend on each other in one direction, and Hugo stands behind one door: everything but main and
// site/hugo compiles in seconds.
func TestImports(t *testing.T) {
	list := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	list.Dir = ".."
	out, err := list.Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	direct := map[string][]string{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		direct[p.ImportPath] = p.Imports
	}
	const module, hugo, ours = "metarobots", "github.com/gohugoio/hugo", "metarobots/site/hugo"

	// chain returns how a package comes to import one that holds, through packages of ours.
	var chain func(from string, holds func(string) bool, seen []string) []string
	chain = func(from string, holds func(string) bool, seen []string) []string {
		for _, path := range direct[from] {
			if holds(path) {
				return append(seen, path)
			}
			if _, own := direct[path]; own && !slices.Contains(seen, path) {
				if found := chain(path, holds, append(slices.Clone(seen), path)); found != nil {
					return found
				}
			}
		}
		return nil
	}
	forbid := func(from, what string, holds func(string) bool) {
		t.Helper()
		if _, ok := direct[from]; !ok {
			t.Fatalf("package %s is not listed", from)
		}
		if found := chain(from, holds, []string{from}); found != nil {
			t.Errorf("%s imports %s: %s", from, what, strings.Join(found, " → "))
		}
	}
	below := func(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

	forbid(module+"/policy", "more than the standard library", func(path string) bool {
		first, _, _ := strings.Cut(path, "/")
		return strings.Contains(first, ".") || first == module
	})
	isHugo := func(path string) bool { return below(path, hugo) || below(path, ours) }
	isBuild := func(path string) bool { return below(path, module+"/build") }
	for path := range direct {
		rest := strings.TrimPrefix(path, module+"/")
		for _, root := range []string{"frontmatter", "source", "site", "emit", "disk", "build"} {
			if below(rest, root) && !below(path, ours) {
				forbid(path, "Hugo", isHugo)
			}
		}
		if below(rest, "emit") || below(rest, "frontmatter") || below(rest, "source") || below(rest, "site") && !below(path, ours) {
			forbid(path, "build", isBuild)
		}
		if path != module && !below(path, ours) && slices.ContainsFunc(direct[path], isHugo) {
			t.Errorf("%s imports Hugo, which main and site/hugo alone may", path)
		}
	}
}
