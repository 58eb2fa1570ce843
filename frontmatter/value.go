package frontmatter

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"metarobots/policy"
)

// truth reads a boolean, also as the text or number that another reader made of it: Hugo's YAML gives "yes" as a
// string, other readers a boolean (F1).
func truth(value any) (on, ok bool) {
	switch v := value.(type) {
	case bool:
		return v, true
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true", "yes", "on", "y", "1":
			return true, true
		case "false", "no", "off", "n", "0":
			return false, true
		}
		return false, false
	}
	switch v := reflect.ValueOf(value); {
	case v.CanInt() && (v.Int() == 0 || v.Int() == 1):
		return v.Int() == 1, true
	case v.CanUint() && (v.Uint() == 0 || v.Uint() == 1):
		return v.Uint() == 1, true
	case v.CanFloat() && (v.Float() == 0 || v.Float() == 1):
		return v.Float() == 1, true
	}
	return false, false
}

// Truth reads a boolean as front matter may spell it: true, yes, on, y, 1 and their opposites, in any case.
func Truth(value any) (on, ok bool) { return truth(value) }

// isCode reports whether the value under a crawler's name is a verification code and no policy: text in which no item
// is, or is close to, a directive; or a number.
func isCode(value any) bool {
	if _, ok := truth(value); ok || value == nil {
		return false
	}
	v := reflect.ValueOf(value)
	if v.CanInt() || v.CanUint() || v.CanFloat() {
		return true
	}
	text, ok := value.(string)
	if !ok {
		return false
	}
	return !slices.ContainsFunc(words(text), nearDirective)
}

// words are the parts of a text that may be directives.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ':' || policy.IsSeparator(r) })
}

func nearDirective(word string) bool { return policy.Near(word, policy.DirectiveNames()) != "" }

// isDirectives reports whether a value restricts something and is nothing but directives: text or a list of it, and
// where maps is set, a map whose keys are all directives. none alone is as likely no value at all.
func isDirectives(value any, maps bool) bool {
	if m, ok := asMap(value); ok && maps {
		for key := range m {
			if _, _, ok := policy.Lookup(strings.ToLower(key)); !ok {
				return false
			}
		}
		return len(m) > 0
	}
	list, ok := asList(value)
	if !ok {
		list = []any{value}
	}
	restricts := false
	for _, item := range list {
		text, ok := item.(string)
		if !ok || strings.EqualFold(strings.TrimSpace(text), "none") {
			return false
		}
		r, problems := policy.Parse(text, policy.Own)
		if slices.ContainsFunc(problems, func(p policy.Finding) bool { return p.Severity == policy.Error }) {
			return false
		}
		restricts = restricts || r.Directives.Restricts()
	}
	return restricts
}

// descend follows path through maps, without regard to case. Where keys differ by case alone it follows each.
func descend(m map[string]any, path []string) []map[string]any {
	if len(path) == 0 {
		return []map[string]any{m}
	}
	var all []map[string]any
	for _, key := range keysOf(m, path[0]) {
		if below, ok := asMap(m[key]); ok {
			all = append(all, descend(below, path[1:])...)
		}
	}
	return all
}

// keysOf returns the keys of m that are name without regard to case, sorted.
func keysOf(m map[string]any, name string) []string {
	if _, ok := m[name]; ok && len(m) == 1 {
		return []string{name}
	}
	var keys []string
	for k := range m {
		if strings.EqualFold(k, name) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// asMap takes any map with keys that print: generators have named types for theirs.
func asMap(value any) (map[string]any, bool) {
	if m, ok := value.(map[string]any); ok {
		return m, true
	}
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Map {
		return nil, false
	}
	m := make(map[string]any, v.Len())
	for it := v.MapRange(); it.Next(); {
		m[fmt.Sprint(it.Key().Interface())] = it.Value().Interface()
	}
	return m, true
}

func asList(value any) ([]any, bool) {
	if list, ok := value.([]any); ok {
		return list, true
	}
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Slice {
		return nil, false
	}
	list := make([]any, v.Len())
	for i := range list {
		list[i] = v.Index(i).Interface()
	}
	return list, true
}

// KeyName prints a path to a key as its author would write it: robots.rules[1].match[0].
func KeyName(path []string) string {
	var b strings.Builder
	for i, name := range path {
		if _, err := strconv.Atoi(name); err == nil {
			b.WriteString("[" + name + "]")
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(name)
	}
	return b.String()
}
