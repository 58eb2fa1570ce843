package head

import (
	"slices"
	"strings"

	"metarobots/policy"
)

// Hold reports whether the head holds exactly the wanted metas, once each, with the wanted directives in any order,
// case and spacing, and none stands in the body (M4).
func (f *Facts) Hold(want []policy.Tag) bool {
	metas := f.Robots
	if len(metas) != len(want) {
		return false
	}
	held := make([]bool, len(want))
	for i, m := range metas {
		j := i // where we wrote it
		if want[i].Name != m.Name {
			j = slices.IndexFunc(want, func(t policy.Tag) bool { return t.Name == m.Name })
		}
		if j < 0 || held[j] || m.Body || m.Mistake > 0 || !m.HasContent || !sameWords(m.Content, want[j].Content) {
			return false
		}
		held[j] = true
	}
	return true
}

func sameWords(a, b string) bool {
	if a == b {
		return true
	}
	words := func(s string) (words []string) {
		for item := range strings.SplitSeq(strings.ToLower(s), ",") {
			item = strings.ReplaceAll(strings.Join(strings.Fields(item), " "), ": ", ":")
			d, takesValue, known := policy.Lookup(item)
			switch {
			case item == "all":
				words = append(words, "index", "follow")
			case known && !takesValue && d.IsZero() && item != "indexifembedded": // snippet and its like
			default:
				words = append(words, item)
			}
		}
		slices.Sort(words)
		return slices.Compact(words)
	}
	return slices.Equal(words(a), words(b))
}
