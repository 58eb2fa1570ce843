package schema

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"

	"metarobots/internal/lazyregexp"
)

// An entry is what the reference configuration says of one key or table.
type entry struct {
	text    string // its comment
	value   any    // its default, nil for none
	example any
}

var (
	valueLine = lazyregexp.New(`^(Default: |\w+ += )`)
	partLine  = lazyregexp.New(`^  (\w+)  +(\S.*)$`)
)

// readReference reads the comments of the reference configuration, by the convention at its top: by
// the path of the key, with [] for the elements of an array. A comment belongs to the "# Default:"
// lines below it, up to an empty line, or to the table whose header follows; where several tables
// have one header, to the first. Indented lines in it are the keys of the tables in a list. "key =
// value" in a comment is an example.
func readReference(text []byte) (map[string]entry, error) {
	r := referenceReader{entries: map[string]entry{}}
	for block := range strings.SplitSeq(strings.ReplaceAll(string(text), "\r", ""), "\n\n") {
		r.comment, r.example, r.parts, r.part = nil, nil, map[string]string{}, ""
		for line := range strings.Lines(block) {
			if err := r.read(strings.TrimSuffix(line, "\n")); err != nil {
				return nil, err
			}
		}
	}
	return r.entries, nil
}

// A referenceReader reads the reference configuration line by line. What it holds beside the
// entries and the table is of the block that it reads.
type referenceReader struct {
	entries map[string]entry  // by path
	table   string            // the last header's, by the path of its keys: "robots.rules.[]"
	comment []string          // the lines that a key or a header may follow
	example any               // the last value that is no default
	parts   map[string]string // the texts of the keys of tables in a list, by the key
	part    string            // the last of these keys
}

// read reads a line. This block makes an entry for its default, with the comment above it: that of
// "robots.suppress", with the example [{id = "expired"}]. Two entries below it,
// "robots.suppress.[].id" and "robots.suppress.[].match", have the texts of its parts:
//
//	# [robots]                         a header, which may be a comment: the table of what follows
//	# Findings that are accepted:      the comment, here with a list of keys below it
//	#   id      the finding's name     a part: a key of the tables in a list, with its text
//	#   match   globs of the URLs
//	#           that it is about       goes on with the text of the part
//	# suppress = [{id = "expired"}]    an example
//	# Default: suppress = []           a default
//	suppress = []                      no comment: a setting, which is passed over
//
// A header has an entry too, with the comment above it.
func (r *referenceReader) read(line string) error {
	body, isComment := strings.CutPrefix(line, "#")
	body = strings.TrimPrefix(body, " ")
	header := strings.TrimPrefix(line, "# ")
	isHeader := strings.HasPrefix(header, "[") && strings.HasSuffix(header, "]")
	switch part := partLine.FindStringSubmatch(body); {
	case isHeader:
		r.readHeader(header)
	case !isComment:
	case valueLine.MatchString(body):
		return r.readValues(body, line)
	case part != nil:
		key, text := part[1], part[2]
		r.part, r.parts[key] = key, text
	case strings.HasPrefix(body, "   ") && r.part != "":
		r.parts[r.part] += " " + strings.TrimSpace(body)
	default:
		r.comment = append(r.comment, strings.TrimSpace(body))
	}
	return nil
}

// readHeader reads the header of a table, "[robots]", or of an array of tables, "[[robots.rules]]".
// The comment above it is the table's, and no key's.
func (r *referenceReader) readHeader(header string) {
	r.table = strings.Trim(header, "[]")
	r.add(r.table, entry{text: sentence(r.comment)})
	if isArray := strings.HasPrefix(header, "[["); isArray {
		r.table += ".[]"
	}
	r.comment = nil
}

// readValues reads "key = value", an example, or "Default: key = value", which ends the comment of
// the key.
func (r *referenceReader) readValues(body, line string) error {
	text, isDefault := strings.CutPrefix(body, "Default: ")
	var values map[string]any
	if _, err := toml.Decode(text, &values); err != nil {
		return fmt.Errorf("%s: %w", line, err)
	}
	for key, value := range values {
		if !isDefault {
			r.example = value
			continue
		}
		path := r.table + "." + key
		r.add(path, entry{sentence(r.comment), value, r.example})
		for part, text := range r.parts {
			r.add(path+".[]."+part, entry{text: text})
		}
	}
	return nil
}

// add adds an entry, unless there is one of that path.
func (r *referenceReader) add(path string, e entry) {
	if _, ok := r.entries[path]; !ok {
		r.entries[path] = e
	}
}

// sentence joins the lines of a comment. A colon before a list of keys ends a sentence where the
// list is not shown.
func sentence(comment []string) string {
	text := strings.Join(comment, " ")
	if before, ok := strings.CutSuffix(text, ":"); ok {
		return before + "."
	}
	return text
}
