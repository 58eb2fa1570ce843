package servers

import (
	"errors"
	"slices"
	"strings"

	"metarobots/internal/address"
	"metarobots/internal/lazyregexp"
)

// patternMark makes a regular expression recognisable as ours and changes nothing about what it
// matches.
const patternMark = "(?:metarobots){0}"

// vercel has rules whose source matches the path as it was sent; of those the last one that sets
// the header counts. The source of ours is one group with a regular expression: a named group would
// have colons in the value taken for parameters.
//
// Sources are those of path-to-regexp 6.1 ([sourceExpression]).
// https://vercel.com/docs/project-configuration/vercel-json#headers
// https://github.com/vercel/vercel/blob/main/packages/routing-utils/src/superstatic.ts
var vercel = &ruleList{
	host: "vercel", handling: handlingBy(address.Vercel),
	file: listFile{format: "json", path: []string{"headers"}, check: func(root any) error {
		if member(root, "routes") != nil {
			return errors.New(`it has "routes", beside which Vercel takes no "headers"`)
		}
		return nil
	}},
	keys: []string{"source"},
	text: ruleText{rule: `{ "source": %s, "headers": [%s] }`, header: `{ "key": "%s", "value": %s }`,
		otherHosts: `{ "source": %s, "missing": [{ "type": "host", "value": %s }], "headers": [%s] }`,
		redirect:   `{ "source": %s, "has": [{ "type": "host", "value": %s }], "destination": %s, "permanent": true }`},
	ours:        ourPatterns{head: "/(" + patternMark, tail: ")", everything: "/(" + patternMark + ".*)"},
	owners:      ownersRules{isConditional: dependsOnRequest, isVague: holdsParameter, translate: sourceExpression},
	comparisons: []comparison{{spell: encoded}, {spell: component}, {spell: encodedStrictly}},
	unwritable:  lazyregexp.New(`\$`),
	// https://vercel.com/docs/headers/response-headers#x-robots-tag
	hasPreviews: true,
	// https://openapi.vercel.sh/vercel.json
	limit: limit{1024, "Vercel", "header rules", func(_ []byte, rules int) int { return rules }},
}

// inTOML is the list in vercel.toml, which Vercel makes vercel.json of.
// https://github.com/vercel/vercel packages/cli/src/util/compile-vercel-config.ts
func (h *ruleList) inTOML() *ruleList {
	list := *h
	list.file.format = "toml"
	return &list
}

// parameter is a part of the path to which a source gives a name.
var parameter = lazyregexp.New(`:\w+`)

// dependsOnRequest reports whether a rule depends on more than the path.
func dependsOnRequest(rule any) bool {
	return member(rule, "has") != nil || member(rule, "missing") != nil
}

// holdsParameter reports whether a value holds a part of the path.
func holdsParameter(source, value string) bool {
	return slices.ContainsFunc(parameter.FindAllString(source, -1), func(name string) bool {
		return strings.Contains(value, name)
	})
}
