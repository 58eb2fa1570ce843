package printable

import "strings"

// JoinAnd joins names for a sentence: "a, b and c".
func JoinAnd(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}
