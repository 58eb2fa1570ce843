package project

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/site"
	"metarobots/internal/tables"
)

// walked lists a publish folder as [Project.Walk] does.
func walked(t *testing.T, files map[string]string) Listing {
	t.Helper()
	return tables.Value(linkedSite(t, files).Walk())(t)
}

// linkedSite is a publish folder of empty files and of symlinks, which are the names with a target.
func linkedSite(t *testing.T, files map[string]string) *Project {
	t.Helper()
	dir := t.TempDir()
	for name, target := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		tables.Must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		if target == "" {
			tables.Must(t, os.WriteFile(file, nil, 0o644))
		} else if err := os.Symlink(filepath.FromSlash(target), file); err != nil {
			t.Skip("no symlinks here:", err)
		}
	}
	return &Project{Settings: site.Settings{Publish: filepath.Join(dir, "out")}, Options: Options{WorkDir: dir}}
}

// M6t, M6u: version control, our state, and packages at the root are no part of a site; all else is.
func TestHouse_WhatIsNoPartOfASiteIsNotListed(t *testing.T) {
	l := walked(t, map[string]string{"out/index.html": "", "out/.git/config": "", "out/lib/.git": "", "out/lib/a.html": "",
		"out/.hg/store/x": "", "out/.svn/wc.db": "", "out/.jj/repo/x": "", "out/.metarobots/a.lock": "",
		"out/node_modules/a/index.html": "", "out/assets/node_modules/b.png": "", "out/.well-known/security.txt": "",
		"out/.github/a.md": "", "out/.gitignore": "", "out/package.json": "", "out/git/a.html": "", "out/metarobots.toml": "",
		"out/latest": "lib", "out/a": "node_modules/a", "out/c.txt": ".git/config"})
	if want := strings.Fields(".github/a.md .gitignore .well-known/security.txt assets/node_modules/b.png " +
		"git/a.html index.html latest/a.html lib/a.html metarobots.toml package.json"); !slices.Equal(l.Names, want) {
		t.Errorf("names %q, want %q", l.Names, want)
	}
	want := strings.Fields(".git .hg .jj .metarobots .svn lib/.git node_modules")
	if !slices.Equal(l.Unlisted, want) {
		t.Errorf("not listed %q, want %q", l.Unlisted, want)
	}
	found := map[string]string{}
	for _, f := range l.Findings {
		found[f.File] = f.Message
	}
	if want := map[string]string{"out/a": "the symlink is not followed: it leads to node_modules, which is not listed",
		"out/c.txt": "the symlink is not followed: it leads to .git, which is not listed"}; !maps.Equal(found, want) {
		t.Errorf("findings %q, want %q", found, want)
	}
}

