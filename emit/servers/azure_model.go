package servers

import (
	"errors"
	"regexp"
	"slices"
	"strings"
)

// readAzure reads what Azure Static Web Apps do with routes: the first one that
// matches counts, and its headers go before the global ones; an empty text
// removes a header. A * stands at the end, alone or before endings; a path
// without a dot is compared as a folder's index too. Whether the path is decoded
// and whether its case counts are left open.
// https://learn.microsoft.com/azure/static-web-apps/configuration#routes
// https://github.com/Azure/static-web-apps-cli src/msha/routes-engine/route-processor.ts
func readAzure(file []byte) (*model, error) {
	root, err := jsonObject(file)
	if err != nil {
		return nil, err
	}
	routes, err := jsonList(root, "routes")
	if err != nil {
		return nil, err
	}
	m := &model{forms: cleanForms(true)}
	var always answer
	global, _ := root.get("globalHeaders")
	names, values := global.items()
	for i, name := range names {
		if strings.EqualFold(name, Name) {
			always = answer{value: values[i].text(), line: values[i].line}
		}
	}
	_, all := routes.items()
	kept := make(map[spelling][]rule)
	inside, any := false, false
	for _, r := range all {
		route, _ := r.get("route")
		pattern := route.text()
		if pattern == "/.metarobots/begin" || pattern == "/.metarobots/end" {
			inside = pattern == "/.metarobots/begin"
			any = true
			continue
		}
		if methods, ok := r.get("methods"); ok && !azureAsked(methods) {
			continue
		}
		value, line, ok := r.robots()
		redirect, redirects := r.get("redirect")
		a := answer{value: value, line: line, pattern: pattern, ours: inside, elsewhere: redirects && redirect.text() != ""}
		if !ok {
			a.line = r.line
		}
		for s, folds := range map[spelling]bool{decoded: false, encoded: false, decodedFolded: true, encodedFolded: true} {
			p := pattern
			if folds {
				p = strings.ToLower(p)
			}
			matches, err := newRoute(p)
			if err != nil && inside {
				return nil, errors.New("a route of ours cannot be read: " + err.Error())
			}
			if err != nil {
				if ok && s == decoded {
					m.unread = append(m.unread, unreadable(r.line, "rule", ", and its route cannot be read ("+err.Error()+")"))
				}
				continue
			}
			kept[s] = append(kept[s], rule{matcher: matches, answer: a, silent: !ok})
		}
	}
	if n := len(file); n > 20*1024 && any {
		m.faults = append(m.faults, tooMuch("%d bytes; Azure takes %d", n, 20*1024))
	}
	for _, s := range []spelling{decoded, encoded, decodedFolded, encodedFolded} {
		m.readings = append(m.readings, &list{spelling: s, rules: kept[s], first: true, always: always})
	}
	return m, nil
}

// azureAsked reports whether a route is for the methods that crawlers use.
func azureAsked(methods located) bool {
	_, values := methods.items()
	return slices.ContainsFunc(values, func(v located) bool {
		return strings.EqualFold(v.text(), "GET") || strings.EqualFold(v.text(), "HEAD")
	})
}

// route is a pattern of Azure's.
type route struct {
	text    string // before a star
	star    bool
	endings []string // what may follow the star; none: anything
}

var routeEnding = regexp.MustCompile(`^\.(\w+|\{\w+(,\w+)*\})$`)

func newRoute(pattern string) (route, error) {
	before, after, star := strings.Cut(pattern, "*")
	r := route{text: before, star: star}
	if after == "" {
		return r, nil
	}
	if !routeEnding.MatchString(after) {
		return r, errors.New("a * that does not stand at the end or before endings")
	}
	for e := range strings.SplitSeq(strings.Trim(after[1:], "{}"), ",") {
		r.endings = append(r.endings, "."+e)
	}
	return r, nil
}

func (r route) among(sorted []string) (at []int) {
	if r.star {
		return scan(sorted, func(path string) bool { return r.direct(path) || r.direct(folderIndex(path)) })
	}
	at = exact(r.text).among(sorted)
	for _, index := range []string{"/index.html", "index.html"} {
		if folder, ok := strings.CutSuffix(r.text, index); ok && folderIndex(folder) == r.text {
			at = append(at, exact(folder).among(sorted)...)
		}
	}
	return at
}

// direct reports whether a route with a star matches a path as it stands.
func (r route) direct(path string) bool {
	rest, ok := strings.CutPrefix(path, r.text)
	return ok && (len(r.endings) == 0 || slices.ContainsFunc(r.endings, func(e string) bool { return strings.HasSuffix(rest, e) }))
}

// folderIndex is the index of a folder of that path; a path with a dot is none.
func folderIndex(path string) string {
	if strings.Contains(path, ".") {
		return path
	}
	return strings.TrimSuffix(path, "/") + "/index.html"
}
