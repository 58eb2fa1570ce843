//go:build e2e

package e2e

import (
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// An action is what action.yml says.
type action struct {
	Inputs map[string]struct {
		Description string
		Default     string
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []struct {
			ID, If, Shell, Run, Uses string
			Env, With                map[string]string
		}
	}
}

func readAction(t *testing.T) action {
	t.Helper()
	var a action
	d := yaml.NewDecoder(strings.NewReader(read(t, "../action.yml")))
	must(t, d.Decode(&a))
	if a.Runs.Using != "composite" || len(a.Inputs) < 10 || len(a.Runs.Steps) < 4 {
		t.Fatalf("action.yml is read as %+v", a)
	}
	return a
}

var (
	expression = regexp.MustCompile(`\$\{\{\s*([a-z_]+)\.([a-z_-]+)(?:\.outputs\.([a-z-]+))?\s*\}\}`)
	ofInput    = regexp.MustCompile(`\b(INPUT_[A-Z_]+|PROGRAM|ACTION_REF)\b`)
	script     = regexp.MustCompile(`^bash "\$GITHUB_ACTION_PATH/(packaging/github/[a-z]+\.sh)"$`)
	written    = regexp.MustCompile(`echo "([a-z-]+)=`)
)

// Every input is declared and used; every variable of a script is given to its step; every output
// is written by the step that is named; nothing that a user says stands in a script's text.
func TestAction_FitsItsScripts(t *testing.T) {
	a := readAction(t)
	used := map[string]bool{}
	outputs := map[string]map[string]bool{}
	refer := func(where, text string) {
		t.Helper()
		found := expression.FindAllStringSubmatch(text, -1)
		if len(found) != strings.Count(text, "${{") {
			t.Errorf("%s: %q has an expression that this test does not know", where, text)
		}
		for _, m := range found {
			switch {
			case m[1] == "inputs":
				if _, ok := a.Inputs[m[2]]; !ok {
					t.Errorf("%s: the input %s is not declared", where, m[2])
				}
				used[m[2]] = true
			case m[1] == "steps":
				if !outputs[m[2]][m[3]] {
					t.Errorf("%s: the step %s has no output %s so far", where, m[2], m[3])
				}
			case m[1] == "github" && m[2] == "action_ref":
			default:
				t.Errorf("%s: what is %s?", where, m[0])
			}
		}
	}
	scripts := 0
	for i, step := range a.Runs.Steps {
		where := fmt.Sprintf("step %d", i)
		for _, values := range []map[string]string{step.Env, step.With} {
			for _, v := range values {
				refer(where, v)
			}
		}
		if step.Run == "" {
			continue
		}
		m := script.FindStringSubmatch(step.Run)
		if m == nil || step.Shell != "bash" {
			t.Errorf("%s runs %q in %q, want a script of packaging/github in bash", where, step.Run, step.Shell)
			continue
		}
		scripts++
		text := read(t, "..", m[1])
		names := map[string]bool{}
		for _, name := range ofInput.FindAllString(text, -1) {
			names[name] = true
		}
		if got, want := slices.Sorted(maps.Keys(step.Env)), slices.Sorted(maps.Keys(names)); !slices.Equal(got, want) {
			t.Errorf("%s: %s wants %q, its step gives %q", where, m[1], want, got)
		}
		outputs[step.ID] = map[string]bool{}
		for _, w := range written.FindAllStringSubmatch(text, -1) {
			outputs[step.ID][w[1]] = true
		}
	}
	for name, in := range a.Inputs {
		if !used[name] || in.Description == "" {
			t.Errorf("the input %s: used %t, description %q", name, used[name], in.Description)
		}
	}
	for name, out := range a.Outputs {
		refer("output "+name, out.Value)
	}
	for _, step := range a.Runs.Steps {
		const missing = "steps.cache.outputs.cache-hit != 'true'"
		if step.If != "" && step.If != missing && step.If != missing+" && inputs.from-source == 'true'" {
			t.Errorf("a step runs if %s, which this test takes for %s", step.If, missing)
		}
	}
	if scripts != 4 {
		t.Errorf("%d scripts run", scripts)
	}
}

// The published schema of actions and the linter of workflows take action.yml and the workflows of
// docs/pipelines.md and docs/served.md, and find what is wrong in broken ones.
func TestAction_Lints(t *testing.T) {
	t.Parallel()
	validator := installed(t, "packages/node_modules/@action-validator/cli/cli.mjs")
	finish(t, node(t, validator, "../action.yml")).is(t, 0)
	bad := filepath.Join(t.TempDir(), "action.yml")
	write(t, bad, strings.Replace(read(t, "../action.yml"), "using: composite", "using: composed", 1))
	if r := finish(t, node(t, validator, bad)); r.code == 0 {
		t.Errorf("action-validator takes anything: %s", r.stdout)
	}

	workflows := blocks(t, "yaml", "uses: ")
	if len(workflows) < 2 {
		t.Fatalf("docs/pipelines.md has %d workflows", len(workflows))
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(dir, "action", "action.yml"), read(t, "../action.yml"))
	// which tells what it fetches
	install := exec.Command("go", "install", "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12")
	install.Env = append(os.Environ(), "GOFLAGS=", "GOBIN="+dir)
	finish(t, install).is(t, 0)
	lint := func(workflow string) string {
		file := filepath.Join(dir, ".github", "workflows", "x.yml")
		write(t, file, workflow)
		run := exec.Command(filepath.Join(dir, "actionlint"), "-no-color", "-shellcheck=", "-pyflakes=", file)
		run.Dir = dir
		r := finish(t, run)
		return r.stdout + r.stderr
	}
	for _, w := range append(workflows, blocksIn(t, "../docs/served.md", "yaml", "uses: ")...) {
		if out := lint(w); out != "" {
			t.Errorf("actionlint of\n%s\n%s", w, out)
		}
	}
	has(t, lint(strings.Replace(workflows[0], "command:", "comand:", 1)), "comand")
}

// #26: the key of the cache holds the checksum, and what comes out of the cache is held against it on every run.
func TestAction_ChecksumOnEveryRun(t *testing.T) {
	t.Parallel()
	temp, bin := t.TempDir(), t.TempDir()
	made := filepath.Join(bin, "made.tgz")
	write(t, filepath.Join(bin, "package/bin/metarobots"), "#!/bin/sh\necho program\n")
	write(t, filepath.Join(bin, "npm"),
		"#!/bin/sh\n[ \"$*\" = 'pack --silent metarobots-linux-x64@1.2.3' ] && cp "+made+" .\n")
	script := func(name string, env ...string) result {
		t.Helper()
		c := exec.Command("bash", filepath.Join(root(t), "packaging", "github", name))
		c.Env = append([]string{"PATH=" + bin + ":" + os.Getenv("PATH"), "GITHUB_ACTION_PATH=" + root(t),
			"RUNNER_TEMP=" + temp,
			"RUNNER_OS=Linux", "RUNNER_ARCH=X64", "INPUT_LEAN=true", "INPUT_FROM_SOURCE=false", "INPUT_VERSION=1.2.3",
			"INPUT_GO_VERSION=", "ACTION_REF=x", "GITHUB_OUTPUT=" + filepath.Join(temp, "output"),
			"INPUT_PACKAGE=metarobots-linux-x64@1.2.3",
			"PROGRAM=" + filepath.Join(temp, "metarobots-lean-1.2.3-unpacked/package/bin/metarobots")}, env...)
		return finish(t, c)
	}
	for _, name := range []string{"package/bin/metarobots", "npm"} {
		must(t, os.Chmod(filepath.Join(bin, name), 0o755))
	}
	finish(t, exec.Command("tar", "-czf", made, "-C", bin, "package")).is(t, 0)
	data := sha512.Sum512([]byte(read(t, made)))
	sum := "sha512-" + base64.StdEncoding.EncodeToString(data[:])
	script("prepare.sh", "INPUT_INTEGRITY=sha512-x,y").says(t, 2, "::integrity: want")
	script("prepare.sh", "INPUT_INTEGRITY="+sum).is(t, 0)
	said := read(t, temp, "output")
	has(t, said, "key=metarobots-tgz-metarobots-1.2.3-linux-x64-"+strings.TrimPrefix(sum, "sha512-")+"\n",
		"package=metarobots-linux-x64@1.2.3\n",
		"program="+filepath.Join(temp, "metarobots-lean-1.2.3-unpacked/package/bin/metarobots")+"\n")
	script("install.sh").is(t, 0)
	script("install.sh").is(t, 0) // as at the action's second use in a job, apply and then check
	for range 2 {                 // the second time out of the cache
		r := script("unpack.sh", "INPUT_INTEGRITY="+sum).is(t, 0)
		equal(t, "unpack.sh", r.stdout+r.stderr, "program\n")
	}
	write(t, filepath.Join(temp, "metarobots-lean-1.2.3/program.tgz"), read(t, made)+"x")
	script("unpack.sh", "INPUT_INTEGRITY="+sum).says(t, 2, "has the checksum sha512-")
}

// A job may use the action several times, for apply and then check, lean and full, of two versions:
// each use runs its own program, what an earlier one has left stays, and the cache keeps each under
// its own key.
func TestAction_SeveralProgramsInOneJob(t *testing.T) {
	t.Parallel()
	temp, bin := t.TempDir(), t.TempDir()
	write(t, filepath.Join(bin, "npm"), `#!/bin/sh -e
[ "$1 $2" = 'pack --silent' ]
made=$(mktemp -d)
mkdir -p "$made/package/bin"
printf '#!/bin/sh\necho %s\n' "$3" >"$made/package/bin/metarobots"
chmod +x "$made/package/bin/metarobots"
tar -czf "$(printf %s "$3" | tr @ -).tgz" -C "$made" package
`)
	must(t, os.Chmod(filepath.Join(bin, "npm"), 0o755))
	use := func(lean, version string) (outputs map[string]string) {
		t.Helper()
		output := filepath.Join(t.TempDir(), "output")
		env := []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "GITHUB_ACTION_PATH=" + root(t), "RUNNER_TEMP=" + temp,
			"RUNNER_OS=Linux", "RUNNER_ARCH=X64", "INPUT_LEAN=" + lean, "INPUT_FROM_SOURCE=false", "INPUT_VERSION=" + version,
			"INPUT_GO_VERSION=", "INPUT_INTEGRITY=", "ACTION_REF=x", "GITHUB_OUTPUT=" + output}
		for _, name := range []string{"prepare.sh", "install.sh", "unpack.sh"} {
			c := exec.Command("bash", filepath.Join(root(t), "packaging", "github", name))
			c.Env = append(slices.Clone(env), "INPUT_PACKAGE="+outputs["package"], "PROGRAM="+outputs["program"])
			r := finish(t, c).is(t, 0)
			if name == "prepare.sh" {
				outputs = map[string]string{}
				for line := range strings.Lines(read(t, output)) {
					key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
					outputs[key] = value
				}
			} else if name == "unpack.sh" {
				equal(t, "the program", r.stdout+r.stderr, outputs["package"]+"\n")
			}
		}
		return outputs
	}
	var uses []map[string]string
	for _, u := range [][2]string{{"true", "1.2.3"}, {"true", "1.2.3"}, {"false", "1.2.3"}, {"true", "2.0.0"}, {"true", "1.2.3"}} {
		uses = append(uses, use(u[0], u[1]))
	}
	folders := map[string]string{} // by the key of the cache, which keeps them when the job ends
	for _, u := range uses {
		equal(t, "a program of the job", finish(t, exec.Command(u["program"])).is(t, 0).stdout, u["package"]+"\n")
		if folder := folders[u["key"]]; folder != "" && folder != u["folder"] {
			t.Errorf("%s is kept in %s and %s", u["key"], folder, u["folder"])
		}
		folders[u["key"]] = u["folder"]
		unpacked := t.TempDir()
		finish(t, exec.Command("tar", "-xzf", filepath.Join(u["folder"], "program.tgz"), "-C", unpacked)).is(t, 0)
		equal(t, "what the cache keeps", finish(t, exec.Command(filepath.Join(unpacked, "package/bin/metarobots"))).is(t, 0).stdout,
			u["package"]+"\n")
	}
	if len(folders) != 3 {
		t.Errorf("the keys are %q", folders)
	}
}

