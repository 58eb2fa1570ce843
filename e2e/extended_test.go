//go:build e2e

package e2e

import (
	"path/filepath"
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
	needEverything(t, "the C++ compiler takes minutes")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "hugo.toml"), "baseURL = \"https://example.org/\"\n")
	write(t, filepath.Join(dir, "layouts/all.html"),
		`<html><head></head>{{ (resources.Get "main.scss" | css.Sass).RelPermalink }}</html>`)
	write(t, filepath.Join(dir, "assets/main.scss"), "a { b { c: d } }\n")
	write(t, filepath.Join(dir, "content/a.md"), "---\ntitle: A\nrobots: noarchive\n---\n")
	inFolder(t, dir, programFile(t, extended), t.TempDir(), step{}, "build").is(t, 0)
	has(t, read(t, dir, "public/main.css"), "a b {")
	has(t, read(t, dir, "public/a/index.html"), "noarchive")
	has(t, inFolder(t, dir, programFile(t, extended), t.TempDir(), step{}, "version").stdout, "extended")
}
