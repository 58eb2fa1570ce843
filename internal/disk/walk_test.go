package disk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Folders that lead to each other in every order are more than anybody's pages: an error, and no endless run.
func TestHouse_LinksThatLeadToEachOtherEnd(t *testing.T) {
	root := t.TempDir()
	for i := range 9 {
		dir := filepath.Join(root, "docs", fmt.Sprint("d", i))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for j := range 9 {
			if err := os.Symlink(fmt.Sprint("../d", j), filepath.Join(dir, fmt.Sprint("l", j))); err != nil {
				t.Skip(err)
			}
		}
	}
	w := Walk{Folder: filepath.Join(root, "docs"), Files: Around(root), linked: mostLinked - 500,
		Skip: func(string, bool) bool { return false }, Visit: func(string, string, error) error { return nil }}
	if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(),
		"links that lead to each other") {
		t.Errorf("%v", err)
	}
}
