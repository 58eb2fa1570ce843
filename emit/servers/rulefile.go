package servers

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"metarobots/emit/marks"
	"metarobots/internal/source"
)

// ruleFile is the form of a host's file.
type ruleFile struct {
	format string // json or yaml
	// fresh is where a project without the file starts from.
	fresh string
	// path are the names that lead to the list of rules.
	path []string
	// check says why a file cannot have rules.
	check func(root any) error
	// ours says which rules are ours. marks are two that stand around them.
	ours  func(d *document) []bool
	marks []string
}

// document is a file as it stands.
type document struct {
	text   []byte
	root   any           // its value
	index  *source.Index // on which line each value stands
	holder any           // the object that has the list and the settings beside it
	rules  []any
	ours   []bool   // for each rule
	path   []string // the names that lead to the list: it is a member of an object, never the whole file
}

// line is that of a value, or of what it would stand in.
func (d *document) line(path ...string) int { return max(1, d.index.Nearest(path...)) }

// place are the names that lead to something in a rule.
func (d *document) place(rule int, names ...string) []string {
	return slices.Concat(d.path, []string{strconv.Itoa(rule)}, names)
}

// open reads a file and finds the list of rules.
func (f *ruleFile) open(file []byte) (*document, error) {
	d := &document{text: file, path: f.path}
	if len(bytes.TrimSpace(file)) == 0 {
		d.text = []byte(f.fresh)
	}
	var err error
	if d.index, err = source.Read(f.format, d.text, 0, &d.root); err != nil {
		return nil, err
	}
	if _, ok := d.root.(map[string]any); !ok && (d.root != nil || f.format == "json") {
		return nil, fmt.Errorf("not a %s object", strings.ToUpper(f.format))
	}
	if err := f.check(d.root); err != nil {
		return nil, err
	}
	d.holder = d.root
	last := len(f.path) - 1
	for _, name := range f.path[:last] {
		d.holder = member(d.holder, name)
	}
	members, _ := d.holder.(map[string]any)
	list, stands := members[f.path[last]]
	if _, ok := list.([]any); stands && !ok && (list != nil || f.format == "json") {
		return nil, fmt.Errorf("%q is not a list", f.path[last])
	}
	d.rules = elements(list)
	d.ours = f.ours(d)
	return d, nil
}

// without takes the rules that are ours out of a file. Where the user has no file, or just what we made of none, it is
// fresh.
func (f *ruleFile) without(file []byte) (*document, error) {
	if f.format == "yaml" {
		return f.open(marks.Read(file).Own())
	}
	d, err := f.open(file)
	if err != nil || !slices.Contains(d.ours, true) {
		return d, err
	}
	return f.open(findList(d.text, f.path).cut(d.ours))
}

// with returns the whole file with rules of ours.
func (f *ruleFile) with(user *document, existing []byte, rules []string) ([]byte, error) {
	if len(rules) > 0 && f.marks != nil {
		rules = slices.Concat(f.marks[:1], rules, f.marks[1:])
	}
	switch {
	case f.format == "yaml":
		return f.withYAML(user, existing, rules)
	case len(rules) > 0:
		return findList(user.text, f.path).add(rules), nil
	case string(user.text) != f.fresh:
		return user.text, nil
	case len(bytes.TrimSpace(existing)) == 0 && len(existing) > 0:
		return existing, nil
	}
	return nil, nil
}

// quote writes a text in quotes.
func (f *ruleFile) quote(text string) string {
	if f.format == "yaml" {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return string(hujson.String(text))
}
