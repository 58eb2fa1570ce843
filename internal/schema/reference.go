package schema

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"
)

// An entry is what the reference configuration says of one key or table.
type entry struct {
	text    string // its comment
	value   any    // its default, nil for none
	example any
}

var (
	valueLine = regexp.MustCompile(`^(Default: |\w+ += )`)
	partLine  = regexp.MustCompile(`^  (\w+)  +(\S.*)$`)
)

// readReference reads the comments of the reference configuration, by the convention at its top: by the path of the
// key, with [] for the elements of an array. A comment belongs to the "# Default:" lines below it, up to an empty line,
// or to the table whose header follows; where several tables have one header, to the first. Indented lines in it are
// the keys of the tables in a list. "key = value" in a comment is an example.
func readReference(text []byte) (map[string]entry, error) {
	entries := map[string]entry{}
	say := func(path string, e entry) {
		if _, ok := entries[path]; !ok {
			entries[path] = e
		}
	}
	table := ""
	for block := range strings.SplitSeq(strings.ReplaceAll(string(text), "\r", ""), "\n\n") {
		var comment []string
		var example any
		parts, last := map[string]string{}, ""
		for line := range strings.Lines(block) {
			line = strings.TrimSuffix(line, "\n")
			body, isComment := strings.CutPrefix(line, "#")
			body = strings.TrimPrefix(body, " ")
			header := strings.TrimPrefix(line, "# ")
			switch m := partLine.FindStringSubmatch(body); {
			case strings.HasPrefix(header, "[") && strings.HasSuffix(header, "]"):
				table = strings.Trim(header, "[]")
				say(table, entry{text: sentence(comment)})
				if strings.HasPrefix(header, "[[") {
					table += ".[]"
				}
				comment = nil
			case !isComment:
			case valueLine.MatchString(body):
				text, isDefault := strings.CutPrefix(body, "Default: ")
				var values map[string]any
				if _, err := toml.Decode(text, &values); err != nil {
					return nil, fmt.Errorf("%s: %w", line, err)
				}
				for key, value := range values {
					if !isDefault {
						example = value
						continue
					}
					path := table + "." + key
					say(path, entry{sentence(comment), value, example})
					for part, text := range parts {
						say(path+".[]."+part, entry{text: text})
					}
				}
			case m != nil:
				last = m[1]
				parts[last] = m[2]
			case strings.HasPrefix(body, "   ") && last != "":
				parts[last] += " " + strings.TrimSpace(body)
			default:
				comment = append(comment, strings.TrimSpace(body))
			}
		}
	}
	return entries, nil
}

// sentence joins the lines of a comment. A colon before a list of keys ends a sentence where the list is not shown.
func sentence(comment []string) string {
	text := strings.Join(comment, " ")
	if before, ok := strings.CutSuffix(text, ":"); ok {
		return before + "."
	}
	return text
}
