// Package schema makes JSON Schemas for editors: of a policy file, of Hugo's configuration with
// [params.metarobots], and of a page's front matter. Keys and forms are those of the code that
// reads them ([config.Keys], [frontmatter.Keys]), descriptions are the comments of the reference
// configuration, config.toml. Tests try values at every key and hold what the schema says against
// what the code says.
//
// The schemas are of draft-07, which every editor reads: Taplo (Even Better TOML) compiles it, the
// YAML extension of VS Code had no other for years
// (https://github.com/redhat-developer/vscode-yaml/issues/704, read 2026-11-21).
//
// For a text, a schema proposes words and examples, and the program reports which are wrong. It
// does not know the names under [robots] crawlers, nor keys in another case of letters than
// documented.
package schema

import (
	"fmt"
	"strings"

	"metarobots/internal/config"
)

// Document returns a schema by its name: "policy" is that of a policy file, "hugo" of
// [params.metarobots] in Hugo's configuration, where all else is Hugo's, "front-matter" of a page.
// reference is the text of the reference configuration, config.toml.
func Document(name string, reference []byte) ([]byte, error) {
	if name == "front-matter" {
		return frontMatterLevel(nil).file("metarobots in front matter",
			"What a page's front matter says to crawlers. Keys that are not listed are not looked at."), nil
	}
	entries, err := readReference(reference)
	if err != nil {
		return nil, fmt.Errorf("the reference configuration: %w", err)
	}
	m := &maker{entries, map[string]config.Key{}}
	for _, k := range config.Keys() {
		m.keys[k.String()] = k
		if m.description(k) == "" {
			return nil, fmt.Errorf("the reference configuration says nothing of %s", &k)
		}
	}
	if name == "policy" {
		return m.table("").file("metarobots policy",
			"A policy file: metarobots.toml, or config.toml beside a site."), nil
	}
	under := func(name string, of *node) *node {
		return object{Properties: map[string]*node{name: of}}.schema()
	}
	params := under("metarobots", m.table("").Properties["robots"]).describe("Parameters of the site and its theme.")
	return under("params", params).file("metarobots in Hugo's configuration",
		"Hugo's configuration with [params.metarobots]."), nil
}

// A maker makes nodes from what the decoder reads and what the reference configuration says of it.
type maker struct {
	entries map[string]entry
	keys    map[string]config.Key // by path
}

// description is the comment above a key or, where there is none, above its table.
func (m *maker) description(k config.Key) string {
	for i := len(k.Path); i > 0; i-- {
		if e := m.entries[strings.Join(k.Path[:i], ".")]; e.text != "" {
			return e.text
		}
	}
	return ""
}

// table is an object of the keys right below path; "" is the top.
func (m *maker) table(path string) *node {
	n := object{Properties: map[string]*node{}, AdditionalProperties: false}.schema()
	list := m.keys[strings.TrimSuffix(path, ".[]")]
	for _, k := range m.keys {
		above, name := k.Path[:len(k.Path)-1], k.Path[len(k.Path)-1]
		if strings.Join(above, ".") != path {
			continue
		}
		of, e := m.value(k), m.entries[k.String()]
		of.Description = m.description(k)
		if name != list.Required { // a required key has no default
			of.Default = e.value
		}
		if e.example != nil {
			of.Examples = []any{e.example}
		}
		n.Properties[name] = of
	}
	return n
}

// value is the schema of a key's value.
func (m *maker) value(k config.Key) *node {
	switch k.Form {
	case config.FormChoice:
		return &node{Enum: words(k.Words)}
	case config.FormTexts, config.FormList:
		return list(k)
	case config.FormTable:
		return m.table(k.String())
	case config.FormTables:
		items := m.table(k.String() + ".[]")
		if k.Required != "" {
			items.Required = []string{k.Required}
		}
		for _, key := range k.OneOf {
			items.AnyOf = append(items.AnyOf, &node{object: object{Required: []string{key}}})
		}
		return &node{Type: "array", Items: items}
	case config.FormNames:
		return m.names(k)
	}
	return forms().Values[string(k.Form)]
}

// list is an array of texts, or one text, which may be several.
func list(k config.Key) *node {
	item, one := &node{Type: "string"}, &node{Type: "string"}
	if k.Words != nil {
		item, one = &node{Enum: words(k.Words)}, open(words(k.Words))
	}
	array := &node{Type: "array", Items: item}
	if k.NotEmpty {
		array.MinItems = 1
	}
	return anyOf(array, one)
}

func (m *maker) names(k config.Key) *node {
	path := k.String()
	of := m.value(m.keys[path+".*"])
	n := object{Properties: map[string]*node{}, AdditionalProperties: of}.schema()
	if k.Words != nil && !k.Open {
		n.AdditionalProperties = false
	}
	for _, name := range k.Words {
		known := *of
		known.Description, known.Default = m.description(k), m.entries[path+"."+name].value
		if _, ok := crawlers.Lookup(name); ok {
			known.Description = ofCrawler(name)
		}
		n.Properties[name] = &known
	}
	return n
}
