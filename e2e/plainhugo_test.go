//go:build e2e

package e2e

import (
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"metarobots/internal/site"
	"metarobots/internal/site/hugo/family"
	"metarobots/internal/tables"
)

// plainHugo builds Hugo's own command and returns its file.
var plainHugo = sync.OnceValues(func() (string, error) {
	return compile("hugo", "-C", "plainhugo", "github.com/gohugoio/hugo")
})

// raced builds metarobots with the race detector.
var raced = sync.OnceValues(func() (string, error) {
	return compile("metarobots-race", "-C", "..", "-race", ".")
})

// compile builds a program; dir are the flags -C and its folder, which have to come first. The race
// detector and the extended edition of Hugo want a C compiler.
func compile(name, c, dir string, args ...string) (string, error) {
	file := filepath.Join(filepath.Dir(program), name)
	build := exec.Command("go", append([]string{"build", c, dir, "-o", file}, args...)...)
	build.Env = os.Environ()
	if name == "metarobots-race" || name == "metarobots-extended" {
		build.Env = append(build.Env, "CGO_ENABLED=1")
	}
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s%w", out, err)
	}
	return file, nil
}

// The command is the Hugo that is compiled in, down to every module that both link.
func TestPlainHugo_IsTheOneThatIsCompiledIn(t *testing.T) {
	t.Parallel()
	hugo := programFile(t, plainHugo)
	modules := func(file string) map[string]string {
		info := tables.Value(buildinfo.ReadFile(file))(t)
		versions := map[string]string{info.Main.Path: info.Main.Version}
		for _, m := range info.Deps {
			versions[m.Path] = m.Version
		}
		return versions
	}
	ours, theirs := modules(program), modules(hugo)
	if ours["github.com/gohugoio/hugo"] == "" {
		t.Fatal("Hugo is not compiled in")
	}
	for path, version := range theirs {
		if v, ok := ours[path]; ok && v != version {
			t.Errorf("%s is %s here and %s there: bring e2e/plainhugo/go.mod up to date", path, v, version)
		}
	}
}

func programFile(t *testing.T, build func() (string, error)) string {
	t.Helper()
	file := tables.Value(build())(t)
	return file
}

// step is one run over a site.
type step struct {
	args string   // for both programs
	env  []string // for both
}

// past is when every file of a site was last written.
var past = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// lay writes a site, with old files.
func lay(t *testing.T, s family.Site, dir string) {
	t.Helper()
	must(t, os.RemoveAll(dir))
	tables.Write(t, dir, s.Files)
	for name := range s.Files {
		must(t, os.Chtimes(filepath.Join(dir, name), past, past))
	}
}

// tree is every file below a folder: mode, whether it is as old as the sources, and bytes. The age
// of _headers and of sitemaps is left out: they are written anew at the end.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, file)
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if !entry.IsDir() {
			files[filepath.ToSlash(rel)] = fmt.Sprintf("%v old: %v\n%s", info.Mode(), info.ModTime().Equal(past) &&
				entry.Name() != "_headers" && !site.IsSitemap(rel), read(t, file))
		} else {
			files[filepath.ToSlash(rel)+"/"] = info.Mode().String()
		}
		return nil
	})
	must(t, err)
	return files
}

// sameTexts reports where two sets of texts differ, such as trees.
func sameTexts(t *testing.T, what string, a, b map[string]string) {
	t.Helper()
	names := maps.Clone(a)
	maps.Copy(names, b)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		one, inA := a[name]
		other, inB := b[name]
		if one != other || inA != inB {
			t.Errorf("%s: %s differs\nthere %t: %.600s\nthere %t: %.600s", what, name, inA, one, inB, other)
		}
	}
}

// inFolder runs a program in a folder, with a cache of its own.
func inFolder(t *testing.T, dir, file, cache string, s step, more ...string) result {
	t.Helper()
	c := command()
	c.Path, c.Dir = file, dir
	c.Args = append([]string{file}, append(more, strings.Fields(s.args)...)...)
	c.Env = append(append(c.Env, "XDG_CACHE_HOME="+cache), s.env...)
	return finish(t, c)
}

