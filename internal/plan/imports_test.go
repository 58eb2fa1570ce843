package plan

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The packages depend on each other in one direction, and Hugo stands behind one door: everything but cli and
// site/hugo compiles in seconds.
func TestImports(t *testing.T) {
	list := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	list.Dir = "../.."
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
	const module, hugo, ours = "metarobots", "github.com/gohugoio/hugo", "metarobots/internal/site/hugo"

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
	isHugo := func(path string) bool { return below(path, hugo) || below(path, ours) }

	may := importsTable(t)
	short := func(path string) string {
		return strings.TrimPrefix(strings.TrimPrefix(path, module+"/"), "internal/")
	}
	for path, imports := range direct {
		name := short(path)
		if path == module || name == "cli" || below(name, "bench") || below(name, "e2e") || below(name, "hugo") ||
			name == "site/hugo/family" {
			continue // programs and tests
		}
		allowed, ok := may[name]
		if !ok {
			t.Errorf("%s has no row in the table of imports", name)
		}
		for _, other := range imports {
			if strings.HasPrefix(other, module+"/") && !slices.Contains(allowed, short(other)) {
				t.Errorf("%s imports %s", name, short(other))
			}
			if isHugo(other) && path != ours {
				t.Errorf("%s imports Hugo, which cli and site/hugo alone may", name)
			}
		}
	}
	forbid(module+"/policy", "more than the standard library", func(path string) bool {
		first, _, _ := strings.Cut(path, "/")
		return strings.Contains(first, ".") || first == module
	})
	forbid(module+"/internal/plan", "Hugo", isHugo)
}

// importsTable reads from docs/design.md what each package may import of ours.
func importsTable(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "| package | knows | imports of ours |\n|---|---|---|\n")
	if !ok {
		t.Fatal("docs/design.md has no table of imports")
	}
	may := map[string][]string{}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 3 {
			break
		}
		name := strings.TrimPrefix(strings.Trim(cells[0], " `"), "internal/")
		may[name] = nil
		for other := range strings.SplitSeq(cells[2], ",") {
			may[name] = append(may[name], strings.TrimSpace(other))
		}
	}
	return may
}
