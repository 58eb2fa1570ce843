package report

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"metarobots/internal/lazyregexp"
	"metarobots/internal/printable"
	"metarobots/policy"
)

// specials are the characters that mean something in a line of Markdown, tables included.
// https://spec.commonmark.org/0.31.2/#backslash-escapes
var specials = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `{`, `\{`, `}`, `\}`, `[`, `\[`, `]`, `\]`, `<`, `\<`, `>`, `\>`,
	`#`, `\#`, `|`, `\|`, `~`, `\~`, `&`, `\&`, `!`, `\!`, `$`, `\$`,
	// GitHub makes links of bare addresses; most are code (see text).
	`://`, `\://`, `www.`, `www\.`, `@`, `\@`,
)

// address is a URL within a text, without the sign that ends its sentence.
var address = lazyregexp.New("[A-Za-z][\\w+.-]*://[^\\s|`]*[^\\s|`.,:;!?)\\]}'\"]")

// text writes s as text of a line of Markdown. URLs are code: they stay as they are, and GitHub
// makes no links of them.
func text(s string) string {
	return withURLs(printable.Line(s), specials.Replace, func(url string) string { return "`" + url + "`" })
}

// withURLs is a text with what writeURL makes of each URL in it, and writeWords of what is between.
func withURLs(s string, writeWords, writeURL func(string) string) string {
	if !strings.Contains(s, "://") { // as nearly every text
		return writeWords(s)
	}
	written, done := "", 0
	for _, at := range address.FindAllStringIndex(s, -1) {
		written += writeWords(s[done:at[0]]) + writeURL(s[at[0]:at[1]])
		done = at[1]
	}
	return written + writeWords(s[done:])
}

// code writes s as a code span; "" if s is blank.
func code(s string) string {
	s = printable.Line(s)
	if strings.TrimSpace(s) == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") &&
		strings.HasSuffix(s, " ") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// cell writes s as a code span in a table's cell, where a vertical bar needs its backslash in code
// too.
// https://github.github.com/gfm/#example-200
func cell(s string) string { return strings.ReplaceAll(code(s), "|", `\|`) }

// escape writes s as text of HTML.
func escape(s string) string { return html.EscapeString(printable.Line(s)) }

// command is a severity as a workflow command.
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#setting-a-notice-message
func command(s policy.Severity) string {
	if s == policy.Error || s == policy.Warning {
		return string(s)
	}
	return "notice"
}

// An annotation is one line, so no text holds the end of one. A property ends with a comma or a
// colon.
// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
var (
	escapeMessage  = strings.NewReplacer("%", "%25")
	escapeProperty = strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C")
)

// message is s as the message of an annotation, property as one of its properties.
func message(s string) string  { return escapeMessage.Replace(printable.Line(s)) }
func property(s string) string { return escapeProperty.Replace(printable.Line(s)) }

// field writes s as a field of CSV: an apostrophe is before what a spreadsheet would take for a
// formula, and a pipeline for a command. https://owasp.org/www-community/attacks/CSV_Injection
func field(s string) string {
	s = printable.Line(s)
	first, _ := utf8.DecodeRuneInString(s)
	if s != "" && strings.ContainsRune("=+-@＝＋－＠", first) || printable.Begin(s) != s {
		return "'" + s
	}
	return s
}

// isPlain reports whether a text is the same when it is made fit for one line and written as JSON
// that can be in a script element.
func isPlain(s string) bool {
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '#', '&', '<', '>', '\\':
			return false
		default:
			if c < ' ' || c > '~' {
				return false
			}
		}
	}
	return len(s) <= printable.Longest
}
