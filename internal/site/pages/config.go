package pages

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/frontmatter"
	"metarobots/internal/disk"
	"metarobots/internal/source"
	"metarobots/policy"
)

// How much is read of a file, in bytes.
const (
	maxConfig  = 1 << 20  // of configuration and of data that pages inherit
	maxContent = 64 << 20 // of a content file, as of a page
)

// readFile reads a file of the site: nil where there is none, and of one that the owner leaves out.
func (s *openedSite) readFile(name string, limit int64) ([]byte, error) {
	root := s.options.Source
	file := joined(root, name)
	info, err := os.Stat(file)
	if err == nil && info.IsDir() || matches(s.content.Exclude, name) {
		return nil, nil
	} else if errors.Is(err, os.ErrNotExist) {
		return nil, disk.LeadsNowhere(file) // its generator fails
	}
	return disk.Around(root).ReadFile(file, limit)
}

// fault is an error of a file, at its line, or why it is not read; it shows nothing of what the
// file holds.
func fault(file string, err error) *policy.Finding {
	f := &policy.Finding{File: file, Message: err.Error()}
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		f.Message = "the file is not read: " + at.Err.Error()
	} else if disk.Refused(err) {
		f.Message = "the file is not read: " + err.Error()
	} else if syntax, ok := errors.AsType[*source.SyntaxError](err); ok {
		f.Line, f.Message = syntax.Line, syntax.Msg
	} else if own, ok := errors.AsType[*frontmatter.Error](err); ok {
		f.Line = own.Line
	}
	return f
}

// A section is what a configuration, a part of one, or front matter says, as far as it is literal.
type section struct {
	params   map[string]any
	index    *source.Index // on which lines of its file the keys stand
	file     string        // from the site's folder; empty where there is none
	under    []string      // the keys that the section stands under there
	program  source.Tokens // of a configuration that is one
	computed computedKeys  // of the site's configurations; nil for front matter
}

// open reads the first of the named files that is there.
func (s *openedSite) open(names ...string) (c section, err error) {
	for _, name := range names {
		data, err := s.readFile(name, maxConfig)
		switch {
		case data == nil && err == nil:
			continue
		case err == nil && isData(path.Ext(name)):
			c, err = s.readConfig(name, data)
		case err == nil:
			c = section{file: name, program: source.Lex(string(data))}
			c.params, c.index = c.program.Read()
		}
		if c.computed = s.computed; err != nil {
			return c, fault(name, err)
		}
		return c, nil
	}
	return section{computed: s.computed}, nil
}

// readConfig reads a configuration that is data, with the last of a key that stands twice where the
// generator takes that.
func (s *openedSite) readConfig(name string, data []byte) (section, error) {
	if s.generator.Dialect.LastCounts {
		return readDataBy(source.DataLast, name, path.Ext(name), data)
	}
	return readData(name, path.Ext(name), data)
}

// line is that of a key, 0 where it is not known.
func (s section) line(path ...string) int { return s.index.Line(slices.Concat(s.under, path)...) }

// noteComputed remembers that a value of the configuration is computed.
func (s section) noteComputed(key string) {
	if s.computed != nil {
		s.computed.add(s.file, key)
	}
}

// get returns a value, nil where it is not known. Case matters in a configuration, where BASE may
// be a program's name.
func (s section) get(key string) any {
	value := s.params[key]
	if s.computed == nil {
		value = frontmatter.Lookup(s.params, []string{key})
	}
	if value == source.Computed {
		s.noteComputed(key)
		return nil
	}
	return value
}

// in is the section that stands under a key.
func (s section) in(key string) section {
	of := s.part(s.get(key))
	of.under = append(slices.Clip(s.under), key)
	return of
}

// part is one value of the section as one of its own.
func (s section) part(value any) section {
	s.params, _ = value.(map[string]any)
	return s
}

// text returns a text, or a number as one, or what it is by default.
func (s section) text(key string, byDefault ...string) string {
	switch v := s.get(key).(type) {
	case string:
		return strings.TrimSpace(v)
	case int, int64, uint64, float64:
		return fmt.Sprint(v)
	}
	return append(byDefault, "")[0]
}

func (s section) boolean(key string, byDefault bool) bool {
	if on, ok := frontmatter.Truth(s.get(key)); ok {
		return on
	}
	return byDefault
}

// list returns the texts of a list, or those by default; a text is a list of one.
func (s section) list(key string, byDefault ...string) []string {
	v := s.get(key)
	if text, ok := v.(string); ok && text != "" {
		return []string{text}
	}
	all, ok := v.([]any)
	if !ok {
		return byDefault
	}
	list := []string{}
	for _, e := range all {
		if e == source.Computed {
			s.noteComputed(key)
		} else {
			list = append(list, fmt.Sprint(e))
		}
	}
	return list
}

// exists reports whether a folder holds one of these files or folders.
func exists(root string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, err := os.Stat(joined(root, name))
		return err == nil
	})
}

// textOf is the text of a file that is no larger than a configuration; empty where it is not there.
func textOf(root, name string) string {
	data, _ := disk.Around(root).ReadFile(joined(root, name), maxConfig)
	return string(data)
}

// clean is a path of a configuration as one from the site's folder; what leads out of it is kept as
// it is.
func clean(dir string) string {
	dir = strings.TrimPrefix(filepath.ToSlash(filepath.Clean(dir)), "./")
	if dir == "." {
		return ""
	}
	return strings.TrimSuffix(dir, "/")
}

// leftOut reads patterns, one a line, of what is left out of a folder or taken in: without a slash
// in the middle at any depth, else from the top. None are read where one takes something back with
// !, nor one that names nothing, as *: they only say why a file has no page.
// https://git-scm.com/docs/gitignore#_pattern_format
func leftOut(dir, lines string) (all []policy.Glob) {
	for line := range strings.Lines(lines) {
		name := strings.TrimSuffix(strings.TrimSpace(line), "/")
		switch {
		case strings.HasPrefix(name, "!"):
			return nil
		case !distinct.MatchString(name) || name[0] == '#':
			continue
		case !strings.Contains(name, "/"):
			name = "**/" + name
		}
		all = append(all, globs(dir, name, name+"/**")...)
	}
	return all
}

// globs reads patterns of what is in a folder as far as they are globs; what is none excludes
// nothing.
func globs(dir string, patterns ...string) (all []policy.Glob) {
	for _, pattern := range patterns {
		if g, err := policy.ParseGlob("/" + strings.TrimPrefix(path.Join(dir, pattern), "/")); err == nil {
			all = append(all, g)
		}
	}
	return all
}

var everything = globs("", "**")

func matches(all []policy.Glob, rel string) bool {
	return slices.ContainsFunc(all, func(g policy.Glob) bool { return g.Match(policy.PathOf(rel)) })
}
