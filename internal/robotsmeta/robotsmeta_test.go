package robotsmeta

import (
	"fmt"
	"strings"
	"testing"

	"metarobots/emit/head"
	"metarobots/policy"
)

// A page may repeat a tag without end: each different one counts, and each kind of finding is named a hundred times.
func TestHouse_RepeatedTagsCountOnce(t *testing.T) {
	var crawlers policy.Crawlers
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "<meta name=robots content=noindex><meta name=googlebot content=u%d>", i)
	}
	var s head.Scanner
	for where, page := range map[string]string{"head": "<html><head>" + b.String(), "body": "<html><body>x" + b.String()} {
		facts := s.Scan([]byte(page), Kind(crawlers))
		read := Read("index.html", &facts, policy.Found, crawlers)
		if len(facts.Robots) != 600 || len(read.Metas) != 301 || len(read.Statements) != 301 || len(read.Findings) > 100 {
			t.Errorf("%s: %d tags, %d counted, %d statements, %d findings", where, len(facts.Robots), len(read.Metas),
				len(read.Statements), len(read.Findings))
		}
	}
}
