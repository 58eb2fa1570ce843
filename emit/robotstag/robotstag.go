// Package robotstag reads what a response's X-Robots-Tag lines state, as far as
// two of them are to be compared: files of header rules are merged and proved by
// it. What the directives mean is package policy's.
package robotstag

import "strings"

// Name is the header.
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag
const Name = "X-Robots-Tag"

// Statement is one directive of one crawler, in lower case and without white
// space; Crawler is empty where it is for all.
type Statement struct{ Crawler, Directive string }

// Statements reads a value, or several joined by commas, which means the same
// (https://www.rfc-editor.org/rfc/rfc9110#section-5.3): a crawler's name governs
// until the next name. The values of unavailable_after and max-* may hold a
// colon of their own.
func Statements(value string) map[Statement]bool {
	set := make(map[Statement]bool)
	crawler := ""
	for item := range strings.SplitSeq(strings.ToLower(value), ",") {
		item = strings.Join(strings.Fields(item), "")
		word, rest, ok := strings.Cut(item, ":")
		if ok && word != "unavailable_after" && !strings.HasPrefix(word, "max-") {
			crawler, item = word, rest
			if crawler == "*" || crawler == "robots" {
				crawler = ""
			}
		}
		if item != "" {
			set[Statement{crawler, item}] = true
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
	x, y := Statements(a), Statements(b)
	if len(x) != len(y) {
		return false
	}
	for s := range x {
		if !y[s] {
			return false
		}
	}
	return true
}
