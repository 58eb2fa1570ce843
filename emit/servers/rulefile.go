package servers

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"metarobots/emit/marks"
	"metarobots/internal/source"
)

// The patterns of [ruleList.marks], the rules around ours. No file is served there.
const (
	patternBegin = "/.metarobots/begin"
	patternEnd   = "/.metarobots/end"
)

type document struct {
	text   []byte
	root   any           // its value
	index  *source.Index // on which line each value stands
	holder any           // the object that has the list and the settings beside it; nil if it is not there
	rules  []any
	isOurs []bool   // for each rule
	path   []string // the names that lead to the list: it is a member of an object, never the whole file
}

// line is that of a value, or of what it would stand in.
func (d *document) line(path ...string) int { return max(1, d.index.Nearest(path...)) }

// place are the names that lead to something in a rule.
func (d *document) pathTo(rule int, names ...string) []string {
	return slices.Concat(d.path, []string{strconv.Itoa(rule)}, names)
}

// freshJSON is where a project without the file starts from.
const freshJSON = "{\n}\n"

// open reads a file and finds the list of rules. Where the list is not there the document has no rules,
// as with no file, and they are put there later. It refuses a file with another value in place of the
// list, or in place of the object around it all, and what [ruleList.check] and [ruleList.site] refuse.
// In YAML a key without a value, and a file with nothing in it, are ways to write nothing; a null of
// JSON is a value.
func (h *ruleList) open(file []byte) (*document, error) {
	d := &document{text: file, path: h.path}
	if h.format == "json" && len(bytes.TrimSpace(file)) == 0 {
		d.text = []byte(freshJSON)
	}
	var err error
	const linesBefore = 0
	if d.index, err = source.Read(h.format, d.text, linesBefore, &d.root); err != nil {
		return nil, err
	}
	if _, isObject := d.root.(map[string]any); !isObject && !h.writesNothing(d.root) {
		return nil, fmt.Errorf("not a %s object", strings.ToUpper(h.format))
	}
	if h.check != nil {
		if err := h.check(d.root); err != nil {
			return nil, err
		}
	}
	if h.findSite != nil { // the file may be for several sites
		sitePath, err := h.findSite(d.root, h.folder)
		if err != nil {
			return nil, err
		}
		d.path = slices.Concat(sitePath, h.path)
	}
	var list any = d.root
	for _, name := range d.path {
		d.holder, list = list, child(list, name)
	}
	members, _ := d.holder.(map[string]any)
	name := h.path[len(h.path)-1]
	d.rules = elements(list) // of an empty list not nil
	if _, isThere := members[name]; isThere && d.rules == nil && !h.writesNothing(list) {
		return nil, fmt.Errorf("%q is not a list", name)
	}
	d.isOurs = h.findOurs(d)
	return d, nil
}

// writesNothing reports whether a value of the file's format is the same as none.
func (h *ruleList) writesNothing(value any) bool { return value == nil && h.format != "json" }

// generated says which rules are ours: those in our block, those between our marks, or with our mark in the pattern.
func (h *ruleList) findOurs(d *document) []bool {
	ours := make([]bool, len(d.rules))
	t, begin := marks.Read(d.text), -1
	for i, rule := range d.rules {
		switch pattern := scalar(member(rule, h.keys[0])); {
		case len(t.Block) > 0:
			line := d.line(d.pathTo(i)...)
			ours[i] = t.Block[0].Number <= line && line < t.Last
		case pattern == patternBegin:
			begin = i
		case pattern == patternEnd && begin >= 0:
			for ; begin <= i; begin++ {
				ours[begin] = true
			}
			begin = -1
		default:
			ours[i] = strings.Contains(pattern, patternMark)
		}
	}
	return ours
}

// without takes the rules that are ours out of a file. Where the user has no file, or just what we made of none, it is
// [freshJSON].
func (h *ruleList) without(file []byte) (*document, error) {
	if h.format == "yaml" {
		return h.open(marks.Read(file).Own())
	}
	d, err := h.open(file)
	if err != nil || !slices.Contains(d.isOurs, true) {
		return d, err
	}
	return h.open(findList(d.text, d.path).cut(d.isOurs))
}

func (h *ruleList) with(user *document, existing []byte, rules []listRule) ([]byte, error) {
	if len(rules) > 0 && h.marks != nil {
		rules = slices.Concat([]listRule{{atEnd, h.marks[0]}}, rules, []listRule{{atEnd, h.marks[1]}})
	}
	switch {
	case h.format == "yaml":
		return h.withYAML(user, existing, rules)
	case len(rules) > 0:
		return findList(user.text, user.path).add(rules), nil
	case string(user.text) != freshJSON:
		return user.text, nil
	case len(bytes.TrimSpace(existing)) == 0 && len(existing) > 0:
		return existing, nil
	}
	return nil, nil
}

func (h *ruleList) quote(text string) string {
	if h.format == "yaml" {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return string(hujson.String(text))
}

func member(object any, name string) any {
	members, _ := object.(map[string]any)
	return members[name]
}

// child is a member of an object, or the element of a list by its number.
func child(value any, name string) any {
	if list, ok := value.([]any); ok {
		i, err := strconv.Atoi(name)
		if err != nil || i >= len(list) {
			return nil
		}
		return list[i]
	}
	return member(value, name)
}

func elements(list any) []any {
	if tables, ok := list.([]map[string]any); ok { // as TOML has them
		all := make([]any, len(tables))
		for i := range tables {
			all[i] = tables[i]
		}
		return all
	}
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

// value is what headers, a list of keys and values or an object, say of one: of several values the last.
func (d *document) headerValue(header string, headers any, path ...string) (value string, line int, ok bool) {
	for i, h := range elements(headers) {
		if strings.EqualFold(scalar(member(h, "key")), header) {
			value, ok = scalar(member(h, "value")), true
			line = d.line(append(path, strconv.Itoa(i), "value")...)
		}
	}
	object, _ := headers.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if strings.EqualFold(name, header) {
			value, line, ok = scalar(object[name]), d.line(append(path, name)...), true
		}
	}
	return value, line, ok
}

// account notes the lines of headers that name the header of a user.
func (d *document) noteLines(u *User, headers any, path ...string) {
	for i, h := range elements(headers) {
		if strings.EqualFold(scalar(member(h, "key")), u.header) && scalar(member(h, "value")) != "" {
			u.accounted[d.line(append(path, strconv.Itoa(i), "key")...)] = true
		}
	}
	object, _ := headers.(map[string]any)
	for name := range object {
		if strings.EqualFold(name, u.header) {
			u.accounted[d.line(append(path, name)...)] = true
		}
	}
}
