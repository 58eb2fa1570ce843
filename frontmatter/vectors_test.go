package frontmatter_test

import (
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"

	"metarobots/frontmatter"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// F1g.
func TestVectors_FrontMatter(t *testing.T) {
	data := tables.Value(os.ReadFile("testdata/frontmatter.json"))(t)
	var file struct {
		Cases []struct {
			ID, Rule, Name, Format, Text string
			Want                         map[string]any
		}
	}
	tables.Must(t, json.Unmarshal(data, &file))
	for _, c := range file.Cases {
		t.Run(c.ID, func(t *testing.T) {
			doc, err := frontmatter.Parse([]byte(c.Text))
			got, message, line := map[string]any{}, "", 0
			if err != nil {
				message = err.Error()
				line = err.(*frontmatter.Error).Line
			} else {
				o := frontmatter.Config{Locate: func(path ...string) (string, int) { return "", doc.Index.Line(path...) }}
				r := frontmatter.Read(doc.Params, o)
				for _, f := range r.Findings {
					if f.Severity == policy.Error {
						message += f.Text()
						line = f.Line
					}
				}
				var p policy.Policy
				d := p.Resolve(r.Statements)
				for _, tag := range d.Texts(policy.Style{}) {
					got[tag.Name] = tag.Content
				}
			}
			if word, ok := c.Want["error"].(string); ok {
				if !strings.Contains(strings.ToLower(message), word) {
					t.Errorf("%s: %s\n%s\nerror %q, want %q in it", c.Rule, c.Name, c.Text, message, word)
				}
				if want, ok := c.Want["line"].(float64); ok && line != int(want) {
					t.Errorf("%s: %s\n%s\nerror at line %d, want %v", c.Rule, c.Name, c.Text, line, want)
				}
				return
			}
			if message != "" || !maps.Equal(got, c.Want) {
				t.Errorf("%s: %s\n%s\n got %v, error %q\nwant %v", c.Rule, c.Name, c.Text, got, message, c.Want)
			}
		})
	}
}
