package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// write writes a file below a new folder.
func write(t *testing.T, dir, name, text string, mode os.FileMode) {
	t.Helper()
	file := filepath.Join(dir, name)
	tables.Must(t, os.MkdirAll(filepath.Dir(file), 0o755))
	tables.Must(t, os.WriteFile(file, []byte(text), mode))
}

// Equal files give equal bytes, whatever the checkout makes of their times and modes; programs and scripts can be run.
func TestPack_EqualFilesGiveEqualBytes(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	want := map[string]os.FileMode{"x/metarobots": 0o755, "x/share/metarobots.1": 0o644, "x/a.sh": 0o755, "x/b.txt": 0o644}
	for _, ending := range []string{".tar.gz", ".zip"} {
		var packed [][]byte
		for _, mode := range []os.FileMode{0o600, 0o777} {
			dir := filepath.Join(t.TempDir(), "x")
			write(t, dir, "metarobots", "\x7fELF", mode)
			write(t, dir, "a.sh", "#!/bin/sh\n", mode)
			write(t, dir, "b.txt", "b", mode)
			write(t, dir, "share/metarobots.1", ".TH", mode)
			out := filepath.Join(t.TempDir(), "out"+ending)
			tables.Must(t, pack(dir, out))
			data := tables.Value(os.ReadFile(out))(t)
			packed = append(packed, data)
		}
		if !bytes.Equal(packed[0], packed[1]) {
			t.Errorf("%s: two archives of equal files differ", ending)
		}
		if got := modes(t, packed[0], ending); !maps.Equal(got, want) {
			t.Errorf("%s has %v, want %v", ending, got, want)
		}
	}
}

// modes are those of an archive's files.
func modes(t *testing.T, data []byte, ending string) map[string]os.FileMode {
	t.Helper()
	got := map[string]os.FileMode{}
	if ending == ".zip" {
		z := tables.Value(zip.NewReader(bytes.NewReader(data), int64(len(data))))(t)
		for _, f := range z.File {
			got[f.Name] = f.Mode()
		}
		return got
	}
	z := tables.Value(gzip.NewReader(bytes.NewReader(data)))(t)
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return got
		} else if err != nil {
			t.Fatal(err)
		}
		got[h.Name] = os.FileMode(h.Mode)
	}
}

// A module's licences are handed on, also those of the folders above its packages; a module without one is an error.
func TestNotices_EveryModuleHasALicence(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.org/a\n\ngo 1.26\n\nrequire example.org/b v1.0.0\n\n"+
		"replace example.org/b => ./b\n", 0o644)
	write(t, dir, "a.go", "package main\n\nimport _ \"example.org/b/deep\"\n\nfunc main() {}\n", 0o644)
	write(t, dir, "b/go.mod", "module example.org/b\n\ngo 1.26\n", 0o644)
	write(t, dir, "b/deep/b.go", "package deep\n", 0o644)
	write(t, dir, "b/other/LICENSE", "of something that is not compiled in", 0o644)
	t.Chdir(dir)
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	var b bytes.Buffer
	const without = "example.org/b v1.0.0 has no licence file: what is made of it may not be handed out"
	if err := notices(&b, ""); err == nil || err.Error() != without {
		t.Fatalf("a module without a licence: %v", err)
	}
	write(t, dir, "b/UNLICENSE", "free\n", 0o644)
	write(t, dir, "b/deep/NOTICE.txt", "by B\n", 0o644)
	b.Reset()
	tables.Must(t, notices(&b, ""))
	want := "\n" + strings.Repeat("=", 80) + "\nexample.org/b v1.0.0\n" +
		"\n-- UNLICENSE\n\nfree\n\n-- deep/NOTICE.txt\n\nby B\n"
	if !strings.HasPrefix(b.String(), want) || !strings.Contains(b.String(), "\nstd go1.") {
		t.Errorf("the notices are\n%.2000s", &b)
	}
}

// A variable that is not set is an error, not a package without a name.
func TestFill_EveryVariableIsSet(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.json", `{"name": "{{.METAROBOTS_TEST}}", {{template "b.json" .}} }`, 0o644)
	write(t, dir, "b.json", `"x": [{{range fields .METAROBOTS_TEST}}1{{end}}]`, 0o644)
	files := []string{filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json")}
	var b strings.Builder
	if err := fill(&b, files); err == nil {
		t.Errorf("without the variable: %s", b.String())
	}
	t.Setenv("METAROBOTS_TEST", "y z")
	b.Reset()
	if err := fill(&b, files); err != nil || b.String() != `{"name": "y z", "x": [11] }` {
		t.Errorf("%s, %v", b.String(), err)
	}
}
