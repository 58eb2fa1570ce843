package pages

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"metarobots/emit/head"
	"metarobots/frontmatter"
	"metarobots/internal/source"
	"metarobots/policy"
)

// content is one content file.
type content struct {
	// file is its path from the site's folder, dir its folder and base its name below the content folder; base has no
	// extension, ext the dot.
	file, dir, base, ext string
	// headers are its own front matter and what it inherits, the nearest first.
	headers []header
	// params are all of them merged.
	params map[string]any
	// language of the content folder, where it has one of its own.
	language string
	// kind of content that its generator takes it for: post, page, a collection's name.
	collection string
	// edition of its content folder.
	edition string
	// title is its first heading or its title.
	title string

	// places are the published files that it may be, the likeliest first; a name may hold * for a part that is not known, **
	// for any number of them, and [aNumber].
	places []string
	// many: every page that a place with a * matches is its page.
	many bool
	// owned are those of them that the owner says; views are the pages that show it, where there may be several.
	owned []string
	views []view
	// unpublished: the generator does not publish it, as far as the file itself says.
	unpublished bool

	// keys are those in lower case that state something of robots.
	keys map[string]bool
	// unread are keys of its front matter, or of what it inherits, that are computed, by file.
	unread map[string][]string
	// words of its own programs, and of those it inherits from, by which a file says that it is a draft.
	words map[string]bool

	statements []policy.Statement
	claimed    []string // the published files it was found to be
}

// rel is its path below the content folder, without the extension.
func (c *content) rel() string { return path.Join(c.dir, c.base) }

// text returns a parameter that is a text, or prints as one.
func (c *content) text(key string) string {
	switch v := frontmatter.Lookup(c.params, []string{key}).(type) {
	case string:
		return strings.TrimSpace(v)
	case int, int64, uint64, float64:
		return fmt.Sprint(v)
	}
	return ""
}

// texts returns a parameter that is a text or a list of them.
func (c *content) texts(key string) []string {
	switch v := frontmatter.Lookup(c.params, []string{key}).(type) {
	case []any:
		var all []string
		for _, e := range v {
			all = append(all, fmt.Sprint(e))
		}
		return all
	case string:
		if v != "" {
			return []string{v}
		}
	}
	return nil
}

// flag reports whether a parameter is true, or is false.
func (c *content) flag(key string, want bool) bool {
	on, ok := frontmatter.Truth(frontmatter.Lookup(c.params, []string{key}))
	return ok && on == want
}

// date is the file's: its date parameter.
func (c *content) date() (time.Time, bool) {
	value := frontmatter.Lookup(c.params, []string{"date"})
	if value == nil {
		return time.Time{}, false
	}
	t, err := frontmatter.Date(value)
	if s, ok := value.(string); err != nil && ok {
		for _, layout := range []string{"2006-01-02 15:04:05", "2006-01-02 15:04", "2006/01/02 15:04:05", "2006/01/02", "2006-01-02 15:04:05 -0700"} {
			if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
				return t, true
			}
		}
	}
	return t, err == nil
}

// draftKeys are those by which a file says, in one generator's words or another's, that it is not to be published.
var draftKeys = []string{"draft", "published", "status"}

// isDraft reports whether a file says by one of these keys that it is not to be published.
func (c *content) isDraft(keys ...string) bool {
	return slices.Contains(keys, "draft") && c.flag("draft", true) ||
		slices.Contains(keys, "published") && c.flag("published", false) ||
		slices.Contains(keys, "status") && strings.EqualFold(c.text("status"), "draft")
}

// merged puts own parameters over inherited ones. deep merges maps key by key and joins lists, as Eleventy does; else
// a key replaces the one below it.
// https://www.11ty.dev/docs/data-deep-merge/
func merged(own, below map[string]any, deep bool) map[string]any {
	all := make(map[string]any, len(own)+len(below))
	for key, value := range below {
		all[key] = value
	}
	for key, value := range own {
		under, ok := all[key]
		if deep && ok {
			a, isMap := value.(map[string]any)
			b, both := under.(map[string]any)
			if isMap && both {
				value = merged(a, b, true)
			}
			c, isList := value.([]any)
			d, both := under.([]any)
			if isList && both {
				value = slices.Concat(d, c)
			}
		}
		all[key] = value
	}
	return all
}

