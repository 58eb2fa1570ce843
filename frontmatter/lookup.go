package frontmatter

import "strconv"

// Lookup follows a path through maps, whose keys it compares without regard to case, and lists, by their numbers from
// 0; nil where it leads nowhere. Of keys that differ by case alone it takes the last in the order of their bytes: the
// lower case.
func Lookup(value any, path []string) any {
	for _, name := range path {
		if m, ok := asMap(value); ok {
			keys := keysOf(m, name)
			if len(keys) == 0 {
				return nil
			}
			value = m[keys[len(keys)-1]]
			continue
		}
		list, ok := asList(value)
		i, err := strconv.Atoi(name)
		if !ok || err != nil || i < 0 || i >= len(list) {
			return nil
		}
		value = list[i]
	}
	return value
}
