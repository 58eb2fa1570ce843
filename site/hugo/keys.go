package hugo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"metarobots/source"
)

// keys finds where keys of Hugo's merged configuration stand, by reading the merged files again: Hugo itself keeps no
// lines.
type keys struct {
	files []string // configuration files and folders, as Hugo read them

	once    sync.Once
	indexes []keyFile
}

// keyFile is one configuration file and the key under which its contents are merged.
type keyFile struct {
	name   string
	prefix []string
	index  *source.Index
}

// locate returns the file and line of the key at path, from the top, in lower or any case. An environment variable
// that sets it is named instead. The longest part of the path that stands somewhere counts.
func (k *keys) locate(path ...string) (string, int) {
	for n := len(path); n > 1; n-- {
		name := strings.ToUpper(strings.Join(path[:n], "_"))
		if _, ok := os.LookupEnv("HUGO_" + name); ok {
			return "env HUGO_" + name, 0
		}
	}
	k.once.Do(k.read)
	for n := len(path); n > 0; n-- {
		// A later file was merged over the earlier ones.
		for _, f := range slices.Backward(k.indexes) {
			if rest, ok := below(f.prefix, path[:n]); ok && len(rest) > 0 && f.index.Has(rest...) {
				return f.name, f.index.Line(rest...)
			}
		}
	}
	return "", 0
}

// below returns what is left of path after prefix.
func below(prefix, path []string) ([]string, bool) {
	if len(path) < len(prefix) {
		return nil, false
	}
	for i := range prefix {
		if !strings.EqualFold(prefix[i], path[i]) {
			return nil, false
		}
	}
	return path[len(prefix):], true
}

// read reads the configuration files. Hugo names files and, of a configuration folder, its subfolders: _default, then
// the environment's.
func (k *keys) read() {
	seen := map[string]bool{}
	for _, name := range k.files {
		filepath.WalkDir(name, func(file string, entry os.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() && !seen[file] {
				seen[file] = true
				k.file(file)
			}
			return nil
		})
	}
}

func (k *keys) file(name string) {
	format := strings.TrimPrefix(filepath.Ext(name), ".")
	data, err := os.ReadFile(name)
	if err != nil {
		return
	}
	index, err := source.Of(format, data, 0)
	if err != nil {
		return // Hugo has read it, or has said what is wrong
	}
	base := strings.TrimSuffix(filepath.Base(name), "."+format)
	f := keyFile{name: name, index: index}
	// A file of a configuration folder stands for the key of its name: params.toml, params.de.toml.
	// https://gohugo.io/configuration/introduction/#configuration-directory
	if !slices.Contains([]string{"hugo", "config"}, base) {
		key, lang, _ := strings.Cut(base, ".")
		f.prefix = []string{key}
		if lang != "" {
			f.prefix = []string{"languages", lang, key}
		}
		if index.Has(key) {
			f.prefix = f.prefix[:len(f.prefix)-1] // its contents are wrapped in that key
		}
	}
	k.indexes = append(k.indexes, f)
}
