//go:build e2e && unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

const (
	plainPage = "<!doctype html><html><head><title>x</title></head><body>x</body></html>\n"
	policed   = `<!doctype html><html><head><meta name="robots" content="noarchive" /><title>x</title></head><body>x</body></html>` + "\n"
)

// nobody is a user who may write only what everyone may.
const nobody = 65534

// asNobody makes a run of somebody who is not root, since root may write everywhere.
func asNobody(c *exec.Cmd) *exec.Cmd {
	if os.Geteuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	return c
}

// give hands all below dir to nobody, and opens the way to it.
func give(t *testing.T, dir string) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	for up := dir; up != filepath.Clean(os.TempDir()) && up != "/"; up = filepath.Dir(up) {
		if err := os.Chmod(up, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("chown", "-R", "65534:65534", dir).CombinedOutput(); err != nil {
		t.Fatalf("chown: %v\n%s", err, out)
	}
}

// folder makes pages and a policy that changes all of them, and returns the folder and the arguments of a run over it.
func folder(t *testing.T, names ...string) (dir string, args []string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range names {
		write(t, filepath.Join(dir, "site", name), plainPage)
	}
	policy := filepath.Join(dir, "metarobots.toml")
	write(t, policy, "[robots]\ndefault = \"noarchive\"\nheaders.targets = [\"none\"]\n")
	return dir, []string{"apply", "--force", "--policy", policy, filepath.Join(dir, "site")}
}

// M6: a page that nobody may write to is exchanged, as by any program that renames: its folder decides. Its mode stays.
func TestHouse_AReadOnlyPageIsExchanged(t *testing.T) {
	dir, args := folder(t, "index.html")
	page := filepath.Join(dir, "site", "index.html")
	if err := os.Chmod(page, 0o440); err != nil {
		t.Fatal(err)
	}
	give(t, dir)
	if r := finish(t, asNobody(command(args...))); r.code != 0 {
		t.Fatalf("exit code %d\n%s", r.code, r.stderr)
	}
	if got := read(t, page); got != policed {
		t.Errorf("got %q", got)
	}
	info, err := os.Stat(page)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != 0o440 {
		t.Errorf("mode %v", info.Mode())
	}
}

// M6: in a folder that nobody may write to, the page stays; the others are done, and the run fails and says which.
func TestHouse_AReadOnlyFolderFailsTheRun(t *testing.T) {
	dir, args := folder(t, "index.html", "locked/index.html", "z/index.html")
	locked := filepath.Join(dir, "site", "locked")
	give(t, dir)
	if err := os.Chmod(locked, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(locked, 0o755) })
	r := finish(t, asNobody(command(args...)))
	if r.code != 3 || strings.Count(r.stderr, "error:") != 1 || !strings.Contains(r.stderr, "locked") ||
		!strings.Contains(r.stderr, "permission denied") {
		t.Errorf("exit code %d\n%s", r.code, r.stderr)
	}
	t.Log(r.stderr)
	for name, want := range map[string]string{"index.html": policed, "locked/index.html": plainPage,
		"z/index.html": policed} {
		if got := read(t, filepath.Join(dir, "site", name)); got != want {
			t.Errorf("%s: got %q", name, got)
		}
	}
	if now := regular(t, filepath.Join(dir, "site")); len(now) != 3 {
		t.Errorf("files: %q", now)
	}
	if err := os.Chmod(locked, 0o755); err != nil {
		t.Fatal(err)
	}
	if r := finish(t, asNobody(command(args...))); r.code != 0 ||
		read(t, filepath.Join(locked, "index.html")) != policed {
		t.Errorf("the next run: exit code %d\n%s", r.code, r.stderr)
	}
}

// A page that cannot be read ends the run before anything is written.
func TestHouse_AnUnreadablePageEndsTheRunFirst(t *testing.T) {
	dir, args := folder(t, "index.html", "locked/index.html")
	locked := filepath.Join(dir, "site", "locked", "index.html")
	give(t, dir)
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	r := finish(t, asNobody(command(args...)))
	if r.code != 3 || !strings.Contains(r.stderr, "locked") || !strings.Contains(r.stderr, "permission denied") {
		t.Errorf("exit code %d\n%s", r.code, r.stderr)
	}
	if got := read(t, filepath.Join(dir, "site", "index.html")); got != plainPage {
		t.Errorf("got %q", got)
	}
}

// M6: writing splits a hard link. A name outside of the publish folder keeps the old page.
func TestHouse_WritingSplitsAHardLink(t *testing.T) {
	dir, args := folder(t, "index.html")
	page, outside := filepath.Join(dir, "site", "index.html"), filepath.Join(dir, "outside.html")
	if err := os.Link(page, outside); err != nil {
		t.Skip("no hard links here:", err)
	}
	run(t, 0, args...)
	if got := read(t, page); got != policed {
		t.Errorf("the page: %q", got)
	}
	if got := read(t, outside); got != plainPage {
		t.Errorf("the other name: %q", got)
	}
	if r := run(t, 0, args...); !strings.Contains(r.stderr, " 0 files written,") {
		t.Errorf("the second run: %s", r.stderr)
	}
}

