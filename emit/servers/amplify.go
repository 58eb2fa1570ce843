package servers

import (
	"errors"
	"strings"
	"unicode/utf8"

	"metarobots/emit/marks"
	"metarobots/internal/address"
)

// amplify has patterns in customHeaders; of those that match a file's path the last one that sets
// the header counts. The documentation shows * and ** in examples and says no more; whether * goes
// across a slash and whether the path is decoded are left open. The pattern for all files is the
// documentation's own.
// https://docs.aws.amazon.com/amplify/latest/userguide/custom-header-YAML-format.html
// On the order: https://github.com/aws-amplify/amplify-hosting/issues/198
var amplify = &ruleList{
	host: "amplify", handling: whateverSettings(address.Amplify),
	file: listFile{format: "yaml", path: []string{"customHeaders"}, check: func(root any) error {
		if member(root, "applications") != nil {
			return errors.New(`it has "applications": the X-Robots-Tag rules are for one site`)
		}
		return nil
	}},
	keys: []string{"pattern"},
	text: ruleText{rule: "- pattern: %s\n  headers: [%s]", header: "{ key: %s, value: %s }"},
	ours: ourPatterns{special: `*?[]{}!\`, everything: "**"},
	owners: ownersRules{forms: forms(
		`/?([^*?[\]{}()!+@|^$\\]*)`, "/$1",
		`/?([^*?[\]{}()!+@|^$\\]*)\*([^*?[\]{}()!+@|^$\\]*)`, "/$1$*$2",
		`/?([^*?[\]{}()!+@|^$\\]*)\*\*(?:/\*([^*?[\]{}()!+@|^$\\]*))?`, "/$1.*$2")},
	comparisons: []comparison{{star: "[^/]*"}, {spell: encoded, star: "[^/]*"}, {star: ".*"},
		{spell: encoded, star: ".*"}},
	// https://docs.aws.amazon.com/amplify/latest/APIReference/API_UpdateApp.html
	limit: limit{25000, "Amplify", "characters", func(file []byte, _ int) int { return utf8.RuneCount(file) }},
}

// addYAMLRules is [ruleList.addRules] for YAML: it returns the owner's file with rules of ours in
// one block, behind the owner's list, with which the file has to end, or before one of its rules.
// Without rules it is the owner's file alone. user is the owner's file, opened, and existing its
// bytes with the block of an earlier run, which goes. [ruleList.placeInList] has put all rules in
// one place, that of the first. It fails if the rules do not become elements of the list. With one
// rule of ours and one of the owner's behind it:
//
//	customHeaders:
//	  # metarobots: begin
//	  - pattern: '/a.pdf'
//	    headers: [{ key: X-Robots-Tag, value: 'noindex' }]
//	  # metarobots: end
//	  - pattern: '**'
//	    …
func (h *ruleList) addYAMLRules(user *document, existing []byte, rules []listRule) ([]byte, error) {
	t := marks.Read(existing) // t.Lines are the owner's, as those of user are
	if len(rules) == 0 {
		return t.Own(), nil
	}
	t.At = linesBeforeBlock(user, t, rules[0].before)
	var lines []string // of our block
	members, _ := user.root.(map[string]any)
	if _, isThere := members["customHeaders"]; !isThere {
		lines = append(lines, "customHeaders:")
	}
	indent := indentOfRules(user, t)
	for _, r := range rules {
		for l := range strings.SplitSeq(r.text, "\n") {
			lines = append(lines, indent+l)
		}
	}
	file := t.With(lines, nil) // nil: nothing of ours is outside of the block
	// Only reading it again shows whether the block is in the list: what ends the file may be
	// another key, or a list in one line.
	written, err := h.open(file)
	areAllElements := err == nil && len(written.rules) == len(user.rules)+len(rules)
	if !areAllElements {
		return nil, errors.New("no rules can be added: the file has to end with customHeaders, a line for each element")
	}
	return file, nil
}

// linesBeforeBlock is how many lines of the owner's file are before our block, whose rules are
// before the owner's rule of a number, or atEnd.
func linesBeforeBlock(user *document, t *marks.Text, before int) int {
	if before >= len(user.rules) {
		return len(t.Lines)
	}
	return user.lineOf(user.pathTo(before)...) - 1 // lines are counted from 1
}

// indentOfRules is what rules of ours begin with: the same as the owner's first, or two blanks if
// the owner has none.
func indentOfRules(user *document, t *marks.Text) string {
	if len(user.rules) == 0 {
		return "  "
	}
	firstRule := t.Lines[user.lineOf(user.pathTo(0)...)-1].Text
	indent, _, _ := strings.Cut(firstRule, "-")
	return indent
}
