package servers

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// firebasePattern keeps one expression to a size that is still read by people;
// no limit is documented.
const firebasePattern = 4096

// firebaseFile is firebase.json: https://firebase.google.com/docs/hosting/full-config#headers
var firebaseFile = &jsonFile{fresh: "{\n  \"hosting\": {\n    \"public\": \"public\"\n  }\n}\n", list: "headers",
	ours: ourPatterns, holder: func(root *node) (*node, error) {
		hosting := root.get("hosting")
		switch {
		case hosting == nil:
			return nil, errors.New(`it has no "hosting" (firebase init hosting makes one)`)
		case hosting.kind != '{':
			return nil, errors.New(`"hosting" has several sites: the X-Robots-Tag rules are for one`)
		}
		return hosting, nil
	}}

// writeFirebase writes rules with a regular expression (RE2). The documentation
// does not say whether it is the encoded path that is compared: both are named.
// Of several rules the last counts.
func writeFirebase(c *compiler) error {
	t, err := firebaseFile.without(c.existing)
	if err != nil {
		return err
	}
	s := c.gather(formsOf(t.object.get("cleanUrls").is()))
	clash := c.lookAlikes()
	line := func(expression, value string) string {
		return fmt.Sprintf(`{ "regex": %s, "headers": [{ "key": %q, "value": %s }] }`,
			quoteJSON("^/?(?:"+expression+")$"), robotstag.Name, quoteJSON(value))
	}
	var rules []string
	if c.everywhere != "" {
		// Ahead of the others: of two that match the last counts.
		rules = append(rules, line(patternMark+".*", c.everywhere))
	}
	for _, g := range s.groups {
		either := func(url string) string {
			e := encodedPattern(url)
			if len(spellings(url, clash[url])) > 1 {
				e += "|" + regexp.QuoteMeta(url[1:])
			}
			return e
		}
		for _, p := range c.pack(g.urls, either, firebasePattern-8) {
			rules = append(rules, line(p, g.value))
		}
	}
	if len(rules) > 0 && t.fresh == string(t.text) {
		c.report(robotstag.IDFound, policy.Note, nil, `"public" in the new firebase.json is a guess: it names the publish folder`)
	}
	c.res.Rules = len(rules)
	c.res.File = t.print(c.existing, rules)
	return nil
}

// lookAlikes finds and reports URLs that are the encoded spelling of another
// file's, for hosts that may compare either.
func (c *compiler) lookAlikes() map[string]bool {
	clash := make(map[string]bool)
	for _, u := range c.urls {
		if !strings.Contains(u, "%") {
			continue
		}
		plain, err := url.PathUnescape(u)
		if other, ok := c.claims[plain]; err != nil || plain == u || !ok || c.texts[other.want] == free && !other.shared ||
			c.served(plain) == c.served(u) {
			continue
		}
		clash[u] = true
		c.report(robotstag.IDOverlap, policy.Warning, c.file(u), "the name is how %q is encoded: where the host compares decoded"+
			" paths, it gets that file's X-Robots-Tag too", strings.TrimPrefix(plain, "/"))
	}
	return clash
}

// readFirebase reads what Firebase Hosting does with "headers": of the rules
// whose glob or RE2 expression matches the path, the last one that sets the
// header counts. The documentation does not say whether the path is decoded, nor
// what the order means; Firebase's own emulator applies one after the other.
// https://firebase.google.com/docs/hosting/full-config#headers
// https://github.com/firebase/superstatic src/middleware/headers.js, src/utils/patterns.js
func readFirebase(file []byte) (*model, error) {
	hosting, err := firebaseFile.open(firebaseFile.orFresh(file))
	if err != nil {
		return nil, err
	}
	m := &model{serves: cleanly(hosting.get("cleanUrls").is())}
	var rules []rule
	for _, n := range hosting.get("headers").elements() {
		value, line, ok := n.robots()
		if !ok {
			continue
		}
		r := rule{answer: answer{sent: values(line, value), line: line}}
		if regex := n.get("regex").text(); strings.Contains(regex, patternMark) {
			r.ours = true
			expression := strings.TrimSuffix(strings.TrimPrefix(regex, "^/?(?:"), ")$")
			if "^/?(?:"+expression+")$" != regex {
				return nil, errors.New("a rule of ours cannot be read")
			}
			if r, err = unpack(r.answer, "^/?(?:", expression, ")$"); err != nil {
				return nil, fmt.Errorf("a rule of ours cannot be read: %w", err)
			}
		} else if r.matches, ok = firebaseRule(n, regex); !ok {
			m.leaveUnread(n.line, "rule", ", and its pattern cannot be read (it is more than "+plainPattern+")")
			r.unread, r.matches = true, func(string) bool { return true }
		}
		rules = append(rules, r)
	}
	m.lists(rules, false, answer{}, encoded, encodedStrictly, decoded)
	return m, nil
}

// firebaseRule reads a rule of the user's: an expression, which is RE2 and so
// Go's own, or a glob that names a path or what it begins and ends with. Firebase
// puts a slash before a glob; a * leaves names out that begin with a dot, and a
// slash at the end of the path is no difference to it.
func firebaseRule(n *node, regex string) (matches func(path string) bool, ok bool) {
	if regex != "" {
		e, err := regexp.Compile(regex)
		if err != nil {
			return nil, false
		}
		return e.MatchString, true
	}
	glob := n.get("source").text()
	if n.get("source") == nil {
		glob = n.get("glob").text()
	}
	glob = "/" + strings.TrimPrefix(glob, "/")
	p, ok := newGlob(glob)
	if !ok || glob == "/" || strings.Contains(glob, "//") || strings.Contains(glob, "/./") || p.wild && !strings.HasSuffix(p.before, "/") {
		return nil, false
	}
	p.hidden, p.some = true, p.some || p.segment
	return func(path string) bool {
		return p.matches(path) || p.segment && p.matches(strings.TrimSuffix(path, "/"))
	}, true
}
