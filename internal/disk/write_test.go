package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// page makes a file with a mode and returns its name.
func page(t *testing.T, mode os.FileMode) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "index.html")
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, mode); err != nil { // WriteFile heeds the umask
		t.Fatal(err)
	}
	return name
}

// holds checks what is in a file, and that it stands alone with others in its folder.
func holds(t *testing.T, name, want string, others ...string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(data) != want {
		t.Errorf("%s holds %q, want %q", name, data, want)
	}
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	all := append([]string{filepath.Base(name)}, others...)
	slices.Sort(all)
	if !slices.Equal(names, all) {
		t.Errorf("the folder holds %q, want %q", names, all)
	}
}

// M6
func TestWriteKeepsTheMode(t *testing.T) {
	for _, mode := range []os.FileMode{0o644, 0o640, 0o600, 0o664, 0o666, 0o444, 0o755} {
		name := page(t, mode)
		if err := Write(name, []byte("new"), mode == 0o640); err != nil {
			t.Errorf("%v: %v", mode, err)
			continue
		}
		holds(t, name, "new")
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != mode && os.PathSeparator == '/' {
			t.Errorf("mode %v, want %v", got, mode)
		}
	}
}

// M6: what the other name shows is the old page, whole.
func TestWriteSplitsAHardLink(t *testing.T) {
	name := page(t, 0o644)
	other := filepath.Join(filepath.Dir(name), "other.html")
	if err := os.Link(name, other); err != nil {
		t.Skip("no hard links here:", err)
	}
	if err := Write(name, []byte("new"), false); err != nil {
		t.Fatal(err)
	}
	holds(t, name, "new", "other.html")
	holds(t, other, "old", "index.html")
}

// M6: the file behind the link is exchanged, in its own folder; the link stays one.
func TestWriteFollowsASymlink(t *testing.T) {
	name := page(t, 0o640)
	link := filepath.Join(t.TempDir(), "index.html")
	if err := os.Symlink(name, link); err != nil {
		t.Skip("no symlinks here:", err)
	}
	if err := Write(link, []byte("new"), false); err != nil {
		t.Fatal(err)
	}
	holds(t, name, "new")
	holds(t, link, "new")
	info, err := os.Lstat(link)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became a file: %v", info.Mode())
	}
}

func TestWriteMakesANewFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "_headers")
	if err := Write(name, []byte("new"), false); err != nil {
		t.Fatal(err)
	}
	holds(t, name, "new")
}

// M6: a failed write leaves the old file and nothing beside it.
func TestFailedWriteKeepsTheOldFile(t *testing.T) {
	t.Run("the name is a folder", func(t *testing.T) {
		name := filepath.Join(t.TempDir(), "index.html")
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
		err := Write(name, []byte("new"), false)
		if err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("got %v", err)
		}
		if entries, _ := os.ReadDir(filepath.Dir(name)); len(entries) != 1 {
			t.Errorf("the folder holds %v", entries)
		}
	})
	t.Run("the folder is gone", func(t *testing.T) {
		if err := Write(filepath.Join(t.TempDir(), "a", "index.html"), []byte("new"), false); !os.IsNotExist(err) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the folder is read-only", func(t *testing.T) {
		if os.Geteuid() == 0 {
			t.Skip("root may write everywhere; e2e does this as another user")
		}
		name := page(t, 0o644)
		if err := os.Chmod(filepath.Dir(name), 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(filepath.Dir(name), 0o755) })
		if err := Write(name, []byte("new"), false); !os.IsPermission(err) {
			t.Errorf("got %v", err)
		}
		holds(t, name, "old")
	})
}

// A temporary file is hidden, is no page to anyone, and only ours are swept.
func TestTempsAreToldByTheirNames(t *testing.T) {
	for name, want := range map[string]bool{
		"a/.index.html.0123456789ab.metarobots.tmp": true,
		"a/index.html": false,
		"a/index.html.0123456789ab.metarobots.tmp": false,
		"a/.index.html.tmp":                        false,
		"a/.metarobots.tmp/index.html":             false,
	} {
		if got := IsTemp(filepath.FromSlash(name)); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// M6: what is made as it is written obeys the same laws, and a maker that fails leaves the old file alone.
func TestWriteFromIsWrite(t *testing.T) {
	text := func(w io.Writer) error {
		_, err := io.WriteString(w, "new")
		return err
	}
	for _, mode := range []os.FileMode{0o644, 0o600, 0o666, 0o755} {
		name := page(t, mode)
		if err := WriteFrom(name, text, mode == 0o600); err != nil {
			t.Fatalf("%v: %v", mode, err)
		}
		holds(t, name, "new")
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != mode && os.PathSeparator == '/' {
			t.Errorf("mode %v, want %v (%v)", info.Mode(), mode, err)
		}
	}
	fresh := filepath.Join(t.TempDir(), "report.json")
	if err := WriteFrom(fresh, text, false); err != nil {
		t.Fatal(err)
	}
	holds(t, fresh, "new")
	broken := page(t, 0o644)
	if err := WriteFrom(broken, func(w io.Writer) error { return errors.Join(text(w), io.ErrClosedPipe) },
		false); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
	holds(t, broken, "old")
}
