//go:build nohugo

package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// Help of a program without Hugo offers nothing that needs it; the manual page, which a release
// takes from that program for both, does. -q is --quiet.
func TestHouse_HelpWithoutHugoOffersNoBuild(t *testing.T) {
	print := func(args ...string) string {
		var out, errs bytes.Buffer
		if code := run(context.Background(), args, &out, &errs, noVariables); code != exitDone {
			t.Fatalf("%q: exit code %d\n%s", args, code, &errs)
		}
		return out.String()
	}
	asked := [][]string{{"help"}, {"check", "-q", "--help"}}
	for name := range texts().Commands {
		if name != "metarobots" && name != "build" { // which points at the program that has Hugo
			asked = append(asked, []string{"help", name})
		}
	}
	for _, args := range asked {
		text := print(args...)
		for _, word := range []string{"minify", "buildDrafts", "builds the Hugo site", "-D", "build --help"} {
			if strings.Contains(text, word) {
				t.Errorf("%q speaks of %q:\n%s", args, word, text)
			}
		}
	}
	text := print("help")
	if !strings.Contains(text, "metarobots apply dist") || !strings.Contains(text, "metarobots-hugo") {
		t.Error(text)
	}
	if text := print("man"); !strings.Contains(text, "minify") {
		t.Error("the manual page lacks Hugo's flags")
	}
}
