package servers

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"metarobots/emit/robotstag"
)

// member returns a value of an object; nil without one.
func member(object any, name string) any {
	members, _ := object.(map[string]any)
	return members[name]
}

// elements are those of a list.
func elements(list any) []any {
	all, _ := list.([]any)
	return all
}

// scalar returns the text of a value that is no list and no object.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case nil, []any, map[string]any, map[any]any:
		return ""
	}
	return fmt.Sprint(v)
}

// robots is what headers, a list of keys and values or an object, say of the header: of several values the last.
func (d *document) robots(headers any, path ...string) (value string, line int, ok bool) {
	for i, h := range elements(headers) {
		if strings.EqualFold(scalar(member(h, "key")), robotstag.Name) {
			value, ok = scalar(member(h, "value")), true
			line = d.line(append(path, strconv.Itoa(i), "value")...)
		}
	}
	object, _ := headers.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if strings.EqualFold(name, robotstag.Name) {
			value, line, ok = scalar(object[name]), d.line(append(path, name)...), true
		}
	}
	return value, line, ok
}