// M6b, M6p, M6q: a file below a symlink to a folder is there by its name, with the file that it
// really is. A symlink that leads out of the publish folder is not followed, and loops end.
func TestHouse_FoldersBehindSymlinksAreListed(t *testing.T) {
	const followedOnce = "the symlink is followed once: it leads to a folder around it"
	for _, c := range []struct {
		name     string
		files    map[string]string
		symlinks map[string]Symlink
		findings map[string]string // messages by files
	}{
		{"a folder", map[string]string{"out/v1/a.html": "", "out/v1/b/c.pdf": "", "out/latest": "v1"},
			map[string]Symlink{"latest/a.html": {"v1/a.html", "latest"}, "latest/b/c.pdf": {"v1/b/c.pdf", "latest"}}, nil},
		{"a symlink to a symlink", map[string]string{"out/v1/a.html": "", "out/latest": "v1", "out/stable": "latest"},
			map[string]Symlink{"latest/a.html": {"v1/a.html", "latest"}, "stable/a.html": {"v1/a.html", "stable"}}, nil},
		{"symlinks below one", map[string]string{"out/v1/a.html": "", "out/img/x.png": "", "out/v1/img": "../img",
			"out/v1/b.html": "a.html", "out/latest": "v1"},
			map[string]Symlink{"latest/a.html": {"v1/a.html", "latest"}, "latest/b.html": {"v1/a.html", "latest"},
				"latest/img/x.png": {"img/x.png", "latest"}, "v1/b.html": {"v1/a.html", ""},
				"v1/img/x.png": {"img/x.png", "v1/img"}}, nil},
		{"out of the folder", map[string]string{"out/a.html": "", "other/b.html": "", "out/away": "../other",
			"out/v1/c.html": "", "out/v1/up": "../../other", "out/latest": "v1"},
			map[string]Symlink{"latest/c.html": {"v1/c.html", "latest"}},
			map[string]string{"out/away": "the symlink is not followed: it leads out of the publish folder",
				"out/v1/up": "the symlink is not followed: it leads out of the publish folder"}},
		{"nothing", map[string]string{"out/a.html": "", "out/gone": "nowhere"}, map[string]Symlink{},
			map[string]string{"out/gone": "the symlink is not followed: it leads to no file"}},
		{"itself", map[string]string{"out/a.html": "", "out/self": "self"}, map[string]Symlink{},
			map[string]string{"out/self": "the symlink is not followed: it leads to no file"}},
		{"a folder around it", map[string]string{"out/a.html": "", "out/docs": "."},
			map[string]Symlink{"docs/a.html": {"a.html", "docs"}}, map[string]string{"out/docs": followedOnce}},
		{"two that lead to each other", map[string]string{"out/a/x.html": "", "out/a/b": "../b", "out/b/a": "../a"},
			map[string]Symlink{"a/b/a/x.html": {"a/x.html", "a/b"}, "b/a/x.html": {"a/x.html", "b/a"}},
			map[string]string{"out/a/b": followedOnce, "out/b/a": followedOnce}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := walked(t, c.files)
			if !maps.Equal(l.Symlinks, c.symlinks) {
				t.Errorf("symlinks %v, want %v", l.Symlinks, c.symlinks)
			}
			if !slices.IsSorted(l.Names) || !l.Linked {
				t.Errorf("names %v, linked %v", l.Names, l.Linked)
			}
			found := map[string]string{}
			for _, f := range l.Findings {
				found[f.File] = f.Message
			}
			if !maps.Equal(found, c.findings) || len(found) != len(l.Findings) {
				t.Errorf("findings %v, want %v", l.Findings, c.findings)
			}
			for name, link := range l.Symlinks {
				isStored := slices.Contains(l.Stored(), name)
				if !l.Has(name) || !l.Has(link.Target) || isStored != (link.Folder == "") {
					t.Errorf("%s: listed %v, its target %v, stored %v", name, l.Has(name), l.Has(link.Target), isStored)
				}
			}
		})
	}
}

// Folders are read several at a time, and what is reported has the order of their paths all the
// same: what is in a/ goes before a-b.
func TestHouse_FindingsOfAWalkHaveTheOrderOfPaths(t *testing.T) {
	var want []string
	files := map[string]string{}
	for _, name := range []string{"a/b/z", "a/c", "a-b", "a.d/x", "a0", "b/a/a/a", "b/a/b", "b/b", "c"} {
		want = append(want, "out/"+name)
		files["out/"+name] = "nowhere"
	}
	for range 20 {
		var got []string
		for _, f := range walked(t, files).Findings {
			got = append(got, f.File)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

// M6q: folders full of symlinks to each other have more addresses than anybody can list.
func TestHouse_SymlinksThatMultiplyEndTheWalkWithAnError(t *testing.T) {
	files := map[string]string{"out/latest": "v1", "out/v1/a.html": ""}
	for from := range 9 {
		for to := range 9 {
			files[fmt.Sprintf("out/x%d/l%d", from, to)] = fmt.Sprintf("../x%d", to)
		}
	}
	l := tables.Value(linkedSite(t, files).walk(1000))(t)
	if !l.Has("latest/a.html") || len(l.Findings) == 0 {
		t.Fatalf("names %v, findings %v", l.Names, l.Findings)
	}
	hasError := false
	for _, f := range l.Findings {
		hasError = hasError || f.Severity == "error" && strings.Contains(f.Message, "more than 1000 files")
	}
	if !hasError {
		t.Errorf("no error: %v", l.Findings)
	}
}
