package pages

import (
	"bytes"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"metarobots/emit/head"
	"metarobots/frontmatter"
)

// header is the front matter of a content file, in any form that its generator reads.
type header struct {
	// Document is what github.com/adrg/frontmatter found; without its Index where it was none of its forms.
	frontmatter.Document
	// lines are those of the keys, in lower case, and of the elements of lists, "robots.1", where the document has no
	// Index.
	lines map[string]int
	// shift is how far the lines of the Index are off.
	shift int
	// file is where it stands, relative to the site's folder; under is the key that it stands under there, and above
	// the one whose value all of that file is.
	file         string
	under, above []string
}

// line is that of a key, 0 where it is not known. path is in lower case.
func (h *header) line(path []string) int {
	path = slices.Concat(h.under, path)
	if h.Index == nil {
		return h.lines[strings.Join(path, ".")]
	}
	if len(path) < len(h.above) || len(path) == len(h.above) && len(path) > 0 {
		return h.lines[""]
	}
	if n := h.Index.Line(path[len(h.above):]...); n > 0 {
		return n + h.shift
	}
	return 0
}

var (
	// metaLine of MultiMarkdown's metadata, as Python-Markdown reads it.
	// https://python-markdown.github.io/extensions/meta_data/#syntax
	metaLine = regexp.MustCompile(`^ {0,3}([A-Za-z0-9_-]+):[ \t]*(.*)$`)
	metaMore = regexp.MustCompile(`^(?: {4,}|\t)(.*)$`)
	// fieldLine of reStructuredText's bibliographic fields and of AsciiDoc's document attributes.
	// https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#field-lists
	// https://docs.asciidoctor.org/asciidoc/latest/document/header/
	fieldLine = regexp.MustCompile(`^:([A-Za-z0-9_-]+):[ \t]*(.*)$`)
)

// readMeta reads "Key: value" lines at the top of a Markdown file, up to the first blank one: what MkDocs and Pelican
// read where there is no YAML. A key that stands twice is a list.
func readMeta(data []byte) header {
	h := header{lines: map[string]int{}}
	last := ""
	n := 0
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\ufeff"))) {
		n++
		s := strings.TrimRight(string(line), " \t\r\n")
		if s == "" {
			break
		}
		if m := metaLine.FindStringSubmatch(s); m != nil {
			last = strings.ToLower(m[1])
			h.add(last, m[2], n)
		} else if m := metaMore.FindStringSubmatch(s); m != nil && last != "" {
			h.add(last, m[1], n)
		} else {
			break
		}
	}
	return h
}

// readMarked reads such lines between marks, where they are no YAML, "title: Oil: a guide": Pelican takes no YAML at
// all. It is not ok for what it would read to another end.
// https://github.com/Python-Markdown/markdown/blob/3.4.1/markdown/extensions/meta.py
func readMarked(data []byte) (h header, ok bool) {
	m := markedLines.FindSubmatchIndex(data)
	if m == nil {
		return h, false
	}
	lines := data[m[2]:m[3]]
	h = readMeta(lines)
	for i, line := range slices.Collect(bytes.Lines(lines)) {
		line = bytes.TrimRight(line, " \t\r\n")
		if !metaLine.Match(line) && (i == 0 || !metaMore.Match(line)) {
			return h, false
		}
	}
	for key, value := range h.Params {
		if s, ok := value.(string); ok && len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
			h.Params[key] = s[1 : len(s)-1]
		}
	}
	for key := range h.lines {
		h.lines[key]++
	}
	return h, true
}

var markedLines = regexp.MustCompile(`(?s)\A\x{feff}?---[ \t]*\r?\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\z)`)

// add takes a key with a value of text.
func (h *header) add(key, value string, line int) {
	value = strings.TrimSpace(value)
	if h.Params == nil {
		h.Params = map[string]any{}
	}
	switch was := h.Params[key].(type) {
	case nil:
		h.Params[key], h.lines[key] = value, line
	case string:
		if was == "" {
			h.Params[key] = value
		} else {
			h.Params[key] = []any{was, value}
			h.lines[key+".0"], h.lines[key+".1"] = h.lines[key], line
		}
	case []any:
		h.lines[key+"."+strconv.Itoa(len(was))] = line
		h.Params[key] = append(was, value)
	}
}

