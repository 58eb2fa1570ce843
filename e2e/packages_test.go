//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// root is the repository.
func root(t *testing.T) string {
	t.Helper()
	dir := tables.Value(filepath.Abs(".."))(t)
	return dir
}

// small is a site as a pipeline finds it: pages that somebody made, and a policy that wants
// something of them.
func small(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "metarobots.toml"), `[site]
generator = "html"
destination = "dist"

[[robots.rules]]
match  = ["/secret/**", "/*.pdf"]
robots = "noindex"
`)
	write(t, filepath.Join(dir, "dist", "index.html"),
		"<html><head><title>x</title></head><body><meta name=\"robots\" content=\"noarchive\"></body></html>")
	for _, name := range []string{"about", "blog", "contact", "secret"} {
		write(t, filepath.Join(dir, "dist", name, "index.html"), "<html><head></head></html>")
	}
	write(t, filepath.Join(dir, "dist", "a.pdf"), "%PDF")
	return dir
}

// extend adds lines to the policy of a site.
func extend(t *testing.T, site, lines string) {
	t.Helper()
	file := filepath.Join(site, "metarobots.toml")
	write(t, file, read(t, file)+lines)
}

// unreadable makes the policy of a small site one that cannot be read, in line 8.
func unreadable(t *testing.T, site string) {
	t.Helper()
	extend(t, site, "robts = \"noindex\"\n")
}

// guarded makes the policy of a small site one that the guard stops (S3).
func guarded(t *testing.T, site string) {
	t.Helper()
	extend(t, site, "[[robots.rules]]\nmatch = \"/**\"\nrobots = \"noindex\"\n")
}

// overflowing makes the policy of a small site one that needs more header rules than a host takes
// (N2).
func overflowing(t *testing.T, site string) {
	t.Helper()
	dist := "dist"
	if isFolder(filepath.Join(site, "src")) {
		dist = "src"
	}
	// Those whose digits have an even sum are meant: no few patterns say it.
	var meant []string
	for i := range 500 {
		name := fmt.Sprintf("%d.pdf", i)
		write(t, filepath.Join(site, dist, "p", name), "%PDF")
		if (i/100+i/10%10+i%10)%2 == 0 {
			meant = append(meant, strconv.Quote("/p/"+name))
		}
	}
	extend(t, site, "[[robots.rules]]\nmatch = ["+strings.Join(meant, ", ")+"]\nrobots = \"noindex\"\n"+
		"[robots.headers]\ntargets = [\"portable\"]\n")
}

// sources copies what Git would keep of the repository into a new folder, and makes it a repository
// with one commit.
func sources(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	list := exec.Command("git", "-C", root(t), "ls-files", "-co", "--exclude-standard", "-z", "--", ".", ":!e2e",
		":!bench", ":!site-example")
	out := tables.Value(list.Output())(t)
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		from := filepath.Join(root(t), name)
		if info, err := os.Stat(from); err != nil || info.IsDir() {
			continue // removed, and not yet staged
		}
		write(t, filepath.Join(dir, name), read(t, from))
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-qm", "x"}} {
		git := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.org",
			"-c", "commit.gpgsign=false", "-c", "core.hooksPath=" + os.DevNull}, args...)...)
		git.Env = append(os.Environ(), "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
			"GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
		finish(t, git).is(t, 0)
	}
	return dir
}

// goVariable is a setting of the Go that runs the tests.
func goVariable(t *testing.T, name string) string {
	t.Helper()
	out := tables.Value(exec.Command("go", "env", name).Output())(t)
	return strings.TrimSpace(string(out))
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// goProxy makes Go take modules from this disk: those of go.sum, which every build of this
// repository has fetched.
func goProxy(t *testing.T) string {
	t.Helper()
	return "GOPROXY=file://" + filepath.ToSlash(filepath.Join(goVariable(t, "GOMODCACHE"), "cache", "download"))
}

// Shells read the scripts, and offer what they are told.
func TestCompletion_InShells(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.Symlink(programFile(t, lean), filepath.Join(dir, "metarobots")))
	scripts := map[string]string{}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		scripts[shell] = filepath.Join(dir, "completion."+shell)
		text := inLean(t, dir, 0, "completion", shell).stdout
		if len(text) < 1000 {
			t.Errorf("the script for %s is %q", shell, text)
		}
		write(t, scripts[shell], text)
		path, err := exec.LookPath(shell)
		if err != nil || shell == "powershell" {
			continue
		}
		finish(t, exec.Command(path, "-n", scripts[shell])).is(t, 0)
	}
	const helpers = "/usr/share/bash-completion/bash_completion"
	for shell, ask := range map[string]string{
		"bash": `source "$1"; COMP_WORDS=(metarobots report --format ""); COMP_CWORD=3; COMP_LINE="metarobots report --format "; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9
__start_metarobots metarobots "" --format; printf '%s\n' "${COMPREPLY[@]}"`,
		"fish": `source $argv[1]; complete -C "metarobots report --format "`,
	} {
		path, err := exec.LookPath(shell)
		if _, e := os.Stat(helpers); err != nil || shell == "bash" && e != nil {
			t.Logf("%s, or its package bash-completion, is missing", shell)
			continue
		}
		args := []string{"-c", "source " + helpers + "; " + ask, shell, scripts[shell]}
		if shell == "fish" {
			args = []string{"--no-config", "-c", ask, scripts[shell]}
		}
		c := exec.Command(path, args...)
		c.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "HOME=" + dir, "TERM=dumb"}
		r := finish(t, c)
		got := strings.Fields(r.stdout)
		slices.Sort(got)
		if want := []string{"csv", "github", "html", "json", "markdown", "sarif"}; r.code != 0 || !slices.Equal(got,
			want) {
			t.Errorf("%s offers %q, want %q (exit code %d, %s)", shell, got, want, r.code, r.stderr)
		}
	}
}

// The manual page is one that mandoc takes too.
func TestMan_Mandoc(t *testing.T) {
	t.Parallel()
	mandoc, err := exec.LookPath("mandoc")
	if err != nil {
		t.Skip("mandoc is missing: apt-get install mandoc")
	}
	c := exec.Command(mandoc, "-T", "lint", "-W", "warning")
	c.Stdin = strings.NewReader(inLean(t, t.TempDir(), 0, "man").stdout)
	if out, err := c.CombinedOutput(); err != nil &&
		!regexp.MustCompile(`^mandoc: <stdin>:1:\d+: WARNING: missing date[^\n]*\n$`).Match(out) {
		t.Errorf("mandoc: %v\n%s", err, out)
	}
}
