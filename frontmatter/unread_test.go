package frontmatter

import (
	"os"
	"strings"
	"testing"

	"metarobots/internal/source"
	"metarobots/policy"
)

// What front matter seems to state in a form that is not read is known, and what is plainly
// something else is not taken for it (F3a, F3b, F3c, F3e).
func TestHouse_KeysThatSpeakOfCrawlers(t *testing.T) {
	crawlers := policy.Crawlers{}
	table, err := os.ReadFile("testdata/unread.txt")
	if err != nil {
		t.Fatal(err)
	}
	mentions, others := 0, 0
	for line := range strings.Lines(string(table)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		text, want, _ := strings.Cut(line, "} =")
		text, want = text+"}", strings.TrimSpace(want)
		var params map[string]any
		if _, err := source.Read("yaml", []byte(text), 0, &params); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		r := Read(params, Config{Crawlers: crawlers})
		var got []string
		for _, s := range r.Unread {
			told := s.Directives.String()
			if !s.AI.IsZero() {
				told = "ai: " + s.AI.String()
			}
			if s.Crawler != "" {
				told = s.Crawler + ": " + told
			}
			got = append(got, told)
		}
		if want == "" {
			others++
		} else {
			mentions++
			crawler, directives, ok := strings.Cut(want, ": ")
			if !ok {
				crawler, directives = "", want
			}
			if crawler != "ai" {
				want = policy.Stating(directives).String()
			}
			if ok && crawler != "ai" {
				want = crawler + ": " + want
			}
		}
		if told := strings.Join(got, "; "); told != want && len(r.Findings)+len(r.Statements) == 0 {
			t.Errorf("%s seems to state %q, want %q", text, told, want)
		} else if len(r.Findings)+len(r.Statements) > 0 && (want == "" || len(r.Unread) > 0) {
			t.Errorf("%s: findings %v, statements %v, unread %v", text, r.Findings, r.Statements, r.Unread)
		}
	}
	t.Logf("%d keys that speak of crawlers, %d that do not", mentions, others)
	if mentions < 20 || others < 20 {
		t.Error("the table has few cases of one side")
	}
}
