package frontmatter

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"metarobots/policy"
)

// Maps of directives: {noindex: true, googlebot: nosnippet}, as the value of robots or of a
// crawler's name.

// readEntries reads a map of directives and, unless it is a named crawler's, of crawlers: the value
// of robots, or of a crawler's name, in front matter or in the configuration. path leads to the
// map. to is whom it speaks to: a crawler, or everyone (to.crawler is ""); to.isNamed says that a
// key around the map names that one, googlebot or *. By key:
//
//	googlebot: nosnippet     for one crawler; "*" is everyone. A map in it names no further one
//	google-extended: …       a finding: no directive reaches that crawler ([policy.Inert])
//	ai: …                    preferences, or noai: see readEntryOfAI
//	any other                a directive, or an error: see readDirectiveEntry
//
// No crawler has the name of a directive, or one that no directive reaches ([policy.NoCrawler]).
func (r *reader) readEntries(m map[string]any, path []string, to addressee) {
	for _, written := range slices.Sorted(maps.Keys(m)) {
		key, value := r.options.undotted(written, m[written])
		at := append(slices.Clone(path), key)
		_, isCrawler := r.options.Crawlers.Lookup(key)
		isEveryone := policy.Everyone(key)
		switch {
		case (isCrawler || isEveryone) && to.isNamed:
			r.report(at, "bad-value", policy.Error,
				"a crawler cannot be named inside the directives for another")
		case isCrawler:
			r.readValue(value, at, named(key))
		case isEveryone:
			r.readValue(value, at, named(everyone.crawler))
		case policy.Inert(key) != "":
			r.reportInert(key, at)
		case key == "ai":
			r.readEntryOfAI(value, at, to.crawler)
		default:
			r.readDirectiveEntry(written, value, at, to.crawler)
		}
	}
}

// siteLayers are those whose maps state preferences about AI too. Elsewhere {ai: false} is the
// directive noai alone.
var siteLayers = []policy.Layer{policy.LayerEnvironment, policy.LayerVisibility}

// readEntryOfAI reads the key ai in a map of directives, for a crawler or for everyone (""):
//
//	ai: {training: deny}     preferences; an error for a crawler, as preferences are for everyone
//	ai: false                the directive noai; in a layer of the site's (siteLayers) and for
//	                         everyone the preferences that deny all uses, too
//	ai: true, or no value    nothing
//	any other value          an error
func (r *reader) readEntryOfAI(value any, path []string, crawler string) {
	isForAll := crawler == ""
	switch {
	case isMap(value) && isForAll:
		r.readPreferences(value, path)
		return
	case isMap(value):
		r.report(path, "bad-value", policy.Error,
			"preferences about AI are for everyone: none is for a crawler alone")
		return
	case isOff(value) && isForAll && slices.Contains(siteLayers, r.options.Layer):
		r.readPreferences(value, path)
	}
	r.readFlag("ai", value, path, crawler)
}

// readDirectiveEntry reads a key in a map of directives that names no crawler and is not ai, for a
// crawler or for everyone (""). written is the key as it is spelled; path leads to it, in lower
// case:
//
//	unavailable_after: 2030-01-01   a date
//	max-snippet: 50                 a directive with a value
//	noindex: true                   a directive
//	index: false                    the directive with "no" before it
//	noindex, max-snippet:50         keys without a value, as YAML reads {noindex, max-snippet:50}
//	index                           nothing: a key without a value, and it would only permit
//	any other                       an error
func (r *reader) readDirectiveEntry(written string, value any, path []string, crawler string) {
	key := path[len(path)-1]
	states, hasValue, isDirective := policy.Lookup(key)
	_, _, hasDenial := policy.Lookup("no" + key)
	onlyPermits := isDirective && !states.Restricts() && key != "indexifembedded"
	switch {
	case forms[key] == FormDate:
		r.readDate(value, path, crawler)
	case hasValue:
		r.readValued(key, value, path, crawler)
	case value == nil && !onlyPermits: // also a text such as max-snippet:50, and an unknown word
		r.readText(written, path, crawler)
	case isDirective || hasDenial:
		r.readFlag(key, value, path, crawler)
	default:
		r.unknownEntry(written, path)
	}
}

// unknownEntry reports a key of such a map that is neither a directive's nor a crawler's, with the
// name that is near.
func (r *reader) unknownEntry(written string, path []string) {
	key := path[len(path)-1]
	names := append(policy.DirectiveNames(), r.options.Crawlers.Names()...)
	hint := policy.DidYouMean(key, names)
	if c, isEngine := r.options.Crawlers.OfEngine(key); isEngine {
		hint = fmt.Sprintf(" (did you mean %q?)", c.Name)
	}
	r.report(path, "unknown-directive", policy.Error, "unknown directive or crawler %q%s", written,
		hint)
}

// readFlag reads a directive without a value as the key of a map: X with true is X, with false
// noX wherever noX is a directive, else nothing (L2). X may be no directive itself, if noX is one.
func (r *reader) readFlag(key string, value any, path []string, crawler string) {
	states, _, isDirective := policy.Lookup(key)
	denies, _, hasDenial := policy.Lookup("no" + key)
	on, ok := r.readBoolean(value, path)
	switch {
	case !ok: // it is reported, or states nothing
	case on && isDirective:
		r.state(policy.Statement{Crawler: crawler, Directives: states,
			Embed: key == "indexifembedded"}, path)
	case !on && hasDenial:
		r.state(policy.Statement{Crawler: crawler, Directives: denies}, path)
	case !on && key == "all":
		r.report(path, "bad-value", policy.Error, "all cannot be false: write noindex or nofollow")
	}
}

// readValued reads a directive with a value as the key of a map; without one it states
// nothing.
func (r *reader) readValued(key string, value any, path []string, crawler string) {
	if value == nil || value == "" {
		return
	}
	text := strings.TrimSpace(fmt.Sprint(value))
	if f, ok := value.(float64); ok && f == float64(int64(f)) { // JSON has no whole numbers
		text = strconv.FormatInt(int64(f), 10)
	}
	if !strings.ContainsAny(text, ",;/| \t\r\n") { // no list in place of a value
		key += ":" + text
	}
	r.readText(key, path, crawler)
}
