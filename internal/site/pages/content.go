package pages

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"

	"metarobots/emit/head"
	"metarobots/frontmatter"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/source"
	"metarobots/policy"
)

// A content is a content file: what it states, and which pages it may have made and has.
type content struct {
	reader               *reader
	folder               *folder
	file                 string // its path from the site's folder
	at                   pathInFolder
	language, collection string    // its own, if it has one; its kind: post, page, a collection's name
	stated               []section // its own front matter and what it inherits, the nearest first
	matter               section   // all of it merged
	title                string    // its title or its first heading
	// places are the published files that it may be, the likeliest first; a name may hold * for a
	// part that is not known, ** for any number of them, and [aNumber].
	places      []string
	makesMany   bool // every page that a place with a * matches is its page
	unpublished bool // the generator does not publish it, as far as the file itself says
	statements  []policy.Statement
	unread      []policy.Statement // what it seems to state in a form that is not read
	made        madeFiles
}

// pathInFolder is where a content file lies below its content folder: in the folder dir, with the
// name base before the extension.
type pathInFolder struct{ dir, base string }

// madeFiles are the published files that a content file was found to have made.
type madeFiles struct {
	names    []string // those that a rule gave it
	explicit bool     // a page names it as its own
}

func (c *content) ext() string { return extension(c.file) }

// path is that of the file below the content folder, without the extension.
func (p pathInFolder) path() string { return path.Join(p.dir, p.base) }

// indexed is the path where index stands for its folder.
func (p pathInFolder) indexed() string {
	if strings.EqualFold(p.base, "index") {
		return p.dir + "/"
	}
	return p.path()
}

// dates are how generators have them written beside the forms of F.
var dates = []string{"2006-01-02 15:04:05", "2006-01-02 15:04", "2006/01/02 15:04:05", "2006/01/02",
	"2006-01-02 15:04:05 -0700"}

// date is the one that a file states; zero where it states none.
func (c *content) date() time.Time {
	value := c.matter.get("date")
	t, err := frontmatter.Date(value)
	for _, form := range dates {
		if text, ok := value.(string); ok && err != nil {
			t, err = time.Parse(form, strings.TrimSpace(text))
		}
	}
	return t
}

var datedName = lazyregexp.New(`^(\d{4}-\d{1,2}-\d{1,2})-(.*)$`)

// dated returns the date of a file that has a name, its own before that of the name, and the name
// without a date.
func (c *content) dated(name string) (t time.Time, rest string) {
	m := datedName.FindStringSubmatch(name)
	if m == nil {
		return c.date(), name
	}
	day, _ := time.Parse("2006-1-2", m[1])
	return cmp.Or(c.date(), day), m[2]
}

// dateForms are the parts of a date, by the names of their placeholders.
var dateForms = map[string]string{"year": "2006", "month": "01", "day": "02", "i_month": "1", "i_day": "2",
	"hour": "15", "minute": "04", "second": "05", "short_year": "06", "y_day": "002", "short_month": "Jan",
	"long_month": "January", "short_day": "Mon", "long_day": "Monday"}

// isDraft reports whether a file says by one of these keys that it is not to be published.
func (c *content) isDraft(keys ...string) bool {
	return slices.Contains(keys, "draft") && c.matter.boolean("draft", false) ||
		slices.Contains(keys, "published") && !c.matter.boolean("published", true) ||
		slices.Contains(keys, "status") && strings.EqualFold(c.matter.text("status"), "draft")
}

// merged puts own parameters over inherited ones: a key replaces another, but maps are merged, as
// Eleventy and Jekyll do, and lists are joined, as Eleventy does.
// https://www.11ty.dev/docs/data-deep-merge/
func merged(own, below map[string]any) map[string]any {
	all := make(map[string]any, len(own)+len(below))
	maps.Copy(all, below)
	for key, value := range own {
		switch inherited := below[key].(type) {
		case map[string]any:
			if of, ok := value.(map[string]any); ok {
				value = merged(of, inherited)
			}
		case []any:
			if list, ok := value.([]any); ok {
				value = slices.Concat(inherited, list)
			}
		}
		all[key] = value
	}
	return all
}

// isObject reports whether a text begins with an object of JSON.
func isObject(data []byte) bool {
	var m map[string]any
	return json.NewDecoder(bytes.NewReader(data)).Decode(&m) == nil && m != nil
}

