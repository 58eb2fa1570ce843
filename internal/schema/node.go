package schema

import (
	"bytes"
	"encoding/json"
)

// A node is one schema of a document, with the keywords that are used here.
// https://json-schema.org/draft-07/json-schema-validation
type node struct {
	Schema      string `json:"$schema,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Ref         string `json:"$ref,omitempty"`
	Type        string `json:"type,omitempty"`
	Enum        []any  `json:"enum,omitempty"`
	Pattern     string `json:"pattern,omitempty"`
	// PatternErrorMessage is what VS Code says in place of the pattern.
	PatternErrorMessage  string           `json:"patternErrorMessage,omitempty"`
	Minimum              *int             `json:"minimum,omitempty"`
	Maximum              *int             `json:"maximum,omitempty"`
	MinItems             int              `json:"minItems,omitempty"`
	Items                *node            `json:"items,omitempty"`
	Properties           map[string]*node `json:"properties,omitempty"`
	PatternProperties    map[string]*node `json:"patternProperties,omitempty"`
	AdditionalProperties *node            `json:"additionalProperties,omitempty"`
	Required             []string         `json:"required,omitempty"`
	AllOf                []*node          `json:"allOf,omitempty"`
	AnyOf                []*node          `json:"anyOf,omitempty"`
	Default              any              `json:"default,omitempty"`
	Examples             []any            `json:"examples,omitempty"`
	Definitions          map[string]*node `json:"definitions,omitempty"`
	// never is the schema false.
	never bool
}

// MarshalJSON prints false for a schema that nothing fits.
func (n *node) MarshalJSON() ([]byte, error) {
	if n.never {
		return []byte("false"), nil
	}
	type plain node
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode((*plain)(n))
	return b.Bytes(), err
}

// nothing fits no value.
func nothing() *node { return &node{never: true} }

// ref is a definition of the same document. In draft-07 what stands beside $ref is not read, so that it stands in
// allOf.
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

// words is an enum of texts.
func words(of []string) []any {
	values := make([]any, len(of))
	for i, w := range of {
		values[i] = w
	}
	return values
}

func number(n int) *int { return &n }

// print is the document as a file.
func (n *node) print() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(n); err != nil {
		panic("schema: " + err.Error())
	}
	return b.Bytes()
}
