package frontmatter

import (
	"maps"
	"slices"

	"metarobots/internal/source"
	"metarobots/policy"
)

// pageAI reads the key ai of a page. Sites use that name for other things too, such as text that a model wrote, so a
// value that is no preference is reported and not refused.
func (r *reader) pageAI(value any, path []string) {
	m, _ := asMap(value)
	meant := func(key string) bool { // a preference, or a slip in one
		_, err := policy.ParseUse(key)
		return err == nil || policy.DidYouMean(key, policy.UseNames()) != "" || isWord(m[key])
	}
	switch {
	case value == nil || value == "":
	case isOff(value), isWord(value), slices.ContainsFunc(slices.Collect(maps.Keys(m)), meant):
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

// isWord reports whether a value is "allow" or "deny".
func isWord(value any) bool {
	_, isText := value.(string)
	_, err := policy.ParsePreference(value)
	return isText && err == nil
}

// Preferences returns what one value states of the uses of AI: false denies all of them, true allows them, and a map
// says it by use. path is what its problems and keys start with.
func Preferences(value any, path []string, o Options) Result {
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
		if on, ok := Truth(value); ok {
			value = on
		}
		var all policy.Preferences
		p, err := policy.ParsePreference(value)
		if err != nil {
			r.problem(path, "bad-value", policy.Error, "%v: write a map, such as {training: deny, search: allow}", err)
			return
		}
		for _, u := range policy.Uses {
			all[u] = p
		}
		r.prefer(all, path)
		return
	}
	for _, written := range slices.Sorted(maps.Keys(m)) {
		var one policy.Preferences
		at := append(slices.Clone(path), source.Key(written))
		u, err := policy.ParseUse(written)
		if on, ok := Truth(m[written]); ok {
			one[u], _ = policy.ParsePreference(on)
		} else if err == nil {
			one[u], err = policy.ParsePreference(m[written])
		}
		if err != nil {
			r.problem(at, "bad-value", policy.Error, "%v", err)
			continue
		}
		r.prefer(one, at)
	}
}

func (r *reader) prefer(p policy.Preferences, path []string) {
	r.state(policy.Statement{AI: p}, path)
}
