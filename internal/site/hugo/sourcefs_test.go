package hugo

import (
	"strings"
	"testing"
)

// Front matter that nests without end is known before Hugo's parsers see it; ordinary front matter and content are not.
func TestSourceFs_DeepFrontMatter(t *testing.T) {
	deep := strings.Repeat("[", 100_000)
	for _, c := range []struct {
		name, text string
		line       int
	}{
		{"yaml", "---\ntitle: a\nx: " + deep + "\n---\n", 3},
		{"yaml, list items", "---\nx:\n  " + strings.Repeat("- ", 100_000) + "\n---\n", 3},
		{"toml", "+++\nx = " + deep + "\n+++\n", 2},
		{"json", "{\"x\":\n" + deep + "\n", 2},
		{"content", "---\ntitle: a\n---\n" + deep, 0},
		{"content behind JSON", "{\"title\": \"a\"}\n" + deep, 0},
		{"no front matter", deep, 0},
		{"many values", "---\nx: [" + strings.Repeat("[a], ", 10_000) + "]\n---\n", 0},
		{"a ruler", "---\ntitle: a\n---\n" + strings.Repeat("-", 5000), 0},
	} {
		if got := deepLine(strings.NewReader(c.text)); got != c.line {
			t.Errorf("%s: line %d, want %d", c.name, got, c.line)
		}
	}
}
