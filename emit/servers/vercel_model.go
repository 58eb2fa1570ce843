package servers

import (
	"errors"
	"strings"
)

// ownMark is what makes an expression recognisable as ours.
const ownMark = "(?:metarobots){0}"

// readVercel reads what Vercel does with "headers": of the rules whose source
// matches the path as it was sent, the last one that sets the header counts.
// https://vercel.com/docs/project-configuration/vercel-json#headers
func readVercel(file []byte) (*model, error) {
	root, err := jsonObject(file)
	if err != nil {
		return nil, err
	}
	if _, ok := root.get("routes"); ok {
		return nil, errors.New(`it has "routes", beside which Vercel takes no "headers"`)
	}
	clean, _ := root.get("cleanUrls")
	m := &model{forms: cleanForms(clean.is("true"))}
	headers, err := jsonList(root, "headers")
	if err != nil {
		return nil, err
	}
	_, rules := headers.items()
	var own, ours []rule
	for _, r := range rules {
		value, line, ok := r.robots()
		if !ok {
			continue
		}
		source, _ := r.get("source")
		a := answer{value: value, line: line, pattern: source.text(), ours: strings.Contains(source.text(), ownMark)}
		if a.ours && len(a.pattern) > 4096 {
			m.faults = append(m.faults, tooMuch("a source of %d characters; Vercel takes 4096", len(a.pattern)))
		}
		e, why := vercelRule(r, a)
		if why != "" && a.ours {
			return nil, errors.New("a rule of ours cannot be read: " + why)
		}
		if why != "" {
			m.unread = append(m.unread, unreadable(r.line, "rule", ", and "+why))
			continue
		}
		own = append(own, rule{matcher: e, answer: a})
		if a.ours {
			ours = append(ours, own[len(own)-1])
		}
	}
	if len(rules) > 1024 && len(ours) > 0 {
		m.faults = append(m.faults, tooMuch("%d header rules; Vercel takes 1024", len(rules)))
	}
	for _, s := range []spelling{encoded, encodedStrictly} {
		m.readings = append(m.readings, &list{spelling: s, rules: own})
	}
	return m, nil
}

// vercelRule reads a rule's source, or says why it does not.
func vercelRule(r located, a answer) (e *expression, why string) {
	for _, name := range []string{"has", "missing"} {
		if _, ok := r.get(name); ok {
			return nil, `it depends on the request ("` + name + `")`
		}
	}
	expression, names, err := sourceExpression(a.pattern)
	if err == nil {
		e, err = newExpression(expression, true)
	}
	if err != nil {
		return nil, "its source cannot be read (" + err.Error() + ")"
	}
	for _, name := range names {
		if strings.Contains(a.value, ":"+name) {
			return nil, "its value holds a part of the path (:" + name + ")"
		}
	}
	return e, ""
}

// cleanForms are the paths of a file on a host that serves a folder's index
// without the slash too, and, with clean URLs, pages without .html.
func cleanForms(clean bool) func(path string) (own, maybe []string) {
	return func(path string) (own, maybe []string) {
		own = fileAndFolder(path)
		if len(own) == 2 {
			if folder := strings.TrimSuffix(own[1], "/"); folder != "" {
				maybe = append(maybe, folder)
			}
		}
		if page, ok := strings.CutSuffix(own[0], ".html"); ok && clean && page != "/index" {
			maybe = append(maybe, page)
		}
		return own, maybe
	}
}

// jsonObject reads a file with a JSON object; an empty file has an empty one.
func jsonObject(file []byte) (located, error) {
	if len(strings.TrimSpace(string(file))) == 0 {
		return located{raw: []byte("{}"), line: 1}, nil
	}
	root, err := locate(file)
	if err == nil && !root.is("{") {
		err = errors.New("not a JSON object")
	}
	return root, err
}

// jsonList returns a member that is a list; without one, an empty one.
func jsonList(object located, name string) (located, error) {
	list, ok := object.get(name)
	if ok && !list.is("[") {
		return list, errors.New(`"` + name + `" is not a list`)
	}
	return list, nil
}
