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

// A configFile is a file of Hugo's configuration. We read it for its lines, which Hugo does not
// keep.
type configFile struct {
	name string
	// prefix is the key of the whole configuration under which the file's contents are merged:
	// params for params.toml, none for hugo.toml.
	prefix   []string
	document frontmatter.Document
}

// keyInFile returns under which key the file has a key of the whole configuration: params.x is x in
// params.toml, and params.x in hugo.toml. ok is false if the file cannot have it, as params.toml
// cannot have title.
func (f *configFile) keyInFile(key []string) (inFile []string, ok bool) {
	if len(key) < len(f.prefix) {
		return nil, false
	}
	for i := range f.prefix {
		if !strings.EqualFold(f.prefix[i], key[i]) {
			return nil, false
		}
	}
	return key[len(f.prefix):], true
}

// locate returns the file and line of the key at path, from the top, in lower or any case. An
// environment variable that sets it is named instead. The longest part of the path that stands
// somewhere counts.
func (s *hugoSite) locate(path ...string) (string, int) {
	for n := len(path); n > 1; n-- {
		if name := variable(path[:n]); name != "" {
			return "env " + name, 0
		}
	}
	for n := len(path); n > 0; n-- {
		for _, f := range slices.Backward(s.configFiles()) { // a later one counts before an earlier one
			inFile, ok := f.keyInFile(path[:n])
			if !ok || len(inFile) == 0 { // the whole file is the key, and has no line
				continue
			}
			if line := f.document.Index.Line(inFile...); line > 0 {
				return f.name, line
			}
		}
	}
	return "", 0
}

// variable returns the environment variable that sets a key: HUGO_PARAMS_X or, with any other
// character for the line, HUGOxPARAMSxX.
// https://gohugo.io/configuration/introduction/#environment-variables
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

// readConfigFiles reads the configuration files, in the order in which Hugo merges them. Hugo names
// files and, of a configuration folder, its subfolders: _default, then the environment's.
func (s *hugoSite) readConfigFiles() (all []configFile) {
	seen := map[string]bool{}
	files := slices.Clone(s.configs.LoadingInfo.ConfigFiles)
	slices.SortStableFunc(files, func(a, b string) int { return s.rank(a) - s.rank(b) })
	for _, name := range files {
		filepath.WalkDir(name, func(file string, entry os.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() && !seen[file] {
				seen[file] = true
				all = append(all, readConfigFile(file)...)
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

// readConfigFile returns a configuration file as the one element of a list, which is empty if it
// cannot be read.
func readConfigFile(name string) []configFile {
	format := strings.TrimPrefix(filepath.Ext(name), ".")
	data, err := disk.ReadFile(name, maxSource)
	f := configFile{name: name}
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
	return []configFile{f}
}
