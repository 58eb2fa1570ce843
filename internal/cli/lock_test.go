package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"metarobots/internal/project"
	"metarobots/internal/tables"
)

// lockedSite is a site of many pages in a new folder.
func lockedSite(t *testing.T, pages int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	files := map[string]string{"metarobots.toml": "[site]\ngenerator = \"html\"\ndestination = \"out\"\n",
		"out/index.html": "<!doctype html><title>Home</title>"}
	for i := range pages {
		files[fmt.Sprintf("out/%d.html", i)] = "<!doctype html><title>x</title>"
	}
	tables.Write(t, dir, files)
	return dir
}

// X: a preview and a production run at once leave what one after the other leaves.
func TestHouse_RunsAtOnceAreOneAfterTheOther(t *testing.T) {
	t.Parallel()
	dir := lockedSite(t, 600)
	var wg sync.WaitGroup
	for _, environment := range []string{"preview", "production", "preview", "production"} {
		wg.Go(func() {
			if _, stderr, code := runCommand(t, "apply", "-s", dir, "-e", environment); code != 0 {
				t.Errorf("%s: exit code %d: %s", environment, code, stderr)
			}
		})
		wg.Go(func() { // who only reads meets no half-written state
			if _, stderr, _ := runCommand(t, "check", "-s", dir, "-e", environment); strings.Contains(stderr, "(edited)") {
				t.Errorf("check %s: %s", environment, stderr)
			}
		})
	}
	wg.Wait()
	succeed(t, "apply", "-s", dir, "-e", "production")
	for i := range 600 {
		page, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("out/%d.html", i)))
		if err != nil || bytes.Contains(page, []byte("noindex")) {
			t.Fatalf("page %d: %s, %v", i, page, err)
		}
	}
}

// X: a run that waits in vain ends with exit code 3, and names the first.
func TestHouse_ASecondRunNamesTheFirst(t *testing.T) {
	t.Parallel()
	dir := lockedSite(t, 1)
	first := tables.Value(project.Open(context.Background(), project.Options{WorkDir: dir,
		Writing: project.Writing{By: "metarobots build"},
		Getenv:  noVariables}, generators()...))(t)
	defer first.Close()
	_, stderr, code := runCommand(t, "apply", "-s", dir)
	want := fmt.Sprintf("metarobots build (process %d) is at work on the same folder", os.Getpid())
	if code != exitBroken || !strings.Contains(stderr, want) {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if page, err := os.ReadFile(filepath.Join(dir, "out/0.html")); err != nil || bytes.Contains(page, []byte("<meta")) {
		t.Errorf("it has written: %s, %v", page, err)
	}
}
