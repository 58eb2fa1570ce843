package cli

import (
	"bytes"
	"io"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Whoever reports a fault can copy one line that names everything.
func TestVersion_NamesCommitGoAndHugo(t *testing.T) {
	const hugo, none = "Hugo v0.165.0", "without Hugo"
	system := []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: "arm64"}}
	stamped := append([]debug.BuildSetting{
		{Key: "vcs.revision", Value: "3d873fb5d1b2c8ac01d4c1f1f9e2b9d5a7e0c4aa"},
		{Key: "vcs.time", Value: "2026-11-21T21:55:00Z"}, {Key: "vcs.modified", Value: "false"}}, system...)
	changed := append([]debug.BuildSetting{}, stamped...)
	changed[2].Value = "true"
	for _, c := range []struct {
		name                  string
		info                  debug.BuildInfo
		hugo, release, commit string
		want                  string
	}{
		{"go run", debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "(devel)"}}, hugo, "", "",
			"(devel), Hugo v0.165.0, go1.26.8"},
		{"nothing is known", debug.BuildInfo{GoVersion: "go1.26.8"}, none, "", "", "(devel), without Hugo, go1.26.8"},
		{"a checkout", debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v1.2.0"}, Settings: stamped},
			hugo, "", "",
			"1.2.0 (commit 3d873fb5d1b2, 2026-11-21), Hugo v0.165.0, go1.26.8 linux/arm64"},
		{"a changed checkout", debug.BuildInfo{GoVersion: "go1.26.8",
			Main: debug.Module{Version: "v1.2.1-0.20261121215500-3d873fb5d1b2+dirty"}, Settings: changed}, none, "", "",
			"1.2.1-0.20261121215500-3d873fb5d1b2+dirty (commit 3d873fb5d1b2 and changes, 2026-11-21), without Hugo, " +
				"go1.26.8 linux/arm64"},
		{"a release", debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v1.2.0"}, Settings: stamped},
			none, "1.2.0", "0123", "1.2.0 (commit 3d873fb5d1b2, 2026-11-21), without Hugo, go1.26.8 linux/arm64"},
		{"a container", debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "(devel)"},
			Settings: system}, none, "v1.2.0", "0123", "1.2.0 (commit 0123), without Hugo, go1.26.8 linux/arm64"},
	} {
		if got := describe(&c.info, c.hugo, c.release, c.commit); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Every command shows in its help how it is called, and what each of its flags does.
func TestHelp_EveryCommandHasAnExample(t *testing.T) {
	root := newRoot(command{stdout: newPrinter(io.Discard, noVariables)}, nil)
	for _, cmd := range append(root.Commands(), root) {
		if cmd.Example == "" && cmd.Name() != "help" {
			t.Errorf("%s has no example", cmd.Name())
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s: nothing says what --%s does", cmd.Name(), f.Name)
			}
		})
	}
}

// A page is not printed on a terminal: a sentence says how to get one.
func TestReport_OnATerminalSaysHowToGetThePage(t *testing.T) {
	var out bytes.Buffer
	c := &command{stdout: newPrinter(&out, noVariables)}
	c.stdout.terminal = true
	code, err := exit(c.report(nil, nil))
	const want = "metarobots report -o report.html writes the page"
	if code != exitInvalid || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("exit code %d, %v; want %q", code, err, want)
	}
	if out.Len() > 0 {
		t.Errorf("%s", &out)
	}
}
