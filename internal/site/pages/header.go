package pages

import (
	"bytes"
	"html"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/head"
	"metarobots/frontmatter"
	"metarobots/internal/source"
)

// header is the front matter of a content file, in any form that its generator reads.
type header struct {
	document frontmatter.Document
	file     string   // from the site's folder
	under    []string // the key it stands under there
}

// line is that of a key, 0 where it is not known. path is in lower case.
func (h *header) line(path []string) int {
	return h.document.Index.Line(slices.Concat(h.under, path)...)
}

// isData reports whether a file holds data alone, by its extension.
func isData(ext string) bool {
	return slices.Contains([]string{".json", ".yaml", ".yml", ".toml"}, ext)
}

// readData reads data, of a file of its own or of front matter.
func readData(file, ext string, data []byte) (h header, err error) {
	h.file, h.document.Format = file, strings.TrimPrefix(strings.ToLower(ext), ".")
	value, index, err := source.Data(h.document.Format, data)
	h.document.Index = index
	h.document.Params, _ = value.(map[string]any)
	return h, err
}

// markedLines are lines between marks, which Pelican reads so, and never as YAML: "title: Oil: a guide".
// https://github.com/Python-Markdown/markdown/blob/3.4.1/markdown/extensions/meta.py
var markedLines = regexp.MustCompile(`(?s)\A\x{feff}?---[ \t]*\r?\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\z)`)

// readHTMLMeta reads the metas of a head as Pelican does.
// https://docs.getpelican.com/en/stable/content.html#file-metadata
func readHTMLMeta(data []byte) (h header) {
	var texts source.Texts
	facts := new(head.Scanner).Scan(data, func([]byte) head.Kind { return head.Robots }) // each is asked for
	for _, m := range facts.Robots {
		if m.HasContent && !m.Body && m.Mistake == "" {
			texts.Add(m.Name, m.Content, m.Line)
		}
	}
	if m := htmlTitle.FindSubmatchIndex(data); m != nil && texts.Values["title"] == nil {
		texts.Add("title", html.UnescapeString(string(data[m[2]:m[3]])), head.Line(data, m[0]))
	}
	return headerOf(texts)
}

func headerOf(texts source.Texts) (h header) {
	h.document.Params, h.document.Index = texts.Values, texts.Index
	return h
}

var htmlTitle = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)

// scriptMatter is a program as front matter. https://www.11ty.dev/docs/data-frontmatter/#java-script-front-matter
var scriptMatter = regexp.MustCompile(
	`(?sm)\A\x{feff}*---[ \t]*(?i:js|javascript|node)[ \t]*(\r?\n.*?)^---[ \t]*\r?$`)

// readHexo reads what is front matter to Hexo alone: between marks of four characters or more, both of one length, ;;;;
// for JSON; and a map before the first such line. https://github.com/hexojs/hexo-front-matter
func readHexo(file string, data []byte) (h header, err error) {
	m := hexoMatter.FindStringSubmatch(string(data))
	if m == nil || m[1] != "" && m[1] != m[3] || strings.TrimSpace(m[2]) == "" {
		return h, nil // text
	}
	front, ext := strings.Repeat("\n", min(1, len(m[1])))+m[2], ".yaml"
	if m[3][0] == ';' {
		front, ext = "{"+front+"}", ".json"
	}
	h, err = readData(file, ext, []byte(front))
	if m[1] == "" && (err != nil || h.document.Params == nil) {
		return header{}, nil
	}
	return h, err
}

var hexoMatter = regexp.MustCompile(`(?sm)\A\x{feff}?(?:(-{4,}|;{4,})\r?\n)?(.*?)^(---+|;;;+)[ \t]*\r?$`)

// A dialect is how a generator reads front matter where it differs from the others.
type dialect struct {
	Closing                           []string
	Lines, Marked, Long, NoData, Bare bool // see generators.toml
}

// frontMatter reads what stands at the top of a content file.
func (r *reader) frontMatter(file, ext string, data []byte) (h header, err error) {
	d := r.site.generator.Dialect
	h.file, ext = file, strings.ToLower(ext)
	if isData(ext) && !d.NoData {
		return readData(file, ext, data)
	} else if strings.HasPrefix(ext, ".11ty.") {
		r.mentions(file, string(data), false)
		return h, nil
	} else if m := scriptMatter.FindSubmatch(data); m != nil {
		return r.script(file, m[1]), nil
	}
	first := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if ext == ".astro" || bytes.HasPrefix(first, []byte("{")) && !(d.Bare && isObject(first)) {
		return h, nil
	}
	h.document, err = frontmatter.Parse(data, d.Closing...)
	switch m := markedLines.FindSubmatch(data); {
	case err != nil && h.document.Index == nil && d.Marked && m != nil:
		if texts, whole := source.MetaLines.Read(m[1], 1); whole {
			h, err = headerOf(texts), nil
		}
	case err != nil || h.document.Format != "":
	case slices.Contains(fielded, ext):
		texts, _ := source.Fields.Read(data, 0)
		h = headerOf(texts)
	case d.Long:
		h, err = readHexo(file, data)
	case d.Lines && (ext == ".html" || ext == ".htm"):
		h = readHTMLMeta(data)
	case d.Lines:
		texts, _ := source.MetaLines.Read(data, 0)
		h = headerOf(texts)
	}
	h.file = file
	return h, err
}

// fielded are the extensions of content whose front matter may be lines of its own.
var fielded = []string{".adoc", ".asciidoc", ".asc", ".rst"}
