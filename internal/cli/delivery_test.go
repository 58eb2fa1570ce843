package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"metarobots/internal/tables"
)

// full is a stream that takes nothing, as a file on a full disk does.
type full struct{}

var errFull = errors.New("no space left on device")

func (full) Write([]byte) (int, error) { return 0, errFull }

// delivered are runs of each command that print something, from the folder of lostSite; BASE is
// where its pages are served.
var delivered = map[string][]string{
	"metarobots":                       {"-s hugo -n", "--help", "--version", "-s hugo -d ../public1 --json"},
	"metarobots build":                 {"-s hugo -n", "-s hugo -d ../public2 --json"},
	"metarobots apply":                 {"-n", "-n --diff", "-d out2 --json", "-n -v"},
	"metarobots check":                 {"", "--json", "--diff", "-v --findings-only"},
	"metarobots data":                  {"--help"}, // it prints nothing else
	"metarobots explain":               {"/", "--json /", "/a.pdf /"},
	"metarobots list":                  {"", "--json", "--why out", "metarobots.lock.json", "--allow-private BASE"},
	"metarobots report":                {"", "--format csv", "--format json", "--format sarif", "--format markdown", "--format csv -o -"},
	"metarobots snapshot":              {"-o -"},
	"metarobots diff":                  {"old.json metarobots.lock.json", "--json old.json metarobots.lock.json"},
	"metarobots logs":                  {"access.log", "--json access.log"},
	"metarobots init":                  {"-n -s bare bare/out", "-n --json -s bare bare/out"},
	"metarobots resolve":               {"noindex", "--json noindex"},
	"metarobots schema":                {"policy", "hugo", "front-matter"},
	"metarobots verify":                {"--allow-private BASE", "--allow-private --json BASE"},
	"metarobots version":               {"", "--json"},
	"metarobots man":                   {""},
	"metarobots help":                  {"", "list"},
	"metarobots completion":            {""},
	"metarobots completion bash":       {""},
	"metarobots completion fish":       {""},
	"metarobots completion powershell": {""},
	"metarobots completion zsh":        {""},
}

// lostSite makes a site with what the commands read, goes there and returns where its pages are
// served.
func lostSite(t *testing.T) (base string) {
	dir := t.TempDir()
	tables.Write(t, dir, map[string]string{
		"metarobots.toml": "[site]\ngenerator = \"html\"\ndestination = \"out\"\nbaseURL = \"https://example.org/\"\n" +
			"[[robots.rules]]\nmatch = [\"/*.pdf\", \"/b.html\"]\nrobots = \"noindex\"\n[robots.guard]\nallow = true\n",
		"out/index.html":      "<!doctype html><title>home</title>",
		"out/b.html":          "<!doctype html><title>b</title>",
		"out/a.pdf":           "%PDF",
		"bare/out/index.html": "<!doctype html><title>home</title>",
		"out2/index.html":     "<!doctype html><title>home</title>",
		"out2/a.pdf":          "%PDF",
		"old.json":            `{"version": 1, "decisions": {"x": {}}, "pages": {"/": "x", "/gone/": "x"}}`,
		"access.log": `66.249.66.1 - - [20/Nov/2026:10:00:00 +0000] "GET /b.html HTTP/1.1" 200 9 "-" ` +
			`"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"` + "\n",
		"served/sitemap.xml":    "https://other.example/\nBASE/\nBASE/b.html\n",
		"hugo/hugo.toml":        "baseURL = \"https://example.org/\"\n",
		"hugo/layouts/all.html": "<!doctype html><html><head><title>x</title></head></html>",
		"hugo/content/a.md":     "---\ntitle: A\n---\n",
	})
	t.Chdir(dir)
	succeed(t, "snapshot", "--quiet")
	tables.Write(t, "served", map[string]string{"index.html": "<title>home</title>", "b.html": "<title>b</title>",
		"robots.txt": "User-agent: *\nDisallow: /b\n"})
	server := httptest.NewServer(deployment{dir: filepath.Join(dir, "served")})
	t.Cleanup(server.Close)
	list := tables.Value(os.ReadFile("served/sitemap.xml"))(t)
	tables.Must(t, os.WriteFile("served/sitemap.xml", bytes.ReplaceAll(list, []byte("BASE"), []byte(server.URL)), 0o644))
	return server.URL
}

// X: a command whose answer does not arrive ends with 3 and says why, whichever it is and in
// whatever form it answers. The table of commands is the program's own: a new one needs a row above
// (X11g).
func TestHouse_ALostAnswerIsAFailure(t *testing.T) {
	base := lostSite(t)
	lose := func(t *testing.T, args []string) {
		var out, errs bytes.Buffer
		if code := run(context.Background(), args, &out, io.Discard, noVariables); out.Len() == 0 {
			t.Fatalf("%q prints nothing (exit code %d), so this proves nothing", args, code)
		}
		if code := run(context.Background(), args, full{}, &errs, noVariables); code != exitBroken {
			t.Errorf("%q ends with %d and prints %q", args, code, errs.String())
		}
		if n := strings.Count(errs.String(), errFull.Error()); n != 1 {
			t.Errorf("%q says %d times why: %q", args, n, errs.String())
		}
	}
	var each func(cmd *cobra.Command)
	each = func(cmd *cobra.Command) {
		runs := delivered[cmd.CommandPath()]
		if len(runs) == 0 {
			t.Errorf("no run of %q is tried", cmd.CommandPath())
		}
		for _, line := range append(slices.Clone(runs), "--help") {
			args := strings.Fields(strings.ReplaceAll(cmd.CommandPath()+" "+line, "BASE", base))[1:]
			t.Run(strings.Join(append([]string{"metarobots"}, args...), " "), func(t *testing.T) {
				if strings.Contains(line, "hugo ") {
					needsHugo(t)
				}
				lose(t, args)
			})
		}
		for _, below := range cmd.Commands() {
			each(below)
		}
	}
	root := newRoot(command{stdout: newPrinter(io.Discard, noVariables), getenv: noVariables}, nil)
	changeBuiltIn(root)
	each(root)
	t.Run("what shells ask for", func(t *testing.T) { lose(t, []string{"__complete", "report", "--format", ""}) })
}
