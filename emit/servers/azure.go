package servers

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// azureSize is the most that a staticwebapp.config.json may have:
// https://learn.microsoft.com/azure/static-web-apps/configuration#restrictions
const azureSize = 20 * 1024

// The routes around ours. No file is served there.
const (
	azureBegin = "/.metarobots/begin"
	azureEnd   = "/.metarobots/end"
)

// azureFile is staticwebapp.config.json.
var azureFile = &jsonFile{fresh: "{\n}\n", list: "routes",
	holder: func(root *node) (*node, error) { return root, nil },
	ours: func(list *node) (first, last int) {
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
	}}

// writeAzure writes a route for each path. Azure stops at the first route that
// matches, and a route can forbid: so ours stand after the user's, and one of
// theirs in the way is an error.
func writeAzure(c *compiler) error {
	t, err := azureFile.without(c.existing)
	if err != nil {
		return err
	}
	s := c.gather(cleanForms)
	clash := c.lookAlikes()
	mixed := c.withoutCase(s)
	line := func(route, value string) string {
		return fmt.Sprintf(`{ "route": %s, "headers": { %q: %s } }`, quoteJSON(route), robotstag.Name, quoteJSON(value))
	}
	mark := func(route string) string { return fmt.Sprintf(`{ "route": %q, "statusCode": 404 }`, route) }
	routes := []string{mark(azureBegin)}
	for _, g := range s.groups {
		for _, url := range g.urls {
			if strings.Contains(url, "*") {
				c.report(robotstag.IDName, policy.Error, c.file(url), "a * in a route means any text: the file gets no X-Robots-Tag (rename it)")
				continue
			}
			if mixed[c.file(url)] {
				continue
			}
			for _, route := range spellings(url, clash[url]) {
				routes = append(routes, line(route, g.value))
			}
		}
	}
	if c.everywhere != "" {
		routes = append(routes, line("/*", c.everywhere))
	}
	c.inTheWay(func(a answer, url string) string {
		return fmt.Sprintf("the route %q takes %s first, and Azure goes no further: the file does not get its X-Robots-Tag"+
			" (give that route the header)", a.pattern, url)
	})
	routes = append(routes, mark(azureEnd))
	c.res.Rules = len(routes) - 2
	if c.res.Rules == 0 {
		routes = nil
	}
	c.res.File = t.print(c.existing, routes)
	if n := len(c.res.File); n > azureSize && c.res.Rules > 0 {
		return c.budget("staticwebapp.config.json would have %d bytes; Azure takes %d", n, azureSize)
	}
	return nil
}

// withoutCase finds and reports the files of which a path differs from another
// file's in case alone, where that wants something else: whether Azure tells
// them apart is not documented. None of their paths can have a rule, since the
// route of an index holds for its folder too.
func (c *compiler) withoutCase(s site) map[*robotstag.Want]bool {
	values := make(map[string]string)
	mixed := make(map[string]bool) // by path in lower case
	for _, url := range c.urls {
		key, value := strings.ToLower(url), c.served(url)
		if old, ok := values[key]; ok && old != value {
			mixed[key] = true
		}
		values[key] = value
	}
	files := make(map[*robotstag.Want]bool)
	for _, g := range s.groups {
		for _, url := range g.urls {
			if file := c.file(url); mixed[strings.ToLower(url)] && !files[file] {
				files[file] = true
				c.report(robotstag.IDOverlap, policy.Error, file, "another name differs from it in case alone and wants something else:"+
					" neither gets an X-Robots-Tag of its own on this host (rename one)")
			}
		}
	}
	return files
}

