package config

import (
	"errors"
	"os"
	"path/filepath"

	"metarobots/frontmatter"
	"metarobots/internal/source"
	"metarobots/policy"
)

// HugoReads reports whether Hugo takes config.toml of a folder for its own: it does where there is no hugo.* beside it.
// https://gohugo.io/configuration/introduction/#configuration-file
func HugoReads(folder string) bool {
	for _, ext := range []string{"toml", "yaml", "yml", "json"} {
		if _, err := os.Stat(filepath.Join(folder, "hugo."+ext)); err == nil {
			return false
		}
	}
	return true
}

// IsPolicy reports whether the values of a config.toml are a policy and not Hugo's configuration: it has [site] or
// [robots] and no baseURL.
func IsPolicy(values map[string]any) bool {
	has := func(name string) bool { return frontmatter.Lookup(values, []string{name}) != nil }
	return (has("site") || has("robots")) && !has("baseURL")
}

// ParseFile reads TOML, with a locator for its keys. file is the name that messages use.
func ParseFile(file string, data []byte) (map[string]any, Locate, error) {
	var values map[string]any
	index, err := source.Read("toml", data, 0, &values)
	if syntax, ok := errors.AsType[*source.SyntaxError](err); ok {
		return nil, nil, &policy.Finding{File: file, Line: syntax.Line, Message: syntax.Msg}
	}
	return values, func(path ...string) (string, int) { return file, index.Nearest(path...) }, nil
}
