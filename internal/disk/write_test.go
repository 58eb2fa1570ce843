package disk

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"metarobots/internal/tables"
)

// page makes a file with a mode and returns its name.
func page(t *testing.T, mode os.FileMode) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "index.html")
	tables.Must(t, os.WriteFile(name, []byte("old"), 0o600))
	if err := os.Chmod(name, mode); err != nil { // WriteFile heeds the umask
		t.Fatal(err)
	}
	return name
}

// holds checks what is in a file, and that it is alone with others in its folder.
func holds(t *testing.T, name, want string, others ...string) {
	t.Helper()
	data := tables.Value(os.ReadFile(name))(t)
	if string(data) != want {
		t.Errorf("%s holds %q, want %q", name, data, want)
	}
	entries := tables.Value(os.ReadDir(filepath.Dir(name)))(t)
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

// M6a. A new file has its mode from the umask, and its folder is made.
func TestHouse_AFileKeepsItsMode(t *testing.T) {
	made := filepath.Join(t.TempDir(), "a", "b", "_headers")
	tables.Must(t, Write(made, []byte("new")))
	holds(t, made, "new")
	for _, mode := range []os.FileMode{0o644, 0o640, 0o600, 0o664, 0o666, 0o444, 0o755} {
		name := page(t, mode)
		if err := Write(name, []byte("new")); err != nil {
			t.Fatalf("%v: %v", mode, err)
		}
		holds(t, name, "new")
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != mode && os.PathSeparator == '/' {
			t.Errorf("mode %v, want %v (%v)", info.Mode(), mode, err)
		}
	}
}

// M6a: what the other name shows is the old page, whole.
func TestHouse_WritingSplitsAHardLink(t *testing.T) {
	name := page(t, 0o644)
	other := filepath.Join(filepath.Dir(name), "other.html")
	if err := os.Link(name, other); err != nil {
		t.Skip("no hard links here:", err)
	}
	tables.Must(t, Write(name, []byte("new")))
	holds(t, name, "new", "other.html")
	holds(t, other, "old", "index.html")
}

// M6: the file behind the link is exchanged, in its own folder; the link stays one.
func TestHouse_WritingFollowsASymlink(t *testing.T) {
	name := page(t, 0o640)
	link := filepath.Join(t.TempDir(), "index.html")
	if err := os.Symlink(name, link); err != nil {
		t.Skip("no symlinks here:", err)
	}
	tables.Must(t, Write(link, []byte("new")))
	holds(t, name, "new")
	holds(t, link, "new")
	info := tables.Value(os.Lstat(link))(t)
	if info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became a file: %v", info.Mode())
	}
}

// M6a: a failed write, or a maker that fails, leaves the old file and nothing beside it.
func TestHouse_AFailedWriteKeepsTheOldFile(t *testing.T) {
	broken := page(t, 0o644)
	if err := WriteFrom(broken, func(w io.Writer) error {
		_, err := io.WriteString(w, "new")
		return errors.Join(err, io.ErrClosedPipe)
	}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
	holds(t, broken, "old")
	name := filepath.Join(t.TempDir(), "index.html")
	tables.Must(t, os.Mkdir(name, 0o755))
	if err := Write(name, []byte("new")); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a folder: %v", err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(name)); len(entries) != 1 {
		t.Errorf("the folder holds %v", entries)
	}
	t.Run("the folder is read-only", func(t *testing.T) {
		if os.Geteuid() == 0 {
			t.Skip("root may write everywhere; e2e does this as another user")
		}
		name := page(t, 0o644)
		tables.Must(t, os.Chmod(filepath.Dir(name), 0o555))
		t.Cleanup(func() { os.Chmod(filepath.Dir(name), 0o755) })
		if err := Write(name, []byte("new")); !os.IsPermission(err) {
			t.Errorf("got %v", err)
		}
		holds(t, name, "old")
	})
}

