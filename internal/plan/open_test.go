package plan_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/project"
	"metarobots/internal/site/pages"
	"metarobots/internal/tables"
)

// Faults of what the user names are theirs to mend, and say what they named (X: exit code 2).
func TestHouse_FaultsNameWhatTheUserNamed(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/options.txt") {
		t.Run(c["name"], func(t *testing.T) {
			options := project.Options{WorkDir: tables.Folder(t, c.Files("files")), Source: c["source"],
				Policy: c["policy"], Dir: c["dir"], Environment: c["environment"], Now: c["now"],
				Getenv: func(string) string { return "" }}
			p, err := project.Open(context.Background(), options, pages.HTML())
			if err == nil { // only a build can do without a publish folder
				_, err = plan.New(context.Background(), p)
			}
			var invalid *project.InvalidError
			if !errors.As(err, &invalid) {
				t.Fatalf("%v", err)
			}
			if text := errorText(err); !strings.Contains(text, c["message"]) {
				t.Errorf("%s, want %q in it", text, c["message"])
			}
		})
	}
}

// errorText is an error as users read it: its message, and the lines below it that help.
func errorText(err error) string {
	if help, ok := errors.AsType[*printable.Help](err); ok {
		return err.Error() + "\n" + strings.Join(help.Lines, "\n")
	}
	return err.Error()
}
