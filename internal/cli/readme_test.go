package cli

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
)

// The transcript of the README is what the program prints.
func TestReadme_TranscriptIsTrue(t *testing.T) {
	needsHugo(t)
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "```console\n")
	if !ok {
		t.Fatal("README.md has no transcript")
	}
	want, _, _ := strings.Cut(rest, "```")
	var got bytes.Buffer
	for line := range strings.Lines(want) {
		command, ok := strings.CutPrefix(strings.TrimSpace(line), "$ go run .")
		if !ok {
			continue
		}
		got.WriteString(line)
		if code := run(context.Background(), strings.Fields(command), &got, new(bytes.Buffer),
			noVariables); code != exitDone {
			t.Errorf("%s: exit code %d", line, code)
		}
	}
	if got.String() != want {
		t.Errorf("the README says\n%s\nthe program prints\n%s", want, &got)
	}
}