// logged are the lines that Hugo's logger printed, sorted: sites are rendered in parallel.
func logged(r result) []string {
	var lines []string
	for line := range strings.Lines(r.stdout + r.stderr) {
		if strings.HasPrefix(line, "WARN") || strings.HasPrefix(line, "ERROR") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	slices.Sort(lines)
	return lines
}

// steps are runs one after the other over the same publish folder.
var steps = []step{
	{},
	{args: "-D -F -E --minify"},
	{args: "--gc --cleanDestinationDir --printPathWarnings --printI18nWarnings --printUnusedTemplates",
		env: []string{"HUGO_PAGINATION_PAGERSIZE=3", "HUGO_PARAMS_FROMENV=yes"}},
	{args: "-e staging -b https://example.com/other/ --noTimes --noChmod --noBuildLock --ignoreCache --disableKinds " +
		"taxonomy,rss"},
	{args: "-d www --clock 2090-06-01T00:00:00Z",
		env: []string{"HUGO_ENVIRONMENT=staging", "HUGO_ENABLEROBOTSTXT=true", "HUGO_MINIFY_MINIFYOUTPUT=true"}},
}

// someSites are every third site of the family, each time others, or all.
func someSites(t *testing.T) (some []family.Site) {
	t.Helper()
	sites := family.Sites(t)
	turn := rand.IntN(3)
	for i, s := range sites {
		if everything || i%3 == turn {
			some = append(some, s)
		}
	}
	return some
}

// A build whose policy states nothing does what the hugo command does: the same files with the same
// bytes, modes and times, the same warnings, the same exit code (M1b).
func TestPlainHugo_APolicyThatStatesNothingChangesNothing(t *testing.T) {
	t.Parallel()
	hugo := programFile(t, plainHugo)
	for _, s := range someSites(t) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			work := t.TempDir()
			dir, policy := filepath.Join(work, "site"), filepath.Join(work, "metarobots.toml")
			write(t, policy, read(t, "testdata/silent.toml"))
			var trees []map[string]string
			var runs []result
			lay(t, s, dir)
			for _, step := range steps {
				r := inFolder(t, dir, hugo, filepath.Join(work, "cache of hugo"), step)
				trees, runs = append(trees, tree(t, dir)), append(runs, r.is(t, 0))
			}
			lay(t, s, dir) // in the same place: its path is in what esbuild writes
			for i, step := range steps {
				what := fmt.Sprintf("step %d (%v %s)", i, step.env, step.args)
				r := inFolder(t, dir, program, filepath.Join(work, "cache"), step, "-s", ".", "--policy", policy).is(t, 0)
				if h, o := logged(runs[i]), logged(r); !slices.Equal(h, o) {
					t.Errorf("%s: Hugo says\n%s\nours\n%s", what, strings.Join(h, "\n"), strings.Join(o, "\n"))
				}
				sameTexts(t, what, trees[i], tree(t, dir))
			}
			if len(trees[0]) < 3 {
				t.Error("Hugo published nothing")
			}
		})
	}
}

// build is hugo and then apply.
func TestPlainHugo_BuildIsHugoAndApply(t *testing.T) {
	t.Parallel()
	hugo := programFile(t, plainHugo)
	for _, s := range someSites(t) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			work := t.TempDir()
			dir, policy := filepath.Join(work, "site"), filepath.Join(work, "metarobots.toml")
			write(t, policy, read(t, "testdata/spoken.toml"))
			for _, flags := range []step{{}, {args: "--minify"}} {
				lay(t, s, dir)
				inFolder(t, dir, hugo, filepath.Join(work, "cache of hugo"), flags).is(t, 0)
				plain := tree(t, dir)
				applied := inFolder(t, dir, program, filepath.Join(work, "cache of apply"), step{}, "apply", "-s", ".",
					"--policy", policy)
				after := tree(t, dir)
				lay(t, s, dir)
				built := inFolder(t, dir, program, filepath.Join(work, "cache of build"), flags, "-s", ".", "--policy",
					policy)
				sameTexts(t, "hugo "+flags.args+" and apply", ageless(after), ageless(tree(t, dir)))
				equal(t, "the exit codes of apply and build", applied.code, built.code)
				if maps.Equal(ageless(plain), ageless(after)) {
					t.Error("the policy changes nothing")
				}
			}
		})
	}
}

// ageless takes the age of files out of a tree: an edited file is younger than one that Hugo
// copied.
func ageless(tree map[string]string) map[string]string {
	out := map[string]string{}
	for name, text := range tree {
		mode, rest, _ := strings.Cut(text, " old: ")
		_, rest, _ = strings.Cut(rest, "\n")
		out[name] = mode + "\n" + rest
	}
	return out
}

// Sites that Hugo refuses, or builds with an error, we refuse and build so.
func TestPlainHugo_FailsWhereHugoFails(t *testing.T) {
	t.Parallel()
	hugo := programFile(t, plainHugo)
	for _, c := range tables.Read(t, "testdata/failures.txt") {
		t.Run(c["name"], func(t *testing.T) {
			work := t.TempDir()
			dir, policy := filepath.Join(work, "site"), filepath.Join(work, "metarobots.toml")
			write(t, policy, read(t, "testdata/silent.toml"))
			s := family.Site{Files: map[string]string{"hugo.toml": "baseURL = 'https://example.org/'\n",
				"content/a.md":     "---\ntitle: A\n---\n",
				"layouts/all.html": "<html><head></head></html>", "static/s.pdf": "%PDF"}}
			s.Files[c["file"]] = c["text"]
			lay(t, s, dir)
			h := inFolder(t, dir, hugo, filepath.Join(work, "cache of hugo"), step{args: c["args"]})
			trees := tree(t, dir)
			lay(t, s, dir)
			o := inFolder(t, dir, program, filepath.Join(work, "cache"), step{args: c["args"]}, "-s", ".", "--policy",
				policy)
			if h.code != 1 || fmt.Sprint(o.code) != c["code"] {
				t.Errorf("exit codes: Hugo %d, ours %d, want 1 and %s", h.code, o.code, c["code"])
			}
			hugos, own, _ := strings.Cut(c["said"], "\n")
			for _, by := range []struct {
				who, said string
				result
			}{{"Hugo does", hugos, h}, {"we do", cmp.Or(own, hugos), o}} {
				has(t, strings.ReplaceAll(by.stdout+by.stderr, dir+"/", ""), by.said)
			}
			if c["code"] == "2" || c["but"] == "" {
				return // we check before we write, and what a broken run leaves is a matter of luck
			}
			ours := tree(t, dir)
			delete(trees, c["but"])
			delete(ours, c["but"])
			sameTexts(t, c["name"], trees, ours)
		})
	}
}

