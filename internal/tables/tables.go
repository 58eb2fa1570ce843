// Package tables reads the tables of tests from files below testdata, writes and reads folders for
// them, counts their work and ends them on an error. Only tests import it.
package tables

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
)

// Cases is how many cases a law is tried with: the usual number, or with PROOFS=all every one.
func Cases(usual, all int) int {
	if os.Getenv("PROOFS") == "all" {
		return all
	}
	return usual
}

// Laws runs a package's tests as [Lazily] does, its laws by rapid with as many cases as [Cases] says
// unless the command line does, and exits.
func Laws(m *testing.M, usual, all int) {
	flag.Set("rapid.checks", strconv.Itoa(Cases(usual, all)))
	Lazily(m)
}

// Lazy is the percentage by which the heap of tests grows before Go's collector runs: small sites by
// the hundred, each new, are mostly garbage.
const Lazy = 400

// Lazily runs a package's tests with a collector that lets garbage grow, unless GOGC is set, and
// exits. It is not for packages with benchmarks, whose figures are those of Go's own setting.
func Lazily(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(Lazy)
	}
	os.Exit(m.Run())
}

// A Row is a row of a table: its cells by the names of the columns.
type Row map[string]string

// List returns the parts of a cell that holds several, separated by " + "; none of an empty one.
func (r Row) List(column string) []string {
	if r[column] == "" {
		return nil
	}
	return strings.Split(r[column], " + ")
}

// Files returns the files that a cell holds, "name=content", separated as List has it.
func (r Row) Files(column string) map[string]string {
	files := map[string]string{}
	for _, file := range r.List(column) {
		name, text, _ := strings.Cut(file, "=")
		files[name] = text
	}
	return files
}

// Int returns the number that a cell holds.
func (r Row) Int(t testing.TB, column string) int {
	t.Helper()
	n, err := strconv.Atoi(r[column])
	if err != nil {
		t.Fatalf("%s: %v", column, err)
	}
	return n
}

// A test is a test of any kind, or a case of rapid's.
type test interface {
	Helper()
	Fatal(args ...any)
}

// Must fails a test on an error.
func Must(t test, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Value returns what a call gives, and fails a test on its error:
// tables.Value(os.ReadFile(name))(t).
func Value[T any](value T, err error) func(test) T {
	return func(t test) T {
		t.Helper()
		Must(t, err)
		return value
	}
}

// Folder writes files into a fresh folder; names have slashes.
func Folder(t testing.TB, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	Write(t, dir, files)
	return dir
}

// Write writes files into a folder.
func Write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		Must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		Must(t, os.WriteFile(file, []byte(text), 0o644))
	}
}

// Tree reads the files below a folder: their texts by their names from there, with slashes.
// Symlinks to folders are left out.
func Tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	tree, site := map[string]string{}, os.DirFS(dir)
	Must(t, fs.WalkDir(site, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := fs.Stat(site, name)
		if err != nil || info.IsDir() {
			return err
		}
		data, err := fs.ReadFile(site, name)
		tree[name] = string(data)
		return err
	}))
	return tree
}

// HTML5Lib returns the whole pages of html5lib's tree construction tests, as they ship in the
// module of x/net, and where each stands. https://github.com/html5lib/html5lib-tests
func HTML5Lib(t testing.TB) (pages, names []string) {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/net").Output()
	if err != nil {
		t.Skip("golang.org/x/net is not there:", err)
	}
	var files []string
	for _, p := range []string{"html5lib-tests/tree-construction/*.dat", "html5lib-tests/tree-construction/*/*.dat",
		"go/*.dat"} {
		f, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "html/testdata", p))
		files = append(files, f...)
	}
	if len(files) == 0 {
		t.Skip("golang.org/x/net holds no test data")
	}
	for _, f := range files {
		b := Value(os.ReadFile(f))(t)
		for i, one := range strings.Split("\n"+string(b), "\n#data\n")[1:] {
			if data, rest, _ := strings.Cut(one, "\n#errors"); !strings.Contains(rest, "\n#document-fragment\n") {
				pages, names = append(pages, data), append(names, fmt.Sprintf("%s:%d", filepath.Base(f), i))
			}
		}
	}
	return pages, names
}

// Read returns the rows of a table in a file, named from the folder of the test. Lines that begin
// with # are comments, and the first other one names the columns. Cells are separated by " | ",
// within quotes too. One that begins with a double quote is a Go string, such as "" for an empty
// cell, or for a first cell that begins with #. A table without rows fails the test.
func Read(t testing.TB, file string) (rows []Row) {
	t.Helper()
	var columns []string
	for i, line := range strings.Split(string(Value(os.ReadFile(file))(t)), "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		place := fmt.Sprintf("%s:%d", file, i+1)
		cells := strings.Split(line, " | ")
		if columns == nil {
			columns = cells
			continue
		}
		if len(cells) != len(columns) {
			t.Fatalf("%s: %d cells, want %d", place, len(cells), len(columns))
		}
		row := Row{}
		for j, cell := range cells {
			row[strings.TrimSpace(columns[j])] = cellText(t, place, strings.TrimSpace(cell))
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		t.Fatalf("%s has no rows", file)
	}
	return rows
}

// cellText is what a cell holds: itself, or the Go string that it is.
func cellText(t testing.TB, place, cell string) string {
	t.Helper()
	if !strings.HasPrefix(cell, `"`) {
		return cell
	}
	text, err := strconv.Unquote(cell)
	if err != nil {
		t.Fatalf("%s: %s: %v", place, cell, err)
	}
	return text
}

// Linear fails a test where eight times as much takes more than sixteen times the work: run
// prepares what n takes. Counted are the bytes that are allocated. What the rest of the process
// takes meanwhile counts too, so a figure that is too high is taken again.
func Linear(t *testing.T, run func(n int) func()) {
	t.Helper()
	work := func(n int) uint64 {
		do := run(n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		do()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	one, eight := work(1000), work(8000)
	for try := 0; try < 5 && eight > 16*one; try++ {
		one, eight = work(1000), work(8000)
	}
	if eight > 16*one {
		t.Errorf("%d bytes for 1000, %d for 8000", one, eight)
	}
}
