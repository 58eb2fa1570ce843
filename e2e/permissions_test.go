//go:build e2e && unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"metarobots/internal/tables"
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
		must(t, os.Chmod(up, 0o755))
	}
	finish(t, exec.Command("chown", "-R", "65534:65534", dir)).is(t, 0)
}

// folder makes pages and a policy that changes all of them, and returns the folder and the
// arguments of a run over it.
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

// M6a: a page that nobody may write to is exchanged, as by any program that renames: its folder
// decides. Its mode stays.
func TestHouse_AReadOnlyPageIsExchanged(t *testing.T) {
	dir, args := folder(t, "index.html")
	page := filepath.Join(dir, "site", "index.html")
	must(t, os.Chmod(page, 0o440))
	give(t, dir)
	finish(t, asNobody(command(args...))).is(t, 0)
	equal(t, "the page", read(t, page), policed)
	info := tables.Value(os.Stat(page))(t)
	equal(t, "its mode", info.Mode(), 0o440)
}

// M6: in a folder that nobody may write to, the page stays; the others are done, and the run fails
// and says which.
func TestHouse_AReadOnlyFolderFailsTheRun(t *testing.T) {
	dir, args := folder(t, "index.html", "locked/index.html", "z/index.html")
	locked := filepath.Join(dir, "site", "locked")
	give(t, dir)
	must(t, os.Chmod(locked, 0o555))
	t.Cleanup(func() { os.Chmod(locked, 0o755) })
	r := finish(t, asNobody(command(args...))).is(t, 3, "locked", "permission denied")
	equal(t, "errors in "+r.stderr, strings.Count(r.stderr, "error:"), 1)
	for name, want := range map[string]string{"index.html": policed, "locked/index.html": plainPage,
		"z/index.html": policed} {
		equal(t, name, read(t, dir, "site", name), want)
	}
	equal(t, "the number of files", len(regular(t, filepath.Join(dir, "site"))), 3)
	must(t, os.Chmod(locked, 0o755))
	finish(t, asNobody(command(args...))).is(t, 0)
	equal(t, "after the next run the page", read(t, locked, "index.html"), policed)
}

// A page that cannot be read ends the run before anything is written.
func TestHouse_AnUnreadablePageEndsTheRunFirst(t *testing.T) {
	dir, args := folder(t, "index.html", "locked/index.html")
	locked := filepath.Join(dir, "site", "locked", "index.html")
	give(t, dir)
	must(t, os.Chmod(locked, 0))
	finish(t, asNobody(command(args...))).is(t, 3, "locked", "permission denied")
	equal(t, "the other page", read(t, dir, "site", "index.html"), plainPage)
}
