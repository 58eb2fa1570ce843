package frontmatter

import (
	"maps"
	"slices"
	"strings"

	"metarobots/internal/source"
	"metarobots/policy"
)

// pageAI reads the key ai of a page. Sites use that name for other things too, such as text that a model wrote, so a
// value that is no preference is reported and not refused.
func (r *reader) pageAI(value any, path []string) {
	m, _ := asMap(value)
	isWord := func(value any) bool { // "allow" or "deny"
		_, isText := value.(string)
		_, err := policy.ParsePreference(value)
		return isText && err == nil
	}
	isDenying := func(value any) bool { // none, which denies all, or a word for deny, which is an error
		text, isText := value.(string)
		text = strings.ToLower(strings.TrimSpace(text))
		return isText && (text == "none" || isDenial(text) || policy.DidYouMean(text, []string{"deny"}) != "")
	}
	meant := func(key string) bool { // a preference, or a slip in one
		_, err := policy.ParseUse(key)
		return err == nil || isDenying(m[key]) || policy.DidYouMean(key, policy.UseNames()) != "" || isWord(m[key])
	}
	switch {
	case value == nil || value == "":
	case isOff(value), isWord(value), isDenying(value), slices.ContainsFunc(slices.Collect(maps.Keys(m)), meant):
		r.preferences(value, path)
	default:
		r.problem(path, "other-key", policy.Note, "this says nothing of what AI may do: write ai: false, which denies "+
			"all, or a map, such as ai: {training: deny}")
	}
}

// isOff reports whether a value is false, or a word for it.
func isOff(value any) bool {
	on, ok := Truth(value)
	return ok && !on
}

// Preferences returns what one value states of the uses of AI: false denies all of them, true allows them, and a map
// says it by use. path is what its problems and keys start with.
func Preferences(value any, path []string, o Config) Result {
	r := reader{options: o}
	r.preferences(value, path)
	return r.result
}

// preferences reads such a value. Each use of a map is a statement with its own line.
func (r *reader) preferences(value any, path []string) {
	if value == nil || value == "" {
		return
	}
	m, isMap := asMap(value)
	if !isMap {
		p, err := preference(value)
		if err != nil {
			r.problem(path, "bad-value", policy.Error, "%v: write a map, such as {training: deny, search: allow}", err)
			return
		}
		var all policy.Preferences
		for _, u := range policy.Uses {
			all[u] = p
		}
		r.state(policy.Statement{AI: all}, path)
	}
	for _, written := range slices.Sorted(maps.Keys(m)) {
		var one policy.Preferences
		at := append(slices.Clone(path), source.Key(written))
		u, err := policy.ParseUse(written)
		if err == nil {
			one[u], err = preference(m[written])
		}
		if err != nil {
			r.problem(at, "bad-value", policy.Error, "%v", err)
			continue
		}
		r.state(policy.Statement{AI: one}, at)
	}
}

// preference reads a boolean in any spelling, "allow" or "deny". As for robots, none allows nothing.
func preference(value any) (policy.Preference, error) {
	if text, _ := value.(string); strings.EqualFold(strings.TrimSpace(text), "none") {
		return policy.Denied, nil
	}
	if on, ok := Truth(value); ok {
		value = on
	}
	return policy.ParsePreference(value)
}
