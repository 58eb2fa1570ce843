package hosts

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// The first table of docs/hosts.md has a row for each host whose file we write.
func TestHouse_TheGuideHasEachHost(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "hosts.md"))
	tables.Must(t, err)
	for _, h := range Table {
		if row := fmt.Sprintf("\n| `%s` | `%s` | ", h.Target, h.File); h.File != "" && !strings.Contains(string(data), row) {
			t.Errorf("docs/hosts.md has no row%s", row)
		}
	}
}

// "auto" goes by the host on which a build runs, then by files of Cloudflare's, never by a host
// that reads what is committed (C5).
func TestHouse_AutoIsTheHostThatBuilds(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/auto.txt") {
		dir := tables.Folder(t, map[string]string{cmp.Or(c["file"], "none"): ""})
		if got := Auto(set(c["variables"]), dir, filepath.Join(dir, "out")); got != c["want"] {
			t.Errorf("%q, %q: %q, want %q", c["variables"], c["file"], got, c["want"])
		}
	}
}

// A rule for a host's own name of Cloudflare's is one that Netlify would read as none (C5).
func TestHouse_AutoIsTheHostThatReadsTheRules(t *testing.T) {
	const rule = "/*\n  A: b\r\nhttps://:project.pages.dev/*\r\n  X-Robots-Tag: noindex\n"
	for _, c := range []struct {
		files map[string]string
		want  string
	}{
		{map[string]string{"out/_headers": rule}, "cloudflare"},
		{map[string]string{"static/_headers": rule}, "cloudflare"},
		{map[string]string{"_headers": "https://shop.me.workers.dev/a\n  X-Robots-Tag: noindex\n"}, "cloudflare"},
		{map[string]string{"out/_headers": rule, "netlify.toml": ""}, "portable"},
		{map[string]string{"out/_headers": "# https://a.pages.dev/*\n/*\n  A: https://a.pages.dev/\n"}, "portable"},
		{map[string]string{"out/_headers": "# metarobots: begin\n" + rule + "# metarobots: end\n"}, "portable"},
		{map[string]string{"out/_headers": "https://example.org/*\n  A: b\n"}, "portable"},
	} {
		dir := tables.Folder(t, c.files)
		if got := Auto(set(""), dir, filepath.Join(dir, "out")); got != c.want {
			t.Errorf("%q: %q, want %q", c.files, got, c.want)
		}
	}
	dir := tables.Folder(t, map[string]string{"out/_headers": rule})
	if got := Auto(set("NETLIFY"), dir, filepath.Join(dir, "out")); got != "netlify" {
		t.Errorf("built on Netlify: %q", got)
	}
}

// A host that reads no _headers is known by a variable of its builds, by its domain or by a file,
// unless another sign is one of a host that reads it.
func TestHouse_AHostThatReadsNoHeadersFile(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/no-headers-file.txt") {
		files := map[string]string{}
		for name := range strings.FieldsSeq(c["file"]) {
			files[name] = "{}"
		}
		got := ""
		if seen, ok := IgnoresHeadersFile(set(c["variables"]), c["name"], tables.Folder(t, files)); ok {
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
