package servers

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// firebasePattern keeps one expression to a size that is still read by people;
// no limit is documented.
const firebasePattern = 4096

// firebaseFresh is where a project without a firebase.json starts from.
const firebaseFresh = "{\n  \"hosting\": {\n    \"public\": \"public\"\n  }\n}\n"

// writeFirebase writes rules with a regular expression (RE2). The documentation
// does not say whether it is the encoded path that is compared: both are named.
// Of several rules the last counts.
// https://firebase.google.com/docs/hosting/full-config#headers
func writeFirebase(c *compiler) error {
	clean := false
	m, err := readMerged(c.existing, firebaseFresh, "headers", func(root *node) (*node, error) {
		hosting := root.get("hosting")
		switch {
		case hosting == nil:
			return nil, errors.New(`it has no "hosting" (firebase init hosting makes one)`)
		case hosting.kind != '{':
			return nil, errors.New(`"hosting" has several sites: the X-Robots-Tag rules are for one`)
		}
		if v := hosting.get("cleanUrls"); v != nil {
			clean, _ = v.scalar.(bool)
		}
		return hosting, nil
	}, ourPatterns)
	if err != nil {
		return err
	}
	s := c.gather(func(path string) ([]string, []string) { return vercelForms(path, clean) })
	clash := c.lookAlikes(s)
	var rules []string
	if c.everywhere != "" {
		// Ahead of the others: of two that match the last counts.
		rules = append(rules, firebaseRuleText(patternMark+".*", c.everywhere))
	}
	for _, g := range s.groups {
		packed, long := alternatives(g.urls, func(path string) string { return eitherPattern(path, clash["/"+path]) }, firebasePattern-8)
		c.tooLong(long)
		for _, p := range packed {
			rules = append(rules, firebaseRuleText(p, g.value))
		}
	}
	if len(rules) > 0 && m.fresh == string(m.text) {
		c.problem(Problem{ID: IDFound, Severity: SeverityNote,
			Message: `"public" in the new firebase.json is a guess: it names the publish folder`})
	}
	c.res.Rules = len(rules)
	c.res.File = m.print(c.existing, "headers", rules)
	return nil
}

func firebaseRuleText(expression, value string) string {
	return fmt.Sprintf(`{ "regex": %s, "headers": [{ "key": %q, "value": %s }] }`, quoteJSON("^/?(?:"+expression+")$"), Name, quoteJSON(value))
}

// eitherPattern is an expression for a path as it stands and encoded.
func eitherPattern(path string, clash bool) string {
	e := encodedPattern(path)
	if raw := regexp.QuoteMeta(path); len(spellings(path, clash)) > 1 {
		return e + "|" + raw
	}
	return e
}

// lookAlikes finds and reports URLs that are the encoded spelling of another
// file's, for hosts that may compare either.
func (c *compiler) lookAlikes(s site) map[string]bool {
	clash := make(map[string]bool)
	value := make(map[string]string)
	for _, g := range s.groups {
		for _, u := range g.urls {
			value[u] = g.value
		}
	}
	for _, u := range c.rest() {
		value[u] = c.everywhere
	}
	for u, v := range value {
		if decoded, err := url.PathUnescape(u); err == nil && decoded != u {
			if other, ok := value[decoded]; ok && other != v {
				clash[u] = true
				c.problem(Problem{ID: IDOverlap, Severity: SeverityWarning, Path: c.file(u),
					Message: fmt.Sprintf("the name is how %q is encoded: where the host compares decoded paths, it gets that file's X-Robots-Tag too", strings.TrimPrefix(decoded, "/"))})
			}
		}
	}
	return clash
}
