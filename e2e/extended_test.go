//go:build e2e

package e2e

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// extended builds metarobots with the extended edition of Hugo, which wants a C++ compiler.
var extended = sync.OnceValues(func() (string, error) {
	return compile("metarobots-extended", "-C", "..", "-tags", "extended", ".")
})

// Issue 16: with -tags extended the program compiles Sass, and says which Hugo it has.
func TestExtended_CompilesSass(t *testing.T) {
	t.Parallel()
	if !everything {
		t.Skip("the C++ compiler takes minutes: with PROOFS=all")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "hugo.toml"), "baseURL = \"https://example.org/\"\n")
	write(t, filepath.Join(dir, "layouts/all.html"),
		`<html><head></head>{{ (resources.Get "main.scss" | css.Sass).RelPermalink }}</html>`)
	write(t, filepath.Join(dir, "assets/main.scss"), "a { b { c: d } }\n")
	write(t, filepath.Join(dir, "content/a.md"), "---\ntitle: A\nrobots: noarchive\n---\n")
	r := inFolder(t, dir, programFile(t, extended), t.TempDir(), step{}, "build")
	if r.code != 0 {
		t.Fatalf("exit code %d\n%s", r.code, r.stderr)
	}
	if css := read(t, dir, "public/main.css"); !strings.Contains(css, "a b {") {
		t.Errorf("%q", css)
	}
	has(t, read(t, dir, "public/a/index.html"), "noarchive")
	version := inFolder(t, dir, programFile(t, extended), t.TempDir(), step{}, "version")
	has(t, version.stdout, "extended")
}
