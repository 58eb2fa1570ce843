package servers

import (
	"fmt"
	"strings"
)

// azureSize is the most that a staticwebapp.config.json may have:
// https://learn.microsoft.com/azure/static-web-apps/configuration#restrictions
const azureSize = 20 * 1024

// The routes around ours. No file is served there.
const (
	azureBegin = "/.metarobots/begin"
	azureEnd   = "/.metarobots/end"
)

// writeAzure writes a route for each path. Azure stops at the first route that
// matches, and a route can forbid: so ours stand after the user's, and one of
// theirs in the way is an error.
func writeAzure(c *compiler) error {
	m, err := readMerged(c.existing, "{\n}\n", "routes", func(root *node) (*node, error) { return root, nil },
		func(list *node) (first, last int) {
			first = -1
			for i, route := range list.items {
				switch route.get("route").text() {
				case azureBegin:
					first = i
				case azureEnd:
					if first >= 0 {
						return first, i
					}
				}
			}
			return -1, 0
		})
	if err != nil {
		return err
	}
	s := c.gather(azureForms)
	clash := c.lookAlikes(s)
	mixed := c.withoutCase(s)
	routes := []string{fmt.Sprintf(`{ "route": %q, "statusCode": 404 }`, azureBegin)}
	for _, g := range s.groups {
		for _, url := range g.urls {
			if strings.Contains(url, "*") {
				c.problem(Problem{ID: IDName, Severity: SeverityError, Path: c.file(url),
					Message: "a * in a route means any text: the file gets no X-Robots-Tag (rename it)"})
				continue
			}
			if mixed[c.file(url)] {
				continue
			}
			for _, route := range spellings(url, clash[url]) {
				routes = append(routes, azureRouteText(route, g.value))
			}
		}
	}
	if c.everywhere != "" {
		routes = append(routes, azureRouteText("/*", c.everywhere))
	}
	c.inTheWay(s, func(a answer, url string) string {
		return fmt.Sprintf("the route %q takes %s first, and Azure goes no further: the file does not get its X-Robots-Tag (give that route the header)", a.pattern, url)
	})
	routes = append(routes, fmt.Sprintf(`{ "route": %q, "statusCode": 404 }`, azureEnd))
	c.res.Rules = len(routes) - 2
	if c.res.Rules == 0 {
		routes = nil
	}
	c.res.File = m.print(c.existing, "routes", routes)
	if n := len(c.res.File); n > azureSize && c.res.Rules > 0 {
		return c.budget("staticwebapp.config.json would have %d bytes; Azure takes %d", n, azureSize)
	}
	return nil
}

func azureRouteText(route, value string) string {
	return fmt.Sprintf(`{ "route": %s, "headers": { %q: %s } }`, quoteJSON(route), Name, quoteJSON(value))
}

// azureForms: pages are served without .html and folders without the slash too.
func azureForms(path string) (own, maybe []string) { return vercelForms(path, true) }

// withoutCase finds and reports the files of which a path differs from another
// file's in case alone, where that wants something else: whether Azure tells
// them apart is not documented. None of their paths can have a rule, since the
// route of an index holds for its folder too.
func (c *compiler) withoutCase(s site) map[string]bool {
	values := make(map[string]string)
	mixed := make(map[string]bool) // by path in lower case
	note := func(url, value string) {
		key := strings.ToLower(url)
		if old, ok := values[key]; ok && old != value {
			mixed[key] = true
		}
		values[key] = value
	}
	for _, g := range s.groups {
		for _, url := range g.urls {
			note(url, g.value)
		}
	}
	for _, url := range c.rest() {
		note(url, c.everywhere)
	}
	files := make(map[string]bool)
	for _, g := range s.groups {
		for _, url := range g.urls {
			if file := c.file(url); mixed[strings.ToLower(url)] && !files[file] {
				files[file] = true
				c.problem(Problem{ID: IDOverlap, Severity: SeverityError, Path: file,
					Message: "another name differs from it in case alone and wants something else: neither gets an X-Robots-Tag of its own on this host (rename one)"})
			}
		}
	}
	return files
}
