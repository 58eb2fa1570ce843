package cli

import (
	"io"
	"strings"
	"testing"
)

// X12e: a sentence is broken where the terminal ends, and nowhere if nobody knows where that is.
func TestHouse_SentencesFitTheTerminal(t *testing.T) {
	const text = "Not in search results: noindex by metarobots.toml:28, lists of tags."
	for width := range 100 {
		p := newPrinter(io.Discard, func(string) string { return "" })
		p.width = width
		lines := strings.Split(string(p.sentence("  ", text)), "\n")
		if joined := strings.Join(strings.Fields(strings.Join(lines, " ")), " "); joined != text {
			t.Fatalf("%d columns: %q", width, joined)
		}
		for _, line := range lines {
			one := len(strings.Fields(line)) == 1
			if !strings.HasPrefix(line, "  ") || width > 0 && len(line) > width && !one || width == 0 && len(lines) > 1 {
				t.Errorf("%d columns: %q", width, lines)
			}
		}
	}
}
