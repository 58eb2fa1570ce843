package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// readJSON enters the keys of the first JSON value: encoding/json says what is wrong with it, and
// hujson where its parts are.
func readJSON(x *Index, l lines) (decode func(into any) error) {
	var value json.RawMessage
	d := json.NewDecoder(bytes.NewReader(l.data))
	err := d.Decode(&value)
	switch syntax, _ := errors.AsType[*json.SyntaxError](err); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		x.fail(&SyntaxError{Line: l.at(len(bytes.TrimRight(l.data, " \t\r\n")) - 1), Msg: "unexpected end of JSON"})
	case syntax != nil && strings.HasSuffix(err.Error(), "exceeded max depth"): // Go has no type for it
		x.fail(tooDeep(l.at(int(syntax.Offset) - 1)))
	case syntax != nil:
		x.fail(&SyntaxError{Line: l.at(int(syntax.Offset) - 1), Msg: err.Error()})
	default:
		tree, _ := hujson.Parse(l.data[:d.InputOffset()])
		jsonReader{x, l}.value(&x.top, tree, nil)
	}
	return func(into any) error { return json.Unmarshal(l.data[:d.InputOffset()], into) }
}

// WithoutComments is JSON in which comments, and commas after a last element, are blanks: all else
// keeps its place. Text that is no such JSON stays as it is.
func WithoutComments(data []byte) []byte {
	if plain, err := hujson.Standardize(bytes.Clone(data)); err == nil {
		return plain
	}
	return data
}

// A jsonReader enters the keys of a parsed document into an index.
type jsonReader struct {
	x     *Index
	lines lines
}

// value enters the keys of a value below a node, to which a path leads.
func (j jsonReader) value(at *node, v hujson.Value, path []string) {
	if j.x.fault != nil {
		return // parse says so
	}
	switch v := v.Value.(type) {
	case *hujson.Array:
		for i, e := range v.Elements {
			element := j.x.element(at, i, j.lines.at(e.StartOffset))
			j.value(element, e, append(slices.Clip(path), strconv.Itoa(i)))
		}
	case *hujson.Object:
		j.object(at, v, path)
	}
}

// object enters the keys of an object, and notes those that it has twice.
func (j jsonReader) object(at *node, object *hujson.Object, path []string) {
	type member struct {
		line  int
		value hujson.Value
	}
	before := map[string]member{} // by keys as written
	for _, m := range object.Members {
		key, line := m.Name.Value.(hujson.Literal).String(), j.lines.at(m.Name.StartOffset)
		path := append(slices.Clip(path), key)
		if earlier, isRepeated := before[key]; isRepeated {
			j.x.Repeats = append(j.x.Repeats,
				Repeat{Path: path, First: earlier.line, Line: line, Passed: valueOf(earlier.value)})
		}
		before[key] = member{line, m.Value}
		j.value(j.x.key(at, key, line), m.Value, path)
	}
}

// valueOf decodes a value; nil if it cannot be read.
func valueOf(v hujson.Value) (value any) {
	if json.Unmarshal(v.Pack(), &value) != nil {
		return nil
	}
	return value
}
