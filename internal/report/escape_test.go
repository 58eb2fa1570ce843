package report

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"metarobots/internal/printable"
)

// Whatever text stands in the data: no format prints a control character but its own ends of lines,
// or turns the reading direction, and no line is a workflow command but an annotation of ours.
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
func FuzzLaw_ReportsHoldNothingUnprintable(f *testing.F) {
	for _, s := range []string{hostile, "\n::error::x\n", "\x1b[2J\x1b]8;;https://example.org/\a", "a\u202eb\u2066",
		"\xff\xfe",
		"\u0085\u2028::stop-commands::x", "##[add-mask]x", strings.Repeat("x", 5000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 10_000 {
			t.Skip()
		}
		for _, format := range Formats {
			for line := range strings.Lines(written(t, format, attacked(text), made2026)) {
				line = strings.TrimSuffix(line, "\n")
				if format == CSV {
					line = strings.TrimSuffix(line, "\r")
				}
				if i := strings.IndexFunc(line, unprintable); i >= 0 {
					t.Errorf("%s: %q, at %q", format, line, line[i:])
				}
				if printable.Begin(line) != line && !(format == GitHub && annotation.MatchString(line)) {
					t.Errorf("%s: a line is a command: %q", format, line)
				}
				if format != JSON && format != SARIF && strings.Contains(line, strings.Repeat("x", printable.Longest)) {
					t.Errorf("%s: a text is printed whole", format)
				}
			}
		}
	})
}

// annotation is the beginning of a line of ours.
var annotation = regexp.MustCompile(`^::(error|warning|notice) (file=[^:]*,)?title=[^:]*::`)

func unprintable(r rune) bool {
	return unicode.IsControl(r) ||
		slices.Contains([]rune("\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"), r)
}
