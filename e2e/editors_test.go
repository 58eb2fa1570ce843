//go:build e2e

package e2e

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/frontmatter"
	"metarobots/internal/config"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// tools are what editors check files with, by their scripts in editors/node_modules.
func tools(t *testing.T, script string, args ...string) *exec.Cmd {
	t.Helper()
	installed(t, "editors/node_modules")
	return node(t, installed(t, "editors/"+script), args...)
}

// Taplo, which is in Even Better TOML, finds the schema that the reference configuration names in
// its first line, takes the file for valid, and refuses what our code refuses.
func TestEditors_TaploReadsThePolicySchema(t *testing.T) {
	t.Parallel()
	reference := read(t, "../config.toml")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "docs/schema/policy.json"), read(t, "../docs/schema/policy.json"))
	lint := func(text string) result {
		t.Helper()
		write(t, filepath.Join(dir, "config.toml"), text)
		c := tools(t, "node_modules/@taplo/cli/dist/cli.js", "lint", "config.toml")
		c.Dir = dir
		return finish(t, c)
	}
	lint(reference).is(t, 0)
	for from, to := range map[string]string{ // in another order each time: each takes Taplo some seconds
		"expiry = true":                "expiri = true",
		"expiry = true ":               "expiry = 5",
		"kinds = { taxonomy = false }": "kinds = { taxonmy = false }",
	} {
		text := strings.Replace(reference, "\n"+strings.TrimSpace(from), "\n"+to, 1)
		if text == reference {
			t.Fatalf("%s is not in config.toml", from)
		}
		if r := lint(text); r.code == 0 || !strings.Contains(r.stderr, "schema validation failed") {
			t.Errorf("%s: exit code %d\n%s%s", to, r.code, r.stdout, r.stderr)
		}
		if config.Check("config.toml", []byte(text)) == nil {
			t.Errorf("%s is no error to our code", to)
		}
		if !everything {
			break
		}
	}
}

// remark-lint-frontmatter-schema, which is in VS Code's remark extension, reads the front matter of
// Markdown by our schema: of every vector in YAML, it marks none that our code takes, and some that
// it refuses.
func TestEditors_RemarkReadsTheFrontMatterSchema(t *testing.T) {
	t.Parallel()
	var file struct {
		Cases []struct{ ID, Format, Text string }
	}
	must(t, json.Unmarshal([]byte(read(t, "../frontmatter/testdata/frontmatter.json")), &file))
	dir := t.TempDir()
	schema := tables.Value(filepath.Abs("../docs/schema/front-matter.json"))(t)
	args := []string{schema}
	accepted := map[string]bool{}
	for _, c := range file.Cases {
		doc, err := frontmatter.Parse([]byte(c.Text))
		if c.Format != "yaml" || err != nil || doc.Format == "" {
			continue
		}
		name := filepath.Join(dir, c.ID+".md")
		write(t, name, c.Text)
		args = append(args, name)
		accepted[name] = !slices.ContainsFunc(frontmatter.Read(doc.Params, frontmatter.Config{}).Findings,
			func(p policy.Finding) bool { return p.Severity == policy.Error })
	}
	if len(accepted) < 20 {
		t.Fatalf("%d cases", len(accepted))
	}
	r := finish(t, tools(t, "front-matter.mjs", args...))
	var messages map[string][]string
	if err := json.Unmarshal([]byte(r.stdout), &messages); err != nil || len(messages) != len(accepted) {
		t.Fatalf("%v\n%s%s", err, r.stdout, r.stderr)
	}
	marked := 0
	for name, ok := range accepted {
		if len(messages[name]) > 0 {
			marked++
		}
		if ok && len(messages[name]) > 0 {
			t.Errorf("%s is valid, messages %q\n%s", filepath.Base(name), messages[name], read(t, name))
		}
	}
	if marked == 0 {
		t.Error("nothing is marked")
	}
}
