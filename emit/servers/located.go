package servers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// located is a JSON value and the line, from 1, on which it begins.
type located struct {
	raw  json.RawMessage
	line int
}

// locate reads a whole JSON text.
func locate(text []byte) (located, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	var l located
	err := d.Decode(&l.raw)
	if err == nil {
		if _, err = d.Token(); err == io.EOF {
			l.line = 1 + bytes.Count(text[:bytes.Index(text, l.raw)], []byte("\n"))
			return l, nil
		}
		if err == nil {
			err = errors.New("text after the end")
		}
	}
	at := d.InputOffset()
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		at = syntax.Offset
	}
	return l, fmt.Errorf("line %d: %w", 1+bytes.Count(text[:min(int(at), len(text))], []byte("\n")), err)
}

// is reports whether a value is an object, "{", a list, "[", and so on.
func (l located) is(open string) bool { return bytes.HasPrefix(l.raw, []byte(open)) }

// items are the elements of a list, or the members of an object with their
// names; none where it is neither.
func (l located) items() (names []string, values []located) {
	d := json.NewDecoder(bytes.NewReader(l.raw))
	open, err := d.Token()
	if delim, ok := open.(json.Delim); err != nil || !ok || delim != '{' && delim != '[' {
		return nil, nil
	}
	line, from := l.line, 0
	for d.More() {
		if open == json.Delim('{') {
			name, err := d.Token()
			if err != nil {
				return names, values
			}
			names = append(names, name.(string))
		}
		var v located
		if err := d.Decode(&v.raw); err != nil {
			return names, values
		}
		start := int(d.InputOffset()) - len(v.raw)
		line += bytes.Count(l.raw[from:start], []byte("\n"))
		from = start
		v.line = line
		values = append(values, v)
	}
	return names, values
}

// get returns the member of a name, of several the last, as JSON's readers do.
func (l located) get(name string) (member located, ok bool) {
	names, values := l.items()
	for i, n := range names {
		if n == name {
			member, ok = values[i], true
		}
	}
	return member, ok
}

// text is a string's text; "" where it is none.
func (l located) text() (s string) {
	if json.Unmarshal(l.raw, &s) != nil {
		return ""
	}
	return s
}

// robots is what a rule with headers, a list of keys and values or an object,
// says of the header: of several values the last.
func (l located) robots() (value string, line int, ok bool) {
	headers, _ := l.get("headers")
	names, values := headers.items()
	for i, v := range values {
		name := ""
		if names != nil {
			name = names[i]
		} else {
			key, _ := v.get("key")
			name = key.text()
			v, _ = v.get("value")
		}
		if strings.EqualFold(name, Name) {
			value, line, ok = v.text(), max(v.line, l.line), true
		}
	}
	return value, line, ok
}
