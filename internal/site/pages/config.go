package pages

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"go.yaml.in/yaml/v3"

	"metarobots/internal/disk"
	"metarobots/internal/source"
	"metarobots/policy"
)

// readYAML reads a YAML document, also with the tags of other programs' own (MkDocs: !ENV, !!python/name:…), whose
// values are what is written.
func readYAML(data []byte) (any, error) {
	var node yaml.Node
	if err := yaml.Unmarshal(data, &node); err != nil {
		return nil, err
	}
	harmless(&node)
	var value any
	if err := node.Decode(&value); err != nil {
		return nil, err
	}
	return value, nil
}

// harmless takes the tags off that YAML itself does not know.
func harmless(n *yaml.Node) {
	known := map[string]bool{"!!str": true, "!!int": true, "!!float": true, "!!bool": true, "!!null": true,
		"!!map": true, "!!seq": true, "!!merge": true, "!!timestamp": true, "!!binary": true, "": true}
	if !known[n.ShortTag()] {
		n.Tag = ""
		if n.Kind == yaml.ScalarNode {
			n.Tag = "!!str"
		}
	}
	for _, below := range n.Content {
		harmless(below)
	}
}

// computedKeys are the keys at the top of a YAML document whose values have a tag that makes something else of them.
// https://www.mkdocs.org/user-guide/configuration/#environment-variables
func computedKeys(data []byte) map[string]bool {
	keys := map[string]bool{}
	var node yaml.Node
	if yaml.Unmarshal(data, &node) != nil || len(node.Content) == 0 {
		return keys
	}
	top := node.Content[0].Content
	for i := 1; i < len(top); i += 2 {
		if tag := top[i].Tag; strings.HasPrefix(tag, "!") && !strings.HasPrefix(tag, "!!") {
			keys[top[i-1].Value] = true
		}
	}
	return keys
}

func readTOML(data []byte) (value any, err error) {
	var m map[string]any
	_, err = toml.Decode(string(data), &m)
	return m, err
}

// A config is the configuration of a site's generator, as far as it is literal.
type config struct {
	// root is the site's folder, absolute.
	root string
	// now is the time that counts as now; zero where it is not known.
	now time.Time
	// file is the configuration, relative to root; empty where there is none.
	file string
	// values are those of one that is data; nil for a program. Those of computed are what a tag of the generator's own
	// makes of what is written: !ENV.
	values   map[string]any
	computed map[string]bool
	index    *source.Index
	// program is one that is a program.
	program program
	// unread are the keys that were wanted and are computed.
	unread []string
	// excluded are the files that the owner leaves out, by their paths from root.
	excluded []policy.Glob
}

// leavesOut reports whether the owner leaves a file out.
func (c *config) leavesOut(file string) bool { return matches(c.excluded, file) }

// How much is read of a file, in bytes.
const (
	maxConfig  = 1 << 20  // of configuration and of data that pages inherit
	maxContent = 64 << 20 // of a content file, as of a page
)

// readFile reads a file of the site, which its configuration may name. Most of those that are asked for are not there;
// one that the owner leaves out is as good as not there. The error of one that is not read is a [*dataError].
func (c *config) readFile(name string, limit int64) ([]byte, error) {
	file := joined(c.root, name)
	if _, err := os.Lstat(file); err != nil {
		return nil, err
	} else if c.leavesOut(name) {
		return nil, os.ErrNotExist
	}
	data, err := disk.Around(c.root).ReadFile(file, limit)
	if disk.Refused(err) {
		return nil, &dataError{file: name, msg: notRead(err)}
	}
	return data, err
}

