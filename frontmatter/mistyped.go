package frontmatter

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/policy"
)

// likely are keys that authors mistype, without the characters that part words, and what they stand for.
var likely = map[string]string{"robots": "robots", "robot": "robots", "metarobots": "robots", "robotsmeta": "robots",
	"noindex": "noindex", "robotsnoindex": "noindex", "norobots": "noindex", "norobot": "noindex",
	"robotsnofollow": "nofollow", "nofollow": "nofollow", "donotindex": "noindex",
	"unavailableafter": "unavailable_after", "unavailableuntil": "unavailable_after",
	"unavailablefrom": "unavailable_after", "unavailable": "unavailable_after", "noindexafter": "unavailable_after"}

var parting = strings.NewReplacer("-", "", "_", "", " ", "", ".", "")

// Mistyped returns warnings about keys that [Read] passes over and that look like one it reads, by their name and by
// what they hold: "robot: noindex", "no-index: true". A site's templates may mean something by them, so they state
// nothing. Nor does a key that is read and whose value was forgotten.
func Mistyped(params map[string]any, o Options) []policy.Finding {
	r := reader{options: o}
	for path, value := range r.options.leveled(params) {
		key := path[len(path)-1]
		if _, configured := o.Keys[strings.Join(path, ".")]; configured {
			continue
		}
		switch form := r.options.form(key); {
		case value == nil && slices.Contains([]Form{FormDirectives, FormNoIndex, FormNoFollow, FormCrawler}, form):
			r.problem(path, "mistyped-key", policy.Warning, "this key has no value, and so no effect")
			continue
		case form != "":
			continue
		}
		if meant := r.likely(key, value); meant != "" {
			r.problem(path, "mistyped-key", policy.Warning, "this key has no effect (did you mean %q?)", meant)
		}
	}
	return r.result.Findings
}

// likely returns the key that was meant by one that states nothing; empty where there is none.
func (r *reader) likely(key string, value any) string {
	c, engine := r.options.Crawlers.OfEngine(key)
	if engine || IsTable(key) {
		if r.listsTag(value) {
			return "robots"
		}
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
	on, ok := Truth(value)
	switch {
	case ok && !on && (key == "index" || key == "follow"):
		return "no" + key + ": true"
	case ok && on && isDirectives(key, false): // nosnippet: true
		return "robots: " + key
	case strings.HasPrefix(key, "max-"):
		if text := fmt.Sprintf("%s:%v", key, value); isDirectives(text, false) {
			return "robots: " + text
		}
	}
	if len(key) < len("robot") {
		return ""
	}
	meant := likely[parting.Replace(key)]
	if meant == "" && strings.IndexByte("rnu", key[0]) >= 0 {
		meant = policy.Near(key, []string{"robots", "noindex", "nofollow", "unavailable_after"})
	}
	if meant != "" && holds(meant, value) {
		return meant
	}
	if isDirectives(value, false) { // which hardly any value is, and the names of crawlers are many
		return policy.Near(key, r.options.Crawlers.Names())
	}
	return ""
}

// listsTag reports whether a value is a list of metas, as some generators have it, with one for crawlers:
// [{name: robots, content: noindex}].
func (r *reader) listsTag(value any) bool {
	list, _ := asList(value)
	return slices.ContainsFunc(list, func(item any) bool {
		m, ok := asMap(item)
		if !ok {
			return false
		}
		name, _ := Lookup(m, []string{"name"}).(string)
		form := r.options.form(strings.ToLower(name))
		return (form == FormDirectives || form == FormCrawler) && isDirectives(Lookup(m, []string{"content"}), false)
	})
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
