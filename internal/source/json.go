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
func readJSON(x *Index, l lines) {
	d := json.NewDecoder(bytes.NewReader(l.data))
	d.UseNumber() // a number too great for a float64 has a place too
	j := jsonReader{x, d, l}
	err := j.value(func(int) *node { return &x.top })
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		x.fail(&SyntaxError{Line: l.at(len(bytes.TrimRight(l.data, " \t\r\n")) - 1), Msg: "unexpected end of JSON"})
	} else if err != nil {
		// The offset within a json.SyntaxError does not count brackets that were read as tokens; the decoder's does.
		x.fail(&SyntaxError{Line: l.at(int(d.InputOffset())), Msg: err.Error()})
	}
}

type jsonReader struct {
	x     *Index
	d     *json.Decoder
	lines lines
}

func (j *jsonReader) token() (token json.Token, line int, err error) {
	token, err = j.d.Token()
	return token, j.lines.at(int(j.d.InputOffset()) - 1), err
}

// value reads a value; put enters it with its line.
func (j *jsonReader) value(put func(line int) *node) error {
	token, line, err := j.token()
	if err != nil {
		return err
	}
	at := put(line)
	open, isOpen := token.(json.Delim)
	if !isOpen || j.x.fault != nil { // Of says so
		return nil
	}
	keys := map[string]bool{} // as written
	for i := 0; j.d.More(); i++ {
		put := func(line int) *node { return j.x.element(at, i, line) }
		if open == '{' {
			token, line, err := j.token()
			if err != nil {
				return err
			}
			key := token.(string)
			if keys[key] && j.x.Repeated == nil {
				j.x.Repeated = &SyntaxError{Line: line, Ours: true,
					Msg: fmt.Sprintf("the key %q stands twice in one object: write it once", key)}
			}
			keys[key] = true
			put = func(int) *node { return j.x.key(at, key, line) }
		}
		if err := j.value(put); err != nil || j.x.fault != nil {
			return err
		}
	}
	_, _, err = j.token() // the bracket that closes it
	return err
}
