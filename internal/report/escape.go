package report

import (
	"strings"
	"unicode"
)

// clean makes text fit for one line: white space becomes a blank, and what is no text, or would turn the reading
// direction of what follows, becomes the replacement character.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.IsControl(r), r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// specials are the characters that mean something in a line of Markdown, tables included.
// https://spec.commonmark.org/0.31.2/#backslash-escapes
var specials = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `{`, `\{`, `}`, `\}`, `[`, `\[`, `]`, `\]`, `<`, `\<`, `>`, `\>`,
	`#`, `\#`, `|`, `\|`, `~`, `\~`, `&`, `\&`, `!`, `\!`, `$`, `\$`,
	// GitHub makes links of bare addresses.
	`://`, `\://`, `www.`, `www\.`, `@`, `\@`,
)

// text writes s as text of a line of Markdown.
func text(s string) string { return specials.Replace(clean(s)) }

// code writes s as a code span; nothing where there is nothing to see.
func code(s string) string {
	s = clean(s)
	if strings.TrimSpace(s) == "" {
		return ""
	}
	longest, run := 0, 0
	for _, c := range s {
		if c != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// cell writes s as a code span in a table's cell, where a vertical bar needs its backslash in code too.
// https://github.github.com/gfm/#example-200
func cell(s string) string { return strings.ReplaceAll(code(s), "|", `\|`) }
