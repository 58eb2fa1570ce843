//go:build e2e

package e2e

import (
	"debug/buildinfo"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"metarobots/internal/tables"
)

// lean builds metarobots without Hugo.
var lean = sync.OnceValues(func() (string, error) {
	return compile("metarobots-lean", "-C", "..", "-tags", "nohugo", ".")
})

// inLean runs the lean build in a folder; it is to end with a code.
func inLean(t *testing.T, dir string, code int, args ...string) result {
	t.Helper()
	return inFolder(t, dir, programFile(t, lean), t.TempDir(), step{}, args...).is(t, code)
}

// Issue 5: nothing of Hugo is linked, and the program says so.
func TestLean_HasNoHugo(t *testing.T) {
	t.Parallel()
	const hugo = "github.com/gohugoio/hugo"
	list := exec.Command("go", "list", "-C", "..", "-deps", "-tags", "nohugo", ".")
	out := tables.Value(list.Output())(t)
	packages := strings.Fields(string(out))
	if len(packages) < 50 {
		t.Errorf("go list names %d packages", len(packages))
	}
	for _, path := range packages {
		if path == hugo || strings.HasPrefix(path, hugo+"/") ||
			strings.Contains(path, "/internal/site/hugo") {
			t.Errorf("%s is compiled in", path)
		}
	}
	info := tables.Value(buildinfo.ReadFile(programFile(t, lean)))(t)
	for _, m := range info.Deps {
		if strings.HasPrefix(m.Path, "github.com/gohugoio/") {
			t.Errorf("module %s is compiled in", m.Path)
		}
	}
	dir := t.TempDir()
	has(t, inLean(t, dir, 0, "version").stdout, ", without Hugo, ")
	has(t, run(t, 0, "version").stdout, ", Hugo v0.")
}

// It does over a folder of pages what the full build does.
func TestLean_FolderOfPages(t *testing.T) {
	t.Parallel()
	policy := "[site]\ngenerator = \"html\"\n[[robots.rules]]\nmatch = [\"/secret/**\", \"/*.pdf\"]\nrobots = " +
		"\"noindex\"\n"
	folders := map[bool]string{}
	for _, full := range []bool{true, false} {
		work := t.TempDir()
		dir := filepath.Join(work, "dist")
		folders[full] = dir
		write(t, filepath.Join(work, "metarobots.toml"), policy)
		write(t, filepath.Join(dir, "index.html"), "<html><head></head></html>")
		write(t, filepath.Join(dir, "secret", "index.html"), "<html><head></head></html>")
		write(t, filepath.Join(dir, "a.pdf"), "%PDF")
		in := func(code int, args ...string) result {
			t.Helper()
			if !full {
				return inLean(t, work, code, args...)
			}
			return inFolder(t, work, program, filepath.Join(work, "cache"), step{}, args...).is(t, code)
		}
		in(1, "check", "dist")
		in(0, "apply", "dist")
		in(0, "check", "dist")
		r := in(0, "explain", "-d", "dist", "/secret/")
		has(t, r.stdout, `<meta name="robots" content="noindex, follow" />`, "metarobots.toml:5")
		equal(t, "resolve", in(0, "resolve", "index, follow", "noindex").stdout, "robots: noindex, follow\n")
	}
	sameFiles(t, folders[true], folders[false])
	has(t, read(t, folders[false], "secret", "index.html"), "noindex")
}

// A Hugo site is refused, never taken for a folder of pages whose front matter nobody reads: a
// private page would go public.
func TestLean_RefusesAHugoSite(t *testing.T) {
	t.Parallel()
	const page = "<html><head></head></html>"
	for name, config := range map[string]string{"hugo.toml": "baseURL = \"/\"\n", "config.yaml": "baseURL: /\n",
		"config/_default/params.toml": "x = 1\n"} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, name), config)
		write(t, filepath.Join(dir, "content", "private.md"), "---\nrobots: noindex\n---\n")
		write(t, filepath.Join(dir, "public", "private", "index.html"), page)
		for _, args := range []string{"", "build", "apply", "apply public", "check", "explain /private/", "data",
			"build --config " + name} {
			r := inLean(t, dir, 2, strings.Fields(args)...)
			equal(t, r.command, r.stderr, "error: this metarobots was built without Hugo and "+dir+" is a Hugo site: take "+
				"the one with Hugo (npx metarobots-hugo, or a build without -tags nohugo), or say [site] generator = "+
				"\"html\" (front matter is then not read)\n")
		}
		equal(t, name+": the page", read(t, dir, "public", "private", "index.html"), page)
	}

	// Where the owner says so, its pages are pages like others.
	dir := t.TempDir()
	write(t, filepath.Join(dir, "hugo.toml"), "baseURL = \"/\"\n")
	write(t, filepath.Join(dir, "metarobots.toml"), "[site]\ngenerator = \"html\"\ndestination = \"public\"\n")
	write(t, filepath.Join(dir, "public", "index.html"), page)
	inLean(t, dir, 0, "apply")
	has(t, read(t, dir, "public", "index.html"), `<meta name="robots"`)
	inLean(t, dir, 2, "build").is(t, 2, `nothing to build with generator "html"`)
	// What is no site at all is not taken for one.
	inLean(t, t.TempDir(), 2, "build").is(t, 2, "no Hugo site")
}
