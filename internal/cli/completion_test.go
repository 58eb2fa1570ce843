package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"metarobots/internal/config"
	"metarobots/internal/report"
	"metarobots/policy"
)

// offers are what a shell chooses from after the arguments, and cobra's directive for it.
func offers(t *testing.T, args ...string) (values []string, directive string) {
	t.Helper()
	out, errs, code := runCommand(t, append([]string{cobra.ShellCompNoDescRequestCmd}, args...)...)
	if code != exitDone {
		t.Fatalf("%q: exit code %d: %s", args, code, errs)
	}
	values = strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	return values[:len(values)-1], values[len(values)-1]
}

// A shell offers the values of flags that take one of a few, and folders where a folder is wanted. Every environment
// and format that is offered is taken.
func TestCompletion_OffersWhatIsTaken(t *testing.T) {
	var formats []string
	for _, f := range report.Formats {
		formats = append(formats, string(f))
	}
	const values, folders = ":4", ":16"
	for _, c := range []struct {
		args      []string
		want      []string
		directive string
	}{
		{[]string{"report", "--format", ""}, formats, values},
		{[]string{"apply", "--environment", ""}, config.Environments(), values},
		{[]string{"explain", "--crawler", ""}, policy.KnownCrawlers().Names(), values},
		{[]string{"apply", "--source", ""}, nil, folders},
		{[]string{"apply", ""}, nil, folders},
		{[]string{"snap"}, []string{"snapshot"}, values},
	} {
		if got, directive := offers(t, c.args...); !slices.Equal(got, c.want) || directive != c.directive {
			t.Errorf("%q: %q %s, want %q %s", c.args, got, directive, c.want, c.directive)
		}
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "index.html"), "<html><head></head></html>")
	take := func(args ...string) {
		t.Helper()
		if _, errs, code := runCommand(t, append(args, "--quiet")...); code == exitInvalid {
			t.Errorf("%q is refused: %s", args, errs)
		}
	}
	for _, e := range config.Environments() {
		take("check", dir, "-s", dir, "-e", e)
	}
	for _, f := range formats {
		take("report", dir, "-s", dir, "--format", f)
	}
}
