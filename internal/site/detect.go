package site

import (
	"os"
	"path/filepath"

	"github.com/BurntSushi/toml"
)

// HugoFlags reports whether flags of Hugo's say where its configuration lies.
func HugoFlags(flags map[string]any) bool { return flags["config"] != nil || flags["configDir"] != nil }

// IsHugo reports whether a folder holds a Hugo site: Hugo's configuration, which is hugo.* or config.*, or a folder
// config/_default. A config.toml whose values isPolicy takes for a policy of ours does not count, where nil takes none,
// nor does one of Zola's, which must have base_url.
// https://gohugo.io/configuration/introduction/
// https://www.getzola.org/documentation/getting-started/configuration/
//
// It is known without Hugo: a program that has no Hugo compiled in must not take such a folder for one of ordinary
// pages, whose front matter nobody reads.
func IsHugo(source string, isPolicy func(values map[string]any) bool) bool {
	foreign := func(file string) bool {
		var values map[string]any
		_, err := toml.DecodeFile(file, &values)
		return err == nil && (values["base_url"] != nil || isPolicy != nil && isPolicy(values))
	}
	for _, name := range []string{"hugo", "config"} {
		for _, ext := range []string{".toml", ".yaml", ".yml", ".json"} {
			file := filepath.Join(source, name+ext)
			if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() &&
				!(name == "config" && ext == ".toml" && foreign(file)) {
				return true
			}
		}
	}
	info, err := os.Stat(filepath.Join(source, "config", "_default"))
	return err == nil && info.IsDir()
}
