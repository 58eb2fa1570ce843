package source

import (
	"bytes"
	"strings"

	"metarobots/internal/lazyregexp"
)

// Texts are values of text, and the lines of their keys.
type Texts struct {
	Values map[string]any // a string each, or true of a key that is set by its name alone
	Index  *Index         // nil without any
}

// Add enters a key with a value, without quotes around it. To a key that is there already the value
// is added, behind a comma; its line stays that of the first.
func (t *Texts) Add(key, value string, line int) {
	if t.Values == nil {
		t.Values, t.Index = map[string]any{}, &Index{}
	}
	value = strings.Trim(strings.TrimSpace(value), `"'`)
	if t.Index.Line(key) == 0 {
		t.Index.put(&t.Index.top, key, line)
	}
	if before, _ := t.Values[key].(string); before != "" {
		value = before + ", " + value
	}
	t.Values[key] = value
}

// A LineForm is a form of front matter that is lines, "Key: value".
type LineForm struct {
	// key matches a line with a key and a value, more one that goes on with the value.
	key, more *lazyregexp.Regexp
	// prefix is taken off the names. In a form that has one, a key without a value is set: it is
	// true.
	prefix string
	// texts is how many other lines, such as a title, may be before and between them.
	texts int
}

var (
	// MetaLines are MultiMarkdown's metadata, as Python-Markdown reads it: what MkDocs and Pelican
	// read at the top of a Markdown file, up to the first blank line, where there is no YAML.
	// https://python-markdown.github.io/extensions/meta_data/#syntax
	MetaLines = LineForm{key: lazyregexp.New(`^ {0,3}([A-Za-z0-9_-]+):[ \t]*(.*)$`),
		more: lazyregexp.New(`^(?: {4,}|\t)(.*)$`)}
	// Fields are those of an AsciiDoc header, and reStructuredText's bibliographic fields.
	// https://docs.asciidoctor.org/asciidoc/latest/document/header/
	// https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#field-lists
	Fields = LineForm{key: lazyregexp.New(`^:([A-Za-z0-9_-]+):[ \t]*(.*)$`),
		more: lazyregexp.New(`^[ \t](.*)$`), prefix: "page-", texts: 4}
)

// Read reads the lines at the top of a file, up to the first line that ends the front matter. base
// is how many lines of the file are before data. isAll reports whether no line ended it: then all
// of data is front matter. That matters only to callers that have cut data out from between marks.
// Keys are in lower case, without the form's prefix; all values of a key that is there several
// times count (Texts.Add). As Fields, of an AsciiDoc file:
//
//	= A title           a line of another kind, as there may be four (f.texts)
//	                    a blank line: before the first key it does not end the front matter
//	:page-robots: noindex
//	 nofollow           goes on: robots is "noindex, nofollow"
//	:page-unlisted:     a key alone: unlisted is true
//	                    a blank line: ends the front matter
//
// As MetaLines, where no title may be, the first blank line and the first of another kind end it.
func (f LineForm) Read(data []byte, base int) (t Texts, isAll bool) {
	lastKey, textsLeft, number := "", f.texts, base
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\ufeff"))) {
		number++
		text := strings.TrimRight(string(line), " \t\r\n")
		keyLine := f.key.FindStringSubmatch(text)   // nil if the line is none of a key
		moreLine := f.more.FindStringSubmatch(text) // nil if it does not go on
		mayBlankFollow := f.texts > 0 && t.Values == nil
		switch {
		case keyLine != nil:
			lastKey = f.addKey(&t, keyLine[1], keyLine[2], number)
		case moreLine != nil && lastKey != "":
			t.Add(lastKey, moreLine[1], number)
		case text == "" && mayBlankFollow:
		case text != "" && textsLeft > 0: // a title, an author …
			textsLeft--
		default:
			return t, false
		}
	}
	return t, true
}

// addKey adds a key with its value, and returns it as it is in the values. In a form with a prefix,
// a key alone is true.
func (f LineForm) addKey(t *Texts, written, value string, line int) (key string) {
	key = strings.TrimPrefix(strings.ToLower(written), f.prefix)
	t.Add(key, value, line)
	if f.prefix != "" && t.Values[key] == "" {
		t.Values[key] = true
	}
	return key
}