// A temporary file is hidden, is no page to anyone, and only ours are swept.
func TestHouse_TempsAreToldByTheirNames(t *testing.T) {
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

// locked takes a lock for a test.
func locked(t *testing.T, file, writer string) (unlock func()) {
	t.Helper()
	return tables.Value(Lock(context.Background(), file, writer))(t)
}

// X: one run at a time writes, and who waits in vain hears of whom. Runs that only read need not
// wait for each other. M6h, M6i, M6j.
func TestHouse_OneRunAtATime(t *testing.T) {
	defer func(was time.Duration) { patience = was }(patience)
	patience = time.Minute
	file := filepath.Join(t.TempDir(), "state/a.lock")
	busy := func(writer string, waits time.Duration) string {
		t.Helper()
		defer func(was time.Duration) { patience = was }(patience)
		patience = waits
		unlock, err := Lock(context.Background(), file, writer)
		if err == nil {
			unlock()
			return ""
		}
		return err.Error()
	}
	locked(t, file, "")() // nothing is made to read
	if _, err := os.Stat(filepath.Dir(file)); !os.IsNotExist(err) {
		t.Error("reading makes a folder:", err)
	}
	unlock := locked(t, file, "metarobots apply")
	for _, second := range []string{"metarobots build", ""} {
		if got := busy(second, 100*time.Millisecond); !strings.HasPrefix(got, "metarobots apply (process ") {
			t.Errorf("%q goes on, or waits for %q", second, got)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Lock(ctx, file, "metarobots build"); err != context.Canceled {
		t.Error("an interrupt:", err)
	}
	go func() {
		time.Sleep(25 * time.Millisecond)
		unlock()
	}()
	if got := busy("metarobots build", time.Minute); got != "" {
		t.Error("the lock does not become free:", got)
	}
	reads := locked(t, file, "")
	locked(t, file, "")()
	if got := busy("metarobots build", 100*time.Millisecond); !strings.HasPrefix(got, "another run of metarobots is at work") {
		t.Errorf("a run writes while another reads: %q", got)
	}
	reads()
	tables.Must(t, os.Remove(file))
	if err := os.Symlink(filepath.Join(filepath.Dir(file), "elsewhere"), file); err != nil {
		t.Skip("no symlinks here:", err)
	}
	if locked(t, file, "metarobots build")(); exists(filepath.Join(filepath.Dir(file), "elsewhere")) {
		t.Error("a link is followed")
	}
}

// M6l: where no lock can be kept, a run goes on at once, beside any other.
func TestHouse_WithoutALockNobodyWaits(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a file")
	tables.Must(t, os.WriteFile(folder, nil, 0o644))
	file := filepath.Join(folder, "a.lock")
	began := time.Now()
	defer locked(t, file, "metarobots build")()
	defer locked(t, file, "metarobots apply")()
	defer locked(t, file, "")()
	if waited := time.Since(began); waited > patience/2 {
		t.Errorf("waited %v", waited)
	}
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// A run that is killed keeps nobody waiting (M6k).
func TestHouse_AKilledRunHoldsNoLock(t *testing.T) {
	if file := os.Getenv("LOCK_AND_WAIT"); file != "" {
		locked(t, file, "metarobots apply")
		os.Stdout.WriteString("locked\n")
		time.Sleep(time.Minute)
		return
	}
	file := filepath.Join(t.TempDir(), "a.lock")
	c := exec.Command(os.Args[0], "-test.run=^TestHouse_AKilledRunHoldsNoLock$")
	c.Env = append(os.Environ(), "LOCK_AND_WAIT="+file)
	out := tables.Value(c.StdoutPipe())(t)
	tables.Must(t, c.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Error(line, err)
	}
	c.Process.Kill()
	c.Wait()
	locked(t, file, "metarobots build")()
}

// A folder that cannot be made is what is wrong: not that the file is missing, which is to be made.
func TestHouse_AFolderThatCannotBeMadeIsNamed(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a folder in which nobody makes one")
	}
	err := Replace("/proc/metarobots/state", nil)
	if at := (*fs.PathError)(nil); !errors.As(err, &at) || at.Op != "mkdir" || at.Path != "/proc/metarobots" {
		t.Errorf("%v", err)
	}
	if os.Geteuid() == 0 {
		t.Skip("root may write anywhere")
	}
	dir := t.TempDir()
	tables.Must(t, os.Chmod(dir, 0o500))
	if err := Replace(filepath.Join(dir, "state", "file"), nil); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v", err)
	}
}
