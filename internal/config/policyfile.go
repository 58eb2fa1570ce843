package config

import (
	"errors"

	"metarobots/frontmatter"
	"metarobots/internal/source"
	"metarobots/policy"
)

// IsPolicy reports whether the values of a config.toml are a policy and not Hugo's configuration:
// it has [site] or [robots] and no baseURL.
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