// A file that cannot be told is a finding, and gets what the environment and rules say: never
// nothing, and never what some page says. Two such: HTML that a template publishes as a resource,
// and for a list any such resource.
func TestPlainHugo_WhatCannotBeToldIsReported(t *testing.T) {
	t.Parallel()
	sites := family.Sites(t)
	i := slices.IndexFunc(sites, func(s family.Site) bool { return s.Name == "resources" })
	work := t.TempDir()
	dir, policy := filepath.Join(work, "site"), filepath.Join(work, "metarobots.toml")
	lay(t, sites[i], dir)
	write(t, policy, `[robots]
[robots.visibility]
kinds = { home = "nosnippet" }
[[robots.rules]]
match = ["/made/**"]
robots = "noarchive"
`)
	for _, c := range []struct { // in this order: check looks at what build published
		command string
		untold  []string
	}{
		{"build", []string{"made/d.html"}},
		{"check", []string{"copied/e.css", "css/all.css", "css/made.css", "js/app.js", "js/app.js.map", "made/c.txt",
			"made/d.html"}},
	} {
		command, untold := c.command, c.untold
		r := inFolder(t, dir, program, filepath.Join(work, "cache"), step{}, command, "--json", "-s", ".", "-e",
			"staging", "--policy", policy)
		var got struct {
			Pages []struct {
				File   string
				Meta   map[string]string
				Header []string
			}
			Findings []struct{ ID, Severity, File, Message string }
		}
		if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, r.stderr)
		}
		// Pages are reported one by one, of other files the one that is no style and no script.
		html := slices.DeleteFunc(slices.Clone(untold), func(name string) bool { return filepath.Ext(name) != ".html" })
		other := slices.Contains(untold, "made/c.txt")
		var reported []string
		for _, f := range got.Findings {
			switch {
			case f.ID == "unknown-file" && f.Severity == "warning":
				reported = append(reported, strings.TrimPrefix(f.File, "public/"))
			case f.ID == "unknown-file" && other && strings.Contains(f.Message, " /made/c.txt: "):
				other = false
			case f.ID == "unknown-file":
				t.Errorf("%s reports %q", command, f.Message)
			}
		}
		slices.Sort(reported)
		if !slices.Equal(reported, html) || other {
			t.Errorf("%s reports %v, want %v; made/c.txt missing: %v", command, reported, html, other)
		}
		seen := 0
		for _, pg := range got.Pages {
			name := pg.File
			if !slices.Contains(untold, name) {
				continue
			}
			seen++
			want := "noindex, nofollow"
			if strings.HasPrefix(name, "made/") {
				want = "noindex, nofollow, noarchive"
			}
			if site.IsHTML(name) && pg.Meta["robots"] != want {
				t.Errorf("%s: %s carries %v, want %s", command, name, pg.Meta, want)
			}
			if !slices.Equal(pg.Header, []string{want}) {
				t.Errorf("%s: %s: header %v, want %s", command, name, pg.Header, want)
			}
		}
		if seen != len(untold) {
			t.Errorf("%s: %d of %d files are listed", command, seen, len(untold))
		}
	}
}

// Nothing that a build does is a race, on any site of the family and on the example.
func TestPlainHugo_RaceDetectorIsQuiet(t *testing.T) {
	needEverything(t, "compiling Hugo for the race detector takes minutes")
	t.Parallel()
	file := programFile(t, raced)
	sites := family.Sites(t)
	work := t.TempDir()
	policy := filepath.Join(work, "metarobots.toml")
	write(t, policy, read(t, "testdata/spoken.toml"))
	quiet := func(t *testing.T, dir string, args ...string) {
		t.Helper()
		for _, args := range [][]string{args, append([]string{"check"}, args...)} {
			r := inFolder(t, dir, file, filepath.Join(work, "cache"), step{env: []string{"GORACE=exitcode=66"}},
				args...)
			if r.code == 66 || strings.Contains(r.stderr, "DATA RACE") || r.code > 1 {
				t.Errorf("metarobots %v: exit code %d\n%s", args, r.code, r.stderr)
			}
		}
	}
	for _, s := range sites {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "site")
			lay(t, s, dir)
			quiet(t, dir, "-s", ".", "--policy", policy)
		})
	}
	t.Run("site-example", func(t *testing.T) {
		t.Parallel()
		dir, _ := siteExample(t, "")
		quiet(t, dir)
	})
}
