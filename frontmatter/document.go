package frontmatter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/BurntSushi/toml"
	"go.yaml.in/yaml/v3"

	"metarobots/internal/source"
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
	// Ours: the text may be good to a generator, and is refused here: a key that stands twice, of which JSON's readers
	// take the last, and what is too large.
	Ours bool
}

// Limits beyond what any page holds. The second keeps the YAML library's search for repeated keys, which compares each
// with each, in bounds.
const (
	maxSize = 1 << 20 // bytes
	maxKeys = 2000    // of one table
)

func (e *Error) Error() string {
	return "front matter: " + e.Msg
}

// marks are the lines that open front matter, with the one that closes it and the format between them.
var marks = map[string]struct{ closing, format string }{
	"---": {"---", "yaml"}, "---yaml": {"---", "yaml"}, "+++": {"+++", "toml"}, "---toml": {"---", "toml"},
	"---json": {"---", "json"}, ";;;": {";;;", "json"},
}

// Parse reads the front matter of a content file: YAML between ---, TOML between +++, JSON as an object that the file
// starts with or between ;;;. A file without front matter is no error; front matter that is never closed is one, since
// generators take it for text and the page goes public. The error is an [*Error].
//
// closing are the lines that close YAML as --- does: none for Hugo and most others, "..." where a generator takes the
// end of a YAML document for that of the front matter.
func Parse(content []byte, closing ...string) (Document, error) {
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	first, rest, line := firstLine(content)
	if bytes.HasPrefix(first, []byte("{")) && !bytes.HasPrefix(first, []byte("{{")) {
		// What follows the object is the page's text.
		doc := Document{Format: "json"}
		err := doc.decode(content[:min(len(content), maxSize)], 0)
		if len(content) > maxSize && doc.Index == nil {
			err = tooLarge(1)
		}
		return doc, err
	}
	mark, ok := marks[string(first)]
	if !ok {
		return Document{}, nil
	}
	ends := []string{mark.closing}
	if string(first) == "---" {
		ends = append(ends, closing...)
	}
	for end := 0; end < len(rest); {
		row, _, _ := bytes.Cut(rest[end:], []byte("\n"))
		// a mark that is indented stands inside of a value
		if slices.Contains(ends, string(bytes.TrimRightFunc(row, unicode.IsSpace))) {
			doc := Document{Format: mark.format}
			if end > maxSize {
				return doc, tooLarge(line)
			}
			return doc, doc.decode(rest[:end], line)
		}
		end += len(row) + 1
	}
	return Document{}, &Error{Line: line, Msg: fmt.Sprintf("%s on this line opens it, and no line with %s closes it", first,
		strings.Join(ends, " or "))}
}

func tooLarge(line int) error {
	return &Error{Line: line, Msg: fmt.Sprintf("is larger than %d bytes: keep data of that size in a file of its own",
		maxSize), Ours: true}
}

// decode reads raw, which starts after line base of the file.
func (doc *Document) decode(raw []byte, base int) (err error) {
	if doc.Index, err = source.Of(doc.Format, raw, base); err != nil {
		var syntax *source.SyntaxError
		if errors.As(err, &syntax) {
			return &Error{syntax.Line, syntax.Msg, syntax.TooDeep}
		}
		return &Error{Msg: err.Error()}
	}
	if r := doc.Index.Repeated; r != nil {
		return &Error{r.Line, r.Msg, true}
	}
	if line := doc.Index.Wide(maxKeys); line > 0 {
		return &Error{line, fmt.Sprintf("a table of more than %d keys: keep data of that size in a file of its own",
			maxKeys), true}
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
		e := &Error{Line: base + 1, Msg: err.Error()}
		var t toml.ParseError
		var y *yaml.TypeError
		switch {
		case errors.As(err, &t):
			e = &Error{Line: base + t.Position.Line, Msg: t.Message}
		case errors.As(err, &y) && len(y.Errors) > 0:
			e = yamlError(y.Errors[0], base)
		}
		return e
	}
	return nil
}

var yamlPlace = regexp.MustCompile(`^line (\d+): |\bat line (\d+)$`)

// yamlError takes the line out of a message about what the YAML means, and counts lines in the file.
func yamlError(message string, base int) *Error {
	e := &Error{Line: base + 1}
	e.Msg = yamlPlace.ReplaceAllStringFunc(message, func(place string) string {
		m := yamlPlace.FindStringSubmatch(place)
		if m[1] != "" {
			n, _ := strconv.Atoi(m[1])
			e.Line = base + n
			return ""
		}
		n, _ := strconv.Atoi(m[2])
		return "at line " + strconv.Itoa(base+n)
	})
	return e
}

// firstLine returns the first line that is not blank, without white space around it, what follows it, and its number.
func firstLine(content []byte) (line, rest []byte, n int) {
	for n := 1; len(content) > 0; n++ {
		line, rest, _ := bytes.Cut(content, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, rest, n
		}
		content = rest
	}
	return nil, nil, 0
}
