package robotstxt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// The examples of Google's guide, as files. Below the rules, each says where it comes from, and
// what it means. A line that begins with #+ or #- names a crawler and paths that it may, or may
// not, fetch; #! is a finding.
func TestGoogle_GuideExamples(t *testing.T) {
	files, err := filepath.Glob("testdata/guide/*.txt")
	if err != nil || len(files) != 16 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, name := range files {
		data := tables.Value(os.ReadFile(name))(t)
		var findings []string
		asked := 0
		for line := range strings.Lines(string(data)) {
			words := strings.Fields(line)
			switch {
			case strings.HasPrefix(line, "#!"):
				findings = append(findings, strings.Join(words[1:], " "))
			case strings.HasPrefix(line, "#+"), strings.HasPrefix(line, "#-"):
				for _, path := range words[2:] {
					expectation{name, string(data), words[1], words[0][1:] + path}.run(t)
					if allowed := words[0] == "#+"; fetches(data, words[1], path) != allowed {
						t.Errorf("%s: read octet by octet, %s may fetch %s: %v", name, words[1], path, !allowed)
					}
					asked++
				}
			}
		}
		if got := listed(Parse(data).Check(Place{})); got != strings.Join(findings, ", ") {
			t.Errorf("%s: findings %q, want %q", name, got, findings)
		}
		if asked < 2 {
			t.Errorf("%s: %d questions", name, asked)
		}
	}
}
