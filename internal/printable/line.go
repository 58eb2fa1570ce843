// Package printable makes text that comes from elsewhere fit for output: file names, keys, words,
// addresses, answers of servers. Nothing in such a text may end a line, move a terminal's cursor,
// turn the reading direction of what follows, or be taken for a command by the program that runs a
// pipeline.
package printable

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"metarobots/internal/lazyregexp"
)

// Longest is how many characters of one text are printed. A longer one loses its middle: a message
// says at its beginning what it is about, and at its end what to do.
const Longest = 2000

// Line makes text fit for one line: white space becomes a blank, and what is no text, or would turn
// the reading direction of what follows, becomes the replacement character. A text over [Longest]
// is cut.
func Line(text string) string { return cut(Whole(text)) }

// Whole is [Line] for text of any length.
func Whole(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' || r == '#' }) {
		return text // as nearly all is
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

// unprintable reports whether r is a control character, or one that embeds, overrides or isolates a
// direction.
// https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters
func unprintable(r rune) bool {
	return unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// loggingCommand is where a command begins that Azure Pipelines, TeamCity and, in its older form,
// GitHub's runner obey wherever it is in a line.
// https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands
var loggingCommand = lazyregexp.New(`#(#[A-Za-z]*\[)`)

// cut takes the middle out of a text that is too long.
func cut(text string) string {
	if len(text) <= Longest || utf8.RuneCountInString(text) <= Longest {
		return text
	}
	const head, tail = Longest*3/4 - 50, Longest / 4 // with room for the number between them
	runes := []rune(text)
	return fmt.Sprintf("%s … %d characters left out … %s", string(runes[:head]), len(runes)-head-tail,
		string(runes[len(runes)-tail:]))
}

// Begin makes a line of output one that GitHub's runner takes for no command, which begins with two
// colons behind any white space: a backslash goes in front of them.
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
func Begin(line string) string {
	if rest := strings.TrimLeftFunc(line, unicode.IsSpace); strings.HasPrefix(rest, "::") {
		return line[:len(line)-len(rest)] + `\` + rest
	}
	return line
}

// Lines makes text of several lines fit, each by [Line] and [Begin]: what other programs log, whose
// ends of lines nobody can tell from those of a name. It ends as text does.
func Lines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Begin(Line(strings.TrimSuffix(line, "\r")))
	}
	return strings.Join(lines, "\n")
}