// readStatements reads what a content file states, and where each statement stands.
func (r *reader) readStatements(c *content) {
	o := r.options
	o.Layer = policy.LayerPage
	o.Locate = func(path ...string) (string, int) {
		file, line := c.locate(path)
		return r.site.short(file), line
	}
	result := frontmatter.Read(c.matter.params, o)
	c.statements, c.unread = result.Statements, result.Unread
	r.report(result.Findings)
}

// locate finds where a parameter stands, here or in what is inherited; of a value that was joined
// the file alone.
func (c *content) locate(key []string) (string, int) {
	want := fmt.Sprint(frontmatter.Lookup(c.matter.params, key))
	for _, s := range c.stated {
		if value := frontmatter.Lookup(s.params, key); value != nil && fmt.Sprint(value) == want {
			return s.file, s.line(key...)
		}
	}
	return c.file, 0
}

// heading finds the first heading of a text, a title where the front matter has none.
func heading(data []byte, ext string) string {
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if ext == ".rst" && len(bytes.Trim(line, "=-~^#*+. ")) > 0 {
			return string(line) // it begins with its title
		}
		if title, ok := bytes.CutPrefix(line, []byte("# ")); ok {
			return string(bytes.TrimSpace(title))
		}
	}
	return ""
}

// isData reports whether a file holds data alone, by its extension.
func isData(ext string) bool {
	return slices.Contains([]string{".json", ".yaml", ".yml", ".toml"}, ext)
}

// readData reads data, of a file of its own or of front matter.
func readData(file, ext string, data []byte) (section, error) {
	return readDataBy(source.Data, file, ext, data)
}

// readDataBy is readData with the reader that it is to use.
func readDataBy(read func(format string, data []byte) (any, *source.Index, error),
	file, ext string, data []byte) (
	section, error) {
	value, index, err := read(strings.TrimPrefix(strings.ToLower(ext), "."), data)
	params, _ := value.(map[string]any)
	return section{params: params, index: index, file: file}, err
}

// markedLines are lines between marks, which Pelican reads so, and never as YAML: "title: Oil: a
// guide".
// https://github.com/Python-Markdown/markdown/blob/3.4.1/markdown/extensions/meta.py
var markedLines = lazyregexp.New(`(?s)\A\x{feff}?---[ \t]*\r?\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\z)`)

// readHTMLMeta reads the metas of a head as Pelican does.
// https://docs.getpelican.com/en/stable/content.html#file-metadata
func readHTMLMeta(data []byte) (texts source.Texts) {
	isAsked := func([]byte) head.Kind { return head.Robots } // each is
	facts := new(head.Scanner).Scan(data, isAsked)
	for _, m := range facts.Robots {
		if m.HasContent && !m.Body && m.Mistake == "" {
			texts.Add(m.Name, m.Content, m.Line)
		}
	}
	if m := htmlTitle.FindSubmatchIndex(data); m != nil && texts.Values["title"] == nil {
		texts.Add("title", html.UnescapeString(string(data[m[2]:m[3]])), head.Line(data, m[0]))
	}
	return texts
}

var htmlTitle = lazyregexp.New(`(?is)<title[^>]*>(.*?)</title>`)

// scriptMatter is a program as front matter.
// https://www.11ty.dev/docs/data-frontmatter/#java-script-front-matter
var scriptMatter = lazyregexp.New(
	`(?sm)\A\x{feff}*---[ \t]*(?i:js|javascript|node)[ \t]*(\r?\n.*?)^---[ \t]*\r?$`)

// readHexo reads what is front matter to Hexo alone: between marks of four characters or more, both
// of one length, ;;;; for JSON; and a map before the first such line.
// https://github.com/hexojs/hexo-front-matter
func readHexo(file string, data []byte) (s section, err error) {
	m := hexoMatter.FindStringSubmatch(string(data))
	if m == nil || m[1] != "" && m[1] != m[3] || strings.TrimSpace(m[2]) == "" {
		return s, nil // text
	}
	front, ext := strings.Repeat("\n", min(1, len(m[1])))+m[2], ".yaml"
	if m[3][0] == ';' {
		front, ext = "{"+front+"}", ".json"
	}
	s, err = readData(file, ext, []byte(front))
	if m[1] == "" && (err != nil || s.params == nil) {
		return section{}, nil
	}
	return s, err
}

