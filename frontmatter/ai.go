package frontmatter

import (
	"maps"
	"slices"
	"strings"

	"metarobots/internal/source"
	"metarobots/policy"
)

// readPageAI reads the key ai of a page. Sites use that name for other things too, such as text
// that a model wrote, so a value that is no preference is reported and not refused:
//
//	ai: false, ai: deny, ai: none         preferences
//	ai: {training: deny}                  preferences
//	ai: dney, ai: {trainin: deny}         meant as preferences: an error
//	ai: summarized by a model             a note
//	ai: true, ai: {model: x}              a note, since it denies nothing
func (r *reader) readPageAI(value any, path []string) {
	table, _ := asMap(value) // empty if it is no map
	speaksOfUses := slices.ContainsFunc(slices.Collect(maps.Keys(table)), func(key string) bool {
		_, err := policy.ParseUse(key)
		isUse := err == nil || policy.DidYouMean(key, policy.UseNames()) != ""
		return isUse || meansDenial(table[key]) || isPreferenceWord(table[key])
	})
	switch {
	case value == nil || value == "":
	case isOff(value), isPreferenceWord(value), meansDenial(value), speaksOfUses:
		r.readPreferences(value, path)
	default:
		r.report(path, "other-key", policy.Note, "this says nothing of what AI may do: write ai: false, which denies "+
			"all, or a map, such as ai: {training: deny}")
	}
}

// isPreferenceWord reports whether a value is "allow" or "deny".
func isPreferenceWord(value any) bool {
	_, isText := value.(string)
	_, err := policy.ParsePreference(value)
	return isText && err == nil
}

// meansDenial reports whether a value is none, which denies all, or a word for deny, which is an
// error.
func meansDenial(value any) bool {
	text, isText := value.(string)
	text = strings.ToLower(strings.TrimSpace(text))
	return isText && (text == "none" || isDenial(text) || policy.DidYouMean(text, []string{"deny"}) != "")
}

// isOff reports whether a value is false, or a word for it.
func isOff(value any) bool {
	on, ok := Truth(value)
	return ok && !on
}

// Preferences returns what one value states of the uses of AI: false denies all of them, true
// allows them, and a map says it by use. path is what its problems and keys start with.
func Preferences(value any, path []string, o Config) Result {
	r := reader{options: o}
	r.readPreferences(value, path)
	return r.result
}

// preferences states what [Preferences] returns. Each use of a map is a statement with its own
// line. No value states nothing; any other that cannot be read is an error.
func (r *reader) readPreferences(value any, path []string) {
	if value == nil || value == "" {
		return
	}
	byUse, isMap := asMap(value)
	if !isMap {
		r.preferenceForAll(value, path)
		return
	}
	for _, written := range slices.Sorted(maps.Keys(byUse)) {
		var one policy.Preferences
		pathOfUse := append(slices.Clone(path), source.Key(written))
		use, err := policy.ParseUse(written)
		if err == nil {
			one[use], err = preference(byUse[written])
		}
		if err != nil {
			r.report(pathOfUse, "bad-value", policy.Error, "%v", err)
			continue
		}
		r.state(policy.Statement{AI: one}, pathOfUse)
	}
}

// preferenceForAll states one preference for all uses.
func (r *reader) preferenceForAll(value any, path []string) {
	p, err := preference(value)
	if err != nil {
		r.report(path, "bad-value", policy.Error, "%v: write a map, such as {training: deny, search: allow}", err)
		return
	}
	var all policy.Preferences
	for _, use := range policy.Uses {
		all[use] = p
	}
	r.state(policy.Statement{AI: all}, path)
}

// preference reads a boolean in any spelling, "allow" or "deny". As for robots, none allows
// nothing.
func preference(value any) (policy.Preference, error) {
	if text, _ := value.(string); strings.EqualFold(strings.TrimSpace(text), "none") {
		return policy.Denied, nil
	}
	if on, ok := Truth(value); ok {
		value = on
	}
	return policy.ParsePreference(value)
}