// Actions of others are pinned by the commit of a version, as anybody may move a tag of theirs.
func TestAction_PinsOtherActions(t *testing.T) {
	t.Parallel()
	pinned := regexp.MustCompile(`^[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	used := regexp.MustCompile(`(?m)uses: ([^.\s].*)$`)
	n := 0
	for _, text := range append(blocks(t, "yaml", "uses: "), read(t, "../action.yml")) {
		for _, m := range used.FindAllStringSubmatch(text, -1) {
			if n++; !pinned.MatchString(m[1]) && !strings.HasPrefix(m[1], "OWNER/") {
				t.Errorf("%s is not pinned", m[1])
			}
		}
	}
	if n < 5 {
		t.Errorf("%d actions are used", n)
	}
}

// Names of files stand in the job's summary as they are: they are no markup, no link and nobody's
// name.
func TestAction_NamesInTheSummaryAreNoMarkup(t *testing.T) {
	t.Parallel()
	temp := t.TempDir()
	const name = "a/<img src=x>[x](https://evil.example)`**_~|#!\\&amp;@someone www.evil.example.html"
	program := filepath.Join(temp, "program")
	write(t, program, "#!/bin/sh\n[ $1 = report ] && exit 0\necho 'error: "+name+": it differs' >&2\nexit 1\n")
	must(t, os.Chmod(program, 0o755))
	c := exec.Command("bash", filepath.Join(root(t), "packaging", "github", "run.sh"))
	c.Dir = temp
	c.Env = append(os.Environ(), "RUNNER_TEMP="+temp, "GITHUB_OUTPUT="+filepath.Join(temp, "output"),
		"GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary"), "PROGRAM="+program)
	for name, input := range readAction(t).Inputs {
		c.Env = append(c.Env, "INPUT_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_"))+"="+input.Default)
	}
	finish(t, c).is(t, 1)
	equal(t, "the summary", read(t, temp, "summary"), "**The check failed:** a/&lt;img src=x&gt;"+
		"\\[x\\](https:<!-- -->//evil.example)\\`\\*\\*\\_\\~\\|\\#\\!\\\\&amp;amp;<!-- -->@<!-- -->someone www.<!-- -->evil.example.html: "+
		"it differs\n\n")
}

