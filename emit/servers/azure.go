package servers

import (
	"fmt"
	"slices"
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
	c.foundRules(m, "routes")
	var own []*node
	if list := m.object.get("routes"); list != nil {
		own = list.items
	}
	s := c.gather(azureForms)
	clash := c.lookAlikes(s)
	values := c.withoutCase(s)
	routes := []string{fmt.Sprintf(`{ "route": %q, "statusCode": 404 }`, azureBegin)}
	for _, g := range s.groups {
		for _, url := range g.urls {
			if strings.Contains(url, "*") {
				c.problem(Problem{ID: IDName, Severity: SeverityError, Path: c.files[url],
					Message: "a * in a route means any text: the file gets no X-Robots-Tag (rename it)"})
				continue
			}
			if values[strings.ToLower(url)] == azureMixed {
				continue
			}
			for _, route := range spellings(url, clash[url]) {
				for _, other := range own {
					if azureReads(other) && azureTakes(other.get("route").text(), route) {
						c.problem(Problem{ID: IDFound, Severity: SeverityError, Line: m.line(other), Path: c.files[url],
							Message: fmt.Sprintf("the route %q takes %s first, and Azure goes no further: the file gets no X-Robots-Tag (give that route the header)", other.get("route").text(), route)})
					}
				}
				routes = append(routes, fmt.Sprintf(`{ "route": %s, "headers": { %q: %s } }`, quoteJSON(route), Name, quoteJSON(g.value)))
			}
		}
	}
	routes = append(routes, fmt.Sprintf(`{ "route": %q, "statusCode": 404 }`, azureEnd))
	c.res.Rules = len(routes) - 2
	if c.res.Rules == 0 {
		routes = nil
	}
	c.res.File = m.print(c.existing, "routes", routes)
	if n := len(c.res.File); n > azureSize && c.res.Rules > 0 {
		c.problem(Problem{ID: IDBudget, Severity: SeverityError,
			Message: fmt.Sprintf("staticwebapp.config.json would have %d bytes; Azure takes %d (headers.scope = \"files\" leaves HTML to its tags)", n, azureSize)})
		return ErrBudget
	}
	return nil
}

// azureForms: pages are served without .html and folders without the slash too.
func azureForms(path string) (own, maybe []string) { return vercelForms(path, true) }

const azureMixed = "\x00"

// withoutCase gives the value of each path in lower case, azureMixed where paths
// that differ in case alone want different ones: whether Azure tells them apart
// is not documented. Those are reported.
func (c *compiler) withoutCase(s site) map[string]string {
	values := make(map[string]string)
	note := func(url, value string) {
		key := strings.ToLower(url)
		if old, ok := values[key]; ok && old != value {
			values[key] = azureMixed
			return
		}
		values[key] = value
	}
	for _, g := range s.groups {
		for _, url := range g.urls {
			note(url, g.value)
		}
	}
	for _, url := range s.rest {
		note(url, "")
	}
	for _, g := range s.groups {
		for _, url := range g.urls {
			if values[strings.ToLower(url)] == azureMixed {
				c.problem(Problem{ID: IDOverlap, Severity: SeverityError, Path: c.files[url],
					Message: "another name differs from it in case alone and wants something else: neither gets an X-Robots-Tag on this host (rename one)"})
			}
		}
	}
	return values
}

// azureReads reports whether a route is for the methods that crawlers use.
func azureReads(route *node) bool {
	methods := route.get("methods")
	return methods == nil || slices.ContainsFunc(methods.items, func(m *node) bool {
		return strings.EqualFold(m.text(), "GET") || strings.EqualFold(m.text(), "HEAD")
	})
}

// azureTakes reports whether a route of the user's matches a path: it ends in *,
// or in *.{a,b}, or is the path.
func azureTakes(route, path string) bool {
	route, path = strings.ToLower(route), strings.ToLower(path)
	before, after, star := strings.Cut(route, "*")
	if !star {
		return route == path || strings.TrimSuffix(route, "/") == strings.TrimSuffix(path, "/")
	}
	rest, ok := strings.CutPrefix(path, before)
	if !ok || after == "" {
		return ok
	}
	endings := []string{after}
	if in, ok := strings.CutPrefix(after, ".{"); ok {
		endings = nil
		for e := range strings.SplitSeq(strings.TrimSuffix(in, "}"), ",") {
			endings = append(endings, "."+strings.TrimSpace(e))
		}
	}
	for _, e := range endings {
		if strings.HasSuffix(rest, e) {
			return true
		}
	}
	return false
}
