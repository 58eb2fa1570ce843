package servers

import (
	"bytes"
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"
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
	s := c.gather(func(path string) ([]string, []string) { return vercelForms(path, false) })
	clash := c.lookAlikes(s)
	var lines []string
	if in < 0 {
		in = 2
		lines = append(lines, "customHeaders:")
	}
	blanks := strings.Repeat(" ", in)
	add := func(pattern, value string) {
		c.res.Rules++
		lines = append(lines, blanks+"- pattern: "+yamlText(pattern), blanks+"  headers: [{ key: "+Name+", value: "+yamlText(value)+" }]")
	}
	if c.everywhere != "" {
		// Ahead of the others. The pattern is that of
		// https://docs.aws.amazon.com/amplify/latest/userguide/setting-custom-headers.html
		add("**", c.everywhere)
	}
	for _, g := range s.groups {
		for _, url := range g.urls {
			if strings.ContainsAny(url, `*?[]{}!\`) {
				c.problem(Problem{ID: IDName, Severity: SeverityError, Path: c.file(url),
					Message: "the name holds a character that means something else in a pattern: it gets no X-Robots-Tag (rename the file)"})
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
	if n := len([]rune(string(c.res.File))); n > amplifySize && c.res.Rules > 0 {
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
		if name.Value == "applications" {
			return 0, 0, errors.New(`it has "applications": the X-Robots-Tag rules are for one site`)
		}
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