// M6: a page behind a symlink within the publish folder is edited where it stands; the link stays a link. One that
// leads out is left, with a finding.
func TestHouse_SymlinksStayLinks(t *testing.T) {
	dir, args := folder(t, "page/index.html")
	site := filepath.Join(dir, "site")
	write(t, filepath.Join(dir, "outside.html"), plainPage)
	for link, target := range map[string]string{"link.html": "page/index.html", "out.html": "../outside.html"} {
		if err := os.Symlink(target, filepath.Join(site, link)); err != nil {
			t.Skip("no symlinks here:", err)
		}
	}
	r := run(t, 0, args...)
	if !strings.Contains(r.stderr, "out.html: the symlink is not followed") {
		t.Errorf("no finding:\n%s", r.stderr)
	}
	if got := read(t, filepath.Join(site, "page/index.html")); got != policed {
		t.Errorf("the page: %q", got)
	}
	if got := read(t, filepath.Join(dir, "outside.html")); got != plainPage {
		t.Errorf("outside: %q", got)
	}
	for _, link := range []string{"link.html", "out.html"} {
		if info, err := os.Lstat(filepath.Join(site, link)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no symlink any more: %v %v", link, info, err)
		}
	}
	if r := run(t, 0, args...); !strings.Contains(r.stderr, " 0 files written,") {
		t.Errorf("the second run: %s", r.stderr)
	}
}

// M6, M7: a page and a link to it are one file, which can carry one policy. What a first run says of it, it does, and a
// second run has nothing to add.
func TestSymlinkWithAnotherPolicy(t *testing.T) {
	dir, args := folder(t, "a/index.html", "page/index.html")
	site := filepath.Join(dir, "site")
	write(t, filepath.Join(dir, "metarobots.toml"),
		"[robots]\nheaders.targets = [\"none\"]\n[[robots.rules]]\nmatch = [\"/link\"]\nrobots = \"noindex\"\n")
	if err := os.Symlink("page/index.html", filepath.Join(site, "link.html")); err != nil {
		t.Skip("no symlinks here:", err)
	}
	first := finish(t, command(args...))
	page := read(t, filepath.Join(site, "page/index.html"))
	second := finish(t, command(args...))
	count := func(r result) string {
		_, rest, _ := strings.Cut(r.stderr, "  pages ")
		line, _, _ := strings.Cut(rest, "\n")
		return line
	}
	if count(first) != count(second) || first.code != second.code {
		t.Errorf("the first run says %q and ends with %d, the second %q and %d", count(first), first.code,
			count(second), second.code)
	}
	if got := read(t, filepath.Join(site, "page/index.html")); got != page {
		t.Errorf("the second run made %q of %q", got, page)
	}
}

// M6: old temporary files of ours are removed, those of others and pages with odd names stay.
func TestHouse_StaleTemporaryFilesAreRemoved(t *testing.T) {
	dir, args := folder(t, "index.html")
	site := filepath.Join(dir, "site")
	stale := []string{".index.html.0123456789ab.metarobots.tmp", "deep/.a/.b.html.ffffffffffff.metarobots.tmp"}
	stay := []string{".index.html.tmp", "index.html.metarobots.tmp.txt", ".hidden.html"}
	for _, name := range append(slices.Clone(stale), stay...) {
		write(t, filepath.Join(site, name), plainPage)
	}
	// with .hidden.html
	if r := run(t, 1, append([]string{"check"}, args[2:]...)...); !strings.Contains(r.stderr, "2 files to write") {
		t.Errorf("check takes a temporary file for a page:\n%s", r.stderr)
	}
	run(t, 0, args...)
	now := regular(t, site)
	for _, name := range stale {
		if slices.Contains(now, name) {
			t.Errorf("%s stays", name)
		}
	}
	for _, name := range stay {
		if !slices.Contains(now, name) {
			t.Errorf("%s is gone", name)
		}
	}
	// The state has one too, if a kill struck there.
	state, err := filepath.Glob(filepath.Join(dir, ".metarobots", "*.state"))
	if err != nil || len(state) != 1 {
		t.Fatal(state, err)
	}
	left := filepath.Join(dir, ".metarobots", "."+filepath.Base(state[0])+".0123456789ab.metarobots.tmp")
	write(t, left, "{}")
	write(t, filepath.Join(dir, "metarobots.toml"), "[robots]\ndefault = \"nosnippet\"\nheaders.targets = [\"none\"]\n")
	run(t, 0, args...)
	if _, err := os.Stat(left); err == nil {
		t.Errorf("%s stays", filepath.Base(left))
	}
}
