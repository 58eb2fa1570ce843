package schema

import (
	"maps"
	"regexp"
	"slices"
	"strings"

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

var (
	yes = []string{"true", "yes", "on", "y", "1"}
	no  = []string{"false", "no", "off", "n", "0"}
)

const limit = `(-1|[0-9]+)`

// value is a pattern for the value of a directive that takes one, and forms shows it to people.
func value(name string) (pattern string, forms []string) {
	switch name {
	case "max-snippet", "max-video-preview":
		return limit, []string{name + ":-1", name + ":0", name + ":50"}
	case "max-image-preview":
		return oneOf(previews), []string{name + ":none", name + ":standard", name + ":large"}
	case "unavailable_after": // a date holds blanks, commas and colons: what follows it is not looked at
		return `[^;/|]*[0-9][^;/|]*`, []string{name + ": 2030-12-31"}
	}
	panic("schema: nothing is known of the values of " + name)
}

var previews = []string{"none", "standard", "large"}

// datePattern is for a date in one of the forms of D5, or nothing. Whether there is such a day the code says.
const datePattern = `^\s*([A-Za-z]+,? +)?([0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}[ -][A-Za-z]{3,9}[ -][0-9]{2}|[A-Za-z]{3} [0-9]{1,2} [0-9:]+ [0-9]{4})|^$`

// directivesPattern is for directives in one text. Blanks and semicolons are read as commas, with a finding (D4).
func directivesPattern() string {
	var plain []string
	var patterns []string
	for _, name := range policy.DirectiveNames() {
		if _, takesValue, _ := policy.Lookup(name); takesValue {
			v, _ := value(name)
			patterns = append(patterns, anyCase(name)+`\s*:\s*`+v)
		} else {
			plain = append(plain, name)
		}
	}
	one := "(" + oneOf(plain) + "|" + strings.Join(patterns, "|") + ")"
	return `^[\s,;]*(` + one + `([\s,;]+|$))*$`
}

// definitions are the forms in which directives may stand (docs/semantics.md, F), for all documents.
func definitions(crawlers policy.Crawlers) map[string]*node {
	defs := map[string]*node{
		"switch": anyOf(&node{Type: "boolean"}, &node{Enum: []any{0, 1}},
			&node{Type: "string", Pattern: whole(oneOf(slices.Concat(yes, no))), PatternErrorMessage: "true or false"}),
		"on": anyOf(&node{Enum: []any{true, 1}},
			&node{Type: "string", Pattern: whole(oneOf(yes)), PatternErrorMessage: "true"}),
		"text": {
			Type: "string", Title: "Directives", Pattern: directivesPattern(),
			PatternErrorMessage: "directives, separated by commas: noindex, nofollow, max-snippet:50",
			Examples: []any{"noindex, nofollow", "noindex, follow", "noarchive", "nosnippet", "max-snippet:50",
				"unavailable_after: 2030-12-31"},
		},
		"date": anyOf(&node{Type: "string", Pattern: datePattern,
			PatternErrorMessage: "a date: 2030-12-31 or 2030-12-31T18:00:00Z", Examples: []any{"2030-12-31"}},
			&node{Type: "null"}),
		"limit": anyOf(&node{Type: "integer", Minimum: number(-1)}, &node{Type: "null"},
			&node{Type: "string", Pattern: `^\s*` + limit + `?\s*$`,
				PatternErrorMessage: "-1 (no limit), 0 (none) or a number"}),
		"preview": anyOf(&node{Enum: words(previews)}, &node{Type: "string", Pattern: `^\s*` + oneOf(previews) +
			`?\s*$`, PatternErrorMessage: "none, standard or large"}, &node{Type: "null"}),
		"stated": anyOf(ref("switch"), &node{Enum: []any{nil, ""}}),
		// Directives where true and false say nothing, where true alone does, and where a word does.
		"words":       anyOf(ref("text"), ref("list"), ref("map"), &node{Type: "null"}),
		"environment": anyOf(ref("text"), ref("list"), ref("map"), ref("on")),
		"key":         anyOf(ref("text"), &node{Enum: []any{"ignore"}}, ref("list")),
		// Under a crawler's name in front matter a verification code may stand, and which texts are one a schema cannot
		// tell.
		"crawler": anyOf(ref("text"), &node{Type: "string"}, &node{Type: "number"}, ref("listForOne"), ref("mapForOne"),
			ref("switch"), &node{Type: "null"}),
	}
	for _, alone := range []bool{false, true} {
		name := func(base string) string {
			if alone {
				return base + "ForOne"
			}
			return base
		}
		defs[name("list")] = &node{Type: "array", Items: anyOf(ref("text"), ref(name("map")), &node{Type: "null"})}
		defs[name("map")] = directivesMap(crawlers, alone)
		defs[name("directives")] = anyOf(ref("text"), ref(name("list")), ref(name("map")), ref("switch"),
			&node{Type: "null"})
	}
	return defs
}

// directivesMap is a map of directives and, unless it is told to one crawler alone, of crawlers.
func directivesMap(crawlers policy.Crawlers, alone bool) *node {
	m := &node{Type: "object", Properties: map[string]*node{}, AdditionalProperties: nothing(),
		// Keys are read in any case of letters; those that are written otherwise are not looked at.
		PatternProperties: map[string]*node{"[A-Z]": {}}}
	add := func(key, form, text string) {
		n := ref(form)
		n.Description = text
		m.Properties[key] = n
	}
	for _, name := range policy.DirectiveNames() {
		text := Directives[name].String()
		switch _, takesValue, _ := policy.Lookup(name); {
		case name == "unavailable_after":
			add(name, "date", text)
			add("unavailableAfter", "date", text)
		case name == "max-image-preview":
			add(name, "preview", text)
		case takesValue:
			add(name, "limit", text)
		case name == "all":
			m.Properties[name] = &node{Description: text,
				AnyOf: []*node{{Ref: "#/definitions/on"}, {Enum: []any{nil, ""}}}}
		default:
			add(name, "stated", text)
		}
	}
	for _, name := range policy.DirectiveNames() { // archive: false is noarchive
		positive, ok := strings.CutPrefix(name, "no")
		if _, known := m.Properties[positive]; !ok || known || positive == "ne" {
			continue
		}
		add(positive, "stated", "false: "+name+". "+Directives[name].String())
	}
	for _, name := range policy.InertNames() {
		m.Properties[name] = &node{Description: "Does nothing here: " + name + " " + policy.Inert(name) + "."}
	}
	if alone {
		return m
	}
	add("robots", "directivesForOne", "Told to every crawler.")
	add("*", "directivesForOne", "Told to every crawler.")
	for _, name := range crawlers.Names() {
		add(name, "directivesForOne", told(crawlers, name))
	}
	return m
}

// told describes what stands under a crawler's name.
func told(crawlers policy.Crawlers, name string) string {
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

// used takes the definitions out that a document does not refer to.
func used(document *node, defs map[string]*node) map[string]*node {
	keep := map[string]*node{}
	var visit func(n *node)
	visit = func(n *node) {
		if n == nil {
			return
		}
		if name, ok := strings.CutPrefix(n.Ref, "#/definitions/"); ok && keep[name] == nil {
			def := defs[name]
			if def == nil {
				panic("schema: no definition " + name)
			}
			keep[name] = def
			visit(def)
		}
		for _, below := range slices.Concat(n.AllOf, n.AnyOf, []*node{n.Items, n.AdditionalProperties}) {
			visit(below)
		}
		for _, properties := range []map[string]*node{n.Properties, n.PatternProperties} {
			for _, below := range slices.Collect(maps.Values(properties)) {
				visit(below)
			}
		}
	}
	visit(document)
	return keep
}

// texts are the patterns of single texts, and what an editor says where one does not fit.
var texts = map[config.TextKind]struct{ pattern, message string }{
	config.KindGlob:    {`/.*`, "a glob of paths from the site's root: it begins with a slash"},
	config.KindAddress: {`(/.*)?`, "an address of this site: it begins with a slash"},
	config.KindURL:     {`[Hh][Tt][Tt][Pp][Ss]?://[^\s#/]+[^\s#]*`, "a whole URL: https:// and the host"},
	config.KindPath:    {`([/*][^\s#]*)?`, "a path as robots.txt has it: it begins with a slash"},
	config.KindCrawler: {`[-A-Za-z0-9_.]+`, "the name of a crawler: letters, digits, hyphens, underscores and dots"},
	config.KindAgent:   {`(\*|[-A-Za-z_][^\s#,]*)`, "the name of a crawler as robots.txt has it: letters, hyphens, underscores; or *"},
	config.KindHost:    {`[^\s,/:]+(:[0-9]+)?`, "the name of a host, without https:// and path"},
	config.KindClass:   {`[^\s,]+`, "the name of one class"},
	config.KindSignal:  {`(\s*[-a-zA-Z]+\s*=\s*[a-zA-Z]+\s*(,\s*[-a-zA-Z]+\s*=\s*[a-zA-Z]+\s*)*)?`, "signals: search=yes, ai-train=no"},
	config.KindUsage:   {`(/\S*\s+)?[a-z*][-a-z0-9_.*]*=[yn].*`, "preferences: train-ai=n"},
}

// text is one text of a kind.
func text(kind config.TextKind) *node {
	n := &node{Type: "string"}
	if of, ok := texts[kind]; ok {
		n.Pattern, n.PatternErrorMessage = "^"+of.pattern+"$", of.message
	}
	return n
}
