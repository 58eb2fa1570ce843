package servers

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// jsonFile is the form of a host's JSON file.
type jsonFile struct {
	// fresh is where a project without the file starts from.
	fresh string
	// list is the name of the list of rules.
	list string
	// holder returns the object that holds the list.
	holder func(root *node) (*node, error)
	// ours says which rules are ours.
	ours func(rules []*node) []bool
	// marks are rules that stand around ours.
	marks []string
}

// open reads a file and finds the list of rules.
func (f *jsonFile) open(file []byte) (*document, error) {
	if len(bytes.TrimSpace(file)) == 0 {
		file = []byte(f.fresh)
	}
	root, err := parseJSON(file)
	switch {
	case err != nil:
		return nil, err
	case root.kind != '{':
		return nil, errors.New("not a JSON object")
	}
	d := &document{text: file}
	if d.holder, err = f.holder(root); err != nil {
		return nil, err
	}
	list := d.holder.get(f.list)
	if list != nil && list.kind != '[' {
		return nil, fmt.Errorf("%q is not a list", f.list)
	}
	d.rules = list.elements()
	d.ours = f.ours(d.rules)
	return d, nil
}

// without takes the rules that are ours out of a file. Where the user has no file, or just what we made of none, it is
// fresh.
func (f *jsonFile) without(file []byte) (*document, error) {
	for text := file; ; {
		d, err := f.open(text)
		if err != nil {
			return nil, err
		}
		first := slices.Index(d.ours, true)
		if first < 0 {
			d.print = func(rules []string) ([]byte, error) { return f.print(d, file, rules), nil }
			return d, nil
		}
		last := first
		for last+1 < len(d.ours) && d.ours[last+1] {
			last++
		}
		text = cut(d.text, d.holder, f.list, first, last)
	}
}

// print returns the whole file with our rules.
func (f *jsonFile) print(d *document, existing []byte, rules []string) []byte {
	switch {
	case len(rules) > 0 && f.marks != nil:
		return add(d.text, d.holder, f.list, slices.Concat(f.marks[:1], rules, f.marks[1:]))
	case len(rules) > 0:
		return add(d.text, d.holder, f.list, rules)
	case string(d.text) != f.fresh:
		return d.text
	case len(bytes.TrimSpace(existing)) == 0 && len(existing) > 0:
		return existing
	}
	return nil
}

// marked says which rules have our mark in a pattern.
func marked(key string) func(rules []*node) []bool {
	return func(rules []*node) (ours []bool) {
		for _, n := range rules {
			ours = append(ours, strings.Contains(n.get(key).text(), patternMark))
		}
		return ours
	}
}
