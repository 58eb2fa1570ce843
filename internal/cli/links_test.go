package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	docLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	docHeading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	docCode    = regexp.MustCompile("(?s)```.*?```|<!--.*?-->")
	notInID    = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// A link from the README or the documentation leads to a file that is there, and to a heading that it has.
func TestDocs_LinksLeadSomewhere(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages = append(pages, "README.md", "CHANGELOG.md", "docs/schema/README.md")
	links := 0
	for _, page := range pages {
		for _, m := range docLink.FindAllStringSubmatch(docText(t, page), -1) {
			if strings.Contains(m[1], ":") {
				continue // elsewhere
			}
			links++
			name, id, _ := strings.Cut(m[1], "#")
			target := page
			if name != "" {
				target = filepath.Join(filepath.Dir(page), filepath.FromSlash(name))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s is not there", page, m[1])
			} else if id != "" && !docIDs(docText(t, target))[id] {
				t.Errorf("%s: %s has no heading #%s", page, target, id)
			}
		}
	}
	if links < 30 {
		t.Errorf("%d links: where are the others?", links)
	}
}

// docText is a page without its code and comments.
func docText(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return docCode.ReplaceAllString(string(text), "")
}

// docIDs are the names of a page's headings, as GitHub makes them.
func docIDs(text string) map[string]bool {
	ids := map[string]bool{}
	for _, m := range docHeading.FindAllStringSubmatch(text, -1) {
		ids[strings.ReplaceAll(notInID.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
	}
	return ids
}
