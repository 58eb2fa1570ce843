package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// readJSON walks the tokens of the first JSON value. No token goes over the end of a line, so the line on which it
// ends is the line of the key or the element it starts.
func readJSON(x *Index, data []byte, l lines) error {
	type open struct {
		id   int
		list bool
		n    int             // elements so far
		keys map[string]bool // so far, as written
	}
	var stack []open
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber() // a number too great for a float64 has a place too
	id := 0       // the entry of the value to come
	for {
		token, err := d.Token()
		if err != nil {
			return jsonError(err, data, d, l)
		}
		line := l.at(int(d.InputOffset()) - 1)
		var top *open
		if len(stack) > 0 {
			top = &stack[len(stack)-1]
		}
		delim, _ := token.(json.Delim)
		switch {
		case delim == ']' || delim == '}':
			id = top.id
			stack = stack[:len(stack)-1]
		case top != nil && top.list:
			id = x.element(top.id, top.n, line)
			top.n++
		case top != nil && id == top.id:
			// In an object, before a value, stands its key.
			key := token.(string)
			if top.keys[key] && x.Repeated == nil {
				x.Repeated = &SyntaxError{Line: line, Msg: fmt.Sprintf("the key %q stands twice in one object: write "+
					"it once", key)}
			}
			top.keys[key] = true
			id = x.put(id, key, line)
			continue
		}
		if delim == '[' || delim == '{' {
			stack = append(stack, open{id: id, list: delim == '[', keys: map[string]bool{}})
			if x.tooDeep > 0 {
				return nil // Of says so
			}
			continue
		}
		if len(stack) == 0 {
			return nil
		}
		id = stack[len(stack)-1].id
	}
}

func jsonError(err error, data []byte, d *json.Decoder, l lines) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &SyntaxError{Line: l.at(len(bytes.TrimRight(data, " \t\r\n")) - 1), Msg: "unexpected end of JSON"}
	}
	// The offset within a json.SyntaxError does not count brackets that were read as tokens; the decoder's own does.
	return &SyntaxError{Line: l.at(int(d.InputOffset())), Msg: err.Error()}
}
