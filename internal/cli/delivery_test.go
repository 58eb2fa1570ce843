package cli

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// full is a stream that takes nothing, as a file on a full disk does.
type full struct{}

var errFull = errors.New("no space left on device")

func (full) Write([]byte) (int, error) { return 0, errFull }

// A command whose answer does not arrive fails, whichever it is.
func TestHouse_ALostAnswerIsAFailure(t *testing.T) {
	dir := t.TempDir()
	tables.Write(t, dir, map[string]string{
		"metarobots.toml": "[site]\ngenerator = \"html\"\ndestination = \"out\"\nbaseURL = \"https://example.org/\"\n",
		"out/index.html":  "<!doctype html><title>home</title>",
	})
	for _, args := range [][]string{{"version"}, {"help"}, {"resolve", "noindex"}, {"schema", "policy"},
		{"list", "-s", dir}, {"explain", "-s", dir, "/"}, {"check", "-s", dir, "--json"},
		{"report", "-s", dir}} {
		var errs bytes.Buffer
		if code := run(context.Background(), args, full{}, &errs, noVariables); code != exitBroken {
			t.Errorf("%q ends with %d and prints %q", args, code, errs.String())
		}
		if n := strings.Count(errs.String(), errFull.Error()); n != 1 {
			t.Errorf("%q says %d times why: %q", args, n, errs.String())
		}
	}
}