// readInherited reads a file that pages inherit from: nil where there is none, a folder of that name included.
func (c *config) readInherited(name string) ([]byte, error) {
	if info, err := os.Stat(joined(c.root, name)); err != nil || info.IsDir() {
		return nil, nil
	}
	data, err := c.readFile(name, maxConfig)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// notRead says why a file that is there is not read, and nothing of what it holds.
func notRead(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return "the file is not read: " + err.Error()
}

// open reads the first of the named files that is there. Only data that cannot be read is an error.
func (c *config) open(names ...string) error {
	for _, name := range names {
		data, err := c.readFile(name, maxConfig)
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		c.file = name
		switch filepath.Ext(name) {
		case ".yml", ".yaml", ".json":
			value, err := readYAML(data)
			if err != nil {
				return placed(name, 0, err.Error())
			}
			c.values, _ = value.(map[string]any)
			c.computed = computedKeys(data)
			c.index, _ = source.Of("yaml", data, 0)
		case ".toml":
			value, err := readTOML(data)
			if err != nil {
				return placed(name, 0, err.Error())
			}
			c.values, _ = value.(map[string]any)
		case ".py":
			c.program = readPython(data)
		default:
			c.program = readScript(data)
		}
		return nil
	}
	return nil
}

// get returns a value of the configuration. One that is computed is remembered as wanted.
func (c *config) get(key string) (value any, known bool) {
	of := absent
	switch v := c.values[key]; {
	case c.values == nil:
		value, of = c.program.get(key)
		if s, ok := c.program.constant(c.program.at(key)); ok && of == unread {
			value, of = s, literal
		}
	case c.computed[key]:
		of = unread
	case v != nil:
		value, of = v, literal
	}
	if of == unread {
		c.unread = append(c.unread, key)
	}
	return value, of == literal
}

// text returns a text of the configuration, or what it is by default.
func (c *config) text(key, byDefault string) string {
	if value, known := c.get(key); known {
		if s, ok := value.(string); ok {
			return s
		}
	}
	return byDefault
}

// from is text for a part of a program.
func (c *config) from(p program, key, byDefault string) string {
	s, known := p.text(key)
	if known == unread {
		if s, ok := c.program.constant(p.at(key)); ok {
			return s
		}
		c.unread = append(c.unread, key)
	}
	if known != literal {
		return byDefault
	}
	return s
}

// follow reads the files beside a configuration, and from there on, whose exports it spreads into its own object, as
// { ...shared }. What cannot be found is as good as computed.
// https://vitepress.dev/guide/i18n (separating the locale configs)
func (c *config) follow() {
	c.spread(c.file, c.program, map[string]bool{c.file: true})
}

func (c *config) spread(file string, p program, seen map[string]bool) {
	for i, t := range p {
		if t.kind != word || t.text != "from" || i+1 >= len(p) || p[i+1].kind != text || !strings.HasPrefix(p[i+1].text,
			".") {
			continue
		}
		for j := i - 1; j >= 0 && p[j].text != "import"; j-- {
			if p[j].kind != word || !p.spreads(p[j].text) {
				continue
			}
			other, ok := c.beside(path.Join(path.Dir(file), p[i+1].text))
			switch {
			case !ok:
				c.unread = append(c.unread, "..."+p[j].text)
			case !seen[other]:
				seen[other] = true
				read := config{root: c.root}
				if read.open(other) == nil {
					c.program = append(c.program[:len(c.program):len(c.program)], read.program...)
					c.spread(other, read.program, seen)
				}
			}
		}
	}
}

// beside finds the program that an import names, from the site's folder.
func (c *config) beside(name string) (file string, ok bool) {
	bare := strings.TrimSuffix(name, path.Ext(name)) // of TypeScript it may be named as what it becomes
	for _, ext := range []string{"", ".ts", ".mts", ".js", ".mjs", "/index.ts", "/index.mts", "/index.js",
		"/index.mjs"} {
		for _, base := range []string{name, bare} {
			if info, err := os.Stat(joined(c.root, base+ext)); err == nil && info.Mode().IsRegular() &&
				!strings.HasSuffix(base+ext, ".json") {
				return base + ext, true
			}
		}
	}
	return "", false
}

// boolean returns a truth value of the configuration, or what it is by default.
func (c *config) boolean(key string, byDefault bool) bool {
	if value, known := c.get(key); known {
		if on, ok := value.(bool); ok {
			return on
		}
	}
	return byDefault
}

// list returns a list of texts; a text is a list of one.
func (c *config) list(key string) (list []string) {
	value, _ := c.get(key)
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		for _, e := range v {
			if s, ok := e.(string); ok {
				list = append(list, s)
			}
		}
	}
	return list
}

// exists reports whether the site's folder has a file or folder of that name.
func exists(root string, names ...string) bool {
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err == nil {
			return true
		}
	}
	return false
}

// firstLines reads up to 64 KiB of a file, as text; empty where it is not there.
func firstLines(file string) string {
	f, err := disk.Around(filepath.Dir(file)).Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, 64<<10))
	return string(data)
}

// clean is a path of a configuration as one from the site's folder; what leads out of it is kept as it is.
func clean(dir string) string {
	dir = strings.TrimPrefix(filepath.ToSlash(filepath.Clean(dir)), "./")
	if dir == "." {
		return ""
	}
	return strings.TrimSuffix(dir, "/")
}
