package policy

import (
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"
)

// resolveTexts is what the command resolve does: every text one source in the grammar of X-Robots-Tag.
func resolveTexts(texts []string) (map[string]string, []Finding) {
	var p Policy
	var statements []Statement
	var problems []Finding
	for _, text := range texts {
		readings, faults := ParseHeader(text, Own, p.Crawlers)
		statements = append(statements, Statements(readings, Origin{})...)
		problems = append(problems, faults...)
	}
	d := p.Resolve(statements)
	got := map[string]string{"robots": "all"}
	for _, tag := range d.Texts(p.Style) {
		got[tag.Name] = tag.Content
	}
	return got, problems
}

func TestVectors_TextsCombine(t *testing.T) {
	data, err := os.ReadFile("testdata/resolve.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			ID, Rule, Name string
			Sources        []string
			Want           map[string]string
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Cases {
		got, problems := resolveTexts(c.Sources)
		if word := c.Want["error"]; word != "" {
			message := ""
			for _, p := range problems {
				if p.Severity == Error {
					message += p.Message
				}
			}
			if !strings.Contains(strings.ToLower(message), word) {
				t.Errorf("%s (%s) %q: error %q, want %q in it", c.ID, c.Rule, c.Sources, message, word)
			}
			continue
		}
		for _, p := range problems {
			if p.Severity == Error {
				t.Errorf("%s (%s) %q: %s", c.ID, c.Rule, c.Sources, p.Message)
			}
		}
		if !maps.Equal(got, c.Want) {
			t.Errorf("%s (%s: %s) %q\n got %v\nwant %v", c.ID, c.Rule, c.Name, c.Sources, got, c.Want)
		}
	}
}
