package redirects

import (
	"strings"
	"unicode"
)

// isSpace reports whether JavaScript, in which hosts' parsers are written, takes a character for
// white space: see
// https://tc39.es/ecma262/#sec-white-space.
func isSpace(r rune) bool { return r == 0xFEFF || r != 0x85 && unicode.IsSpace(r) }

// lines are those of a file, without the white space around them.
func lines(file []byte) []string {
	all := strings.Split(strings.ToValidUTF8(string(file), "\uFFFD"), "\n")
	for i, line := range all {
		all[i] = strings.TrimFunc(line, isSpace)
	}
	return all
}
