package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// site makes a folder with files and links ("a -> b") below a new folder, and returns the folder
// "site" in it.
func site(t *testing.T, names ...string) string {
	t.Helper()
	base := t.TempDir()
	for _, name := range names {
		link, target, isLink := strings.Cut(name, " -> ")
		file := filepath.Join(base, filepath.FromSlash(link))
		tables.Must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		if isLink {
			if err := os.Symlink(strings.ReplaceAll(target, "BASE", base), file); err != nil {
				t.Skip("no symlinks here:", err)
			}
		} else if err := os.WriteFile(file, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(base, "site")
}

// A root gives what lies below it, by whatever way, and nothing else.
func TestHouse_ARootHoldsItsOwn(t *testing.T) {
	dir := site(t, "secret", "other/x", "site/a", "site/sub/b", "site/dir -> sub", "site/in -> sub/b",
		"site/abs -> BASE/site/a",
		"site/out -> ../secret", "site/outabs -> BASE/secret", "site/away -> ../other", "site/chain -> out",
		"site/broken -> nothing",
		"site/round -> ../site/a", "named -> site")
	for name, want := range map[string]error{
		"a": nil, "sub/b": nil, "in": nil, "dir/b": nil, "abs": nil, "round": nil, "sub/../a": nil, "../named/a": nil,
		"out": ErrOutside, "outabs": ErrOutside, "away/x": ErrOutside, "chain": ErrOutside, "../secret": ErrOutside,
		"broken": fs.ErrNotExist, "gone": fs.ErrNotExist, "sub": ErrNotRegular,
	} {
		data, err := NewRoot(dir).ReadFile(filepath.Join(dir, filepath.FromSlash(name)), 100)
		if !errors.Is(err, want) || (err == nil) != (want == nil) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		if err != nil && (data != nil || strings.Contains(err.Error(), "secret") && !strings.Contains(name, "secret")) {
			t.Errorf("%s: %q, %v: it tells of the target", name, data, err)
		}
	}
	if _, err := (Root{}).ReadFile(filepath.Join(dir, "a"), 100); !errors.Is(err, ErrOutside) {
		t.Errorf("of no folder: %v", err)
	}
	if data, err := NewRoot(dir).With(filepath.Join(dir, "away")).ReadFile(filepath.Join(dir, "away", "x"),
		100); err != nil || string(data) != "other/x" {
		t.Errorf("of a folder that is named: %q, %v", data, err)
	}
}

// A folder may be made after its root, as a publish folder is.
func TestHouse_ARootMayBeMadeLater(t *testing.T) {
	dir := filepath.Join(site(t, "site/a"), "public")
	r := NewRoot(dir)
	tables.Must(t, os.Mkdir(dir, 0o755))
	name := filepath.Join(dir, "robots.txt")
	if err := os.WriteFile(name, nil, 0o644); err != nil || !r.Holds(name) || r.Holds(filepath.Dir(dir)) {
		t.Errorf("%v, %v: %v", r.Holds(name), r.Holds(filepath.Dir(dir)), err)
	}
}

// A file is below its root whatever comes and goes there meanwhile: a generator writes the files of
// a folder, which it makes for them, at the same time.
func TestHouse_ARootHoldsWhatIsBeingMade(t *testing.T) {
	dir := site(t, "site/a")
	r, folder := NewRoot(dir), filepath.Join(dir, "news", "a")
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				os.MkdirAll(folder, 0o755)
				os.RemoveAll(filepath.Dir(folder))
			}
		}
	}()
	for range 20_000 {
		if !r.Holds(filepath.Join(folder, "index.html")) {
			t.Error("it is not held")
			break
		}
	}
	close(stop)
	<-stopped
}

// A site's own are the files of its repository; without one, those of its folder (M6d).
func TestHouse_ASiteReachesAsFarAsItsRepository(t *testing.T) {
	for _, repository := range []bool{true, false} {
		names := []string{"shared/x", "site/x -> ../shared/x"}
		if repository {
			names = append(names, ".git/HEAD")
		}
		dir := site(t, names...)
		if got := Around(dir).Holds(filepath.Join(dir, "x")); got != repository {
			t.Errorf("repository %v: %v", repository, got)
		}
	}
	if Around(filepath.Join(t.TempDir(), "gone")).Holds(os.TempDir()) {
		t.Error("a folder that is not there holds something")
	}
}

