package servers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// node is a value of a JSON text and where it stands.
type node struct {
	start, end int
	kind       json.Delim // '{', '[' or 0
	names      []string   // of an object's members
	nameAt     []int
	items      []*node // members' values or elements
	scalar     any
}

// parseJSON reads a whole JSON text.
func parseJSON(text []byte) (*node, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	n, err := parseNode(d, text)
	if err == nil {
		if _, err = d.Token(); err == io.EOF {
			return n, nil
		}
		if err == nil {
			err = errors.New("text after the end")
		}
	}
	line := 1 + bytes.Count(text[:min(int(d.InputOffset()), len(text))], []byte("\n"))
	return nil, fmt.Errorf("line %d: %w", line, err)
}

func parseNode(d *json.Decoder, text []byte) (*node, error) {
	n := &node{start: nextToken(d, text)}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	n.kind, _ = t.(json.Delim)
	if n.kind == 0 {
		n.scalar, n.end = t, int(d.InputOffset())
		return n, nil
	}
	for d.More() {
		if n.kind == '{' {
			n.nameAt = append(n.nameAt, nextToken(d, text))
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			n.names = append(n.names, name.(string))
		}
		item, err := parseNode(d, text)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, item)
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	n.end = int(d.InputOffset())
	return n, nil
}

// nextToken is the offset at which the next token begins.
func nextToken(d *json.Decoder, text []byte) int {
	at := int(d.InputOffset())
	for at < len(text) && strings.IndexByte(" \t\r\n,:", text[at]) >= 0 {
		at++
	}
	return at
}

// member returns the index of a member, of several of one name the last, which
// is the one that counts; -1 without one.
func (n *node) member(name string) int {
	for i := len(n.names) - 1; i >= 0; i-- {
		if n.names[i] == name {
			return i
		}
	}
	return -1
}

// get returns a member's value; nil without one.
func (n *node) get(name string) *node {
	if n == nil || n.kind != '{' {
		return nil
	}
	if i := n.member(name); i >= 0 {
		return n.items[i]
	}
	return nil
}

// text returns a string's text; "" where it is none.
func (n *node) text() string {
	if n == nil {
		return ""
	}
	s, _ := n.scalar.(string)
	return s
}

// cut returns text without the elements first to last of a list that is a
// member of an object. A list that we made goes with its last element: ours
// starts with a line end, while in an empty list of the user's our first element
// follows the bracket at once.
func cut(text []byte, object *node, name string, first, last int) []byte {
	at := object.member(name)
	list := object.items[at]
	switch {
	case first > 0:
		return splice(text, list.items[first-1].end, list.items[last].end, "")
	case last < len(list.items)-1:
		return splice(text, list.items[0].start, list.items[last+1].start, "")
	case list.items[0].start == list.start+1:
		return splice(text, list.start+1, list.items[last].end, "")
	case at > 0:
		return splice(text, object.items[at-1].end, list.end, "")
	case len(object.items) > 1:
		return splice(text, object.nameAt[0], object.nameAt[1], "")
	}
	return splice(text, object.start+1, list.end, "")
}

// add returns text with elements at the end of a list that is a member of an
// object, or in a new one.
func add(text []byte, object *node, name string, elements []string) []byte {
	eol := eolOf(text)
	if list := object.get(name); list != nil {
		if n := len(list.items); n > 0 {
			last := list.items[n-1]
			space := " "
			if in, ok := indent(text, last.start); ok {
				space = eol + in
			}
			return splice(text, last.end, last.end, ","+space+strings.Join(elements, ","+space))
		}
		return splice(text, list.start+1, list.start+1, strings.Join(elements, ","+eol))
	}
	at, in, comma := object.start+1, "", ""
	if n := len(object.items); n > 0 {
		at, comma = object.items[n-1].end, ","
		in, _ = indent(text, object.nameAt[n-1])
	}
	if in == "" {
		in = "  "
	}
	space := eol + in + "  "
	return splice(text, at, at, comma+eol+in+quoteJSON(name)+": ["+space+strings.Join(elements, ","+space)+eol+in+"]")
}

// indent returns the blanks before a place that is the first of its line.
func indent(text []byte, at int) (string, bool) {
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	if len(line) == at || len(bytes.Trim(line, " \t")) > 0 {
		return "", false
	}
	return string(line), true
}

func splice(text []byte, from, to int, with string) []byte {
	return append(append(bytes.Clone(text[:from]), with...), text[to:]...)
}

// quoteJSON writes a string as JSON, < > and & as they are.
func quoteJSON(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic("a string that JSON cannot hold: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// merged is a JSON file of the user's that a list of ours goes into.
type merged struct {
	text   []byte
	object *node // holds the list
	fresh  string
}

// readMerged takes the elements that are ours out of the list of a name in the
// object that holds it. Where the user has no file, or just what we made of
// none, it is fresh.
func readMerged(file []byte, fresh, name string, holder func(root *node) (*node, error), ours func(list *node) (first, last int)) (merged, error) {
	m := merged{text: file, fresh: fresh}
	if len(bytes.TrimSpace(file)) == 0 {
		m.text = []byte(fresh)
	}
	for {
		root, err := parseJSON(m.text)
		if err != nil {
			return m, err
		}
		if root.kind != '{' {
			return m, errors.New("not a JSON object")
		}
		if m.object, err = holder(root); err != nil {
			return m, err
		}
		list := m.object.get(name)
		if list == nil {
			return m, nil
		}
		if list.kind != '[' {
			return m, fmt.Errorf("%q is not a list", name)
		}
		first, last := ours(list)
		if first < 0 {
			return m, nil
		}
		m.text = cut(m.text, m.object, name, first, last)
	}
}

// print returns the whole file with our elements.
func (m merged) print(existing []byte, name string, elements []string) []byte {
	if len(elements) > 0 {
		return add(m.text, m.object, name, elements)
	}
	if string(m.text) == m.fresh {
		if len(bytes.TrimSpace(existing)) == 0 && len(existing) > 0 {
			return existing
		}
		return nil
	}
	return m.text
}
