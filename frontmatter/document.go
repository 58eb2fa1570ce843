package frontmatter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/BurntSushi/toml"
	adrg "github.com/adrg/frontmatter"
	"go.yaml.in/yaml/v3"

	"metarobots/source"
)

// A Document is the front matter of one content file.
type Document struct {
	// Format is toml, yaml or json; empty where the file has no front matter.
	Format string
	// Params are its keys as written.
	Params map[string]any
	// Index knows their lines in the file; nil without front matter.
	Index *source.Index
}

// An Error is front matter that cannot be read.
type Error struct {
	Line int // in the file, from 1; 0 where it is not known
	Msg  string
}

func (e *Error) Error() string {
	return "front matter: " + e.Msg
}

// Parse reads the front matter of a content file: YAML between ---, TOML between +++, JSON as an object that the file
// starts with or between ;;; (github.com/adrg/frontmatter has the full list of marks). A file without front matter is
// no error; front matter that is never closed is one, since generators take it for text and the page goes public.
// The error is an [*Error].
func Parse(content []byte) (Document, error) {
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	first, line := firstLine(content)
	if bytes.HasPrefix(first, []byte("{")) && !bytes.HasPrefix(first, []byte("{{")) {
		return parseJSON(content)
	}
	var doc Document
	var raw []byte
	take := func(format string) adrg.UnmarshalFunc {
		return func(data []byte, _ any) error {
			doc.Format, raw = format, data
			return nil
		}
	}
	formats := []*adrg.Format{
		adrg.NewFormat("---", "---", take("yaml")),
		adrg.NewFormat("---yaml", "---", take("yaml")),
		adrg.NewFormat("+++", "+++", take("toml")),
		adrg.NewFormat("---toml", "---", take("toml")),
		adrg.NewFormat("---json", "---", take("json")),
		adrg.NewFormat(";;;", ";;;", take("json")),
	}
	if _, err := adrg.Parse(bytes.NewReader(content), nil, formats...); err != nil {
		return doc, &Error{Msg: err.Error()}
	}
	if doc.Format == "" {
		for _, f := range formats {
			if string(first) == f.Start {
				return doc, &Error{line, fmt.Sprintf("%s on this line opens it, and no line with %s closes it", f.Start, f.End)}
			}
		}
		return doc, nil
	}
	return doc, doc.decode(raw, line)
}

func parseJSON(content []byte) (Document, error) {
	doc := Document{Format: "json"}
	return doc, doc.decode(content, 0)
}

// decode reads raw, which starts after line base of the file.
func (doc *Document) decode(raw []byte, base int) (err error) {
	if doc.Index, err = source.Of(doc.Format, raw, base); err != nil {
		var syntax *source.SyntaxError
		if errors.As(err, &syntax) {
			return &Error{syntax.Line, syntax.Msg}
		}
		return &Error{Msg: err.Error()}
	}
	switch doc.Format {
	case "toml":
		_, err = toml.Decode(string(raw), &doc.Params)
	case "yaml":
		err = yaml.Unmarshal(raw, &doc.Params)
	case "json":
		err = json.NewDecoder(bytes.NewReader(raw)).Decode(&doc.Params)
	}
	if err != nil {
		e := &Error{base + 1, err.Error()}
		var t toml.ParseError
		if errors.As(err, &t) {
			e = &Error{base + t.Position.Line, t.Message}
		}
		return e
	}
	return nil
}

// firstLine returns the first line that is not blank, without white space around it, and its number.
func firstLine(content []byte) ([]byte, int) {
	for n := 1; len(content) > 0; n++ {
		line, rest, _ := bytes.Cut(content, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, n
		}
		content = rest
	}
	return nil, 0
}
