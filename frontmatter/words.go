package frontmatter

import (
	"strconv"
	"strings"

	"metarobots/internal/source"
)

// Words are the parts between dots of all keys that the front matter of a site has, at any depth.
type Words map[string]bool

// Add adds the words of a value's keys.
func (w Words) Add(value any) {
	switch value.(type) {
	case string, bool, nil, []string:
		return
	}
	if table, ok := asMap(value); ok {
		for written, inner := range table {
			for word := range strings.SplitSeq(source.Key(written), ".") {
				w[source.Key(word)] = true
			}
			w.Add(inner)
		}
		return
	}
	list, _ := List(value)
	for _, inner := range list {
		w.Add(inner)
	}
}

// MayHave reports whether the front matter may have a key of the configuration. A number may be an
// element of a list.
func (w Words) MayHave(key string) bool {
	for word := range strings.SplitSeq(key, ".") {
		if _, err := strconv.Atoi(word); err != nil && !w[source.Key(word)] {
			return false
		}
	}
	return true
}
