package servers

import "strings"

// Name is the header this package is about.
const Name = "X-Robots-Tag"

// Value is one X-Robots-Tag line that a response carries.
type Value struct {
	// Text is the value as served.
	Text string
	// Line is the line of the user's file, from 1.
	Line int
}

// statement is one directive of one crawler.
type statement struct{ crawler, directive string }

// statements reads a value: a crawler's name governs until the next name. The
// values of unavailable_after and max-* may hold a colon of their own.
func statements(value string) map[statement]bool {
	set := make(map[statement]bool)
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
			set[statement{crawler, item}] = true
		}
	}
	return set
}

// sameSet reports whether two values state the same directives for the same
// crawlers, whatever their order, case and spacing.
func sameSet(a, b string) bool {
	if a == b || a == "" || b == "" {
		return a == b
	}
	x, y := statements(a), statements(b)
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
