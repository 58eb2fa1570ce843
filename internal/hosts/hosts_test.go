package hosts

import (
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

var update = flag.Bool("update", false, "rewrite the table of docs/hosts.md")

// docs/hosts.md has the table as it is.
func TestHouse_TheGuideHasTheTableOfHosts(t *testing.T) {
	file := filepath.Join("..", "..", "docs", "hosts.md")
	data, err := os.ReadFile(file)
	tables.Must(t, err)
	before, rest, _ := strings.Cut(string(data), "| target |")
	_, after, ok := strings.Cut(rest, "\n\n")
	if want := before + Guide() + "\n" + after; *update && ok {
		err = os.WriteFile(file, []byte(want), 0o644)
	} else if want != string(data) {
		t.Error("docs/hosts.md: the table is another (go test ./internal/hosts -update)")
	}
	tables.Must(t, err)
}

// "auto" goes by the host on which a build runs, then by files of Cloudflare's, never by a host that reads what is
// committed.
func TestHouse_AutoIsTheHostThatBuilds(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/auto.txt") {
		dir := tables.Folder(t, map[string]string{cmp.Or(c["file"], "none"): ""})
		if got := Auto(set(c["variables"]), dir); got != c["want"] {
			t.Errorf("%q, %q: %q, want %q", c["variables"], c["file"], got, c["want"])
		}
	}
}

// A host that reads no _headers is known by a variable of its builds, by its domain or by a file, unless another sign
// is one of a host that reads it.
func TestHouse_AHostThatReadsNoHeadersFile(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/no-headers-file.txt") {
		files := map[string]string{}
		for name := range strings.FieldsSeq(c["file"]) {
			files[name] = "{}"
		}
		got := ""
		if seen, ok := Deaf(set(c["variables"]), c["name"], tables.Folder(t, files)); ok {
			got = seen.Host.Name + " by " + seen.By
		}
		if got != c["want"] {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func set(variables string) func(string) string {
	return func(name string) string {
		if slices.Contains(strings.Fields(variables), name) {
			return "1"
		}
		return ""
	}
}
