package source

import (
	"bytes"
	"strings"

	"metarobots/internal/lazyregexp"
)

// Texts are values of text, and where they stand.
type Texts struct {
	Values map[string]any
	Index  *Index
}

// Add enters a key with a value, or with more of it.
func (t *Texts) Add(key, value string, line int) {
	if t.Values == nil {
		t.Values, t.Index = map[string]any{}, &Index{}
	}
	value = strings.Trim(strings.TrimSpace(value), `"'`)
	if t.Index.Line(key) == 0 {
		t.Index.put(&t.Index.top, key, line)
	}
	if was, _ := t.Values[key].(string); was != "" {
		value = was + ", " + value
	}
	t.Values[key] = value
}

// A LineForm is front matter of lines, "Key: value".
type LineForm struct {
	// key is a line with a key, more one that goes on with the value.
	key, more *lazyregexp.Regexp
	// prefix is taken off the names; a key of a form that has one is set by its name alone.
	prefix string
	// texts is how many other lines, a title's, may stand before and between them.
	texts int
}

var (
	// MetaLines are MultiMarkdown's metadata, as Python-Markdown reads it: what MkDocs and Pelican read at the top of a
	// Markdown file, up to the first blank line, where there is no YAML.
	// https://python-markdown.github.io/extensions/meta_data/#syntax
	MetaLines = LineForm{key: lazyregexp.New(`^ {0,3}([A-Za-z0-9_-]+):[ \t]*(.*)$`),
		more: lazyregexp.New(`^(?: {4,}|\t)(.*)$`)}
	// Fields are those of an AsciiDoc header, and reStructuredText's bibliographic fields.
	// https://docs.asciidoctor.org/asciidoc/latest/document/header/
	// https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#field-lists
	Fields = LineForm{key: lazyregexp.New(`^:([A-Za-z0-9_-]+):[ \t]*(.*)$`),
		more: lazyregexp.New(`^[ \t](.*)$`), prefix: "page-", texts: 4}
)

// Read reads the lines of a file's top, of which n stand before data. whole: nothing else stood there.
func (f LineForm) Read(data []byte, n int) (t Texts, whole bool) {
	last, texts := "", f.texts
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\ufeff"))) {
		n++
		s := strings.TrimRight(string(line), " \t\r\n")
		if m := f.key.FindStringSubmatch(s); m != nil {
			last = strings.TrimPrefix(strings.ToLower(m[1]), f.prefix)
			if t.Add(last, m[2], n); f.prefix != "" && t.Values[last] == "" {
				t.Values[last] = true
			}
		} else if m := f.more.FindStringSubmatch(s); m != nil && last != "" {
			t.Add(last, m[1], n)
		} else if s != "" {
			texts--
		}
		if texts < 0 || s == "" && (f.texts == 0 || t.Values != nil) {
			return t, false
		}
	}
	return t, true
}
