package source

import "regexp"

// A slip is a common mistake, often of people who know another notation. It is known by what the parser says and the
// line that it says it of, joined by a line feed.
type slip struct {
	format string
	lines  int // where it is looked for: 1 for the line that the parser names, 2 for the one before, too
	text   *regexp.Regexp
	advice string // how the line is to be written, with what the groups of text hold
}

const badTOML = `^(?:expected keyword.*|.*'[A-Za-z/*]' at start of value)\n.*=\s*`

var slips = []slip{
	{"toml", 1, regexp.MustCompile(`\n\s*([\w-]+)\s*:`), "write $1 = and the value: TOML has no colon there"},
	{"toml", 1, regexp.MustCompile(`\n.*=(?:[\[, ]*[“”„‟‘’‚]|.*[“”„‟‘’‚][\], ]*(?:#|$))`),
		`use straight quotation marks: "noindex"`},
	{"toml", 1, regexp.MustCompile(`^expected newline but got U\+002C.*\n[^"]*=\s*("[^#]*[^#\s])`),
		"a list needs brackets: [$1]"},
	{"toml", 1, regexp.MustCompile(badTOML + `((?i)no|off)\s*(?:#|$)`), "write false, not $1"},
	{"toml", 1, regexp.MustCompile(badTOML + `((?i)yes|on)\s*(?:#|$)`), "write true, not $1"},
	{"toml", 1, regexp.MustCompile(badTOML + `([\w/*][^#"'\\\[\]{}=]*?)\s*(?:#|$)`), `$1 needs quotation marks: "$1"`},
	{"toml", 1, regexp.MustCompile(badTOML), `a text needs quotation marks: "noindex"`},
	{"yaml", 1, regexp.MustCompile(`^mapping values .*\n\s*([\w-]+):\s+([^"'\[{|>][^"]*:(?:\s[^"]*)?)$`),
		`a text with a colon needs quotation marks: $1: "$2"`},
	{"yaml", 1, regexp.MustCompile(`^mapping values .*\n\s*([\w-]+):\s+([^"'\[{|>][^']*:(?:\s[^']*)?)$`),
		`a text with a colon needs quotation marks: $1: '$2'`},
	// "robots:noindex", "robots = noindex"
	{"yaml", 2, regexp.MustCompile(`\n([A-Za-z][\w-]*)(?::([^\s:/].*?)|\s*=\s*(\S.*?))\s*$`),
		"write $1: $2$3, with a colon and a space"},
	{"yaml", 1, regexp.MustCompile(`^did not find expected ',' or ']'`), "a list that begins with [ ends with ]"},
	{"yaml", 1, regexp.MustCompile(`^did not find expected ',' or '}'`), "a map that begins with { ends with }"},
	{"yaml", 1, regexp.MustCompile(`^found unexpected end of stream`),
		"a quotation mark opens a text here, and none closes it"},
	{"yaml", 1, regexp.MustCompile(`^found character that cannot start any token`), "quotation marks belong around a " +
		"text that begins with @, % or a backquote, and spaces in place of tabs"},
}

// advised is an error of a parser, or the advice on the slip that caused it.
func (l lines) advised(format string, e *SyntaxError) *SyntaxError {
	for _, s := range slips {
		for line := e.Line; s.format == format && line > e.Line-s.lines; line-- {
			text := e.Msg + "\n" + l.text(line)
			if m := s.text.FindStringSubmatchIndex(text); m != nil {
				return &SyntaxError{Line: line, Msg: string(s.text.ExpandString(nil, s.advice, text, m))}
			}
		}
	}
	return e
}