// The key of the cache changes with what is compiled in, and with nothing else.
func TestAction_CacheKey(t *testing.T) {
	t.Parallel()
	dir := sources(t)
	key := func(kind string) string {
		t.Helper()
		output := filepath.Join(t.TempDir(), "output")
		c := exec.Command("bash", filepath.Join(dir, "packaging", "github", "prepare.sh"))
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "GITHUB_ACTION_PATH=" + dir, "GITHUB_OUTPUT=" + output,
			"RUNNER_TEMP=/tmp", "RUNNER_OS=Linux", "RUNNER_ARCH=X64", "INPUT_LEAN=" + kind, "INPUT_GO_VERSION=",
			"INPUT_FROM_SOURCE=true", "INPUT_VERSION=", "ACTION_REF="}
		finish(t, c).is(t, 0)
		return found(t, `(?m)^key=(metarobots-(?:lean|full)-Linux-X64-go1\.\d+-[0-9a-f]{64})$`, read(t, output))
	}
	first := key("false")
	if key("true") == first {
		t.Error("lean and full share a key")
	}
	for name, counts := range map[string]bool{"README.md": false, "policy/policy_test.go": false, "docs/x.go": false,
		"go.sum": true, "policy/policy.go": true, "report/page.css": true, "report/new.svg": true} {
		file := filepath.Join(dir, name)
		old, err := os.ReadFile(file)
		write(t, file, string(old)+"\n")
		if changed := key("false") != first; changed != counts {
			t.Errorf("a change of %s: the key changes: %t", name, changed)
		}
		if err != nil {
			os.Remove(file)
		} else {
			write(t, file, string(old))
		}
	}
	if key("false") != first {
		t.Error("equal sources have another key")
	}
}
