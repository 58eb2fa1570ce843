package frontmatter

import (
	"slices"
	"strings"

	"metarobots/policy"
)

// likely are keys that authors mistype, without the characters that part words, and what they stand for.
var likely = map[string]string{"robots": "robots", "robot": "robots", "metarobots": "robots", "robotsmeta": "robots",
	"noindex": "noindex", "nofollow": "nofollow", "donotindex": "noindex", "unavailableafter": "unavailable_after"}

var parting = strings.NewReplacer("-", "", "_", "", " ", "", ".", "")

// Mistyped returns warnings about keys that [Read] passes over and that look like one it reads, by their name and by
// what they hold: "robot: noindex", "no-index: true". A site's templates may mean something by them, so they state
// nothing.
func Mistyped(params map[string]any, o Options) []policy.Finding {
	r := reader{Options: o}
	for path, value := range leveled(params) {
		key := path[len(path)-1]
		if _, configured := o.Keys[strings.Join(path, ".")]; configured || r.form(key) != "" {
			continue
		}
		if meant := r.likely(key, value); meant != "" {
			r.problem(path, "mistyped-key", policy.Warning, "this key states nothing (did you mean %q?)", meant)
		}
	}
	return r.result.Findings
}

// likely returns the key that was meant by one that states nothing; empty where there is none.
func (r *reader) likely(key string, value any) string {
	c, engine := r.Crawlers.OfEngine(key)
	if engine || IsTable(key) {
		text, ok := value.(string)
		found := words(text)
		switch {
		case !ok || len(found) == 0 || slices.ContainsFunc(found, func(w string) bool { return !nearDirective(w) }) ||
			r.suggests(key, value):
			return ""
		case engine:
			return c.Name
		}
		return "robots"
	}
	if len(key) < len("robot") {
		return ""
	}
	meant := likely[parting.Replace(key)]
	if meant == "" && (key[0] == 'r' || key[0] == 'n') {
		meant = policy.Near(key, []string{"robots", "noindex", "nofollow"})
	}
	if meant == "" || !holds(meant, value) {
		return ""
	}
	return meant
}

// holds reports whether a value is one that the meant key would have, and restricts something.
func holds(meant string, value any) bool {
	switch meant {
	case "unavailable_after":
		_, err := Date(value)
		return err == nil
	case "noindex", "nofollow":
		on, ok := Truth(value)
		return ok && on
	}
	words := []any{value}
	if list, ok := value.([]any); ok {
		words = list
	}
	for _, word := range words {
		text, ok := word.(string)
		if !ok {
			return false
		}
		if r, problems := policy.Parse(text, policy.Found); r.Directives.IsZero() || len(problems) > 0 {
			return false
		}
	}
	return len(words) > 0
}