// readFields reads the fields of a reStructuredText file's top, or the attributes of an AsciiDoc header: ":key: value".
// Titles may stand before and between them. prefix is taken off the names.
func readFields(data []byte, prefix string) header {
	h := header{lines: map[string]int{}}
	n, text := 0, 0
	last := ""
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\ufeff"))) {
		n++
		s := strings.TrimRight(string(line), " \t\r\n")
		m := fieldLine.FindStringSubmatch(s)
		switch {
		case m != nil:
			last = strings.TrimPrefix(strings.ToLower(m[1]), prefix)
			h.add(last, m[2], n)
			if prefix != "" && h.Params[last] == "" {
				h.Params[last] = true // an attribute of AsciiDoc is set by its name alone
			}
		case s == "" && len(h.Params) > 0:
			return h // the fields are over
		case s != "" && (s[0] == ' ' || s[0] == '\t') && last != "":
			h.add(last, s, n)
		case s != "":
			if text++; text > 4 { // more than a title with its lines
				return h
			}
		}
	}
	return h
}

// readHTMLMeta reads what stands as metas in the head of an HTML file, as Pelican does.
// https://docs.getpelican.com/en/stable/content.html#file-metadata
func readHTMLMeta(data []byte) header {
	h := header{lines: map[string]int{}}
	for _, m := range metasOf(data, func([]byte) bool { return true }) {
		if m.HasContent && !m.Body {
			h.add(m.Name, m.Content, m.Line)
		}
	}
	if m := htmlTitle.FindSubmatchIndex(data); m != nil && h.Params["title"] == nil {
		h.add("title", html.UnescapeString(string(data[m[2]:m[3]])), head.Line(data, m[0]))
	}
	return h
}

// metasOf returns the metas of a page whose names are asked for.
func metasOf(data []byte, asked func([]byte) bool) []head.Meta {
	var s head.Scanner
	facts := s.Scan(data, func(name []byte) head.Kind {
		if asked(name) {
			return head.Robots
		}
		return head.None
	})
	return slices.DeleteFunc(facts.Robots, func(m head.Meta) bool { return m.Mistake > 0 })
}

var htmlTitle = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)

// scripted returns the program in the front matter of a template of Eleventy, which ---js opens, on the lines where it
// stands. https://www.11ty.dev/docs/data-frontmatter/#java-script-front-matter
func scripted(data []byte) (program []byte, ok bool) {
	m := scriptMatter.FindSubmatch(data)
	if m == nil {
		return nil, false
	}
	return append([]byte("\n"), m[1]...), true
}

var scriptMatter = regexp.MustCompile(`(?sm)\A\x{feff}?---(?:js|javascript|node)[ \t]*\r?\n(.*?)^---[ \t]*\r?$`)

// readHexo reads front matter that nothing opens: what stands before the first line of hyphens, or of semicolons for
// JSON, is one where it reads as a map. https://github.com/hexojs/hexo-front-matter
func readHexo(data []byte) (header, bool) {
	for _, marks := range []string{"---", ";;;"} {
		pattern := hyphens
		if marks == ";;;" {
			pattern = semicolons
		}
		end := pattern.FindIndex(data)
		if end == nil || len(bytes.TrimSpace(data[:end[0]])) == 0 {
			continue
		}
		front := string(bytes.TrimPrefix(data[:end[0]], []byte("\ufeff")))
		if marks == ";;;" {
			front = "{" + front + "}"
		}
		d, err := frontmatter.Parse([]byte(marks + "\n" + front + "\n" + marks + "\n"))
		if err == nil && d.Params != nil {
			return header{Document: d, shift: -1}, true
		}
	}
	return header{}, false
}

// parseLong reads front matter of Hexo between marks of more than three characters, both of one length: ----- and
// ;;;;;.
func parseLong(data []byte) (d frontmatter.Document, err error) {
	m := longMark.FindSubmatch(data)
	if m == nil {
		return d, nil
	}
	rest := data[len(m[0]):]
	end := bytes.Index(rest, append([]byte("\n"), m[1]...))
	if end < 0 {
		return d, nil // text
	}
	mark, front := "---", string(rest[:end+1])
	if m[1][0] == ';' {
		mark, front = ";;;", "{"+front+"}\n"
	}
	return frontmatter.Parse([]byte(mark + "\n" + front + mark + "\n"))
}

var (
	longMark   = regexp.MustCompile(`\A\x{feff}?(-{4,}|;{4,})\r?\n`)
	hyphens    = regexp.MustCompile(`(?m)^---+[ \t]*\r?$`)
	semicolons = regexp.MustCompile(`(?m)^;;;+[ \t]*\r?$`)
)
