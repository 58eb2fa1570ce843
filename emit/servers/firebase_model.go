package servers

import (
	"errors"
	"path"
	"strings"
)

// readFirebase reads what Firebase Hosting does with "headers": of the rules
// whose glob or RE2 expression matches the path, the last one that sets the
// header counts. The documentation does not say whether the path is decoded, nor
// what the order means; Firebase's own emulator applies one after the other.
// https://firebase.google.com/docs/hosting/full-config#headers
// https://github.com/firebase/superstatic src/middleware/headers.js, src/utils/patterns.js
func readFirebase(file []byte) (*model, error) {
	root, err := jsonObject(file)
	if err != nil {
		return nil, err
	}
	hosting, ok := root.get("hosting")
	switch {
	case !ok && len(strings.TrimSpace(string(file))) > 0:
		return nil, errors.New(`it has no "hosting" (firebase init hosting makes one)`)
	case ok && !hosting.is("{"):
		return nil, errors.New(`"hosting" has several sites: the X-Robots-Tag rules are for one`)
	}
	clean, _ := hosting.get("cleanUrls")
	m := &model{forms: cleanForms(clean.is("true"))}
	headers, err := jsonList(hosting, "headers")
	if err != nil {
		return nil, err
	}
	_, all := headers.items()
	var rules []rule
	for _, r := range all {
		value, line, ok := r.robots()
		if !ok {
			continue
		}
		regex, _ := r.get("regex")
		a := answer{value: value, line: line, pattern: regex.text(), ours: strings.Contains(regex.text(), ownMark)}
		var pattern matcher
		if a.pattern != "" {
			pattern, err = newExpression(a.pattern, false)
		} else {
			source, ok := r.get("source")
			if !ok {
				source, _ = r.get("glob")
			}
			a.pattern = source.text()
			pattern, err = newGlob(slashed(a.pattern))
		}
		if err != nil && a.ours {
			return nil, errors.New("a rule of ours cannot be read: " + err.Error())
		}
		if err != nil {
			m.unread = append(m.unread, unreadable(r.line, "rule", ", and its pattern cannot be read ("+err.Error()+")"))
			continue
		}
		rules = append(rules, rule{matcher: pattern, answer: a})
	}
	for _, s := range []spelling{encoded, encodedStrictly, decoded} {
		m.readings = append(m.readings, &list{spelling: s, rules: rules})
	}
	return m, nil
}

// slashed puts a slash before a glob and takes what is not needed out of its
// path, as Firebase does; one that begins with ! means everything else.
func slashed(glob string) string {
	rest, not := strings.CutPrefix(glob, "!")
	clean := path.Join("/", rest)
	if strings.HasSuffix(rest, "/") && clean != "/" {
		clean += "/"
	}
	if not {
		return "!" + clean
	}
	return clean
}
