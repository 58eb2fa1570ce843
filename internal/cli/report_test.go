package cli

import (
	"bytes"
	"strings"
	"testing"
)

// A page is not printed on a terminal: a sentence says how to get one.
func TestReport_OnATerminalSaysHowToGetThePage(t *testing.T) {
	var out, errors bytes.Buffer
	c := &command{stdout: newPrinter(&out, noVariables), stderr: newPrinter(&errors, noVariables), getenv: noVariables}
	c.stdout.terminal = true
	code, err := exit(c.report(c.reportCommand(), nil))
	const want = "metarobots report -o report.html writes the page"
	if code != exitInvalid || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("exit code %d, %v; want %q", code, err, want)
	}
	if out.Len() > 0 {
		t.Errorf("%s", &out)
	}
}
