package cli

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/hosts"
	"metarobots/internal/tables"
)

// A host is one row: with it the configuration takes the target, schemas list it, auto, the warning
// about _headers, init and the environment know it by its signs, its file is written and read back,
// and verify finds what was decided.
func TestHouse_AHostIsOneRow(t *testing.T) {
	table := hosts.Table
	t.Cleanup(func() { hosts.Table = table })
	vercel := hosts.Lookup("vercel")
	hosts.Table = append(slices.Clone(table), &hosts.Host{Name: "Greenhouse", Target: "greenhouse",
		File: "greenhouse.json", Format: vercel.Format, Step: "you water",
		Domains: []string{".greenhouse.example"}, Signs: []hosts.Sign{{Name: "greenhouse.toml"}},
		Build: hosts.Build{Variables: []string{"GREENHOUSE"}, Context: hosts.Context{Name: "GREENHOUSE_CONTEXT"}}})

	dir := t.TempDir()
	public := filepath.Join(dir, "public")
	write := func(name, text string) { tables.Write(t, dir, map[string]string{name: text}) }
	tables.Write(t, dir, map[string]string{"public/index.html": "<!doctype html><html><head><title>x</title></head></html>",
		"public/a b.pdf": "%PDF", "public/c.pdf": "%PDF"})
	metarobots := func(variable string, args ...string) string {
		t.Helper()
		stdout, stderr, _ := runWith(t.Context(), variable, args...)
		return stdout + stderr
	}
	says := func(output, want string) {
		t.Helper()
		if !strings.Contains(output, want) {
			t.Errorf("want %q in\n%s", want, output)
		}
	}
	policy := func(headers string) {
		write("metarobots.toml",
			"[site]\ndestination = \"public\"\nbaseURL = \"https://example.org/\"\n[robots]\n"+headers+
				"[[robots.rules]]\nmatch = [\"/a b.pdf\"]\nrobots = \"noindex\"\n")
	}

	// It is known by its signs.
	policy("")
	says(metarobots("", "check", "-s", dir, "-b", "https://x.greenhouse.example"), "and Greenhouse (by "+
		"x.greenhouse.example) does not read _headers, so crawlers are not told; if the site is there, set "+
		`robots.headers.targets = ["greenhouse"]`)
	says(metarobots("GREENHOUSE=1", "apply", "-n", "-s", dir), "public/greenhouse.json")
	says(metarobots("GREENHOUSE_CONTEXT=preview", "check", "-s", dir), "environment preview")
	write("greenhouse.toml", "")
	tables.Must(t, os.Remove(filepath.Join(dir, "metarobots.toml")))
	metarobots("", "init", "-s", dir)
	first, _ := os.ReadFile(filepath.Join(dir, "metarobots.toml"))
	says(string(first), "# By greenhouse.toml: headers go into greenhouse.json, which you water.\ntargets = "+
		"[\"greenhouse\"]\n")

	// Its target is configuration.
	says(metarobots("", "schema", "policy"), `"greenhouse"`)
	policy("headers.targets = [\"greenhous\"]\n")
	says(metarobots("", "check", "-s", dir), `did you mean "greenhouse"?`)
	policy("headers.targets = [\"greenhouse\"]\n")
	says(metarobots("", "apply", "-s", dir), "headers   public/greenhouse.json (greenhouse) written: 1 rule generated")
	file := tables.Value(os.ReadFile(filepath.Join(public, "greenhouse.json")))(t)
	metarobots("", "apply", "-s", dir)
	if again, _ := os.ReadFile(filepath.Join(public, "greenhouse.json")); !bytes.Equal(again, file) {
		t.Errorf("a second run makes of\n%s\n%s", file, again)
	}

	// What it serves is what was decided.
	var rules struct {
		Headers []struct {
			Source  string
			Headers []struct{ Key, Value string }
		}
	}
	tables.Must(t, json.Unmarshal(file, &rules))
	served := http.FileServer(http.Dir(public))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, rule := range rules.Headers {
			if regexp.MustCompile("^" + rule.Source + "$").MatchString(r.URL.EscapedPath()) {
				w.Header().Set(rule.Headers[0].Key, rule.Headers[0].Value)
			}
		}
		served.ServeHTTP(w, r)
	}))
	defer server.Close()
	metarobots("", "snapshot", "-s", dir)
	lock := filepath.Join(dir, "metarobots.lock.json")
	says(metarobots("", "verify", server.URL, "--against", lock, "--allow-private"), "verdicts  3 match")
	rules.Headers = nil
	says(metarobots("", "verify", server.URL, "--against", lock, "--allow-private"), "looser")
}
