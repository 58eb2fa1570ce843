package servers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"metarobots/emit/robotstag"
)

// node is a value of a JSON text and where it stands.
type node struct {
	start, end int
	line       int        // from 1
	kind       json.Delim // '{', '[' or 0
	names      []string   // of an object's members
	nameAt     []int
	items      []*node // members' values or elements
	scalar     any
}

// parseJSON reads a whole JSON text.
func parseJSON(text []byte) (*node, error) {
	if err := json.Unmarshal(text, new(json.RawMessage)); err != nil {
		at := 0
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			at = min(int(syntax.Offset), len(text))
		}
		return nil, fmt.Errorf("line %d: %w", 1+bytes.Count(text[:at], []byte("\n")), err)
	}
	p := &jsonParser{Decoder: json.NewDecoder(bytes.NewReader(text)), text: text, line: 1}
	p.UseNumber() // a number too great for a float64 is JSON too
	return p.value(), nil
}

// jsonParser reads a text that is known to be JSON, so no token is an error.
type jsonParser struct {
	*json.Decoder
	text     []byte
	at, line int // where lines have been counted
}

func (p *jsonParser) value() *node {
	n := &node{start: p.next(), line: p.line}
	n.scalar, _ = p.Token()
	n.kind, _ = n.scalar.(json.Delim)
	for n.kind != 0 && p.More() {
		if n.kind == '{' {
			n.nameAt = append(n.nameAt, p.next())
			token, _ := p.Token()
			name, _ := token.(string)
			n.names = append(n.names, name)
		}
		n.items = append(n.items, p.value())
	}
	if n.kind != 0 {
		p.Token()
	}
	n.end = int(p.InputOffset())
	return n
}

// next is the offset at which the next token begins, and counts lines up to there.
func (p *jsonParser) next() int {
	at := int(p.InputOffset())
	for at < len(p.text) && strings.IndexByte(" \t\r\n,:", p.text[at]) >= 0 {
		at++
	}
	p.line += bytes.Count(p.text[p.at:at], []byte("\n"))
	p.at = at
	return at
}

// member returns the index of a member, of several of one name the last, which is the one that counts; -1 without one.
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
	if n == nil {
		return nil
	}
	if i := n.member(name); i >= 0 {
		return n.items[i]
	}
	return nil
}

// elements are those of a list.
func (n *node) elements() []*node {
	if n == nil || n.kind != '[' {
		return nil
	}
	return n.items
}

// text returns a string's text; "" where it is none.
func (n *node) text() string {
	if n == nil {
		return ""
	}
	s, _ := n.scalar.(string)
	return s
}

// is reports whether a value is true.
func (n *node) is() bool { return n != nil && n.scalar == true }

// robots is what headers, a list of keys and values or an object, say of the header: of several values the last.
func (n *node) robots() (value string, line int, ok bool) {
	if n == nil {
		return "", 0, false
	}
	for i, v := range n.items {
		name, at := v.get("key").text(), v.line
		if n.kind == '{' {
			name = n.names[i]
		} else if v = v.get("value"); v != nil {
			at = v.line
		}
		if strings.EqualFold(name, robotstag.Name) {
			value, line, ok = v.text(), at, true
		}
	}
	return value, line, ok
}

// cut returns text without the elements first to last of a list that is a member of an object. A list that we made
// goes with its last element: ours starts with a line end, while in an empty list of the user's our first element
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

// add returns text with elements at the end of a list that is a member of an object, or in a new one.
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
