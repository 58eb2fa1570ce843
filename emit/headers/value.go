package headers

import "strings"

// Name is the header this package is about.
const Name = "X-Robots-Tag"

// Value is one X-Robots-Tag line that a response carries.
type Value struct {
	// Text is the value as served.
	Text string
	// Name is the header's name as written.
	Name string
	// Line is the line of the _headers file, from 1.
	Line int
}

// text returns the values as a client reads them. Engines join the lines of one
// block with ", "; the same header on several lines means the same
// (https://www.rfc-editor.org/rfc/rfc9110#section-5.3).
func text(values []Value) string {
	if len(values) == 0 {
		return ""
	}
	if len(values) == 1 {
		return values[0].Text
	}
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = v.Text
	}
	return strings.Join(all, ", ")
}

// isRobots reports whether a header name is X-Robots-Tag, in any case.
func isRobots(name string) bool { return strings.EqualFold(name, Name) }

// statement is one directive of one crawler.
type statement struct{ crawler, directive string }

// statements reads the joined text of a response: a crawler's name governs
// until the next name. The values of unavailable_after and max-* may hold a
// colon of their own.
func statements(joined string) map[statement]bool {
	set := make(map[statement]bool)
	crawler := ""
	for item := range strings.SplitSeq(strings.ToLower(joined), ",") {
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

// sameSet reports whether two joined texts state the same directives for the
// same crawlers, whatever their order, case and spacing.
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
