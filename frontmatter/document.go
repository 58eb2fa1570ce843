// Package frontmatter reads what an author says to crawlers in a page's front matter, from a generator's parameters or
// from the bytes of a content file: one code path for both. What is read, and at which levels, is table F of
// docs/semantics.md; it gathers the spellings of Hugo themes, Docusaurus, Eleventy, Next.js and others.
package frontmatter

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	adrg "github.com/adrg/frontmatter"

	"metarobots/internal/source"
)

// A Document is the front matter of one content file.
type Document struct {
	Format string         // toml, yaml or json; empty where the file has no front matter
	Params map[string]any // its keys as written
	Index  *source.Index  // their lines in the file; nil without front matter
}

// An Error is front matter that cannot be read, with its line in the file.
type Error source.SyntaxError

// maxSize is beyond what any page holds, in bytes.
const maxSize = 1 << 20

func (e *Error) Error() string { return "front matter: " + e.Msg }

// mark is the line that opens front matter. A language may stand behind it in any case of letters, as gray-matter reads
// it behind ---; one that is known has a format, or is a program.
// https://github.com/jonschlinkert/gray-matter/blob/4.0.3/lib/engine.js
var (
	mark    = regexp.MustCompile(`^(---|\+\+\+|;;;)[ \t]*([A-Za-z]\w*)?$`)
	formats = map[string]string{"---": "yaml", "---yaml": "yaml", "---yml": "yaml", "---toml": "toml",
		"---json": "json", "+++": "toml", ";;;": "json", "---js": "", "---javascript": "", "---node": ""}
)

// Parse reads the front matter of a content file: YAML, TOML or JSON between marks, or JSON as an object that the file
// starts with. A file without front matter is no error; front matter that is never closed is one, since generators take
// it for text and the page goes public. So is a language that is not known, and what states something in a block that
// generators take for text: between two hyphens, below a heading or another block, behind a comment.
// The error is an [*Error].
//
// closing are the lines that close YAML as --- does: none for Hugo and most others, "..." where a generator takes the
// end of a YAML document for that of the front matter.
func Parse(content []byte, closing ...string) (doc Document, err error) {
	content = bytes.TrimLeft(content, "\ufeff")
	first, rest, line := firstLine(content)
	if bytes.HasPrefix(first, []byte("{")) && !bytes.HasPrefix(first, []byte("{{")) {
		doc.Format = "json"
		err := doc.decode(content[:min(len(content), maxSize)], 0) // what follows the object is the page's text
		if len(content) > maxSize && doc.Index == nil {
			err = tooLarge(1)
		}
		return doc, err
	}
	m := mark.FindStringSubmatch(string(first))
	if m == nil {
		return doc, misplaced(content, 0)
	}
	format, known := formats[m[1]+strings.ToLower(m[2])]
	ends := []string{m[1]}
	if string(first) == "---" {
		ends = append(ends, closing...)
	}
	block, text, closed, err := cut(string(first), rest, ends)
	switch {
	case err != nil:
		return doc, &Error{Msg: err.Error()}
	case !closed && !known:
		return doc, nil // text
	case !closed:
		return doc, &Error{Line: line, Msg: fmt.Sprintf("%s on this line opens it, and no line with %s closes it",
			first, strings.Join(ends, " or "))}
	case format == "":
		return doc, &Error{Line: line, Msg: fmt.Sprintf("%s is not supported: write it in YAML, between lines "+
			"with --- alone", m[2])}
	case len(block) > maxSize:
		return doc, tooLarge(line)
	}
	doc.Format = format
	if err := doc.decode(block, line); err != nil {
		return doc, err
	}
	if first, _, _ := firstLine(text); slices.Contains([]string{"---", "+++"}, string(first)) {
		return doc, misplaced(text, bytes.Count(content[:len(content)-len(text)], []byte("\n")))
	}
	return doc, nil
}

// cut parts what follows the line that opens front matter at the first line that is one of ends. One that is indented
// stands inside of a value: the library, which trims lines, is not shown it.
func cut(opening string, rest []byte, ends []string) (block, text []byte, closed bool, err error) {
	shown := bytes.NewBufferString(opening + "\n")
	for row := range bytes.Lines(rest) {
		if end := string(bytes.TrimSpace(row)); slices.Contains(ends, end) {
			if bytes.HasPrefix(row, []byte(end)) {
				shown.WriteString(ends[0] + "\n")
				break
			}
			row = append(bytes.Repeat([]byte("."), len(row)-1), '\n')
		}
		shown.Write(row)
	}
	n := 0
	format := adrg.NewFormat(opening, ends[0], func(data []byte, _ any) error {
		n, closed = len(data), true
		return nil
	})
	_, err = adrg.Parse(shown, nil, format)
	_, text, _ = bytes.Cut(rest[n:], []byte("\n"))
	return rest[:n], text, closed, err
}

// stray is what was meant for front matter, with what stands above it: headings, comments, characters that nobody sees.
var stray = regexp.MustCompile(`(?s)\A((?:\s|\p{Cf}|#[^\n]*\n|<!--.*?-->)*)` +
	`(---?|\+\+\+)[ \t]*\r?\n(.*?\n)(?:---?|\+\+\+)[ \t]*\r?(?:\n|\z)`)

// misplaced is the error of a block that was meant for front matter and is text, where it says something for crawlers.
// text begins below line base of its file.
func misplaced(text []byte, base int) error {
	m := stray.FindSubmatch(text)
	if m == nil || len(m[3]) > maxSize {
		return nil
	}
	var params map[string]any
	format := cmp.Or(formats[string(m[2])], "yaml")
	if _, err := source.ReadFirst(format, m[3], 0, &params); err != nil || len(Read(params, Config{}).Statements) == 0 {
		return nil
	}
	unseen := ""
	if i := bytes.IndexFunc(m[1], func(r rune) bool { return unicode.Is(unicode.Cf, r) }); i >= 0 {
		r, _ := utf8.DecodeRune(m[1][i:])
		unseen = fmt.Sprintf(", without the character %U that stands before it and that nobody sees", r)
	}
	return &Error{Line: base + 1 + bytes.Count(m[1], []byte("\n")), Ours: true, Msg: "it begins with --- in the " +
		"first line of a file and is one block" + unseen + ": this is text, in which its robots keys have no effect"}
}

func tooLarge(line int) error {
	return &Error{Line: line, Msg: fmt.Sprintf("is larger than %d bytes: keep data of that size in a file of its own",
		maxSize), Ours: true}
}

// decode reads raw, which starts after line base of the file.
func (doc *Document) decode(raw []byte, base int) error {
	index, err := source.ReadFirst(doc.Format, raw, base, &doc.Params)
	doc.Index = index
	if index != nil && index.Repeated != nil {
		return (*Error)(index.Repeated)
	}
	if syntax, ok := errors.AsType[*source.SyntaxError](err); ok {
		return (*Error)(syntax)
	}
	return nil
}

// firstLine returns the first line that is not blank, without white space and byte order marks around it, what follows
// it, and its number.
func firstLine(content []byte) (line, rest []byte, n int) {
	for n := 1; len(content) > 0; n++ {
		line, rest, _ := bytes.Cut(content, []byte("\n"))
		if line = bytes.Trim(line, " \t\r\v\f\ufeff"); len(line) > 0 {
			return line, rest, n
		}
		content = rest
	}
	return nil, nil, 0
}
