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

// lineForm is front matter of lines, "Key: value".
type lineForm struct {
	// key is a line with a key, more one that goes on with the value.
	key, more *regexp.Regexp
	// prefix is taken off the names; a key of a form that has one is set by its name alone.
	prefix string
	// texts is how many other lines, a title's, may stand before and between them.
	texts int
}

var (
	// metaLines are MultiMarkdown's metadata, as Python-Markdown reads it: what MkDocs and Pelican read at the top of a
	// Markdown file, up to the first blank line, where there is no YAML.
	// https://python-markdown.github.io/extensions/meta_data/#syntax
	metaLines = lineForm{key: regexp.MustCompile(`^ {0,3}([A-Za-z0-9_-]+):[ \t]*(.*)$`),
		more: regexp.MustCompile(`^(?: {4,}|\t)(.*)$`)}
	// rstFields are reStructuredText's bibliographic fields, and docAttributes those of an AsciiDoc header.
	// https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#field-lists
	// https://docs.asciidoctor.org/asciidoc/latest/document/header/
	rstFields     = lineForm{key: fieldLine, more: regexp.MustCompile(`^[ \t](.*)$`), texts: 4}
	docAttributes = lineForm{key: fieldLine, more: rstFields.more, prefix: "page-", texts: 4}
	fieldLine     = regexp.MustCompile(`^:([A-Za-z0-9_-]+):[ \t]*(.*)$`)
)

// read reads the lines of a file's top. A key that stands twice is a list. whole: nothing else stood there.
func (f lineForm) read(data []byte) (h header, whole bool) {
	h = header{lines: map[string]int{}}
	n, last, texts := 0, "", f.texts
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\ufeff"))) {
		n++
		s := strings.TrimRight(string(line), " \t\r\n")
		if m := f.key.FindStringSubmatch(s); m != nil {
			last = strings.TrimPrefix(strings.ToLower(m[1]), f.prefix)
			if h.add(last, m[2], n); f.prefix != "" && h.Params[last] == "" {
				h.Params[last] = true
			}
		} else if m := f.more.FindStringSubmatch(s); m != nil && last != "" {
			h.add(last, m[1], n)
		} else if s != "" {
			texts--
		}
		if texts < 0 || s == "" && (f.texts == 0 || h.Params != nil) {
			return h, false
		}
	}
	return h, true
}

// readMarked reads lines between marks, where they are no YAML, "title: Oil: a guide": Pelican takes no YAML at all. It
// is not ok for what it would read to another end.
// https://github.com/Python-Markdown/markdown/blob/3.4.1/markdown/extensions/meta.py
func readMarked(data []byte) (h header, ok bool) {
	m := markedLines.FindSubmatch(data)
	if m == nil {
		return h, false
	}
	if h, ok = metaLines.read(m[1]); !ok {
		return h, false
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

// readHexo reads what Hexo takes for front matter beside the rest: what stands between marks of more than three
// characters, both of one length, ----- and ;;;;; for JSON; and what nothing opens, before the first such line, where
// it reads as a map. https://github.com/hexojs/hexo-front-matter
func readHexo(data []byte) (h header, err error) {
	m := hexoMatter.FindSubmatch(data)
	if m == nil || len(m[1]) > 0 && string(m[1]) != string(m[3]) || len(bytes.TrimSpace(m[2])) == 0 {
		return h, nil // text
	}
	mark, front := string(m[3][:3]), string(m[2])
	if mark == ";;;" {
		front = "{" + front + "}\n"
	}
	h.Document, err = frontmatter.Parse([]byte(mark + "\n" + front + mark + "\n"))
	if len(m[1]) == 0 {
		if h.shift = -1; err != nil || h.Params == nil {
			return header{}, nil
		}
	}
	return h, err
}

var hexoMatter = regexp.MustCompile(`(?sm)\A\x{feff}?(?:(-{4,}|;{4,})\r?\n)?(.*?)^(---+|;;;+)[ \t]*\r?$`)
