package servers

import (
	"errors"
	"fmt"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// Vercel's limits: https://openapi.vercel.sh/vercel.json
const (
	vercelRules  = 1024
	vercelSource = 4096
)

// vercelFile is vercel.json: https://vercel.com/docs/project-configuration#headers
var vercelFile = &jsonFile{fresh: "{\n}\n", list: "headers", ours: ourPatterns, holder: func(root *node) (*node, error) {
	if root.get("routes") != nil {
		return nil, errors.New(`it has "routes", beside which Vercel takes no "headers"`)
	}
	return root, nil
}}

// writeVercel writes rules whose source is one group with a regular expression.
// A named group would have colons in the value taken for parameters.
func writeVercel(c *compiler) error {
	t, err := vercelFile.without(c.existing)
	if err != nil {
		return err
	}
	s := c.gather(formsOf(t.object.get("cleanUrls").is()))
	line := func(expression, value string) string {
		return fmt.Sprintf(`{ "source": %s, "headers": [{ "key": %q, "value": %s }] }`,
			quoteJSON("/("+expression+")"), robotstag.Name, quoteJSON(value))
	}
	var rules []string
	if c.everywhere != "" {
		// Ahead of the others: of two that match the last counts.
		rules = append(rules, line(patternMark+".*", c.everywhere))
	}
	for _, g := range s.groups {
		for _, p := range c.pack(g.urls, encodedPattern, vercelSource-3) {
			rules = append(rules, line(p, g.value))
		}
	}
	c.res.Rules = len(rules)
	c.res.File = t.print(c.existing, rules)
	own := len(t.object.get("headers").elements())
	if own+len(rules) > vercelRules {
		return c.budget("%d header rules, %d of them yours; Vercel takes %d", own+len(rules), own, vercelRules)
	}
	// Vercel turns all of them into routes of one deployment.
	routes := own + len(rules) + len(t.object.get("redirects").elements()) + len(t.object.get("rewrites").elements())
	if routes > vercelRules {
		c.report(robotstag.IDBudget, policy.Warning, nil,
			"%d headers, redirects and rewrites, %d of them ours: Vercel may take no more than %d routes", routes, len(rules), vercelRules)
	}
	return nil
}

// readVercel reads what Vercel does with "headers": of the rules whose source
// matches the path as it was sent, the last one that sets the header counts.
// https://vercel.com/docs/project-configuration/vercel-json#headers
func readVercel(file []byte) (*model, error) {
	root, err := vercelFile.open(vercelFile.orFresh(file))
	if err != nil {
		return nil, err
	}
	m := &model{serves: cleanly(root.get("cleanUrls").is())}
	all := root.get("headers").elements()
	var rules []rule
	ours := false
	for _, n := range all {
		value, line, ok := n.robots()
		if !ok {
			continue
		}
		source := n.get("source").text()
		r := rule{answer: answer{sent: values(line, value), line: line}}
		if strings.Contains(source, patternMark) {
			r.ours, ours = true, true
			if len(source) > vercelSource {
				m.fault(robotstag.IDBudget, 0, "a source of %d characters; Vercel takes %d", len(source), vercelSource)
			}
			expression := strings.TrimSuffix(strings.TrimPrefix(source, "/("), ")")
			if "/("+expression+")" != source {
				return nil, errors.New("a rule of ours cannot be read")
			}
			if r, err = unpack(r.answer, "^/(?:", expression, ")$"); err != nil {
				return nil, fmt.Errorf("a rule of ours cannot be read: %w", err)
			}
		} else if p, why := vercelRule(n, source, value); why != "" {
			m.leaveUnread(n.line, "rule", ", and "+why)
			r.unread, r.matches = true, func(string) bool { return true }
		} else {
			r.matches = p
		}
		rules = append(rules, r)
	}
	if len(all) > vercelRules && ours {
		m.fault(robotstag.IDBudget, 0, "%d header rules; Vercel takes %d", len(all), vercelRules)
	}
	m.lists(rules, false, answer{}, encoded, encodedStrictly)
	return m, nil
}

// vercelRule reads a rule of the user's, or says why it does not.
func vercelRule(n *node, source, value string) (matches func(path string) bool, why string) {
	for _, name := range []string{"has", "missing"} {
		if n.get(name) != nil {
			return nil, `it depends on the request ("` + name + `")`
		}
	}
	matches, name, ok := vercelSourceOf(source)
	switch {
	case !ok:
		return nil, "its source cannot be read (it is more than " + plainPattern + ")"
	case name != "" && strings.Contains(value, ":"+name):
		return nil, "its value holds a part of the path (:" + name + ")"
	}
	return matches, ""
}

// vercelSourceOf reads a source of vercel.json that names a path, or with one of
// (.*), :name, :name* and :name(.*) those that begin with a text; after (.*) they
// may also end with one. Vercel takes path-to-regexp 6.1, with regard to case and
// without an optional slash at the end:
// https://github.com/vercel/vercel/blob/main/packages/routing-utils/src/superstatic.ts
// and https://github.com/pillarjs/path-to-regexp/blob/v6.1.0/Readme.md
func vercelSourceOf(source string) (matches func(path string) bool, name string, ok bool) {
	const special = `:(){}*+?\`
	at := strings.IndexAny(source, special)
	if at < 0 {
		return pattern{before: source}.matches, "", strings.HasPrefix(source, "/")
	}
	p := pattern{before: source[:at], wild: true}
	rest, named := strings.CutPrefix(source[at:], ":")
	if named {
		n := 0
		for n < len(rest) && isPlain(rest[n], "_") {
			n++
		}
		name, rest = rest[:n], rest[n:]
	}
	ending, any := strings.CutPrefix(rest, "(.*)")
	ending = strings.ReplaceAll(ending, `\.`, ".")
	switch {
	case !strings.HasPrefix(source, "/"), named && name == "", !named && !any, !any && !strings.HasSuffix(p.before, "/"):
		return nil, "", false
	case any && ending != "":
		p.endings = []string{ending}
		return p.matches, name, !strings.ContainsAny(ending, special)
	case any:
		return p.matches, name, true
	case rest == "":
		p.segment, p.some = true, true
		return p.matches, name, true
	case rest == "*":
		// The slash before it belongs to it, and none is left at the end.
		folder := strings.TrimSuffix(p.before, "/")
		p.some = true
		return func(path string) bool {
			return path == folder || p.matches(path) && !strings.HasSuffix(path, "/")
		}, name, true
	}
	return nil, "", false
}
