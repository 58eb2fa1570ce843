package site

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"metarobots/policy"
)

// IsHugo reports whether a folder holds a Hugo site: Hugo's flags name its configuration, or it is
// there, as hugo.*, config.* or a folder config/_default. A config.toml whose values isPolicy takes
// for a policy of ours does not count, where nil takes none, nor does one of Zola's, which must
// have base_url.
// https://gohugo.io/configuration/introduction/
// https://www.getzola.org/documentation/getting-started/configuration/
//
// It is known without Hugo: a program that has no Hugo compiled in must not take such a folder for
// one of ordinary pages, whose front matter nobody reads.
func IsHugo(source string, flags map[string]any, isPolicy func(values map[string]any) bool) bool {
	isFile := func(name string) bool {
		info, err := os.Stat(filepath.Join(source, name))
		return err == nil && info.Mode().IsRegular()
	}
	names := []string{"hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config.yaml", "config.yml", "config.json"}
	if flags["config"] != nil || flags["configDir"] != nil || slices.ContainsFunc(names, isFile) {
		return true
	}
	if isFile("config.toml") {
		var values map[string]any
		_, err := toml.DecodeFile(filepath.Join(source, "config.toml"), &values)
		if err != nil || values["base_url"] == nil && (isPolicy == nil || !isPolicy(values)) {
			return true
		}
	}
	info, err := os.Stat(filepath.Join(source, "config", "_default"))
	return err == nil && info.IsDir()
}

// PolicyFile is the policy's file, PolicyParams its table below the parameters of a generator's
// configuration.
const (
	PolicyFile   = "metarobots.toml"
	PolicyParams = "metarobots"
)

// MistakenFile reports whether a file of the site's folder, which nobody reads, was meant for the
// policy.
func MistakenFile(name string) bool {
	ending := strings.ToLower(path.Ext(name))
	stem := strings.TrimSuffix(strings.ToLower(name), ending)
	return name != PolicyFile && slices.Contains([]string{".toml", ".yaml", ".yml"}, ending) && isPolicyName(stem)
}

// MistakenKey reports whether a key of a generator's configuration, which nobody reads there, was
// meant for the policy.
func MistakenKey(key []string) bool {
	last := strings.ToLower(key[len(key)-1])
	return len(key) == 1 && (last == "robots" || isPolicyName(last)) ||
		len(key) == 2 && strings.EqualFold(key[0], "params") && last != PolicyParams && isPolicyName(last)
}

// isPolicyName reports whether a word is the policy's name, or near it.
func isPolicyName(word string) bool { return policy.Near(word, []string{PolicyParams}) != "" }
