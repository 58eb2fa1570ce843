package policy

import (
	"cmp"
	"fmt"
	"strings"
)

// Near returns the name of names that is closest to word, compared without regard to case, or ""
// where none is close enough to be meant: an edit distance with transpositions of at most two, or
// one where word has fewer than six letters (D0).
func Near(word string, names []string) (best string) {
	word = strings.ToLower(word)
	limit := 2
	if len(word) < 6 {
		limit = 1
	}
	for _, name := range names {
		if difference := len(word) - len(name); max(difference, -difference) > limit {
			continue
		}
		if d := distance(word, strings.ToLower(name)); d <= limit {
			best, limit = name, d-1
		}
	}
	return best
}

// DidYouMean is what an error about word ends with: ` (did you mean "noindex"?)` where one of names
// is near, else nothing.
func DidYouMean(word string, names []string) string { return didYouMean(Near(word, names)) }

// Unknown says that a name is none of those that are known, what they are, and which is near.
func Unknown(what, name string, known []string) string {
	hint := cmp.Or(DidYouMean(name, known), "; known are "+strings.Join(known, ", "))
	return fmt.Sprintf("unknown %s %q%s", what, name, hint)
}

func didYouMean(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", name)
}

// NearURL is the URL that is meant if the scheme of a text is nearly http or https, as in
// htps://a.example/; empty if it is not.
func NearURL(text string) string {
	scheme, rest, isWhole := strings.Cut(text, "://")
	near := Near(scheme, []string{"https", "http"})
	if !isWhole || near == "" || strings.EqualFold(scheme, near) {
		return ""
	}
	return near + "://" + rest
}

// distance is the optimal string alignment distance of a and b.
func distance(a, b string) int {
	d := make([][]int, len(a)+1) // of the first i bytes of a and the first j of b
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j], d[i][j-1], d[i-1][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// FoldCase returns one text for all texts that [strings.EqualFold] holds equal, and that a regular
// expression takes for the same if it ignores case: a key for maps and for prefixes.
func FoldCase(text string) string { return strings.ToUpper(strings.ToLower(text)) }
