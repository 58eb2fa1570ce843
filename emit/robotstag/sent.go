package robotstag

import (
	"slices"
	"strings"

	"metarobots/internal/address"
)

// Sent is what a host sends of a header in one answer: its lines, each with the values that the
// host joins to one. Several lines and one list of the same values mean the same for most headers,
// but not for X-Robots-Tag: a crawler's name governs to the end of its line.
// https://www.rfc-editor.org/rfc/rfc9110#section-5.3
type Sent [][]Value

// String has the lines as they are sent, with line ends between them.
func (s Sent) String() string {
	if len(s) == 1 {
		return Join(s[0])
	}
	lines := make([]string, len(s))
	for i, line := range s {
		lines[i] = Join(line)
	}
	return strings.Join(lines, "\n")
}

// Values are those of several answers, each once, in the order of their lines.
func Values(answers []Sent) (all []Value) {
	for _, s := range answers {
		all = append(all, slices.Concat(s...)...)
	}
	return Distinct(all)
}

// An OwnRule is a value of the owner's own rules with what its rule names.
type OwnRule struct {
	Value Value
	// Path is the request path that the rule is for, as it is written; "" if it is for several.
	Path string
	// Folder is that of a rule for all that is in a folder, /a/ of /a/*; "" for any other rule.
	Folder string
	// FileName is that of a rule for the files of one name, in any folder; "" for any other rule.
	FileName string
}

// A Stray is a value of the owner's own rules at a request path that the host only redirects, or at
// which only other hosts would serve a file.
type Stray struct {
	// Value is what the rule says.
	Value Value
	// File is the file that the path is of, by its name from the publish root.
	File string
	// Path is the request path, To where the host redirects it; empty if it does not.
	Path, To string
	// Route is the owner's redirect that does so; nil if the host redirects to the file by itself.
	Route *address.Route
}