var hexoMatter = lazyregexp.New(`(?sm)\A\x{feff}?(?:(-{4,}|;{4,})\r?\n)?(.*?)^(---+|;;;+)[ \t]*\r?$`)

// A dialect is how a generator reads front matter where it differs from most others: a table of
// generators.toml.
type dialect struct {
	Closing    []string // lines that close YAML as --- does, such as "..."
	LastCounts bool     // of a key that occurs twice the generator takes the last, without a word
	// DataIsText: a .json or .yaml file is a page of text, with front matter between marks
	// (Jekyll).
	DataIsText bool
	// UnmarkedLines: lines "Key: value" at the top count without marks, if there is no YAML
	// (MkDocs, Pelican).
	UnmarkedLines bool
	// MarkedLines: such lines count between --- and --- too, if they are no YAML (Pelican).
	MarkedLines bool
	// HexoMarks: front matter as [readHexo] reads it counts too.
	HexoMarks bool
	// ObjectCounts: an object of JSON at the top is front matter. To other generators it is text.
	ObjectCounts bool
}

// readFrontMatter reads the front matter of a content file for [reader.readContent], in any form
// that the site's generator reads. file is its path from the site's folder, ext its extension with
// the dot. The section's params are nil if the file has none, and an empty map if it has one
// without keys. Of a program, only an object of literal values is read; what else in it may state
// something is noted in r.computed.
func (r *reader) readFrontMatter(file, ext string, data []byte) (section, error) {
	d := r.site.generator.Dialect
	ext = strings.ToLower(ext)
	program := scriptMatter.FindSubmatch(data)
	switch {
	case isData(ext) && !d.DataIsText:
		return r.judgeRepeats(readData(file, ext, data))
	case strings.HasPrefix(ext, ".11ty."): // a template that is a program
		r.noteComputed(file, string(data), programOfPage)
		return section{file: file}, nil
	case program != nil:
		return r.readScript(file, string(program[1])), nil
	case ext == ".astro" || d.isTemplateTag(data):
		return section{file: file}, nil
	}
	return r.readTextMatter(file, ext, data)
}

// isTemplateTag reports whether a text begins with { that opens no front matter: a tag of a
// template such as {% extends "a.html" %}, or an object of JSON where the generator takes that for
// text.
func (d dialect) isTemplateTag(data []byte) bool {
	text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if !bytes.HasPrefix(text, []byte("{")) {
		return false
	}
	return !d.ObjectCounts || !beginsObject.Match(text) && !isObject(text)
}

// readTextMatter reads the front matter with which a text begins, for [reader.readFrontMatter],
// whose arguments and result it has. There are three kinds. The first that the text has counts:
//
//	between marks, ---        every generator reads it, as YAML, TOML or JSON; Pelican as lines of
//	                          any text too, "title: Oil: a guide"
//	Hexo's own                between longer marks, or before the first mark (readHexo)
//	lines without marks       only this generator's dialect knows them, or the format of this
//	                          extension
func (r *reader) readTextMatter(file, ext string, data []byte) (section, error) {
	d := r.site.generator.Dialect
	document, err := d.parse(ext, data)
	hasMarks := document.Format != ""
	switch {
	case err != nil:
		isNoYAML := document.Index == nil // otherwise it was read, and something else is wrong
		if texts, areLines := d.betweenMarks(data); areLines && isNoYAML {
			return section{params: texts.Values, index: texts.Index, file: file}, nil
		}
		return section{file: file}, err
	case hasMarks:
		s := section{params: document.Params, index: document.Index, file: file}
		if s.params == nil {
			s.params = map[string]any{} // nothing between them, and front matter all the same
		}
		return r.judgeRepeats(s, nil)
	case d.HexoMarks && !slices.Contains(fielded, ext): // in fielded formats ---- is part of the text
		return r.judgeRepeats(readHexo(file, data))
	}
	texts := d.unmarked(ext, data)
	return section{params: texts.Values, index: texts.Index, file: file}, nil
}

