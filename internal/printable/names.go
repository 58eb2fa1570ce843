package printable

import (
	"fmt"
	"strings"
)

// JoinFirst joins as many names as most says, at least two of them, and counts the others: "a, b
// and 3 more". If there are no others it is [JoinAnd].
func JoinFirst(names []string, most int) string {
	if others := len(names) - most; others > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), others)
	}
	return JoinAnd(names)
}

// JoinAnd joins names for a sentence: "a, b and c".
func JoinAnd(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}
