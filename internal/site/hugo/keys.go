package hugo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/frontmatter"
	"metarobots/internal/disk"
	"metarobots/internal/source"
)

// keyFile is one configuration file and the key under which its contents are merged. It is read for its lines, which
// Hugo does not keep.
type keyFile struct {
	name     string
	prefix   []string
	document frontmatter.Document
}

// locate returns the file and line of the key at path, from the top, in lower or any case. An environment variable
// that sets it is named instead. The longest part of the path that stands somewhere counts.
func (s *hugoSite) locate(path ...string) (string, int) {
	for n := len(path); n > 1; n-- {
		if name := variable(path[:n]); name != "" {
			return "env " + name, 0
		}
	}
	for n := len(path); n > 0; n-- {
		// A later file was merged over the earlier ones.
		for _, f := range slices.Backward(s.keys()) {
			if rest, ok := below(f.prefix, path[:n]); ok && len(rest) > 0 && f.document.Index.Line(rest...) > 0 {
				return f.name, f.document.Index.Line(rest...)
			}
		}
	}
	return "", 0
}

// variable returns the environment variable that sets a key: HUGO_PARAMS_X or, with any other character for the line,
// HUGOxPARAMSxX. https://gohugo.io/configuration/introduction/#environment-variables
func variable(path []string) string {
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if rest, ok := strings.CutPrefix(name, "HUGO"); ok && rest != "" &&
			strings.EqualFold(rest[1:], strings.Join(path, rest[:1])) {
			return name
		}
	}
	return ""
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

// readConfiguration reads the configuration files. Hugo names files and, of a configuration folder, its subfolders:
// _default, then the environment's.
func (s *hugoSite) readConfiguration() (all []keyFile) {
	seen := map[string]bool{}
	files := slices.Clone(s.configs.LoadingInfo.ConfigFiles)
	slices.SortStableFunc(files, func(a, b string) int { return s.rank(a) - s.rank(b) })
	for _, name := range files {
		filepath.WalkDir(name, func(file string, entry os.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() && !seen[file] {
				seen[file] = true
				all = append(all, readKeys(file)...)
			}
			return nil
		})
	}
	return all
}

// rank is 1 for the site's own files, which are merged over those of themes and modules.
func (s *hugoSite) rank(name string) int {
	inside := func(folder string) bool {
		rel, err := filepath.Rel(folder, name)
		return err == nil && filepath.IsLocal(rel)
	}
	source, themes := s.options.Source, s.absolute(s.configs.LoadingInfo.BaseConfig.ThemesDir)
	if inside(source) && !inside(themes) && !inside(filepath.Join(source, "_vendor")) {
		return 1
	}
	return 0
}

// readKeys reads a configuration file; none where it cannot be read.
func readKeys(name string) []keyFile {
	format := strings.TrimPrefix(filepath.Ext(name), ".")
	data, err := disk.ReadFile(name, maxSource)
	f := keyFile{name: name}
	if err == nil {
		f.document.Index, err = source.Read(format, data, 0, &f.document.Params)
	}
	if err != nil {
		return nil // Hugo has read it, or has said what is wrong
	}
	base := strings.TrimSuffix(filepath.Base(name), "."+format)
	// A file of a configuration folder stands for the key of its name: params.toml, params.de.toml.
	// https://gohugo.io/configuration/introduction/#configuration-directory
	if !slices.Contains([]string{"hugo", "config"}, base) {
		key, lang, _ := strings.Cut(base, ".")
		f.prefix = []string{key}
		if lang != "" {
			f.prefix = []string{"languages", lang, key}
		}
		if f.document.Index.Line(key) > 0 {
			f.prefix = f.prefix[:len(f.prefix)-1] // its contents are wrapped in that key
		}
	}
	return []keyFile{f}
}