// unmarked reads front matter that is lines without marks, or the metas of an HTML file; without
// values if there are none, or if neither the format of the extension nor the dialect knows such.
func (d dialect) unmarked(ext string, data []byte) (texts source.Texts) {
	switch {
	case slices.Contains(fielded, ext):
		texts, _ = source.Fields.Read(data, 0)
	case d.UnmarkedLines && (ext == ".html" || ext == ".htm"):
		texts = readHTMLMeta(data)
	case d.UnmarkedLines:
		texts, _ = source.MetaLines.Read(data, 0)
	}
	return texts
}

// parse reads front matter between marks, and that of a format with marks of its own: Lektor's
// contents.lr and Org. The document's Format is empty if there are no marks.
func (d dialect) parse(ext string, data []byte) (frontmatter.Document, error) {
	// The common form is read first for Lektor's and Org's files too: Org falls back to it.
	document, err := frontmatter.Dialect{Closing: d.Closing, LastCounts: d.LastCounts,
		Unopened: d.UnmarkedLines || d.HexoMarks}.Parse(data)
	switch ext {
	case ".lr":
		return frontmatter.ParseFields(data), nil
	case ".org":
		if org, fault := frontmatter.ParseOrg(data); fault != nil || org.Params != nil {
			return org, fault
		}
	}
	return document, err
}

// betweenMarks reads "Key: value" lines between --- and ---. whole is false if the dialect has
// none, if there are no marks, or if another kind of line is there too.
func (d dialect) betweenMarks(data []byte) (texts source.Texts, whole bool) {
	m := markedLines.FindSubmatch(data)
	if m == nil || !d.MarkedLines {
		return texts, false
	}
	return source.MetaLines.Read(m[1], 1) // the first line is the mark
}

// repeated reports keys of front matter that stand twice: see [reader.reportRepeats].
func (r *reader) repeated(file string, x *source.Index) error {
	if fault := r.reportRepeats(file, x, r.concerns); fault != nil {
		return (*frontmatter.Error)(fault)
	}
	return nil
}

// judgeRepeats returns front matter that was read, and its error: the one of reading it, or else
// that of [reader.repeated].
func (r *reader) judgeRepeats(s section, err error) (section, error) {
	if err == nil {
		err = r.repeated(s.file, s.index)
	}
	return s, err
}

// concerns reports whether a key of front matter may state something for crawlers.
func (r *reader) concerns(k source.Repeat) bool { return frontmatter.Concerns(k.Path, r.options) }

// reportRepeatsInConfig reports keys of the configuration that stand twice. What stands first may
// state something for crawlers at any depth, as Jekyll's defaults do.
func (r *reader) reportRepeatsInConfig() {
	c := r.site.config
	speaks := func(k source.Repeat) bool {
		return r.speaks(map[string]any{k.Path[len(k.Path)-1]: k.Passed})
	}
	if err := r.reportRepeats(c.file, c.index, speaks); err != nil {
		r.fail(fault(r.site.short(c.file), err))
	}
}

// speaks reports whether a key at any depth of a value may state something for crawlers.
func (r *reader) speaks(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		return frontmatter.Mentions(value, r.options) ||
			slices.ContainsFunc(slices.Collect(maps.Values(value)), r.speaks)
	case []any:
		return slices.ContainsFunc(value, r.speaks)
	}
	return false
}

// reportRepeats reports keys that stand twice, of which the generator takes the last. It is an
// error if one may state something for crawlers.
func (r *reader) reportRepeats(file string, x *source.Index, concerns func(source.Repeat) bool) (
	fault *source.SyntaxError) {
	if x == nil {
		return nil
	}
	for _, k := range x.Repeats {
		said := fmt.Sprintf("%s is already defined on line %d", frontmatter.KeyName(k.Path), k.First)
		if concerns(k) {
			return &source.SyntaxError{Line: k.Line, Msg: said + ": merge the two"}
		}
		r.found(policy.Finding{ID: "repeated-key", Severity: policy.Warning,
			File: r.site.short(file), Line: k.Line, Message: said + ": the generator takes the last"})
	}
	return nil
}

// beginsObject is how an object of JSON begins, which is an error where it cannot be read.
var beginsObject = lazyregexp.New(`\A\{[ \t]*(?:\r?\n|["'])`)

// fielded are the extensions of content whose front matter may be lines of its own.
var fielded = []string{".adoc", ".asciidoc", ".asc", ".rst"}
