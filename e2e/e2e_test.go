//go:build e2e

package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// everything asks for the longest proofs (.ci/full): every reader and every host at every file,
// more nasty pages, more kills. Otherwise the slow ones take a part, each another.
var everything = os.Getenv("PROOFS") == "all"

// needEverything skips a test where not everything is asked for.
func needEverything(t *testing.T, reason string) {
	t.Helper()
	if !everything {
		t.Skip(reason + ": with PROOFS=all")
	}
}

// choose is the second value where everything is asked for, or else the first.
func choose[V any](some, all V) V {
	if everything {
		return all
	}
	return some
}

// program is the built metarobots.
var program string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "e2e")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		program = filepath.Join(dir, "metarobots")
		if out, err := exec.Command("go", "build", "-o", program, "..").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
			return 1
		}
		os.Chmod(dir, 0o755) // other users run it too
		return m.Run()
	}())
}

// must fails the test on an error.
var must = tables.Must

// installed is the absolute name of a file or folder that e2e/install.sh installs, such as
// "hosts/node_modules/node".
func installed(t *testing.T, name string) string {
	t.Helper()
	file := tables.Value(filepath.Abs(filepath.FromSlash(name)))(t)
	if _, err := os.Stat(file); err != nil {
		t.Fatalf("e2e/%s is missing: run e2e/install.sh", name)
	}
	return file
}

// node makes a command that runs a script of this folder with arguments.
func node(t *testing.T, script string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("node is missing: install Node 20 or newer, then run e2e/install.sh")
	}
	installed(t, "node_modules")
	return exec.Command(path, append([]string{script}, args...)...)
}

// modernNode is a command that runs a script in the Node that comes with the hosts' engines.
func modernNode(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	return exec.Command(installed(t, "hosts/node_modules/node/bin/node"), args...)
}

// command is metarobots with empty surroundings.
func command(args ...string) *exec.Cmd {
	c := exec.Command(program, args...)
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(program),
		"XDG_CACHE_HOME=" + filepath.Join(filepath.Dir(program), "cache")}
	return c
}

// nothingWritten is what a run says that finds everything as it should be.
const nothingWritten = " 0 files written,"

// result is what a run left behind.
type result struct {
	command        string
	code           int
	stdout, stderr string
}

// is fails the test if a run ended with another code, or does not say texts to standard error.
func (r result) is(t *testing.T, code int, says ...string) result {
	t.Helper()
	return r.ended(t, code, r.stderr, says)
}

// says is the same for texts to any output.
func (r result) says(t *testing.T, code int, says ...string) result {
	t.Helper()
	return r.ended(t, code, r.stdout+r.stderr, says)
}

func (r result) ended(t *testing.T, code int, output string, says []string) result {
	t.Helper()
	if r.code != code || slices.ContainsFunc(says, func(text string) bool { return !strings.Contains(output, text) }) {
		t.Fatalf("%s: exit code %d, want %d and %q\n%s%s", r.command, r.code, code, says, r.stdout, r.stderr)
	}
	return r
}

// has fails the test for each text that another lacks.
func has(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// found is what the group of a pattern finds in a text.
func found(t *testing.T, pattern, text string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("%s is not found in\n%s", pattern, text)
	}
	return m[1]
}

// equal fails the test if something is not as it is wanted.
func equal[V comparable](t *testing.T, what string, got, want V) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %#v, want %#v", what, got, want)
	}
}

// finish runs a command to its end.
func finish(t *testing.T, c *exec.Cmd) result {
	t.Helper()
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{strings.Join(c.Args, " "), c.ProcessState.ExitCode(), out.String(), errs.String()}
}

// run runs metarobots, which is to end with a code.
func run(t *testing.T, code int, args ...string) result {
	t.Helper()
	return finish(t, command(args...)).is(t, code)
}

// siteExample copies site-example and its policy, with more lines, to a folder.
func siteExample(t *testing.T, more string) (dir, policy string) {
	t.Helper()
	dir = t.TempDir()
	must(t, os.CopyFS(filepath.Join(dir, "site-example"), os.DirFS("../site-example")))
	policy = filepath.Join(dir, "config.toml")
	write(t, policy, read(t, "../config.toml")+more)
	return dir, policy
}

// servedFolder is a temporary folder that Apache can read, which runs as another user.
func servedFolder(t *testing.T) string {
	t.Helper()
	dir := tables.Value(os.MkdirTemp("", "served"))(t)
	t.Cleanup(func() { os.RemoveAll(dir) })
	os.Chmod(dir, 0o755)
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, []byte(text), 0o644))
}

// read returns the text of a file, whose path is joined from elements.
func read(t *testing.T, path ...string) string {
	t.Helper()
	data := tables.Value(os.ReadFile(filepath.Join(path...)))(t)
	return string(data)
}

// regular lists the regular files below dir, from there, with slashes.
func regular(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		names = append(names, filepath.ToSlash(rel))
		return err
	})
	must(t, err)
	return names
}

// failures counts errors of one kind, of which the first ones are told.
type failures int

func (n *failures) errorf(t *testing.T, format string, args ...any) {
	t.Helper()
	if *n++; *n <= 15 {
		t.Errorf(format, args...)
	}
}

// sum tells how many there were.
func (n failures) sum(t *testing.T, what string) {
	t.Helper()
	if n > 15 {
		t.Errorf("%s: %d differ in all", what, n)
	}
}

// temps are the hidden temporary files among names.
func temps(names []string) (found []string) {
	for _, name := range names {
		if base := filepath.Base(name); strings.HasPrefix(base, ".") && strings.HasSuffix(base, ".tmp") {
			found = append(found, name)
		}
	}
	return found
}
