package site

import (
	"path"
	"slices"
	"strings"

	"metarobots/policy"
)

// PolicyFile is the policy's file, PolicyParams its table below the parameters of a generator's configuration.
const (
	PolicyFile   = "metarobots.toml"
	PolicyParams = "metarobots"
)

// MistakenFile reports whether a file of the site's folder, which nobody reads, was meant for the policy.
func MistakenFile(name string) bool {
	ending := strings.ToLower(path.Ext(name))
	stem := strings.TrimSuffix(strings.ToLower(name), ending)
	return name != PolicyFile && slices.Contains([]string{".toml", ".yaml", ".yml"}, ending) && isPolicyName(stem)
}

// MistakenKey returns the table that was meant by a key of a generator's configuration that nobody reads there; empty
// where none was.
func MistakenKey(key []string) string {
	last := strings.ToLower(key[len(key)-1])
	switch {
	case len(key) == 1 && (last == "robots" || isPolicyName(last)),
		len(key) == 2 && strings.EqualFold(key[0], "params") && last != PolicyParams && isPolicyName(last):
		return "params." + PolicyParams
	}
	return ""
}

// isPolicyName reports whether a word is the policy's name, or near it.
func isPolicyName(word string) bool { return policy.Near(word, []string{PolicyParams}) != "" }
