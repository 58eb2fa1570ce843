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

	"github.com/BurntSushi/toml"
	adrg "github.com/adrg/frontmatter"
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

// Parse reads the front matter of a content file: YAML between ---, TOML between +++, JSON as an object that the file
// starts with or between ;;; (github.com/adrg/frontmatter has the full list of marks). A file without front matter is
// no error; front matter that is never closed is one, since generators take it for text and the page goes public.
// The error is an [*Error].
//
// closing are the lines that close YAML as --- does: none for Hugo and most others, "..." where a generator takes the
// end of a YAML document for that of the front matter.
func Parse(content []byte, closing ...string) (Document, error) {
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	first, rest, line := firstLine(content)
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
	// A mark that is indented stands inside of a value: it closes nothing, which adrg does not know.
	body := len(content) - len(rest)
	masked := append(content[:body:body],
		indentedMark.ReplaceAllFunc(rest, func(m []byte) []byte { return bytes.Repeat([]byte("."), len(m)) })...)
	if string(first) == "---" {
		closed(masked[body:], closing)
	}
	if _, err := adrg.Parse(bytes.NewReader(masked), nil, formats...); err != nil {
		return doc, &Error{Msg: err.Error()}
	}
	if doc.Format == "" {
		for _, f := range formats {
			if string(first) == f.Start {
				ends := f.End
				if f.Start == "---" {
					ends = strings.Join(append([]string{ends}, closing...), " or ")
				}
				return doc, &Error{Line: line,
					Msg: fmt.Sprintf("%s on this line opens it, and no line with %s closes it", f.Start, ends)}
			}
		}
		return doc, nil
	}
	if len(raw) > maxSize {
		return doc, tooLarge(line)
	}
	return doc, doc.decode(rest[:len(raw)], line)
}

// closed writes --- over the first line of those that close YAML. All are three bytes long.
func closed(rest []byte, closing []string) {
	for i := 0; i < len(rest); {
		line, _, _ := bytes.Cut(rest[i:], []byte("\n"))
		switch mark := string(bytes.TrimRight(line, " \t\r")); {
		case mark == "---":
			return
		case slices.Contains(closing, mark):
			copy(rest[i:], "---")
			return
		}
		i += len(line) + 1
	}
}

var indentedMark = regexp.MustCompile(`(?m)^[ \t]+(?:---|\+\+\+|;;;)[ \t]*\r?$`)

func parseJSON(content []byte) (Document, error) {
	doc := Document{Format: "json"}
	if len(content) <= maxSize {
		return doc, doc.decode(content, 0)
	}
	// What follows the object is the page's text.
	err := doc.decode(content[:maxSize], 0)
	if doc.Index == nil {
		err = tooLarge(1)
	}
	return doc, err
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