// readAzure reads what Azure Static Web Apps do with routes: the first one that
// matches counts, and its headers go before the global ones; an empty text
// removes a header. Whether the path is decoded and whether its case counts are
// left open.
// https://learn.microsoft.com/azure/static-web-apps/configuration#routes
// https://github.com/Azure/static-web-apps-cli src/msha/routes-engine/route-processor.ts
func readAzure(file []byte) (*model, error) {
	root, err := azureFile.open(azureFile.orFresh(file))
	if err != nil {
		return nil, err
	}
	m := &model{serves: cleanly(true)}
	var always answer
	if global := root.get("globalHeaders"); global != nil && global.kind == '{' {
		for i, name := range global.names {
			if v := global.items[i]; strings.EqualFold(name, robotstag.Name) {
				always = answer{sent: values(v.line, v.text()), line: v.line}
			}
		}
	}
	var plain, folded []rule
	inside, any := false, false
	for _, n := range root.get("routes").elements() {
		route := n.get("route").text()
		if route == azureBegin || route == azureEnd {
			inside, any = route == azureBegin, true
			continue
		}
		if methods := n.get("methods"); methods != nil && !azureAsked(methods) {
			continue
		}
		value, line, ok := n.robots()
		r := rule{answer: answer{sent: values(line, value), line: line, ours: inside, pattern: route,
			elsewhere: n.get("redirect").text() != ""}, silent: !ok}
		if !ok {
			r.line = n.line
		}
		p, read := azureRoute(route)
		switch {
		case !read && inside:
			return nil, fmt.Errorf("a route of ours cannot be read: %q", route)
		case !read:
			r.unread = true
			if ok {
				m.leaveUnread(n.line, "rule", ", and its route cannot be read (it is more than "+plainPattern+")")
			}
		}
		plain = append(plain, r.byRoute(p))
		folded = append(folded, r.byRoute(p.folded()))
	}
	if n := len(file); n > azureSize && any {
		m.fault(robotstag.IDBudget, 0, "%d bytes; Azure takes %d", n, azureSize)
	}
	m.lists(plain, true, always, decoded, encoded)
	m.lists(folded, true, always, decodedFolded, encodedFolded)
	return m, nil
}

// azureAsked reports whether a route is for the methods that crawlers use.
func azureAsked(methods *node) bool {
	return slices.ContainsFunc(methods.elements(), func(v *node) bool {
		return strings.EqualFold(v.text(), "GET") || strings.EqualFold(v.text(), "HEAD")
	})
}

// azureRoute reads a route, in which a * stands at the end, alone or before
// endings: .png or .{png,jpg}. Of one that is not read what stands before the * is
// known, and it may take all that begins so.
func azureRoute(route string) (p pattern, ok bool) {
	before, after, wild := strings.Cut(route, "*")
	p = pattern{before: before, wild: wild}
	all, ok := endings(after, `*(){}[]/`)
	if ok = ok && (after == "" || strings.HasPrefix(after, ".")); ok {
		p.endings = all
	}
	return p, ok
}

// folded is a pattern in lower case.
func (p pattern) folded() pattern {
	p.before, p.endings = strings.ToLower(p.before), slices.Clone(p.endings)
	for i, e := range p.endings {
		p.endings[i] = strings.ToLower(e)
	}
	return p
}

// byRoute is a rule that compares as a route does. One of ours that names a path is
// looked up, as are the folder's paths for an index.
func (r rule) byRoute(p pattern) rule {
	if !r.ours || p.wild {
		r.matches = p.orIndex
		return r
	}
	r.texts = []string{p.before}
	if folder, ok := strings.CutSuffix(p.before, "/index.html"); ok && !strings.Contains(folder, ".") {
		r.texts = append(r.texts, folder, folder+"/")
	}
	return r
}

// orIndex reports whether a route names a path, or, of a path without a dot, the
// index of that folder.
func (p pattern) orIndex(path string) bool {
	if n := min(len(path), len(p.before)); path[:n] != p.before[:n] {
		return false // nor can the index match, which begins with the path
	}
	return p.matches(path) || !strings.Contains(path, ".") && p.matches(strings.TrimSuffix(path, "/")+"/index.html")
}
