package tree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"metarobots/emit/head"
	"metarobots/frontmatter"
	"metarobots/policy"
	"metarobots/source"
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
	// title is its first heading or its title.
	title string

	// places are the published files that it may be, the likeliest first; a name may hold * for a part that is not known.
	places []string
	// many: every page that a place with a * matches is its page.
	many bool
	// unpublished: the generator does not publish it, as far as the file itself says.
	unpublished bool

	// unread are keys of its front matter, or of what it inherits, that are computed, by file.
	unread map[string][]string

	statements []policy.Statement
	claimed    []string // the published files it was found to be
}

// rel is its path below the content folder, without the extension.
func (c *content) rel() string { return path.Join(c.dir, c.base) }

// text returns a parameter that is a text, or prints as one.
func (c *content) text(key string) string {
	switch v := lookup(c.params, []string{key}).(type) {
	case string:
		return strings.TrimSpace(v)
	case int, int64, uint64, float64:
		return fmt.Sprint(v)
	}
	return ""
}

// texts returns a parameter that is a text or a list of them.
func (c *content) texts(key string) []string {
	switch v := lookup(c.params, []string{key}).(type) {
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
	on, ok := frontmatter.Truth(lookup(c.params, []string{key}))
	return ok && on == want
}

// date is the file's: its date parameter.
func (c *content) date() (time.Time, bool) {
	value := lookup(c.params, []string{"date"})
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

// isDraft reports whether a file says in any generator's words that it is not to be published.
func (c *content) isDraft() bool {
	return c.flag("draft", true) || c.flag("published", false) || strings.EqualFold(c.text("status"), "draft")
}

// lookup follows a path of lower case through maps and lists; nil where it leads nowhere.
func lookup(value any, path []string) any {
	for _, name := range path {
		switch v := value.(type) {
		case map[string]any:
			value = nil
			for key, below := range v {
				if strings.EqualFold(key, name) {
					value = below
				}
			}
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
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
	if ext == ".json" || ext == ".yaml" || ext == ".yml" || ext == ".toml" {
		return readData(c.file, data)
	}
	if program, ok := scripted(data); ok {
		return c.program(c.file, program, 1), nil
	}
	if h.Document, err = frontmatter.Parse(data); err != nil || h.Format != "" {
		return h, err
	}
	var other header
	switch {
	case ext == ".rst":
		other = readFields(data, "")
	case ext == ".adoc" || ext == ".asciidoc" || ext == ".asc":
		other = readFields(data, "page-")
	case dialect == metaDialect && (ext == ".html" || ext == ".htm"):
		other = readHTMLMeta(data)
	case dialect == metaDialect:
		other = readMeta(data)
	case dialect == hexoDialect:
		other, _ = readHexo(data)
	}
	other.file = c.file
	return other, nil
}

// program reads data that is a program, as far as it is literal, and remembers what is not.
func (c *content) program(file string, data []byte, base int) header {
	h, unread := readProgram(data, base)
	h.file = file
	if len(unread) > 0 {
		if c.unread == nil {
			c.unread = map[string][]string{}
		}
		c.unread[file] = unread
	}
	return h
}

// A dialect is a form of front matter beside that which all generators read.
type dialect uint8

const (
	plainDialect dialect = iota
	metaDialect
	hexoDialect
)

// readData reads a file that holds data alone.
func readData(file string, data []byte) (h header, err error) {
	h.file = file
	var value any
	switch h.Format = strings.TrimPrefix(strings.ToLower(path.Ext(file)), "."); h.Format {
	case "json":
		err = json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &value)
	case "toml":
		value, err = readTOML(data)
	default:
		value, err = readYAML(data)
	}
	if err != nil {
		return h, &frontmatter.Error{Msg: err.Error()}
	}
	h.Params, _ = value.(map[string]any)
	h.Index, err = source.Of(h.Format, data, 0)
	return h, err
}

// states reads what the parameters state, and where each statement stands.
func (c *content) states(o frontmatter.Options, short func(string) string) (findings []policy.Finding, errs []error) {
	if !frontmatter.Mentions(c.params, o) {
		return nil, nil
	}
	result := frontmatter.Read(c.params, o)
	for i := range result.Statements {
		at := &result.Statements[i].Origin
		at.Layer = policy.LayerPage
		at.File, at.Line = c.locate(result.Paths[i])
		at.File = short(at.File)
	}
	for _, problem := range result.Problems {
		file, line := c.locate(problem.Path)
		if problem.Severity == policy.Error {
			errs = append(errs, placed(short(file), line, problem.Message))
			continue
		}
		findings = append(findings, policy.Finding{ID: problem.ID, Severity: problem.Severity, File: short(file), Line: line, Message: problem.Message})
	}
	c.statements = result.Statements
	return findings, errs
}

// locate finds where a parameter stands: in its own front matter, or in what it inherits from. Where neither has that
// value in that place, as in a list that was joined, it is the file alone: no line is invented.
func (c *content) locate(key []string) (string, int) {
	want := fmt.Sprint(lookup(c.params, key))
	for i := range c.headers {
		h := &c.headers[i]
		if value := lookup(h.Params, key); value != nil && fmt.Sprint(value) == want {
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
	var p head.Page
	p.Scan(data, asked)
	return p.Metas
}

func lineOf(data []byte, offset int) int { return head.Line(data, offset) }
