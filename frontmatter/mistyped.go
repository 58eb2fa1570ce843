package frontmatter

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/policy"
)

// usualSlips are keys that authors write in place of one of ours, without the characters that part
// words, and the key that they mean.
var usualSlips = map[string]string{
	"robots": "robots", "robot": "robots", "metarobots": "robots", "robotsmeta": "robots",
	"noindex": "noindex", "robotsnoindex": "noindex", "norobots": "noindex", "norobot": "noindex",
	"robotsnofollow": "nofollow", "nofollow": "nofollow", "donotindex": "noindex",
	"unavailableafter": "unavailable_after", "unavailableuntil": "unavailable_after",
	"unavailablefrom": "unavailable_after", "unavailable": "unavailable_after",
	"noindexafter": "unavailable_after",
}

var parting = strings.NewReplacer("-", "", "_", "", " ", "", ".", "")

// suggests reports whether a key that is not one of ours says what can only be meant for crawlers:
// seo: noindex, or bing: noindex under the name of a search engine in place of its crawler's.
// google is a meta of another meaning (A1).
func (r *reader) suggests(key string, value any) bool {
	_, engine := r.options.Crawlers.OfEngine(key)
	isPlace := engine && key != "google" || IsTable(key)
	return isPlace && (isDirectives(value) || engine && areKeysDirectives(value))
}

// readOtherKey reads what a key says that is not one of ours. Where it merely looks like one, by
// its name and by what it holds, a site's templates may mean something by it: "robot: noindex" and
// "no-index: true" state nothing, with a warning.
func (r *reader) readOtherKey(key string, value any, path []string) {
	if on, _ := Truth(value); on && slices.Contains(audience, key) {
		r.report(path, "other-key", policy.Note, "this key does not keep a page out of search: "+
			"write robots: noindex, or set %s = \"noindex\" in [robots.frontmatter]", key)
	}
	c, engine := r.options.Crawlers.OfEngine(key)
	suggests := r.suggests(key, value)
	r.result.Mentions = r.result.Mentions || suggests
	if suggests && engine {
		r.report(path, "mistyped-key", policy.Warning,
			"read as %s, the name under which it reads tags: write %q",
			c.Name, c.Name)
		r.readValue(value, path, named(c.Name))
	} else if suggests {
		r.readValue(value, path, everyone)
	} else if meant := r.meantBy(key, value); meant != "" {
		r.report(path, "mistyped-key", policy.Warning, "this key has no effect (did you mean %q?)",
			meant)
	}
}

// meantBy returns what the author of a key that states nothing should write, for the hint of a
// warning: a key of ours, with its value if that differs. It is "" if nothing is likely: then there
// is no warning, for a key that only looks like one of ours may have a meaning to the site's
// templates. key is in lower case. The first step that finds something counts:
//
//	a key that is a table's or an engine's: see meantInPlace, and no further step
//	    seo: [{name: robots, …}]   returns robots
//	    bing: noindx               returns bingbot
//	a key that denies content to AI: see deniesAI
//	    noai: true                 returns ai: false
//	    ai_training: false         returns ai: {training: deny}
//	a directive as the key
//	    index: false               returns noindex: true
//	    noarchive: true            returns robots: noarchive
//	    max-snippet: 50            returns robots: max-snippet:50
//	a slip that is usual, or a key near to one of ours or to a crawler's name: see meantBySlip
//	    no-index: true             returns noindex
//	    gogglebot: noindex         returns googlebot
func (r *reader) meantBy(key string, value any) string {
	if c, isEngine := r.options.Crawlers.OfEngine(key); isEngine || IsTable(key) {
		return r.meantInPlace(c, isEngine, value)
	}
	if should, _ := deniesAI(key, value); should != "" { // should is what the author should write
		return should
	}
	isTrue, isTruth := Truth(value)
	isFalse := isTruth && !isTrue
	withValue := fmt.Sprintf("%s:%v", key, value) // max-snippet:50
	switch {
	case isFalse && (key == "index" || key == "follow"):
		return "no" + key + ": true"
	case isTrue && isDirectives(key): // noarchive: true
		return "robots: " + key
	case strings.HasPrefix(key, "max-") && isDirectives(withValue):
		return "robots: " + withValue
	}
	return r.meantBySlip(key, value)
}

// likelyKeys are keys of ours that a misspelled one may be meant for.
var likelyKeys = []string{"robots", "noindex", "nofollow", "unavailable_after"}

// meantBySlip is meantBy for a key that may be a misspelled one of ours, or a misspelled crawler. A
// key that is shorter than any usual slip is near to too much.
func (r *reader) meantBySlip(key string, value any) string {
	const shortest = "robot"
	if len(key) < len(shortest) {
		return ""
	}
	meant := usualSlips[parting.Replace(key)]
	hasTheirFirstLetter := strings.IndexByte("rnu", key[0]) >= 0
	if meant == "" && hasTheirFirstLetter {
		meant = policy.Near(key, likelyKeys)
	}
	if meant != "" && holds(meant, value) {
		return meant
	}
	if isDirectives(value) { // which hardly any value is, and the names of crawlers are many
		return policy.Near(key, r.options.Crawlers.Names())
	}
	return ""
}

// meantInPlace is meantBy for a key that is the name of a search engine, whose crawler is c, or of
// a table such as seo, with a value that is no table: text whose words are each a directive or
// near to one, or a list of metas.
func (r *reader) meantInPlace(c *policy.Crawler, isEngine bool, value any) string {
	text, _ := value.(string)
	found := words(text)
	isFar := func(word string) bool { return !nearDirective(word) }
	isNear := len(found) > 0 && !slices.ContainsFunc(found, isFar)
	switch {
	case r.listsTag(value), isNear && !isEngine:
		return "robots"
	case isNear:
		return c.Name
	}
	return ""
}

// listsTag reports whether a value is a list of metas, as some generators have it, with one for
// crawlers: [{name: robots, content: noindex}].
func (r *reader) listsTag(value any) bool {
	list, _ := List(value)
	return slices.ContainsFunc(list, func(item any) bool {
		m, ok := asMap(item)
		if !ok {
			return false
		}
		name, _ := Lookup(m, []string{"name"}).(string)
		form := r.options.form(strings.ToLower(name))
		return (form == FormDirectives || form == FormCrawler) &&
			isDirectives(Lookup(m, []string{"content"}))
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
	text, _ := value.(string)
	r, problems := policy.Parse(text, policy.Found)
	return isDirectives(value) || len(problems) == 0 && !r.Directives.IsZero()
}
