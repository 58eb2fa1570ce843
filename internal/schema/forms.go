package schema

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"

	"metarobots/policy"
)

// open is a text for which an editor proposes words: one of them, or any other text. Which texts
// are right the program says: directives are a grammar of their own, and words count in any case of
// letters.
func open(of []any) *node { return anyOf(&node{Enum: of}, &node{Type: "string"}) }

// crawlers are those that a schema names.
var crawlers = policy.KnownCrawlers()

//go:embed forms.json
var formsJSON []byte

// forms are the schemas that follow from no list in the code.
func forms() (f struct {
	// Definitions are the forms in which directives may stand (docs/semantics.md, F), for all
	// documents. "words" are directives where true and false say nothing, "environment" where true
	// alone says something, "key" where a word does. Under a crawler's name in front matter a
	// verification code may stand, and which texts are one a schema cannot tell. That no other
	// crawler may be named there, the program says.
	Definitions map[string]*node
	Values      map[string]*node // of keys of the configuration, by their form
	FrontMatter map[string]*node // of its keys, by their form; the map under ai may be somebody else's
}) {
	if err := json.Unmarshal(formsJSON, &f); err != nil {
		panic("forms.json: " + err.Error()) // every test reads it
	}
	return f
}

// definitions are those of [forms] with the words and names that the code lists.
func definitions() map[string]*node {
	var plain []string
	for _, d := range policy.AllDirectives() {
		if d.Form() == "" {
			plain = append(plain, d.Name)
		}
	}
	slices.Sort(plain)
	all := forms().Definitions
	all["text"].AnyOf = open(words(plain)).AnyOf
	all["preferences"].AnyOf[0] = preferences()
	all["map"] = table(forEveryone())
	return all
}

// table is a map whose keys are read in any case of letters: those that are written otherwise are
// not looked at.
func table(properties map[string]*node) *node {
	return object{Properties: properties, AdditionalProperties: false,
		PatternProperties: map[string]*node{"[A-Z]": {}}}.schema()
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