// A file is read up to its limit and not beyond, and a huge one costs no memory (M6f).
func TestHouse_FilesAreReadWithinLimits(t *testing.T) {
	name := filepath.Join(t.TempDir(), "robots.txt")
	for _, size := range []int64{0, 1, 99, 100, 101, 1 << 40} {
		tables.Must(t, os.WriteFile(name, nil, 0o644))
		if err := os.Truncate(name, size); err != nil {
			t.Skip("no sparse files here:", err)
		}
		for by, read := range map[string]func(string) ([]byte, error){
			"ReadFile": func(name string) ([]byte, error) { return ReadFile(name, 100) },
			"Reader":   (&Reader{Max: 100}).Read,
		} {
			data, err := read(name)
			if tooLarge := size > 100; errors.Is(err, ErrTooLarge) != tooLarge || !tooLarge && (err != nil ||
				int64(len(data)) != size) {
				t.Errorf("%s, %d bytes: %d, %v", by, size, len(data), err)
			}
		}
	}
}

// Names of 255 bytes are as good as others.
func TestHouse_LongNamesAreWritten(t *testing.T) {
	for _, base := range []string{strings.Repeat("x", 250) + ".html", strings.Repeat("ü", 125) + ".html",
		strings.Repeat("y", longestLabel), strings.Repeat("z", longestLabel+1)} {
		name := filepath.Join(t.TempDir(), base)
		if err := os.WriteFile(name, []byte("old"), 0o644); err != nil {
			t.Skip("no such names here:", err)
		}
		tables.Must(t, Write(name, []byte("new")))
		holds(t, name, "new")
		tables.Must(t, WriteFrom(name, func(w io.Writer) error { _, err := w.Write([]byte("newer")); return err }))
		holds(t, name, "newer")
		temp := tempName(name)
		if err := os.WriteFile(temp, nil, 0o644); err != nil || !IsTemp(temp) {
			t.Fatal(temp, err)
		}
		Sweep(name)
		holds(t, name, "newer")
	}
}

// What is made anew replaces a link; what the link leads to stays as it is (M6g).
func TestHouse_WriteFromReplacesALink(t *testing.T) {
	dir := site(t, "secret", "site/out -> ../secret", "site/in -> a", "site/a", "site/broken -> ../new", "site/sub/x",
		"site/dir -> sub")
	write := func(w io.Writer) error { _, err := w.Write([]byte("ours")); return err }
	for _, name := range []string{"out", "in", "broken"} {
		file := filepath.Join(dir, name)
		if err := WriteFrom(file, write); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	for name, want := range map[string]string{"../secret": "secret", "a": "site/a", "out": "ours", "broken": "ours"} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(data, []byte(want)) {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "..", "new")); err == nil {
		t.Error("what a broken link names was made")
	}
	if err := WriteFrom(filepath.Join(dir, "dir"), write); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a link to a folder: %v", err)
	}
}

// Folders that lead to each other in every order are more than anybody's pages: an error, and no
// endless run.
func TestHouse_LinksThatLeadToEachOtherEnd(t *testing.T) {
	root := t.TempDir()
	for i := range 9 {
		dir := filepath.Join(root, "docs", fmt.Sprint("d", i))
		tables.Must(t, os.MkdirAll(dir, 0o755))
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

// opensItself are the files that open others by themselves, and why.
var opensItself = map[string]string{
	"internal/cli/logs.go":     "access logs, which the user names and which may be pipes",
	"internal/cli/snapshot.go": "snapshots that the user names, which may be pipes",
}

// One package opens the files of a site: what it refuses nobody else reads.
func TestHouse_NobodyElseOpensFiles(t *testing.T) {
	const root = "../.."
	call := regexp.MustCompile(`(?m)^[^/\n]*\bos\.(ReadFile|Open|OpenFile|OpenInRoot|DirFS)\b`)
	opens := map[string]bool{}
	for _, top := range []string{"internal", "emit", "frontmatter", "policy"} {
		for name, text := range tables.Tree(t, filepath.Join(root, top)) {
			name = top + "/" + name
			folder := path.Dir(name)
			if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || folder == "internal/disk" ||
				folder == "internal/tables" || folder == "internal/site/hugo/family" {
				continue
			}
			if found := call.FindString(text); found != "" {
				if opens[name] = true; opensItself[name] == "" {
					t.Errorf("%s: %s: disk.Root or disk.ReadFile reads regular files alone, within limits", name, found)
				}
			}
		}
	}
	for name := range opensItself {
		if !opens[name] {
			t.Errorf("%s opens nothing by itself any more", name)
		}
	}
}
