package servers

import (
	"errors"
	"fmt"
	"strings"
)

// Vercel's limits: https://openapi.vercel.sh/vercel.json
const (
	vercelRules  = 1024
	vercelSource = 4096
)

// writeVercel writes rules whose source is one group with a regular expression.
// A named group would have colons in the value taken for parameters.
// https://vercel.com/docs/project-configuration#headers
func writeVercel(c *compiler) error {
	clean := false
	m, err := readMerged(c.existing, "{\n}\n", "headers", func(root *node) (*node, error) {
		if v := root.get("cleanUrls"); v != nil {
			clean, _ = v.scalar.(bool)
		}
		if root.get("routes") != nil {
			return nil, errors.New(`it has "routes", beside which Vercel takes no "headers"`)
		}
		return root, nil
	}, ourPatterns)
	if err != nil {
		return err
	}
	own := 0
	if list := m.object.get("headers"); list != nil {
		own = len(list.items)
	}
	s := c.gather(func(path string) ([]string, []string) { return vercelForms(path, clean) })
	var rules []string
	if c.everywhere != "" {
		// Ahead of the others: of two that match the last counts.
		rules = append(rules, vercelRuleText(patternMark+".*", c.everywhere))
	}
	for _, g := range s.groups {
		packed, long := alternatives(g.urls, encodedPattern, vercelSource-3)
		c.tooLong(long)
		for _, p := range packed {
			rules = append(rules, vercelRuleText(p, g.value))
		}
	}
	c.res.Rules = len(rules)
	c.res.File = m.print(c.existing, "headers", rules)
	if own+len(rules) > vercelRules {
		return c.budget("%d header rules, %d of them yours; Vercel takes %d", own+len(rules), own, vercelRules)
	}
	// Vercel turns all of them into routes of one deployment.
	routes := own + len(rules)
	for _, name := range []string{"redirects", "rewrites"} {
		if list := m.object.get(name); list != nil {
			routes += len(list.items)
		}
	}
	if routes > vercelRules {
		c.problem(Problem{ID: IDBudget, Severity: SeverityWarning,
			Message: fmt.Sprintf("%d headers, redirects and rewrites, %d of them ours: Vercel may take no more than %d routes", routes, len(rules), vercelRules)})
	}
	return nil
}

func vercelRuleText(expression, value string) string {
	return fmt.Sprintf(`{ "source": %s, "headers": [{ "key": %q, "value": %s }] }`, quoteJSON("/("+expression+")"), Name, quoteJSON(value))
}

// vercelForms: a folder's index is served with and without the slash, a page,
// with cleanUrls, without .html.
func vercelForms(path string, clean bool) (own, maybe []string) {
	own, _ = plainForms(path)
	if len(own) == 2 {
		if folder := strings.TrimSuffix(own[0], "/"); folder != "" {
			maybe = append(maybe, folder)
		}
		if clean && own[0] != "/" {
			maybe = append(maybe, strings.TrimSuffix(own[1], ".html"))
		}
	} else if page, ok := strings.CutSuffix(own[0], ".html"); ok && clean {
		maybe = append(maybe, page)
	}
	return own, maybe
}

func (c *compiler) tooLong(urls []string) {
	for _, url := range urls {
		c.problem(Problem{ID: IDName, Severity: SeverityError, Path: c.file(url),
			Message: "the path is too long for a rule of this host: it gets no X-Robots-Tag"})
	}
}
