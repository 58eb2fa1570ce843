package policy

import (
	"strings"
	"testing"
)

// A directive that was written in two words is one, not two that are near.
func TestHouse_HintsJoinWords(t *testing.T) {
	for text, want := range map[string]string{
		"no index":       `did you mean "noindex"?`,
		"No Follow":      `did you mean "nofollow"?`,
		"no | archive":   `did you mean "noarchive"?`,
		"noindx nofolow": `did you mean "noindex, nofollow"?`,
	} {
		_, problems := Parse(text, Own)
		if len(problems) != 1 || !strings.Contains(problems[0].Message, want) {
			t.Errorf("%q: %v, want %s", text, problems, want)
		}
	}
}
