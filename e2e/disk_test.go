//go:build e2e && linux

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"metarobots/e2e/bench/head/corpus"
	"metarobots/internal/tables"
)

// disk mounts a small disk and returns its folder.
func disk(t *testing.T, size string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, to mount a small disk")
	}
	dir := t.TempDir()
	if err := syscall.Mount("metarobots-e2e", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("mounting a small disk is refused here:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill takes all of a disk but room bytes, and returns the file that does so.
func fill(t *testing.T, dir string, room int64) string {
	t.Helper()
	var s syscall.Statfs_t
	must(t, syscall.Statfs(dir, &s))
	ballast := filepath.Join(dir, "ballast")
	must(t, os.WriteFile(ballast, make([]byte, int64(s.Bavail)*s.Bsize-room), 0o644))
	return ballast
}

// M6a: where the disk is full, pages stay as they were, or are whole as they should be; a later run
// completes.
func TestFullDiskLeavesWholePages(t *testing.T) {
	for _, c := range []struct {
		name      string
		room      int64 // what is free at first
		stateOnIt bool
	}{
		{"no room at all", 0, false},
		{"room for some pages", 64 << 10, false},
		{"state on the same disk", 64 << 10, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			const pages = 100
			dir := disk(t, "16m")
			site := filepath.Join(dir, "site")
			must(t, corpus.Write(site, pages))
			names, before := regular(t, site), tables.Tree(t, site)
			// What a run on a disk with room makes of them.
			other := t.TempDir()
			must(t, os.CopyFS(filepath.Join(other, "site"), os.DirFS(site)))
			policy := filepath.Join(other, "metarobots.toml")
			write(t, policy, "[robots]\ndefault = \"noarchive\"\nheaders.targets = [\"none\"]\n")
			state := filepath.Join(other, "state")
			if c.stateOnIt {
				state = filepath.Join(dir, "state")
			}
			args := []string{"apply", "--force", "--quiet", "--policy", policy, "--state", state, site}
			run(t, 0, append(args[:5:5], "--state", filepath.Join(other, "state of the copy"),
				filepath.Join(other, "site"))...)

			time.Sleep(2100 * time.Millisecond) // until the pages are old enough to be staged (M6s)
			ballast := fill(t, dir, c.room)
			r := run(t, 3, args...).is(t, 3, "no space left on device", "index.html")
			if n := strings.Count(r.stderr, "\n"); n > pages+2 {
				t.Errorf("%d lines for %d pages", n, pages)
			}
			old, done := 0, 0
			if now := regular(t, site); !slices.Equal(now, names) {
				t.Errorf("%d files, %d were there; temporary ones: %q", len(now), len(names), temps(now))
			}
			for _, name := range names {
				switch read(t, site, name) {
				case before[name]:
					old++
				case read(t, other, "site", name):
					done++
				default:
					t.Errorf("%s is damaged", name)
				}
			}
			t.Logf("%d pages as they were, %d as they should be; said:\n%.300s", old, done, r.stderr)
			if old == 0 {
				t.Error("the disk was not full")
			}

			must(t, os.Remove(ballast))
			run(t, 0, args...)
			sameFiles(t, site, filepath.Join(other, "site"))
			// What was written while the disk was full is ours (M7): a looser policy takes it back.
			write(t, policy, "[robots]\ndefault = \"index, follow\"\nheaders.targets = [\"none\"]\n")
			run(t, 0, args...)
			for _, name := range names {
				if tag := `content="index, follow, noarchive"`; strings.Contains(read(t, site, name), tag) {
					t.Errorf("%s keeps %s", name, tag)
				}
			}
		})
	}
}
