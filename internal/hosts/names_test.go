package hosts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"metarobots/internal/disk"
	"metarobots/internal/tables"
)

// namesIn are the names that the files of a site tell, a line each, with their place.
func namesIn(t *testing.T, files map[string]string) (lines string, err error) {
	t.Helper()
	dir := tables.Folder(t, files)
	names, err := Names(disk.NewRoot(dir), []string{dir}, func(file string) string {
		return filepath.ToSlash(strings.TrimPrefix(file, dir+string(filepath.Separator)))
	})
	for _, n := range names {
		lines += n.Host + " " + n.By.Place() + "\n"
	}
	return lines, err
}

// X26b, X26l, N11q: the names at which a host serves a site, by the site's own files.
func TestHouse_FilesTellUnderWhichNamesASiteIsServed(t *testing.T) {
	archive := tables.Value(txtar.ParseFile("testdata/names.txtar"))(t)
	for i := 0; i+1 < len(archive.Files); i += 2 {
		file, want := archive.Files[i], archive.Files[i+1]
		t.Run(file.Name, func(t *testing.T) {
			if want.Name != "want "+file.Name {
				t.Fatalf("%s is not what is wanted of %s", want.Name, file.Name)
			}
			got, err := namesIn(t, map[string]string{file.Name: string(file.Data)})
			if got != string(want.Data) || err != nil {
				t.Errorf("%v\n%swant\n%s", err, got, want.Data)
			}
		})
	}
}

// A name is one, whichever files tell it.
func TestHouse_ANameOfSeveralFilesIsOne(t *testing.T) {
	got, err := namesIn(t, map[string]string{"CNAME": "garden.example", "static/CNAME": "Garden.Example\n"})
	if got != "garden.example CNAME:1\n" || err != nil {
		t.Errorf("%s%v", got, err)
	}
}

// X26j: a file that is there and cannot be read is an error, which names it and keeps no other from
// being read.
func TestHouse_AFileOfNamesThatIsNotRead(t *testing.T) {
	dir := tables.Folder(t, map[string]string{"fly.toml": "app = ", "CNAME": "garden.example",
		".vercel/project.json": "[]"})
	outside := filepath.Join(t.TempDir(), "render.yaml")
	tables.Must(t, os.WriteFile(outside, []byte("services: [{type: web, name: secret}]"), 0o644))
	if err := os.Symlink(outside, filepath.Join(dir, "render.yaml")); err != nil {
		t.Skip("no symlinks here:", err)
	}
	names, err := Names(disk.NewRoot(dir), []string{dir}, filepath.Base)
	if len(names) != 1 || names[0].Host != "garden.example" || err == nil {
		t.Fatalf("%v, %v", names, err)
	}
	for _, text := range []string{"fly.toml:1: ", "render.yaml: it leads out of the site"} {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("%v, want %s", err, text)
		}
	}
}

// Values of another form than a file should have name no host, and stop nothing.
func TestHouse_NamesOfAnotherFormAreNone(t *testing.T) {
	for _, value := range []string{"null", "1", "true", `"${X}"`, "[]", "[[]]", "[1]", `["a.*.x.example"]`, "{}", `{"0":[1]}`,
		`{"pattern":1,"site":[],"hosting":1,"default":{},"domains":{}}`, `["${{ x }}", "a b", "-", "x..y", "\u0000"]`} {
		for file, keys := range map[string]string{"wrangler.json": "name assets route routes env pages_build_output_dir",
			".vercel/project.json": "projectName", ".firebaserc": "projects targets", "firebase.json": "hosting"} {
			var members []string
			for key := range strings.FieldsSeq(keys) {
				members = append(members, `"`+key+`": `+value)
			}
			got, err := namesIn(t, map[string]string{file: "{" + strings.Join(members, ",\n") + "}"})
			if got != "" || err != nil {
				t.Errorf("%s with %s: %v\n%s", file, value, err, got)
			}
		}
	}
}
