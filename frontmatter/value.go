package frontmatter

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"metarobots/internal/source"
	"metarobots/policy"
)

// truths are the words that are read as true or false, in any case of letters, with that value.
var truths = map[string]bool{"true": true, "yes": true, "on": true, "y": true, "1": true,
	"false": false, "no": false, "off": false, "n": false, "0": false}

// Truth reads a boolean, also as the text or number that another reader made of it: Hugo's YAML
// gives "yes" as a string, other readers a boolean (F1).
func Truth(value any) (on, ok bool) {
	switch v := value.(type) {
	case bool:
		return v, true
	case string:
		on, ok = truths[strings.ToLower(strings.TrimSpace(v))]
		return on, ok
	}
	n, ok := number(value)
	return n == 1, ok && (n == 0 || n == 1)
}

// number reads any type of numbers.
func number(value any) (n float64, ok bool) {
	switch v := reflect.ValueOf(value); {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}

// isCode reports whether the value under a crawler's name is a verification code and no policy:
// text in which no item is, or is close to, a directive; or a number.
func isCode(value any) bool {
	if _, ok := Truth(value); ok {
		return false
	}
	if _, ok := number(value); ok {
		return true
	}
	text, ok := value.(string)
	return ok && !slices.ContainsFunc(words(text), nearDirective)
}

// words are the parts of a text that may be directives.
func words(text string) []string { return strings.FieldsFunc(text, parts) }

func parts(r rune) bool { return r == ',' || r == ':' || policy.IsSeparator(r) }

// isProse reports whether a text begins with another word than a directive, as most do: nothing
// more of it is read.
func isProse(text string) bool {
	text = strings.TrimLeftFunc(text, parts)
	if end := strings.IndexFunc(text, parts); end >= 0 {
		text = text[:end]
	}
	_, _, directive := policy.Lookup(strings.ToLower(text))
	return text != "" && !directive
}

func nearDirective(word string) bool { return policy.Near(word, policy.DirectiveNames()) != "" }

// areKeysDirectives reports whether a value is a map whose keys are all directives:
// {noindex: true}.
func areKeysDirectives(value any) bool {
	m, _ := asMap(value)
	for key := range m {
		if _, _, ok := policy.Lookup(strings.ToLower(key)); !ok {
			return false
		}
	}
	return len(m) > 0
}

// isDirectives reports whether a value restricts something and is nothing but directives: text or a
// list of it. none alone is as likely no value at all.
func isDirectives(value any) bool {
	list, ok := List(value)
	if !ok {
		list = []any{value}
	}
	restricts := false
	for _, item := range list {
		text, ok := item.(string)
		if !ok || isProse(text) || strings.EqualFold(strings.TrimSpace(text), "none") {
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

// valuesAt returns the values to which a path leads: through maps, whose keys are compared as
// [source.Key] has them (in lower case, without white space around them), and through lists, by
// numbers from 0. There are several if keys differ by case, or since YAML may have keys with dots
// in one piece, and a path may name a part of one:
//
//	{a: {b: 1}}             a.b   1
//	{a.b: 1}                a.b   1
//	{a.b: 1}                a     {b: 1}: where the path ends within a key, a map of the rest
//	{a: [x, y]}             a.1   y
//	{A: 1, a: 2, a.b: 3}    a     {b: 3}, 1, 2
//
// Longer keys come first, and of keys that differ by case alone the one in lower case comes last:
// [Lookup] takes the last value, and whoever reads all of them ([Read]) states all. Where the path
// leads nowhere there are none: behind the end of a list, or into a value that is no map.
func valuesAt(value any, path []string) (all []any) {
	if len(path) == 0 {
		return []any{value}
	}
	first, further := path[0], path[1:]
	if list, isList := List(value); isList {
		if i, err := strconv.Atoi(first); err == nil && i >= 0 && i < len(list) {
			return valuesAt(list[i], further)
		}
		return nil
	}
	m, _ := asMap(value) // empty if it is no map
	first = source.Key(first)
	for _, written := range keysWithPrefix(m, first) {
		rest := source.Key(written)[len(first):] // "" or, if the key has dots, such as ".b"
		switch {
		case rest == "":
			all = append(all, valuesAt(m[written], further)...)
		case len(rest) > 1 && rest[0] == '.':
			all = append(all, valuesAt(map[string]any{rest[1:]: m[written]}, further)...)
		}
	}
	return all
}

// keysWithPrefix are the keys of a map, as they are written, that begin with a text as they are
// compared ([source.Key]): longer ones first, and of the same length in the order of bytes, in
// which capitals come before small letters.
func keysWithPrefix(m map[string]any, prefix string) (keys []string) {
	for written := range m {
		if strings.HasPrefix(source.Key(written), prefix) {
			keys = append(keys, written)
		}
	}
	slices.SortFunc(keys,
		func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return keys
}

// Lookup is the last of the values to which a path leads ([Read] takes all of them); nil where it
// leads nowhere.
func Lookup(value any, path []string) (found any) {
	for _, value := range valuesAt(value, path) {
		if value != nil {
			found = value
		}
	}
	return found
}

func isMap(value any) bool { _, ok := asMap(value); return ok }

// asMap reads any map with keys that print: generators have types of their own.
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

// List is a list of any type, as TOML has of tables and Hugo of texts, as one of any values.
func List(value any) ([]any, bool) {
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

// KeyName prints a path to a key as its author would say it. Of a list, the numbers of its rules
// and groups are said, as people count them: robots.rules.match (rule 2). Other elements are known
// by their line and their text.
func KeyName(path []string) string {
	var names, numbers []string
	for i, name := range path {
		n, err := strconv.Atoi(name)
		list := ""
		if i > 0 {
			list = path[i-1]
		}
		switch {
		case err != nil, i > 1 && path[i-2] == "visibility": // a section may be called 2024
			names = append(names, name)
		case list == "rules", list == "groups":
			numbers = append(numbers, fmt.Sprintf(" (%s %d)", strings.TrimSuffix(list, "s"), n+1))
		}
	}
	return strings.Join(names, ".") + strings.Join(numbers, "")
}
