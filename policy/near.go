package policy

import (
	"fmt"
	"strings"
)

// Near returns the name of names that is closest to word, compared without regard to case, or "" where none is close
// enough to be meant: an edit distance with transpositions of at most two, or one where word has fewer than six letters
// (D0).
func Near(word string, names []string) (best string) {
	word = strings.ToLower(word)
	limit := 2
	if len(word) < 6 {
		limit = 1
	}
	for _, name := range names {
		if d := distance(word, name, limit); d <= limit {
			best, limit = name, d-1
		}
	}
	return best
}

// DidYouMean is what an error about word ends with: ` (did you mean "noindex"?)` where one of names is near, else
// nothing.
func DidYouMean(word string, names []string) string { return didYouMean(Near(word, names)) }

func didYouMean(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", name)
}

// distance is the optimal string alignment distance of a and b, or limit+1 where it is greater than limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	var before, last, row [64]int
	if len(b) >= len(row) {
		return limit + 1
	}
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
