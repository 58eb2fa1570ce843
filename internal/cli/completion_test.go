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

// offers are what a shell shows after the arguments, and cobra's directive for it.
func offers(t *testing.T, args ...string) (values []string, directive string) {
	t.Helper()
	out, errs, code := runCommand(t, append([]string{cobra.ShellCompNoDescRequestCmd}, args...)...)
	if code != exitDone {
		t.Fatalf("%q: exit code %d: %s", args, code, errs)
	}
	values = strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	return values[:len(values)-1], values[len(values)-1]
}

// A shell offers the values of flags that take one of a few, and folders where a folder is wanted.
func TestCompletion_OffersValues(t *testing.T) {
	var formats []string
	for _, f := range report.Formats {
		formats = append(formats, string(f))
	}
	const values, noSpace, endings, folders = ":4", ":6", ":8", ":16"
	for _, c := range []struct {
		args      []string
		want      []string
		directive string
	}{
		{[]string{"report", "--format", ""}, formats, values},
		{[]string{"report", "--format", "s"}, []string{"sarif"}, values},
		{[]string{"apply", "--environment", ""}, config.Environments(), values},
		{[]string{"apply", "-e", "prev"}, []string{"preview", "preview-server"}, values},
		{[]string{"--logLevel", ""}, []string{"debug", "info", "warn", "error"}, values},
		{[]string{"explain", "--crawler", "bing"}, []string{"bingbot"}, noSpace},
		{[]string{"explain", "--crawler", "bingbot,google"}, []string{"bingbot,googlebot", "bingbot,googlebot-image",
			"bingbot,googlebot-news", "bingbot,googlebot-video"}, noSpace},
		{[]string{"build", "--disableKinds", "rss,ta"}, []string{"rss,taxonomy"}, noSpace},
		{[]string{"apply", "--policy", ""}, []string{"toml"}, endings},
		{[]string{"check", "--baseline", ""}, []string{"json"}, endings},
		{[]string{"check", "--report", ""}, []string{"html", "md", "json", "sarif", "csv"}, endings},
		{[]string{"apply", "--source", ""}, nil, folders},
		{[]string{"apply", ""}, nil, folders},
		{[]string{"apply", "dist", ""}, nil, values},
		{[]string{"apply", "--baseURL", ""}, nil, values},
		{[]string{"snapshot", "-o", ""}, nil, ":0"},
		{[]string{"snap"}, []string{"snapshot"}, values},
	} {
		if got, directive := offers(t, c.args...); !slices.Equal(got, c.want) || directive != c.directive {
			t.Errorf("%q: %q %s, want %q %s", c.args, got, directive, c.want, c.directive)
		}
	}
}

// Every environment that is offered is one that the policy knows (E3), and every crawler and format one that is taken.
func TestCompletion_OffersWhatIsTaken(t *testing.T) {
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
	for _, f := range flagValues("format") {
		take("report", dir, "-s", dir, "--format", f)
	}
	crawlers := policy.KnownCrawlers()
	for _, name := range flagValues("crawler") {
		if _, ok := crawlers.Lookup(name); !ok {
			t.Errorf("%s is no crawler", name)
		}
	}
	if got, want := len(flagValues("crawler")), len(crawlers.Names()); got != want || got < 20 {
		t.Errorf("%d crawlers are offered of %d", got, want)
	}
}
