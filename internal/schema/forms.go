package schema

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"metarobots/frontmatter"
	"metarobots/internal/config"
	"metarobots/policy"
)

// anyCase is a pattern for a word without regard to the case of letters: JSON Schema has no flags.
func anyCase(word string) string {
	var b strings.Builder
	for _, r := range word {
		if upper := strings.ToUpper(string(r)); upper != string(r) {
			b.WriteString("[" + upper + string(r) + "]")
		} else {
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	return b.String()
}

// oneOf is a pattern for one of several words.
func oneOf(words []string) string {
	patterns := make([]string, len(words))
	for i, w := range words {
		patterns[i] = anyCase(w)
	}
	return "(" + strings.Join(patterns, "|") + ")"
}

// whole is a pattern for the whole of a text with white space around.
func whole(pattern string) string { return `^\s*` + pattern + `\s*$` }

// listed is a pattern for a list with a comma after each element but the last, or after it.
func listed(pattern string) string {
	return `^[\s,]*(` + pattern + `\s*(,[\s,]*|$))*$`
}

// truths are the words that are read as true, or as false.
func truths(on bool) (words []string) {
	for _, word := range slices.Sorted(maps.Keys(frontmatter.Truths)) {
		if frontmatter.Truths[word] == on {
			words = append(words, word)
		}
	}
	return words
}

const limit = `(-1|[0-9]+)`

var previews = []string{"none", "standard", "large"}

// valued are the directives that take a value: a pattern for it in a text, and the form that it has in a map. A date
// holds blanks, commas and colons: what follows it is not looked at.
var valued = map[string]struct{ pattern, form string }{
	"max-snippet": {limit, "limit"}, "max-video-preview": {limit, "limit"},
	"max-image-preview": {oneOf(previews), "preview"},
	"unavailable_after": {`[^;/|]*[0-9][^;/|]*`, "date"},
}

// datePattern is for a date in one of the forms of D5, or nothing. Whether there is such a day the code says.
const datePattern = `^\s*([A-Za-z]+,? +)?([0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}[ -][A-Za-z]{3,9}[ -][0-9]{2}|` +
	`[A-Za-z]{3} [0-9]{1,2} [0-9:]+ [0-9]{4})|^$`

// directivesPattern is for directives in one text. Blanks and semicolons are read as commas, with a finding (D4).
func directivesPattern() string {
	var plain, patterns []string
	for _, name := range policy.DirectiveNames() {
		if of, ok := valued[name]; ok {
			patterns = append(patterns, anyCase(name)+`\s*:\s*`+of.pattern)
		} else {
			plain = append(plain, name)
		}
	}
	return `^[\s,;]*((` + oneOf(plain) + "|" + strings.Join(patterns, "|") + `)([\s,;]+|$))*$`
}

// crawlers are those that a schema names.
var crawlers = policy.KnownCrawlers()

// definitions are the forms in which directives may stand (docs/semantics.md, F), for all documents.
func definitions() map[string]*node {
	text := matching(directivesPattern(), "directives, separated by commas: noindex, nofollow, max-snippet:50")
	text.Title = "Directives"
	text.Examples = []any{"noindex, nofollow", "noindex, follow", "noarchive", "nosnippet", "max-snippet:50",
		"unavailable_after: 2030-12-31"}
	date := matching(datePattern, "a date: 2030-12-31 or 2030-12-31T18:00:00Z")
	date.Examples = []any{"2030-12-31"}
	null := &node{Type: "null"}
	defs := map[string]*node{
		"switch": anyOf(&node{Type: "boolean"}, &node{Enum: []any{0, 1}},
			matching(whole(oneOf(append(truths(true), truths(false)...))), "true or false")),
		"on":   anyOf(&node{Enum: []any{true, 1}}, matching(whole(oneOf(truths(true))), "true")),
		"text": text,
		"date": anyOf(date, null),
		"limit": anyOf(&node{Type: "integer", Minimum: new(-1)}, null,
			matching(`^\s*`+limit+`?\s*$`, "-1 (no limit), 0 (none) or a number")),
		"preview": anyOf(&node{Enum: words(previews)},
			matching(`^\s*`+oneOf(previews)+`?\s*$`, "none, standard or large"), null),
		"stated": anyOf(ref("switch"), &node{Enum: []any{nil, ""}}),
		// Directives where true and false say nothing, where true alone does, and where a word does.
		"words":       anyOf(ref("text"), ref("list"), ref("map"), null),
		"environment": anyOf(ref("text"), ref("list"), ref("map"), ref("on")),
		"key":         anyOf(ref("text"), &node{Enum: []any{"ignore"}}, ref("list")),
		// Under a crawler's name in front matter a verification code may stand, and which texts are one a schema cannot
		// tell.
		"crawler": anyOf(ref("text"), &node{Type: "string"}, &node{Type: "number"}, ref("listForOne"), ref("mapForOne"),
			ref("switch"), null),
	}
	for suffix, properties := range map[string]map[string]*node{"": forEveryone(), "ForOne": directivesMap()} {
		// Keys are read in any case of letters; those that are written otherwise are not looked at.
		defs["map"+suffix] = &node{Type: "object", Properties: properties, AdditionalProperties: false,
			PatternProperties: map[string]*node{"[A-Z]": {}}}
		defs["list"+suffix] = &node{Type: "array", Items: anyOf(ref("text"), ref("map"+suffix), null)}
		defs["directives"+suffix] = anyOf(ref("text"), ref("list"+suffix), ref("map"+suffix), ref("switch"), null)
	}
	return defs
}

// forEveryone are the keys of a map of directives that is told to everyone: crawlers may be named in it.
func forEveryone() map[string]*node {
	properties := directivesMap()
	for _, name := range append(crawlers.Names(), "robots", "*") {
		properties[name] = ref("directivesForOne").describe("Told to every crawler.")
		if !policy.Everyone(name) {
			properties[name].Description = told(name)
		}
	}
	return properties
}

// directivesMap are the keys of a map of directives that is told to one crawler alone.
func directivesMap() map[string]*node {
	properties := map[string]*node{}
	for _, name := range policy.DirectiveNames() {
		form := cmp.Or(valued[name].form, "stated")
		properties[name] = ref(form).describe(Directives()[name].String())
		if form == "date" {
			properties["unavailableAfter"] = properties[name]
		}
	}
	properties["all"] = anyOf(ref("on"), &node{Enum: []any{nil, ""}}).describe(Directives()["all"].String())
	for _, name := range policy.DirectiveNames() { // archive: false is noarchive
		positive, ok := strings.CutPrefix(name, "no")
		if _, known := properties[positive]; ok && !known && name != "none" {
			properties[positive] = ref("stated").describe("false: " + name + ". " + Directives()[name].String())
		}
	}
	for _, name := range policy.InertNames() {
		properties[name] = inert(name)
	}
	return properties
}

func inert(name string) *node {
	return &node{Description: "Has no effect here: " + name + " " + policy.Inert(name) + "."}
}

// told describes what stands under a crawler's name.
func told(name string) string {
	c, _ := crawlers.Lookup(name)
	text := "Told to " + name + " alone, on top of what all are told."
	if c.HeaderOnly() {
		text += " It reads X-Robots-Tag alone: no tag is written."
	}
	if c.Takes != "" {
		text += " It takes what " + c.Takes + " is told too."
	}
	return text
}

// texts are the patterns of single texts, and what an editor says where one does not fit.
var texts = map[config.TextKind]struct{ pattern, message string }{
	config.KindGlob:    {`/.*`, "a glob of paths from the site's root: it begins with a slash"},
	config.KindAddress: {`(/.*)?`, "an address of this site: it begins with a slash"},
	config.KindURL:     {`[Hh][Tt][Tt][Pp][Ss]?://[^\s#/]+[^\s#]*`, "a whole URL: https:// and the host"},
	config.KindBase:    {`([Hh][Tt][Tt][Pp][Ss]?://[^\s#/]+[^\s#]*)?`, "a whole URL: https:// and the host; or empty"},
	config.KindPath:    {`(/[^\s#]*|\*[^\s#]*[^\s#*$][^\s#]*)?`, "a path as robots.txt has it: it begins with a slash"},
	config.KindCrawler: {`[-A-Za-z0-9_.]+`, "the name of a crawler: letters, digits, hyphens, underscores and dots"},
	config.KindAgent: {`(\*|[-A-Za-z_][^\s#,]*)`,
		"the name of a crawler as robots.txt has it: letters, hyphens, underscores; or *"},
	config.KindHost:  {`[^\s,/:]+(:[0-9]+)?`, "the name of a host, without https:// and path"},
	config.KindClass: {`[^\s,]+`, "the name of one class"},
	config.KindSignal: {`(\s*[-a-zA-Z]+\s*=\s*[a-zA-Z]+\s*(,\s*[-a-zA-Z]+\s*=\s*[a-zA-Z]+\s*)*)?`,
		"signals: search=yes, ai-train=no"},
	config.KindUsage: {`(/\S*\s+)?[a-z*][-a-z0-9_.*]*=[yn].*`, "preferences: train-ai=n"},
}

// text is one text of a kind.
func text(kind config.TextKind) *node {
	if of, ok := texts[kind]; ok {
		return matching("^"+of.pattern+"$", of.message)
	}
	return &node{Type: "string"}
}
