package servers

import (
	"errors"
	"math"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
)

// amplify has patterns in customHeaders; of those that match a file's path the last one that sets the header counts.
// The documentation shows * and ** in examples and says no more; whether * goes across a slash and whether the path is
// decoded are left open. The pattern for all files is the documentation's own.
// https://docs.aws.amazon.com/amplify/latest/userguide/custom-header-YAML-format.html
// On the order: https://github.com/aws-amplify/amplify-hosting/issues/198
var amplify = &ruleList{
	ruleFile: ruleFile{format: "yaml", path: []string{"customHeaders"},
		check: func(root any) error {
			if member(root, "applications") != nil {
				return errors.New(`it has "applications": the X-Robots-Tag rules are for one site`)
			}
			return nil
		},
		ours: func(d *document) (ours []bool) {
			t := marks.Read(d.text)
			for i := range d.rules {
				line := d.line(d.place(i)...)
				ours = append(ours, len(t.Block) > 0 && t.Block[0].Number <= line && line < t.Last)
			}
			return ours
		}},
	keys:    []string{"pattern"},
	line:    "- pattern: %s\n  headers: [{ key: " + robotstag.Name + ", value: %s }]",
	special: `*?[]{}!\`, everything: "**",
	forms: forms(
		`/?([^*?[\]{}()!+@|^$\\]*)`, "/$1",
		`/?([^*?[\]{}()!+@|^$\\]*)\*([^*?[\]{}()!+@|^$\\]*)`, "/$1$*$2",
		`/?([^*?[\]{}()!+@|^$\\]*)\*\*(?:/\*([^*?[\]{}()!+@|^$\\]*))?`, "/$1.*$2"),
	unread: "its pattern has more than * and ** in " + plainPattern,
	ways:   []way{{star: "[^/]*"}, {spell: encoded, star: "[^/]*"}, {star: ".*"}, {spell: encoded, star: ".*"}},
	// https://docs.aws.amazon.com/amplify/latest/APIReference/API_UpdateApp.html
	limit: limit{25000, "Amplify", "characters", func(file []byte, _ int) int { return utf8.RuneCount(file) }},
}

// withYAML adds rules in lines of their own at the end of the user's list.
func (f *ruleFile) withYAML(existing []byte, rules []string) ([]byte, error) {
	t := marks.Read(existing)
	at, in, err := placeInYAML(t.Own())
	if err != nil || len(rules) == 0 {
		return t.With(nil, nil), err
	}
	var lines []string
	if in < 0 {
		in = 2
		lines = append(lines, "customHeaders:")
	}
	for l := range strings.SplitSeq(strings.Join(rules, "\n"), "\n") {
		lines = append(lines, strings.Repeat(" ", in)+l)
	}
	t.At = min(at, len(t.Lines))
	file := t.With(lines, nil)
	if made, err := f.open(file); err != nil || len(made.rules) < len(rules) {
		return nil, errors.New("the rules cannot be added at the end of customHeaders (end the file with that list)")
	}
	return file, nil
}

// placeInYAML returns behind which line, and how far in, elements can be added to the list of customHeaders; in is
// negative where there is no such list.
func placeInYAML(text []byte) (at, in int, err error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return 0, 0, err
	}
	if len(document.Content) == 0 {
		return math.MaxInt, -1, nil
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode || root.Style&yaml.FlowStyle != 0 {
		return 0, 0, errors.New("not a mapping in lines of its own")
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		list := root.Content[i+1]
		switch {
		case root.Content[i].Value != "customHeaders":
			continue
		case list.Kind == yaml.ScalarNode && list.Tag == "!!null" && list.Value == "":
			in = 2
		case list.Kind == yaml.SequenceNode && list.Style&yaml.FlowStyle == 0:
			in = list.Column - 1
		default:
			return 0, 0, errors.New("customHeaders is not a list with an element on each line")
		}
		if i+2 == len(root.Content) {
			return math.MaxInt, in, nil
		}
		return root.Content[i+2].Line - 1, in, nil
	}
	return math.MaxInt, -1, nil
}
