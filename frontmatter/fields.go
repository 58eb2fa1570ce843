package frontmatter

import (
	"bytes"
	"strings"

	"metarobots/internal/lazyregexp"
	"metarobots/internal/source"
)

// Lektor's content is fields, "key: value", between lines of three hyphens, and nothing opens the
// first.
// https://www.getlektor.com/docs/content/
var (
	field   = lazyregexp.New(`^([A-Za-z_][\w-]*):(?:[ \t]+(.*)|[ \t]*)$`)
	divider = "---"
)

// ParseFields reads all fields of a contents.lr. A file without one has no front matter.
func ParseFields(content []byte) (doc Document) {
	var texts source.Texts
	key, n := "", 0
	for row := range bytes.Lines(bytes.TrimLeft(content, "\ufeff")) {
		n++
		line := strings.TrimRight(string(row), " \t\r\n")
		if m := field.FindStringSubmatch(line); key == "" && m != nil {
			key = m[1]
			texts.Add(key, m[2], n)
		} else if line == divider {
			key = ""
		} else if key != "" && line != "" {
			texts.Add(key, line, n)
		}
	}
	if texts.Values != nil {
		doc = Document{Format: "fields", Params: texts.Values, Index: texts.Index}
	}
	return doc
}

// unopened is the error of fields that were meant for front matter and are text, since no line
// opens the first or since they stand below the first: where they say something for crawlers. It is
// for a content whose first line opens nothing, without a byte order mark. Only blocks that a line
// of three hyphens ends count, and what is behind such a line up to the end of the content:
//
//	robots: noindex      the first block: front matter if d.Unopened, else an error
//	---
//	robots: nosnippet    the second one: text in either case, and so an error
//	---
//	Body
func (d Dialect) unopened(content []byte) *Error {
	var fields []source.Texts // of each block
	block, n := source.Texts{}, 0
	for row := range bytes.Lines(content) {
		n++
		line := strings.TrimRight(string(row), " \t\r\n")
		m := field.FindStringSubmatch(line)
		switch {
		case m != nil:
			block.Add(m[1], m[2], n)
		case line == divider && block.Values != nil:
			fields, block = append(fields, block), source.Texts{}
		case line != "" && len(fields) == 0:
			return nil // it begins as a text
		case line != "" && line != divider:
			return d.firstStated(fields)
		}
	}
	if len(fields) > 0 {
		fields = append(fields, block)
	}
	return d.firstStated(fields)
}

// firstStated is the error of the first field that states something and is text, which the first
// block is not if the generator reads it unopened.
func (d Dialect) firstStated(blocks []source.Texts) *Error {
	for i, block := range blocks {
		locate := func(path ...string) (string, int) { return "", block.Index.Line(path...) }
		stated := Read(block.Values, Config{Locate: locate}).Statements
		if len(stated) > 0 && (i > 0 || !d.Unopened) {
			return isText(stated[0].Origin.Line, "")
		}
	}
	return nil
}
