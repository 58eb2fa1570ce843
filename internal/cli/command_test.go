package cli

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Whoever reports a fault can copy one line that names everything.
func TestVersion_NamesCommitGoAndHugo(t *testing.T) {
	stamped := []debug.BuildSetting{{Key: "vcs.revision", Value: "3d873fb5d1b2c8ac01d4c1f1f9e2b9d5a7e0c4aa"}}
	const pseudo = "1.2.1-0.20261121215500-3d873fb5d1b2+dirty"
	for _, c := range []struct {
		name, version   string
		settings        []debug.BuildSetting
		release, commit string
		want            string
	}{
		{"go run", "(devel)", nil, "", "", "(devel)"},
		{"nothing is known", "", nil, "", "", "(devel)"},
		{"a checkout", "v1.2.0", stamped, "", "", "1.2.0 (commit 3d873fb5d1b2)"},
		{"a changed checkout", "v" + pseudo, stamped, "", "", pseudo + " (commit 3d873fb5d1b2)"},
		{"a release", "v1.2.0", stamped, "1.2.0", "0123", "1.2.0 (commit 3d873fb5d1b2)"},
		{"a container", "(devel)", nil, "v1.2.0", "0123", "1.2.0 (commit 0123)"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: c.version}, Settings: c.settings}
		if got := describe(info, c.release, c.commit); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	rest := fmt.Sprintf(", %s, %s %s/%s, crawlers as of ", compiledIn, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if got := about(); !strings.Contains(got, rest) {
		t.Errorf("%q does not say %q", got, rest)
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
	c := &reportCommand{}
	c.stdout, c.cmd = newPrinter(&out, noVariables), new(cobra.Command)
	c.stdout.terminal = true
	code, err := exit(c.run())
	const want = "metarobots report -o report.html writes the page"
	if code != exitInvalid || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("exit code %d, %v; want %q", code, err, want)
	}
	if out.Len() > 0 {
		t.Errorf("%s", &out)
	}
}
