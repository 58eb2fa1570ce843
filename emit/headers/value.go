package headers

import (
	"strings"

	"metarobots/emit/robotstag"
)

// Name is the header this package is about.
const Name = robotstag.Name

// text returns the values as a client reads them. Engines join the lines of one
// block with ", "; the same header on several lines means the same
// (https://www.rfc-editor.org/rfc/rfc9110#section-5.3).
func text(values []robotstag.Value) string {
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