// read reads what stands at the top of a content file.
func (c *content) read(data []byte, dialect dialect) (h header, err error) {
	h.file = c.file
	ext := strings.ToLower(c.ext)
	if dialect == jekyllDialect {
		if first := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff"))); len(first) > 0 && first[0] == '{' {
			return h, nil // JSON, a program or Liquid: it is published as it is
		}
	} else if ext == ".json" || ext == ".yaml" || ext == ".yml" || ext == ".toml" {
		return readData(c.file, data)
	}
	if strings.HasPrefix(ext, ".11ty.") {
		return c.program(c.file, readScript(data), 0, (*script).readTemplate), nil
	}
	if program, ok := scripted(data); ok {
		return c.program(c.file, readScript(program), 1, (*script).readMatter), nil
	}
	if h.Document, err = frontmatter.Parse(data, dialect.closing()...); err != nil && dialect == pelicanDialect {
		if lines, ok := readMarked(data); ok {
			lines.file = c.file
			return lines, nil
		}
	}
	if err != nil || h.Format != "" {
		return h, err
	}
	if dialect == hexoDialect {
		if h.Document, err = parseLong(data); err != nil || h.Format != "" {
			return h, err
		}
	}
	var other header
	switch {
	case ext == ".rst":
		other = readFields(data, "")
	case ext == ".adoc" || ext == ".asciidoc" || ext == ".asc":
		other = readFields(data, "page-")
	case dialect.lines() && (ext == ".html" || ext == ".htm"):
		other = readHTMLMeta(data)
	case dialect.lines():
		other = readMeta(data)
	case dialect == hexoDialect:
		other, _ = readHexo(data)
	}
	other.file = c.file
	return other, nil
}

// program reads a program, as far as it is literal, and remembers what is not.
func (c *content) program(file string, p program, base int, read func(*script)) header {
	h, s := readProgram(p, base, read)
	h.file = file
	if s.whole != "" {
		c.computes(file, s.whole)
	}
	for _, path := range s.computed {
		if c.matters(path) {
			c.computes(file, strings.Join(path, "."))
		}
	}
	for _, key := range s.stray() {
		if key = strings.ToLower(key); c.keys[key] || key == "eleventycomputed" {
			c.computes(file, key)
		}
	}
	if !s.prints {
		c.listens(p)
	}
	return h
}

// listens remembers which words for drafts a program knows.
func (c *content) listens(p program) {
	for _, key := range draftKeys {
		if !c.words[key] && p.speaksOf(func(s string) bool { return s == key || key == "draft" && strings.Contains(s, key) }) {
			if c.words == nil {
				c.words = map[string]bool{}
			}
			c.words[key] = true
		}
	}
}

// placingKeys say where a page is published, or whether it is. A title or date that is computed matters where the page is
// not found, which is said then.
var placingKeys = []string{"permalink", "layout", "draft", "published", "slug", "pagination"}

// matters reports whether something is lost where the value of a key is not known: it may state something, or say where the
// page is.
func (c *content) matters(path []string) bool {
	for len(path) > 0 && slices.Contains([]string{"eleventycomputed", "params", "seo"}, strings.ToLower(path[0])) {
		path = path[1:]
	}
	if len(path) == 0 || strings.HasPrefix(path[0], "...") || strings.HasPrefix(path[0], "[") {
		return true
	}
	key := strings.ToLower(path[0])
	return c.keys[key] || len(path) == 1 && slices.Contains(placingKeys, key)
}

// computes remembers that a file's value of a key is computed.
func (c *content) computes(file, key string) {
	if c.unread == nil {
		c.unread = map[string][]string{}
	}
	if !slices.Contains(c.unread[file], key) {
		c.unread[file] = append(c.unread[file], key)
	}
}

// A dialect is how a generator reads front matter where it differs from the others: in forms that only it knows, in what
// closes YAML, and in which files have any.
type dialect uint8

const (
	plainDialect dialect = iota
	metaDialect
	pelicanDialect
	hexoDialect
	jekyllDialect
)

