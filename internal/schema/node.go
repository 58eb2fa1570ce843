package schema

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// A document is a schema as a file: with the draft that it is written in, and the schemas that it
// refers to.
type document struct {
	Schema string `json:"$schema"`
	node
	Definitions map[string]*node `json:"definitions"`
}

// A node is one schema of a document, with the keywords that are used here.
// https://json-schema.org/draft-07/json-schema-validation
type node struct {
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Ref         string `json:"$ref,omitempty"`
	Type        string `json:"type,omitempty"`
	Enum        []any  `json:"enum,omitempty"`
	Minimum     *int   `json:"minimum,omitempty"`
	Maximum     *int   `json:"maximum,omitempty"`
	MinItems    int    `json:"minItems,omitempty"`
	Items       *node  `json:"items,omitempty"`
	object
	AllOf    []*node `json:"allOf,omitempty"`
	AnyOf    []*node `json:"anyOf,omitempty"`
	Default  any     `json:"default,omitempty"`
	Examples []any   `json:"examples,omitempty"`
}

// An object is the keywords that say which members an object has.
// https://json-schema.org/draft-07/json-schema-validation#rfc.section.6.5
type object struct {
	Properties           map[string]*node `json:"properties,omitempty"`
	PatternProperties    map[string]*node `json:"patternProperties,omitempty"`
	AdditionalProperties any              `json:"additionalProperties,omitempty"` // a node, or false
	Required             []string         `json:"required,omitempty"`
}

// schema is that of a value which is such an object.
func (o object) schema() *node { return &node{Type: "object", object: o} }

// ref is a definition of the same document. In draft-07 what stands beside $ref is not read, so
// that it stands in allOf.
func ref(name string) *node { return &node{AllOf: []*node{{Ref: "#/definitions/" + name}}} }

// anyOf are alternatives; those that are a mere reference stand as such.
func anyOf(nodes ...*node) *node {
	for i, n := range nodes {
		if len(n.AllOf) == 1 && n.AllOf[0].Ref != "" && n.Description == "" {
			nodes[i] = n.AllOf[0]
		}
	}
	return &node{AnyOf: nodes}
}

func words(of []string) (values []any) {
	for _, w := range of {
		if b, err := strconv.ParseBool(w); err == nil {
			values = append(values, b) // as TOML has it; an environment variable gives the word
		}
		values = append(values, w)
	}
	return values
}

func (n *node) describe(text string) *node {
	n.Description = text
	return n
}

// file is a schema as a file.
func (n *node) file(title, description string) []byte {
	n.Title, n.Description = title, description
	d := document{"http://json-schema.org/draft-07/schema#", *n, definitions()}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(d); err != nil {
		panic("schema: " + err.Error())
	}
	return b.Bytes()
}
