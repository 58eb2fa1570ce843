// Package printable makes text that comes from elsewhere fit for output: file names, keys, words, addresses, answers
// of servers. Nothing in such a text may end a line, move a terminal's cursor, turn the reading direction of what
// follows, or be taken for a command by the program that runs a pipeline.
package printable

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Longest is how many characters of one text are printed. A longer one loses its middle: a message says at its
// beginning what it is about, and at its end what to do.
const Longest = 2000

// Line makes text fit for one line: white space becomes a blank, and what is no text, or would turn the reading
// direction of what follows, becomes the replacement character. A text over [Longest] is cut.
func Line(text string) string { return cut(Whole(text)) }

// Whole is [Line] for text of any length.
func Whole(text string) string {
	if plain(text) {
		return text
	}
	text = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("\t\n\v\f\r\u0085\u2028\u2029", r):
			return ' '
		case unprintable(r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return loggingCommand.ReplaceAllString(text, "# $1")
}

// plain reports whether text is fit as it stands, which nearly all is.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '#' {
			return false
		}
	}
	return true
}

// unprintable reports whether r is a control character, or one that embeds, overrides or isolates a direction.
// https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters
func unprintable(r rune) bool {
	return unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// loggingCommand is where a command begins that Azure Pipelines, TeamCity and, in its older form, GitHub's runner
// obey wherever it stands in a line.
// https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands
var loggingCommand = regexp.MustCompile(`#(#[A-Za-z]*\[)`)

// cut takes the middle out of a text that is too long.
func cut(text string) string {
	if len(text) <= Longest {
		return text
	}
	n := utf8.RuneCountInString(text)
	if n <= Longest {
		return text
	}
	const tail = Longest / 4
	runes := []rune(text)
	mark := fmt.Sprintf(" … %d characters left out … ", n-Longest)
	mark = fmt.Sprintf(" … %d characters left out … ", n-Longest+utf8.RuneCountInString(mark))
	head := Longest - tail - utf8.RuneCountInString(mark)
	return string(runes[:head]) + mark + string(runes[n-tail:])
}

// Begin makes a line of output one that GitHub's runner takes for no command, which begins with two colons behind any
// white space: a backslash stands in front of them.
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
func Begin(line string) string {
	if rest := strings.TrimLeftFunc(line, unicode.IsSpace); strings.HasPrefix(rest, "::") {
		return line[:len(line)-len(rest)] + `\` + rest
	}
	return line
}

// Lines makes text of several lines fit, each by [Line] and [Begin]: what other programs log, whose ends of lines
// nobody can tell from those of a name. It ends as text does.
func Lines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Begin(Line(strings.TrimSuffix(line, "\r")))
	}
	return strings.Join(lines, "\n")
}
