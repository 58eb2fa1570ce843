package schema

import (
	"cmp"
	"slices"
	"strings"

	"metarobots/policy"
)

// open is a text for which an editor proposes words: one of them, or any other text. Which texts are right the program
// says: directives are a grammar of their own, and words count in any case of letters.
func open(of []any) *node { return anyOf(&node{Enum: of}, &node{Type: "string"}) }

// crawlers are those that a schema names.
var crawlers = policy.KnownCrawlers()

// definitions are the forms in which directives may stand (docs/semantics.md, F), for all documents.
func definitions() map[string]*node {
	var plain []string
	for _, d := range policy.AllDirectives() {
		if d.Form() == "" {
			plain = append(plain, d.Name)
		}
	}
	slices.Sort(plain)
	text := open(words(plain))
	text.Title = "Directives, separated by commas"
	text.Examples = []any{"noindex, nofollow", "noindex, follow", "noarchive", "nosnippet", "max-snippet:50",
		"unavailable_after: 2030-12-31"}
	null, some := &node{Type: "null"}, &node{Type: "string"}
	return map[string]*node{
		"switch":      anyOf(&node{Type: "boolean"}, &node{Enum: []any{0, 1}}, some),
		"on":          anyOf(&node{Enum: []any{true, 1}}, some),
		"text":        text,
		"date":        anyOf(&node{Type: "string", Examples: []any{"2030-12-31"}}, null),
		"limit":       anyOf(&node{Type: "integer", Minimum: new(-1)}, some, null),
		"preview":     anyOf(&node{Enum: words([]string{"none", "standard", "large"})}, some, null),
		"stated":      anyOf(ref("switch"), null),
		"preference":  anyOf(open(words([]string{"allow", "deny"})), ref("switch")),
		"preferences": anyOf(preferences(), ref("switch"), null),
		// Directives where true and false say nothing, where true alone does, and where a word does.
		"words":       anyOf(ref("text"), ref("list"), ref("map"), null),
		"environment": anyOf(ref("text"), ref("list"), ref("map"), ref("on")),
		"key":         anyOf(ref("text"), &node{Enum: []any{"ignore"}}, ref("list")),
		"map":         table(forEveryone()),
		"list":        {Type: "array", Items: anyOf(ref("text"), ref("map"), null)},
		"directives":  anyOf(ref("text"), ref("list"), ref("map"), ref("switch"), null),
		// Under a crawler's name in front matter a verification code may stand, and which texts are one a schema cannot
		// tell. That no other crawler may be named there, the program says.
		"crawler": anyOf(ref("directives"), &node{Type: "number"}),
	}
}

// table is a map whose keys are read in any case of letters: those that are written otherwise are not looked at.
func table(properties map[string]*node) *node {
	return &node{Type: "object", Properties: properties, AdditionalProperties: false,
		PatternProperties: map[string]*node{"[A-Z]": {}}}
}

// preferences is a map of what AI may do, by use.
func preferences() *node {
	properties := map[string]*node{}
	for _, use := range policy.UseNames() {
		properties[use] = ref("preference")
	}
	return table(properties)
}

// forEveryone are the keys of a map of directives: a crawler's name may be one.
func forEveryone() map[string]*node {
	properties := directivesMap()
	properties["ai"] = anyOf(ref("stated"), preferences()).describe("What AI may do: {training: deny}. false: noai. " +
		"true has no effect.")
	for _, name := range append(crawlers.Names(), "robots", "*") {
		properties[name] = ref("directives").describe("Told to every crawler.")
		if !policy.Everyone(name) {
			properties[name].Description = ofCrawler(name)
		}
	}
	return properties
}

// directivesMap are the directives among them.
func directivesMap() map[string]*node {
	properties := map[string]*node{}
	for _, d := range policy.AllDirectives() {
		of := ref(cmp.Or(d.Form(), "stated"))
		if d.Name == "all" {
			of = anyOf(ref("on"), &node{Type: "null"})
		}
		properties[d.Name] = of.describe(d.String())
		if d.Form() == "date" {
			properties["unavailableAfter"] = properties[d.Name]
		}
		// archive: false is noarchive. Where the positive is a directive, that counts.
		positive, ok := strings.CutPrefix(d.Name, "no")
		if ok && properties[positive] == nil && d.Name != "none" {
			properties[positive] = ref("stated").describe("false: " + d.Name + ". " + d.String())
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

// ofCrawler describes the value of a key that is a crawler's name.
func ofCrawler(name string) string {
	c, _ := crawlers.Lookup(name)
	text := "Told to " + name + " alone, on top of what all are told."
	if c.HeaderOnly() {
		text += " It reads X-Robots-Tag alone: no tag is written."
	}
	if c.AlsoObeys != "" {
		text += " It takes what " + c.AlsoObeys + " is told too."
	}
	return text
}
