package hugo

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metarobots/frontmatter"
	"metarobots/internal/site"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// open opens the site in dir; names in messages are relative to it.
func open(t *testing.T, dir string, o site.Options) site.Site {
	t.Helper()
	o.Source = dir
	o.Short = func(file string) string {
		if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
		return file
	}
	s := tables.Value(Generator{}.Open(context.Background(), o))(t)
	t.Cleanup(func() { s.Close() })
	return s
}

// Every case of frontmatter.json through Hugo's parameters (F1g).
func TestVectors_FrontMatterThroughHugo(t *testing.T) {
	data := tables.Value(os.ReadFile("../../../frontmatter/testdata/frontmatter.json"))(t)
	var file struct {
		Cases []struct {
			ID, Rule, Name, Text string
			Want                 map[string]any
			Refused              bool // by Hugo, and with it the site
		}
	}
	tables.Must(t, json.Unmarshal(data, &file))
	files := map[string]string{"hugo.toml": "baseURL = \"https://example.org/\"\nbuildDrafts = true\nbuildExpired = " +
		"true\n"}
	for _, c := range file.Cases {
		if !c.Refused {
			files["content/"+c.ID+".md"] = c.Text
		}
	}
	s := open(t, tables.Folder(t, files), site.Options{})
	m, err := s.List(context.Background(), frontmatter.Config{}, nil)
	if m == nil {
		t.Fatal(err)
	}
	faults := map[string]string{}
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			name, message, _ := strings.Cut(strings.TrimSpace(line), ": ")
			name, _, _ = strings.Cut(strings.TrimPrefix(name, "content/"), ".md")
			faults[name] += message + "\n"
			if c := strings.Split(strings.TrimSpace(line), ":"); len(c) > 1 {
				faults[name] += "line " + c[1]
			}
		}
	}
	for _, c := range file.Cases {
		if files["content/"+c.ID+".md"] == "" {
			continue
		}
		if word, ok := c.Want["error"].(string); ok {
			if got := strings.ToLower(faults[c.ID]); !strings.Contains(got, word) {
				t.Errorf("%s %s: %s\n%s\nerror %q, want %q in it", c.ID, c.Rule, c.Name, c.Text, got, word)
			} else if line, ok := c.Want["line"].(float64); ok &&
				!strings.HasSuffix(got, "line "+string(rune('0'+int(line)))) {
				t.Errorf("%s %s: %s\n%s\nerror %q, want line %v", c.ID, c.Rule, c.Name, c.Text, got, line)
			}
			continue
		}
		if faults[c.ID] != "" {
			t.Errorf("%s %s: %s\n%s\nerror %s", c.ID, c.Rule, c.Name, c.Text, faults[c.ID])
			continue
		}
		var p policy.Policy
		d := p.Resolve(m.File(c.ID + "/index.html").Subject.Page)
		got := map[string]any{}
		for _, tag := range d.Texts(policy.Style{}) {
			got[tag.Name] = tag.Content
		}
		if !maps.Equal(got, c.Want) {
			t.Errorf("%s %s: %s\n%s\n got %v\nwant %v", c.ID, c.Rule, c.Name, c.Text, got, c.Want)
		}
	}
}
