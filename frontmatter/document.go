package frontmatter

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	adrg "github.com/adrg/frontmatter"

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
// no error; front matter that is never closed is one, since generators take it for text and the page goes public. So is
// what states something between two hyphens, or below a heading.
// The error is an [*Error].
//
// closing are the lines that close YAML as --- does: none for Hugo and most others, "..." where a generator takes the
// end of a YAML document for that of the front matter.
func Parse(content []byte, closing ...string) (doc Document, err error) {
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	first, rest, line := firstLine(content)
	if bytes.HasPrefix(first, []byte("{")) && !bytes.HasPrefix(first, []byte("{{")) {
		doc.Format = "json"
		err := doc.decode(content[:min(len(content), maxSize)], 0) // what follows the object is the page's text
		if len(content) > maxSize && doc.Index == nil {
			err = tooLarge(1)
		}
		return doc, err
	}
	var raw []byte
	ends := map[string]string{}
	format := func(start, end, name string) *adrg.Format {
		ends[start] = end
		return adrg.NewFormat(start, end, func(data []byte, _ any) error {
			doc.Format, raw = name, data
			return nil
		})
	}
	formats := []*adrg.Format{format("---", "---", "yaml"), format("---yaml", "---", "yaml"),
		format("+++", "+++", "toml"), format("---toml", "---", "toml"), format("---json", "---", "json"),
		format(";;;", ";;;", "json")}
	end, opened := ends[string(first)]
	masked := bytes.NewBuffer(bytes.Clone(content[:len(content)-len(rest)]))
	for row := range bytes.Lines(rest) {
		text := string(bytes.TrimSpace(row))
		if text == end || string(first) == "---" && slices.Contains(closing, text) {
			if bytes.HasPrefix(row, []byte(text)) {
				masked.WriteString(end + "\n")
				break // what follows is the page's text
			}
			row = append(bytes.Repeat([]byte("."), len(row)-1), '\n') // indented, it stands inside of a value
		}
		masked.Write(row)
	}
	if _, err := adrg.Parse(masked, nil, formats...); err != nil {
		return doc, &Error{Msg: err.Error()}
	}
	switch {
	case doc.Format == "" && opened:
		if string(first) == "---" {
			end = strings.Join(append([]string{end}, closing...), " or ")
		}
		return doc, &Error{Line: line,
			Msg: fmt.Sprintf("%s on this line opens it, and no line with %s closes it", first, end)}
	case doc.Format == "":
		if line := misplaced(content); line > 0 {
			return doc, &Error{Line: line, Msg: "it begins with --- in the first line of a file: this is text, in " +
				"which its robots keys have no effect", Ours: true}
		}
		return doc, nil
	case len(raw) > maxSize:
		return doc, tooLarge(line)
	}
	return doc, doc.decode(rest[:len(raw)], line)
}

// rule is a line of hyphens.
var rule = regexp.MustCompile(`(?m)^(---?)[ \t]*\r?$`)

// misplaced returns the line on which something begins that was meant for front matter and is text: below a heading, or
// between two hyphens. 0 without anything for crawlers in it.
func misplaced(content []byte) int {
	at := rule.FindSubmatchIndex(content)
	if at == nil {
		return 0
	}
	heading := false
	for line := range bytes.Lines(content[:at[0]]) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' {
			return 0
		}
		heading = heading || len(line) > 0
	}
	end := rule.FindIndex(content[at[1]:])
	if end == nil || !heading && at[3]-at[2] > len("--") {
		return 0
	}
	var params map[string]any
	block := content[at[1]:][:end[0]]
	if len(block) > maxSize || source.Values("yaml", block, 0, &params) != nil ||
		len(Read(params, Options{}).Statements) == 0 {
		return 0
	}
	return 1 + bytes.Count(content[:at[0]], []byte("\n"))
}

func tooLarge(line int) error {
	return &Error{Line: line, Msg: fmt.Sprintf("is larger than %d bytes: keep data of that size in a file of its own",
		maxSize), Ours: true}
}

// decode reads raw, which starts after line base of the file.
func (doc *Document) decode(raw []byte, base int) error {
	index, err := source.Of(doc.Format, raw, base)
	if err == nil {
		doc.Index = index
		if index.Repeated != nil {
			return &Error{index.Repeated.Line, index.Repeated.Msg, true}
		}
		if line := index.Wide(maxKeys); line > 0 {
			return &Error{line, fmt.Sprintf("a table of more than %d keys: keep data of that size in a file of its own",
				maxKeys), true}
		}
		err = source.Values(doc.Format, raw, base, &doc.Params)
	}
	var syntax *source.SyntaxError
	if errors.As(err, &syntax) {
		return &Error{syntax.Line, syntax.Msg, syntax.TooDeep}
	}
	return nil
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
