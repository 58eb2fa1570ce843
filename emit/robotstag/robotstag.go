// Package robotstag holds what all files of header rules have in common: what a published file wants, what their
// compilers are asked and answer, what one line of X-Robots-Tag states, and the findings.
package robotstag

import (
	"maps"
	"strings"

	"metarobots/policy"
)

// Name is the header.
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag
const Name = "X-Robots-Tag"

// A Word is one directive of one crawler, in lower case and without white
// space; Crawler is empty where it is for all.
type Word struct{ Crawler, Directive string }

// Words reads a value, or several joined by commas, which means the same
// (https://www.rfc-editor.org/rfc/rfc9110#section-5.3), in the grammar of
// [policy.ParseHeader]. What that cannot read states nothing.
func Words(value string) map[Word]bool {
	set := make(map[Word]bool)
	readings, _ := policy.ParseHeader(value, policy.Found, policy.Crawlers{})
	for _, s := range policy.Statements(readings, policy.Origin{}) {
		crawler := s.Crawler
		s.Crawler = ""
		for word := range strings.SplitSeq(s.States(), ",") {
			if word = strings.Join(strings.Fields(strings.ToLower(word)), ""); word != "" {
				set[Word{crawler, word}] = true
			}
		}
	}
	return set
}

// Same reports whether two values state the same directives for the same
// crawlers, whatever their order, case and spacing.
func Same(a, b string) bool {
	if a == b || a == "" || b == "" {
		return a == b
	}
	stated := Words(a)
	return len(stated) > 0 && maps.Equal(stated, Words(b))
}
