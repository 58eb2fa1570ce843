package servers

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// readAmplify reads what Amplify does with customHeaders: of the patterns that
// match a file's path, the last one that sets the header counts. The
// documentation shows * and ** in examples and says no more; whether * goes
// across a slash and whether the path is decoded are left open.
// https://docs.aws.amazon.com/amplify/latest/userguide/custom-header-YAML-format.html
// On the order: https://github.com/aws-amplify/amplify-hosting/issues/198
func readAmplify(file []byte) (*model, error) {
	var document struct {
		CustomHeaders yaml.Node `yaml:"customHeaders"`
		Applications  yaml.Node `yaml:"applications"`
	}
	if err := yaml.Unmarshal(file, &document); err != nil {
		return nil, err
	}
	if !document.Applications.IsZero() {
		return nil, errors.New(`it has "applications": the X-Robots-Tag rules are for one site`)
	}
	var entries []struct {
		Pattern yaml.Node
		Headers []struct{ Key, Value yaml.Node }
	}
	if n := document.CustomHeaders; !n.IsZero() && n.Tag != "!!null" {
		if err := n.Decode(&entries); err != nil {
			return nil, err
		}
	}
	within := amplifyOurs(file)
	m := &model{forms: cleanForms(false)}
	var narrow, wide []rule
	any := false
	for _, e := range entries {
		ours := within(e.Pattern.Line)
		any = any || ours
		for _, h := range e.Headers {
			if !strings.EqualFold(h.Key.Value, Name) {
				continue
			}
			a := answer{value: h.Value.Value, line: h.Value.Line, pattern: e.Pattern.Value, ours: ours}
			switch special := strings.ContainsAny(a.pattern, `?[]{}!\`); {
			case ours && (special || strings.Contains(a.pattern, "*") && a.pattern != "**"):
				return nil, fmt.Errorf("line %d: a pattern of ours cannot be read", e.Pattern.Line)
			case !ours && (special || strings.ContainsAny(a.pattern, `()|^$`)):
				m.unread = append(m.unread, unreadable(e.Pattern.Line, "rule", ", and its pattern has more than * and **"))
				continue
			}
			narrow = append(narrow, rule{matcher: starred(a.pattern, "[^/]*"), answer: a})
			wide = append(wide, rule{matcher: starred(a.pattern, ".*"), answer: a})
		}
	}
	if n := utf8.RuneCount(file); n > 25000 && any {
		m.faults = append(m.faults, tooMuch("%d characters; Amplify takes 25000", n))
	}
	for _, s := range []spelling{bare, encodedBare} {
		m.readings = append(m.readings, &list{spelling: s, rules: narrow}, &list{spelling: s, rules: wide})
	}
	return m, nil
}

// starred is a pattern with stars, compared without the first slash. A single
// star is the given expression.
func starred(pattern, star string) matcher {
	pattern = strings.TrimPrefix(pattern, "/")
	if !strings.Contains(pattern, "*") {
		return exact(pattern)
	}
	e, err := newExpression(strings.NewReplacer(`\*\*/`, "(?:.*/)?", `\*\*`, ".*", `\*`, star).Replace(regexp.QuoteMeta(pattern)), true)
	if err != nil {
		panic("a quoted pattern is no expression: " + err.Error())
	}
	return e
}

// amplifyOurs says which lines stand between our marks.
func amplifyOurs(file []byte) func(line int) bool {
	t := parted(file)
	if len(t.ours) == 0 {
		return func(int) bool { return false }
	}
	return func(line int) bool { return t.ours[0].line <= line && line < t.last }
}
