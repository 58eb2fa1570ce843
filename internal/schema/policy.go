package schema

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/internal/config"
	"metarobots/policy"
)

const draft = "http://json-schema.org/draft-07/schema#"

// Policy returns the schema of a policy file. reference is the text of the reference configuration, config.toml.
func Policy(reference []byte) ([]byte, error) {
	m, err := newMaker(reference)
	if err != nil {
		return nil, err
	}
	root := m.table("")
	root.Title, root.Description = "metarobots policy", "A policy file: metarobots.toml, or config.toml beside a site."
	return m.document(root), nil
}

// Hugo returns the schema of Hugo's own configuration as far as metarobots reads it: [params.metarobots]. Everything
// else in such a file is Hugo's.
func Hugo(reference []byte) ([]byte, error) {
	m, err := newMaker(reference)
	if err != nil {
		return nil, err
	}
	robots := m.table("robots")
	robots.Description = m.entries["robots"].text
	root := &node{Title: "metarobots in Hugo's configuration",
		Description: "Hugo's configuration with [params.metarobots].", Type: "object",
		Properties: map[string]*node{"params": {Type: "object", Description: "Parameters of the site and its theme.",
			Properties: map[string]*node{"metarobots": robots}}}}
	return m.document(root), nil
}

// A maker makes nodes from what the decoder reads and what the reference configuration says of it.
type maker struct {
	entries  map[string]entry
	keys     []config.Key
	crawlers policy.Crawlers
}

func newMaker(reference []byte) (*maker, error) {
	entries, err := readReference(reference)
	if err != nil {
		return nil, fmt.Errorf("the reference configuration: %w", err)
	}
	m := &maker{entries, config.Keys(), policy.KnownCrawlers()}
	for _, k := range m.keys {
		if m.description(&k) == "" {
			return nil, fmt.Errorf("the reference configuration says nothing of %s", &k)
		}
	}
	return m, nil
}

func (m *maker) document(root *node) []byte {
	root.Schema = draft
	root.Definitions = used(root, definitions(m.crawlers))
	return root.print()
}

// description is the comment above a key or, where there is none, above its table.
func (m *maker) description(k *config.Key) string {
	for i := len(k.Path); i > 0; i-- {
		if e := m.entries[strings.Join(k.Path[:i], ".")]; e.text != "" {
			return e.text
		}
	}
	return ""
}

func (m *maker) key(path string) *config.Key {
	i := slices.IndexFunc(m.keys, func(k config.Key) bool { return k.String() == path })
	return &m.keys[i]
}

// table is an object of the keys right below path; "" is the top.
func (m *maker) table(path string) *node {
	n := &node{Type: "object", Properties: map[string]*node{}, AdditionalProperties: nothing()}
	for _, k := range m.keys {
		last := k.Path[len(k.Path)-1]
		if strings.Join(k.Path[:len(k.Path)-1], ".") == path {
			n.Properties[last] = m.described(&k)
		}
	}
	return n
}

// described is the value of a key with its description, default and example.
func (m *maker) described(k *config.Key) *node {
	n := m.value(k)
	e := m.entries[k.String()]
	n.Description = m.description(k)
	if e.given && !m.required(k) {
		n.Default = e.value
	}
	if e.example != nil {
		n.Examples = []any{e.example}
	}
	return n
}

// required reports whether a key must be there, so that it has no default to speak of.
func (m *maker) required(k *config.Key) bool {
	i := slices.Index(k.Path, "[]")
	return i == len(k.Path)-2 && i > 0 && slices.Contains(m.key(strings.Join(k.Path[:i], ".")).Required, k.Path[i+1])
}

// value is the schema of a key's value.
func (m *maker) value(k *config.Key) *node {
	path := k.String()
	switch k.Form {
	case config.FormText:
		return text(k.Of)
	case config.FormChoice:
		n := &node{Enum: words(k.Words)}
		for _, allowed := range []struct{ given, value bool }{{k.True, true}, {k.False, false}} {
			if allowed.given {
				n.Enum = append(n.Enum, allowed.value)
			}
		}
		return n
	case config.FormSwitch:
		return ref("switch")
	case config.FormShare:
		return anyOf(&node{Type: "number", Minimum: number(0), Maximum: number(1)},
			&node{Type: "string", Pattern: `^(0|1|0?\.[0-9]+|1\.0*|0\.)$`, PatternErrorMessage: "a number from 0 to 1"})
	case config.FormNumber:
		return anyOf(&node{Type: "number", Minimum: number(0)},
			&node{Type: "string", Pattern: `^[0-9]+(\.[0-9]+)?$`, PatternErrorMessage: "a number"})
	case config.FormTexts, config.FormList:
		return m.list(k)
	case config.FormTable:
		return m.table(path)
	case config.FormTables:
		items := m.table(path + ".[]")
		items.Required = k.Required
		for _, key := range k.OneOf {
			items.AnyOf = append(items.AnyOf, &node{Required: []string{key}})
		}
		return &node{Type: "array", Items: items}
	case config.FormNames:
		return m.names(k)
	case config.FormDirectives:
		return m.directives(k)
	}
	panic(fmt.Sprintf("schema: %s has the form %q", path, k.Form))
}

// list is an array of texts, or one text.
func (m *maker) list(k *config.Key) *node {
	item, one := text(k.Of), text(k.Of)
	switch {
	case k.Words != nil:
		item = &node{Enum: words(k.Words)}
		one = &node{Type: "string", Pattern: listed(oneOf(k.Words)), PatternErrorMessage: "one or more of " +
			strings.Join(k.Words, ", "), Examples: words(k.Words)}
	case k.Form == config.FormList && k.Of != "": // one text may be several
		one.Pattern = listed(texts[k.Of].pattern)
	}
	n := anyOf(&node{Type: "array", Items: item}, one)
	if slices.Contains(k.Required, "[]") {
		n.AnyOf[0].MinItems = 1
	}
	return n
}

// names is a table whose keys are names.
func (m *maker) names(k *config.Key) *node {
	path := k.String()
	of := m.value(m.key(path + ".*"))
	n := &node{Type: "object", Properties: map[string]*node{}, AdditionalProperties: of}
	if k.Words != nil && !k.Open {
		n.AdditionalProperties = nothing()
	}
	for _, name := range k.Words {
		known := *of
		known.Description = m.description(k)
		if e := m.entries[path+"."+name]; e.given {
			known.Default = e.value
		}
		if _, ok := m.crawlers.Lookup(name); ok {
			known.Description = told(m.crawlers, name)
		}
		n.Properties[name] = &known
	}
	return n
}

// directives are what is said, in the forms that stand here.
func (m *maker) directives(k *config.Key) *node {
	switch {
	case k.Ignore:
		return ref("key")
	case k.Alone:
		return ref("directivesForOne")
	case k.True && k.False:
		return ref("directives")
	case k.True:
		return ref("environment")
	}
	return ref("words")
}
