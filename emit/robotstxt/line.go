package robotstxt

import (
	"slices"
	"strings"
)

const (
	// MaxSize is how many bytes of a robots.txt Google reads; RFC 9309, section 2.5, asks for no
	// less.
	MaxSize = 500 * 1024
	// maxLine is how many bytes of a line Google's parser keeps (kMaxLineLen, with a final NUL).
	maxLine = 2083*8 - 1
)

// Keys of lines that Google does not know, in lower case, beside those of signals.
const (
	crawlDelay = "crawl-delay"
	// license is that of RSL 1.0, whose lines belong to no group.
	// https://rslstandard.org/guide/robots-txt
	license = "license"
)

var bom = []byte("\xEF\xBB\xBF")

// Kind says how Google's parser takes a line: by the usual spelling of the key, if it knows that.
type Kind string

// The kinds of lines.
const (
	Blank    Kind = ""           // nothing, or a comment
	Agent    Kind = "User-agent" // starts a group, or joins the one before
	Allow    Kind = "Allow"
	Disallow Kind = "Disallow"
	Sitemap  Kind = "Sitemap"
	Other    Kind = "other"  // a key that Google does not know
	Unread   Kind = "unread" // no key and value
)

// Line is one line of a robots.txt.
type Line struct {
	// Number counts from 1, as Google's parser counts: LF, CR and CRLF end a line. Those of a block
	// that a host puts before the file ([File.Behind]) end at 0, so that the site's own lines keep
	// their numbers.
	Number int
	// Text is the whole line, without its end.
	Text string
	// Kind says how it is read.
	Kind Kind
	// Key is the text before the separator, in its own case; empty for Blank and Unread.
	Key string
	// Value is the text after it, without white space around it and without a comment.
	Value string
	// Colon is false where white space separates key and value.
	Colon bool
	// Source is where the line comes from, if whoever parsed the file knows.
	Source Source

	key     string            // in lower case
	agents  []string          // the tokens of its groups, for a rule and any other line of groups
	sources map[string]Source // by the tokens of crawlers for which it is not Source
}

// splitLines returns the lines that Google's parser sees, except an empty last one.
func splitLines(data []byte) []Line {
	if len(data) > MaxSize {
		data = data[:MaxSize]
	}
	// Google's parser skips a mark that is cut off, too.
	for i := 0; i < len(bom) && len(data) > 0 && data[0] == bom[i]; i++ {
		data = data[1:]
	}
	text := strings.ReplaceAll(strings.ReplaceAll(string(data), "\r\n", "\n"), "\r", "\n")
	var lines []Line
	for line := range strings.Lines(text) {
		lines = append(lines, readLine(len(lines)+1, strings.TrimSuffix(line, "\n")))
	}
	return lines
}

// newLine returns a line that is to be written. It has no number yet.
func newLine(key, value string, source Source) Line {
	l := readLine(0, field(key, value))
	l.Source = source
	return l
}

// newLines returns a line with the same key for each value.
func newLines(key string, values []Value) (lines []Line) {
	for _, v := range values {
		lines = append(lines, newLine(key, v.Text, v.Source))
	}
	return lines
}

// readLine reads one line as GetKeyAndValueFrom in robots.cc does.
func readLine(number int, text string) Line {
	l := Line{Number: number, Text: text}
	s := text
	if len(s) > maxLine {
		s = s[:maxLine]
	}
	s, _, _ = strings.Cut(s, "\x00")
	s, _, _ = strings.Cut(s, "#")
	s = trim(s)
	if s == "" {
		return l
	}
	sep := strings.IndexByte(s, ':')
	l.Colon = sep >= 0
	if !l.Colon {
		// "Disallow /x": two words and no more.
		sep = strings.IndexAny(s, " \t")
		if sep < 0 || strings.ContainsAny(strings.TrimLeft(s[sep:], " \t"), " \t") {
			l.Kind = Unread
			return l
		}
	}
	l.Key, l.Value = trim(s[:sep]), trim(s[sep+1:])
	if l.Key == "" {
		l.Kind = Unread
		return l
	}
	l.Kind, l.key = kindOf(l.Key), strings.ToLower(l.Key)
	return l
}

// keys are those that Google's parser knows, and the beginnings that it takes for them: frequent
// typos are among them.
var keys = []struct {
	kind   Kind
	starts []string
}{
	{Agent, []string{"user-agent", "useragent", "user agent"}},
	{Allow, []string{"allow"}},
	{Disallow, []string{"disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"}},
	{Sitemap, []string{"sitemap", "site-map"}},
}

func kindOf(key string) Kind {
	for _, k := range keys {
		for _, start := range k.starts {
			if len(key) >= len(start) && strings.EqualFold(key[:len(start)], start) {
				return k.kind
			}
		}
	}
	return Other
}

// vocabulary is that of a line that says how content may be used, nil of others.
func (l *Line) vocabulary() *vocabulary { return vocabularies[l.key] }

// isRule reports whether a line allows or disallows something.
func (l *Line) isRule() bool { return l.Kind == Allow || l.Kind == Disallow }

// Groups are the names of the crawlers in whose groups the line is, in lower case, as
// [Access.Agent] has them.
func (l *Line) Groups() []string { return slices.Clone(l.agents) }

// name returns the key in its usual spelling.
func (l *Line) name() string {
	if l.Kind == Other {
		return l.Key
	}
	return string(l.Kind)
}

// trim takes away ASCII white space, as absl::StripAsciiWhitespace does.
func trim(s string) string { return strings.Trim(s, " \t\n\v\f\r") }

// String returns the line as it is quoted: the key in its usual spelling and the value.
func (l Line) String() string {
	if l.Kind == Blank || l.Kind == Unread {
		return trim(l.Text)
	}
	return field(l.name(), l.Value)
}
