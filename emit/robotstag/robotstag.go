// Package robotstag holds what all files of header rules have in common: what a published file wants, what their
// compilers are asked and answer, what one line of X-Robots-Tag states, and the findings.
package robotstag

import (
	"maps"

	"metarobots/policy"
)

// Name is the header.
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag
const Name = "X-Robots-Tag"

// Stated reads a value, or several joined by commas, which means the same
// (https://www.rfc-editor.org/rfc/rfc9110#section-5.3), in the grammar of [policy.ParseHeader]: what it tells each
// crawler, and under "" everyone. What that cannot read states nothing.
func Stated(value string) map[string]policy.Directives {
	told := make(map[string]policy.Directives)
	readings, _ := policy.ParseHeader(value, policy.Found, policy.Crawlers{})
	for _, s := range policy.Statements(readings, policy.Origin{}) {
		if !s.Directives.IsZero() {
			told[s.Crawler] = s.Directives
		}
	}
	return told
}

// Same reports whether two values state the same directives for the same
// crawlers, whatever their order, case and spacing.
func Same(a, b string) bool {
	if a == b || a == "" || b == "" {
		return a == b
	}
	stated := Stated(a)
	return len(stated) > 0 && maps.Equal(stated, Stated(b))
}
