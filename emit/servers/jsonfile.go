package servers

import (
	"bytes"
	"errors"
	"fmt"
)

// jsonFile is the form of a host's JSON file.
type jsonFile struct {
	// fresh is where a project without the file starts from.
	fresh string
	// list is the name of the list of rules.
	list string
	// holder returns the object that holds the list.
	holder func(root *node) (*node, error)
	// ours finds the first run of rules that are ours; first is -1 without one.
	ours func(list *node) (first, last int)
}

// open reads a file and returns the object that holds the list of rules.
func (f *jsonFile) open(file []byte) (*node, error) {
	root, err := parseJSON(file)
	if err != nil {
		return nil, err
	}
	if root.kind != '{' {
		return nil, errors.New("not a JSON object")
	}
	object, err := f.holder(root)
	if err != nil {
		return nil, err
	}
	if list := object.get(f.list); list != nil && list.kind != '[' {
		return nil, fmt.Errorf("%q is not a list", f.list)
	}
	return object, nil
}

// orFresh is a file, or what a project without one starts from.
func (f *jsonFile) orFresh(file []byte) []byte {
	if len(bytes.TrimSpace(file)) == 0 {
		return []byte(f.fresh)
	}
	return file
}

// jsonText is a JSON file of the user's that rules of ours go into.
type jsonText struct {
	*jsonFile
	text   []byte
	object *node // holds the list
}

// without takes the rules that are ours out of a file. Where the user has no file,
// or just what we made of none, it is fresh.
func (f *jsonFile) without(file []byte) (jsonText, error) {
	t := jsonText{jsonFile: f, text: f.orFresh(file)}
	for {
		object, err := f.open(t.text)
		if err != nil {
			return t, err
		}
		t.object = object
		first := -1
		var last int
		if list := object.get(f.list); list != nil {
			first, last = f.ours(list)
		}
		if first < 0 {
			return t, nil
		}
		t.text = cut(t.text, object, f.list, first, last)
	}
}

// print returns the whole file with our rules.
func (t jsonText) print(existing []byte, rules []string) []byte {
	if len(rules) > 0 {
		return add(t.text, t.object, t.list, rules)
	}
	if string(t.text) == t.fresh {
		if len(bytes.TrimSpace(existing)) == 0 && len(existing) > 0 {
			return existing
		}
		return nil
	}
	return t.text
}
