package servers

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// amplifySize is the most characters that an app's custom headers may have:
// https://docs.aws.amazon.com/amplify/latest/APIReference/API_UpdateApp.html
const amplifySize = 25000

// writeAmplify writes a pattern for each path, in lines of their own at the end
// of the user's list: of several patterns the last counts.
// https://docs.aws.amazon.com/amplify/latest/userguide/custom-header-YAML-format.html
func writeAmplify(c *compiler) error {
	u := readText(c.existing)
	at, in, err := amplifyPlace(u.text)
	if err != nil {
		return err
	}
	s := c.gather(folderForms)
	clash := c.lookAlikes()
	var lines []string
	if in < 0 {
		in = 2
		lines = append(lines, "customHeaders:")
	}
	blanks := strings.Repeat(" ", in)
	add := func(pattern, value string) {
		c.res.Rules++
		lines = append(lines, blanks+"- pattern: "+yamlText(pattern),
			blanks+"  headers: [{ key: "+robotstag.Name+", value: "+yamlText(value)+" }]")
	}
	if c.everywhere != "" {
		// Ahead of the others. The pattern is that of
		// https://docs.aws.amazon.com/amplify/latest/userguide/setting-custom-headers.html
		add("**", c.everywhere)
	}
	for _, g := range s.groups {
		for _, url := range g.urls {
			if strings.ContainsAny(url, `*?[]{}!\`) {
				c.report(robotstag.IDName, policy.Error, c.file(url),
					"the name holds a character that means something else in a pattern: it gets no X-Robots-Tag (rename the file)")
				continue
			}
			for _, pattern := range spellings(url, clash[url]) {
				add(pattern, g.value)
			}
		}
	}
	if c.res.Rules == 0 {
		lines = nil
	} else {
		u.at = at
	}
	c.res.File = u.print(lines)
	var made struct {
		CustomHeaders []struct{ Pattern string } `yaml:"customHeaders"`
	}
	if err := yaml.Unmarshal(c.res.File, &made); err != nil || len(made.CustomHeaders) < c.res.Rules {
		return errors.New("the rules cannot be added at the end of customHeaders (end the file with that list)")
	}
	if n := utf8.RuneCount(c.res.File); n > amplifySize && c.res.Rules > 0 {
		return c.budget("customHttp.yml would have %d characters; Amplify takes %d", n, amplifySize)
	}
	return nil
}

// amplifyPlace returns where, and how far in, elements can be added to the list
// of customHeaders; in is negative where there is no such list.
func amplifyPlace(text []byte) (at, in int, err error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return 0, 0, err
	}
	if len(document.Content) == 0 {
		return len(text), -1, nil
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode || root.Style&yaml.FlowStyle != 0 {
		return 0, 0, errors.New("not a mapping in lines of its own")
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		name, list := root.Content[i], root.Content[i+1]
		if name.Value != "customHeaders" {
			continue
		}
		switch {
		case list.Kind == yaml.ScalarNode && list.Tag == "!!null" && list.Value == "":
			in = 2
		case list.Kind == yaml.SequenceNode && list.Style&yaml.FlowStyle == 0:
			in = list.Column - 1
		default:
			return 0, 0, errors.New("customHeaders is not a list with an element on each line")
		}
		at = len(text)
		if i+2 < len(root.Content) {
			at = lineStart(text, root.Content[i+2].Line)
		}
		return at, in, nil
	}
	return len(text), -1, nil
}

// lineStart is the offset of a line, from 1.
func lineStart(text []byte, line int) int {
	at := 0
	for l := range bytes.Lines(text) {
		if line--; line < 1 {
			break
		}
		at += len(l)
	}
	return at
}

// yamlText quotes a text.
func yamlText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

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
	t := partText(file)
	m := &model{serves: cleanly(false)}
	var narrow, wide []rule
	for _, e := range entries {
		glob := strings.TrimPrefix(e.Pattern.Value, "/")
		for _, h := range e.Headers {
			if !strings.EqualFold(h.Key.Value, robotstag.Name) {
				continue
			}
			r := rule{answer: answer{sent: values(h.Value.Line, h.Value.Value), line: h.Value.Line, ours: t.isOurs(e.Pattern.Line)}}
			p, ok := newGlob(glob)
			switch {
			case r.ours && (strings.ContainsAny(glob, `?[]{}!\`) || strings.Contains(glob, "*") && glob != "**"):
				return nil, fmt.Errorf("line %d: a pattern of ours cannot be read", e.Pattern.Line)
			case r.ours && glob != "**":
				r.texts = []string{glob}
				narrow, wide = append(narrow, r), append(wide, r)
				continue
			case !ok || strings.ContainsAny(glob, "{@"):
				m.leaveUnread(e.Pattern.Line, "rule", ", and its pattern has more than * and ** in "+plainPattern)
				r.unread, p = true, pattern{wild: true}
			}
			p.some = false // that a folder lies between is not asked
			r.matches = p.matches
			narrow = append(narrow, r)
			p.segment = false
			r.matches = p.matches
			wide = append(wide, r)
		}
	}
	if n := utf8.RuneCount(file); n > amplifySize && len(t.ours) > 0 {
		m.fault(robotstag.IDBudget, 0, "%d characters; Amplify takes %d", n, amplifySize)
	}
	m.lists(narrow, false, answer{}, bare, encodedBare)
	m.lists(wide, false, answer{}, bare, encodedBare)
	return m, nil
}
