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
	"slices"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// Equal files give equal bytes, whatever the checkout makes of their times and modes; programs and
// scripts can be run.
func TestPack_EqualFilesGiveEqualBytes(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	want := map[string]os.FileMode{"x/metarobots": 0o755, "x/share/metarobots.1": 0o644, "x/a.sh": 0o755, "x/b.txt": 0o644}
	for _, ending := range []string{".tar.gz", ".zip"} {
		var packed [][]byte
		for _, mode := range []os.FileMode{0o600, 0o777} {
			dir := tables.Folder(t, map[string]string{"x/metarobots": "\x7fELF", "x/a.sh": "#!/bin/sh\n", "x/b.txt": "b",
				"x/share/metarobots.1": ".TH"})
			for name := range want {
				tables.Must(t, os.Chmod(filepath.Join(dir, name), mode))
			}
			out := filepath.Join(dir, "out"+ending)
			tables.Must(t, pack(filepath.Join(dir, "x"), out))
			packed = append(packed, tables.Value(os.ReadFile(out))(t))
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

// A module's licences are handed on, also those of the folders above its packages; a module without
// one is an error.
func TestNotices_EveryModuleHasALicence(t *testing.T) {
	t.Chdir(tables.Folder(t, map[string]string{
		"go.mod": "module example.org/a\n\ngo 1.26\n\nrequire example.org/b v1.0.0\n\n" +
			"replace example.org/b => ./b\n",
		"a.go":            "package main\n\nimport _ \"example.org/b/deep\"\n\nfunc main() {}\n",
		"b/go.mod":        "module example.org/b\n\ngo 1.26\n",
		"b/deep/b.go":     "package deep\n",
		"b/other/LICENSE": "of something that is not compiled in",
	}))
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	var b bytes.Buffer
	const without = "example.org/b v1.0.0 has no licence file: what is made of it may not be handed out"
	if err := notices(&b, ""); err == nil || err.Error() != without {
		t.Fatalf("a module without a licence: %v", err)
	}
	tables.Write(t, ".", map[string]string{"b/UNLICENSE": "free\n", "b/deep/NOTICE.txt": "by B\n"})
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
	t.Chdir(tables.Folder(t, map[string]string{"a.json": `{"name": "{{.METAROBOTS_TEST}}", {{template "b.json" .}} }`,
		"b.json": `"x": [{{range fields .METAROBOTS_TEST}}1{{end}}]`}))
	files := []string{"a.json", "b.json"}
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

// A release removes from its folder what it made there for another version, on any platform, and
// nothing else.
func TestTidy_OtherVersionsGo(t *testing.T) {
	files := map[string]string{"made": "npm/x-linux-x64-1.2.3.tgz\nnpm/x-1.2.3.tgz\nx_1.2.3_linux_amd64.tar.gz\n" +
		"x_1.2.3_amd64.deb\nDockerfile\nSHA256SUMS\n"}
	kept := []string{"npm/x-1.2.3.tgz", "npm/x-linux-x64-1.2.3.tgz", "npm/x-win32-x64-1.2.3.tgz", // another run's
		"npm/x-hugo-1.0.0.tgz", "npm/x-theme-1.0.0.tgz", "npm/my-x-1.0.0.tgz", "npm/x-1.0.tgz", "npm/x-1.0.0.zip",
		"npm/old/x-1.0.0.tgz", "x_1.2.3_amd64.deb", "x_1.2.3_linux_amd64.tar.gz", "x-1.0.0.tgz", "notes.txt"}
	gone := []string{"npm/x-1.0.0.tgz", "npm/x-2.0.0-rc.1.tgz", "npm/x-linux-x64-1.0.0.tgz", "npm/x-win32-x64-1.0.0.tgz",
		"npm/x-0.0.0-20260102.g0123456789ab.tgz", "npm/x-wasm-1.0.0.tgz", "x_1.0.0_windows_arm64.tar.gz", "x_1.0.0~rc1_arm64.deb"}
	for _, name := range slices.Concat(kept, gone) {
		files["release/"+name] = ""
	}
	dir := tables.Folder(t, files)
	var b strings.Builder
	tables.Must(t, tidy(&b, filepath.Join(dir, "release"), "1.2.3", filepath.Join(dir, "made")))
	for _, name := range kept {
		if _, err := os.Stat(filepath.Join(dir, "release", name)); err != nil {
			t.Errorf("%s is gone", name)
		}
	}
	for _, name := range gone {
		if !strings.Contains(b.String(), "removed "+name+", ") {
			t.Errorf("%s is not said to be removed:\n%s", name, &b)
		}
		if _, err := os.Stat(filepath.Join(dir, "release", name)); !os.IsNotExist(err) {
			t.Errorf("%s is there: %v", name, err)
		}
	}
}