// closing are the lines that close YAML beside ---. Eleventy, Astro, Docusaurus, VitePress and Hexo have none.
// https://github.com/mkdocs/mkdocs/blob/1.4.2/mkdocs/utils/meta.py
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/document.rb
// https://github.com/Python-Markdown/markdown/blob/3.4.1/markdown/extensions/meta.py (Pelican)
func (d dialect) closing() []string {
	if d.lines() || d == jekyllDialect {
		return []string{"..."}
	}
	return nil
}

// lines reports whether a generator reads "Key: value" lines where there is no YAML.
func (d dialect) lines() bool { return d == metaDialect || d == pelicanDialect }

// A dataError is a file of data that cannot be read.
type dataError struct {
	file string
	line int // from 1; 0 where it is not known
	msg  string
}

func (e *dataError) Error() string { return placed(e.file, e.line, e.msg).Error() }

// readData reads a file that holds data alone. The error is a [*dataError].
func readData(file string, data []byte) (h header, err error) {
	h.file = file
	value, err := h.readValue(data)
	h.Params, _ = value.(map[string]any)
	return h, err
}

// readValue reads what a file of data holds.
func (h *header) readValue(data []byte) (value any, err error) {
	h.Format = strings.TrimPrefix(strings.ToLower(path.Ext(h.file)), ".")
	var syntax *source.SyntaxError
	h.Index, err = source.Of(h.Format, data, 0)
	if errors.As(err, &syntax) {
		return nil, &dataError{h.file, syntax.Line, syntax.Msg}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch h.Format {
	case "json":
		err = json.Unmarshal(data, &value)
	case "toml":
		value, err = readTOML(data)
	default:
		value, err = readYAML(data)
	}
	if err != nil {
		e := &dataError{file: h.file, msg: err.Error()}
		var after *json.SyntaxError
		var of toml.ParseError
		switch {
		case errors.As(err, &after):
			e.line = 1 + bytes.Count(data[:min(int(after.Offset), len(data))], []byte("\n"))
		case errors.As(err, &of):
			e.line, e.msg = of.Position.Line, of.Message
		}
		return nil, e
	}
	h.lines = map[string]int{"": firstLine(data)}
	return value, nil
}

// firstLine is the number of the first line that says something, where all of a file is one value.
func firstLine(data []byte) (n int) {
	for line := range bytes.Lines(data) {
		n++
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' && !bytes.HasPrefix(line, []byte("---")) {
			break
		}
	}
	return n
}

// states reads what the parameters state, and where each statement stands.
func (c *content) states(o frontmatter.Options, short func(string) string) (findings []policy.Finding, errs []error) {
	found := func(problem frontmatter.Problem) {
		file, line := c.locate(problem.Path)
		findings = append(findings, policy.Finding{ID: problem.ID, Severity: problem.Severity, File: short(file), Line: line, Message: problem.Message})
	}
	for _, problem := range frontmatter.Mistyped(c.params, o) {
		found(problem)
	}
	if !frontmatter.Mentions(c.params, o) {
		return findings, nil
	}
	result := frontmatter.Read(c.params, o)
	for i := range result.Statements {
		at := &result.Statements[i].Origin
		at.Layer = policy.LayerPage
		at.File, at.Line = c.locate(result.Paths[i])
		at.File = short(at.File)
	}
	for _, problem := range result.Problems {
		if problem.Severity != policy.Error {
			found(problem)
			continue
		}
		file, line := c.locate(problem.Path)
		errs = append(errs, placed(short(file), line, problem.Message))
	}
	c.statements = result.Statements
	return findings, errs
}

// locate finds where a parameter stands: in its own front matter, or in what it inherits from. Where neither has that
// value in that place, as in a list that was joined, it is the file alone: no line is invented.
func (c *content) locate(key []string) (string, int) {
	want := fmt.Sprint(frontmatter.Lookup(c.params, key))
	for i := range c.headers {
		h := &c.headers[i]
		if value := frontmatter.Lookup(h.Params, key); value != nil && fmt.Sprint(value) == want {
			return h.file, h.line(key)
		}
	}
	return c.file, 0
}

func placed(file string, line int, message string) error {
	if line > 0 {
		file += ":" + strconv.Itoa(line)
	}
	return fmt.Errorf("%s: %s", file, message)
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

func lineOf(data []byte, offset int) int { return head.Line(data, offset) }
