//go:build e2e

package e2e

import (
	"bytes"
	"crypto/sha512"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// root is the repository.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// small is a site as a pipeline finds it: pages that somebody made, and a policy that wants something of them.
func small(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "metarobots.toml"), `[site]
generator = "html"
destination = "dist"

[[robots.rules]]
match  = ["/secret/**", "/*.pdf"]
robots = "noindex"
`)
	write(t, filepath.Join(dir, "dist", "index.html"),
		"<html><head><title>x</title></head><body><meta name=\"robots\" content=\"noarchive\"></body></html>")
	for _, name := range []string{"about", "blog", "contact", "secret"} {
		write(t, filepath.Join(dir, "dist", name, "index.html"), "<html><head></head></html>")
	}
	write(t, filepath.Join(dir, "dist", "a.pdf"), "%PDF")
	return dir
}

// unreadable makes the policy of a small site one that cannot be read, in line 8.
func unreadable(t *testing.T, site string) {
	t.Helper()
	file := filepath.Join(site, "metarobots.toml")
	write(t, file, read(t, file)+"robts = \"noindex\"\n")
}

// guarded makes the policy of a small site one that the guard stops (S3).
func guarded(t *testing.T, site string) {
	t.Helper()
	file := filepath.Join(site, "metarobots.toml")
	write(t, file, read(t, file)+"[[robots.rules]]\nmatch = \"/**\"\nrobots = \"noindex\"\n")
}

// overflowing makes the policy of a small site one that needs more header rules than a host takes (N2).
func overflowing(t *testing.T, site string) {
	t.Helper()
	dist := "dist"
	if isFolder(filepath.Join(site, "src")) {
		dist = "src"
	}
	// Those whose digits have an even sum are meant: no few patterns say it.
	var meant []string
	for i := range 500 {
		name := fmt.Sprintf("%d.pdf", i)
		write(t, filepath.Join(site, dist, "p", name), "%PDF")
		if (i/100+i/10%10+i%10)%2 == 0 {
			meant = append(meant, strconv.Quote("/p/"+name))
		}
	}
	file := filepath.Join(site, "metarobots.toml")
	write(t, file, read(t, file)+"[[robots.rules]]\nmatch = ["+strings.Join(meant, ", ")+"]\nrobots = \"noindex\"\n"+
		"[robots.headers]\ntargets = [\"portable\"]\n")
}

// sources copies what Git would keep of the repository into a new folder, and makes it a repository with one commit.
func sources(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	list := exec.Command("git", "-C", root(t), "ls-files", "-co", "--exclude-standard", "-z", "--", ".", ":!e2e",
		":!bench", ":!site-example")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		from := filepath.Join(root(t), filepath.FromSlash(name))
		if info, err := os.Stat(from); err != nil || info.IsDir() {
			continue // removed, and not yet staged
		}
		write(t, filepath.Join(dir, filepath.FromSlash(name)), read(t, from))
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-qm", "x"}} {
		git := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.org",
			"-c", "commit.gpgsign=false", "-c", "core.hooksPath=" + os.DevNull}, args...)...)
		git.Env = append(os.Environ(), "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
			"GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
	}
	return dir
}

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
	if err := d.Decode(&a); err != nil {
		t.Fatal(err)
	}
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

// Every input is declared and used; every variable of a script is given to its step; every output is written by the
// step that is named; nothing that a user says stands in a script's text.
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
		text := read(t, filepath.Join("..", m[1]))
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

// The published schema of actions and the linter of workflows take action.yml and the workflows of docs/pipelines.md,
// and find what is wrong in broken ones.
func TestAction_Lints(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("node is missing: install Node 20 or newer, then run e2e/install.sh")
	}
	validator := filepath.Join("packages", "node_modules", "@action-validator", "cli", "cli.mjs")
	if _, err := os.Stat(validator); err != nil {
		t.Fatal("e2e/packages/node_modules is missing: run e2e/install.sh")
	}
	if out, err := exec.Command(node, validator, "../action.yml").CombinedOutput(); err != nil {
		t.Errorf("action-validator: %v\n%s", err, out)
	}
	bad := filepath.Join(t.TempDir(), "action.yml")
	write(t, bad, strings.Replace(read(t, "../action.yml"), "using: composite", "using: composed", 1))
	if out, err := exec.Command(node, validator, bad).CombinedOutput(); err == nil {
		t.Errorf("action-validator takes anything: %s", out)
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
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("actionlint cannot be built: %v\n%s", err, out)
	}
	lint := func(workflow string) string {
		file := filepath.Join(dir, ".github", "workflows", "x.yml")
		write(t, file, workflow)
		run := exec.Command(filepath.Join(dir, "actionlint"), "-no-color", "-shellcheck=", "-pyflakes=", file)
		run.Dir = dir
		out, err := run.CombinedOutput()
		if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return string(out)
	}
	for _, w := range workflows {
		if out := lint(w); out != "" {
			t.Errorf("actionlint of\n%s\n%s", w, out)
		}
	}
	if out := lint(strings.Replace(workflows[0], "command:", "comand:", 1)); !strings.Contains(out, "comand") {
		t.Errorf("actionlint does not know the action's inputs: %s", out)
	}
}

// A job is what GitHub's runner knows of one run of the action.
type job struct {
	code    int
	log     string
	summary string
	outputs map[string]string
}

// perform runs the steps of action.yml as the runner does, where Go is installed; a step that uses another action does
// nothing but for the cache, which holds the lean program after the first run.
func perform(t *testing.T, workspace string, inputs map[string]string) job {
	t.Helper()
	a := readAction(t)
	temp := t.TempDir()
	steps := map[string]map[string]string{"cache": {}}
	inputs = maps.Clone(inputs)
	if _, ok := inputs["version"]; !ok {
		inputs["from-source"] = "true"
	}
	expand := func(text string) string {
		return expression.ReplaceAllStringFunc(text, func(e string) string {
			m := expression.FindStringSubmatch(e)
			switch m[1] {
			case "inputs":
				if v, ok := inputs[m[2]]; ok {
					return v
				}
				return a.Inputs[m[2]].Default
			case "steps":
				return steps[m[2]][m[3]]
			}
			return "v1.2.3" // github.action_ref
		})
	}
	j := job{outputs: map[string]string{}}
	for name := range inputs {
		if _, ok := a.Inputs[name]; !ok {
			t.Fatalf("the action has no input %s", name)
		}
	}
	kept := filepath.Join(filepath.Dir(program), "action-program")
	for i, step := range a.Runs.Steps {
		fromSource := inputs["from-source"] == "true"
		if _, err := os.Stat(kept); step.ID == "cache" && err == nil && fromSource {
			folder := expand(step.With["path"])
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Link(kept, filepath.Join(folder, filepath.Base(steps["prepare"]["program"]))); err != nil {
				t.Fatal(err)
			}
			steps["cache"]["cache-hit"] = "true"
		}
		if step.Run == "" || step.If != "" && steps["cache"]["cache-hit"] == "true" {
			continue
		}
		output := filepath.Join(temp, fmt.Sprintf("output%d", i))
		summary := filepath.Join(temp, fmt.Sprintf("summary%d", i))
		write(t, output, "")
		write(t, summary, "")
		c := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
		c.Dir = workspace
		c.Env = append(os.Environ(), "GITHUB_ACTION_PATH="+root(t), "GITHUB_WORKSPACE="+workspace,
			"GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+summary,
			"RUNNER_TEMP="+temp, "RUNNER_OS=Linux", "RUNNER_ARCH=X64", "CI=true", "GOFLAGS=",
			"XDG_CACHE_HOME="+filepath.Join(temp, "cache"), "GOCACHE="+goVariable(t, "GOCACHE"))
		for name, v := range step.Env {
			c.Env = append(c.Env, name+"="+expand(v))
		}
		out, err := c.CombinedOutput()
		j.log += string(out)
		if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		steps[step.ID] = map[string]string{}
		for line := range strings.Lines(read(t, output)) {
			name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			if !ok {
				t.Errorf("the output %q has no name", line)
			}
			steps[step.ID][name] = value
		}
		j.summary += read(t, summary)
		if j.code = c.ProcessState.ExitCode(); j.code != 0 {
			break
		}
		if step.If != "" && fromSource {
			if err := os.Link(steps["prepare"]["program"], kept); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, o := range a.Outputs {
		j.outputs[name] = expand(o.Value)
	}
	return j
}

// goVariable is a setting of the Go that runs the tests.
func goVariable(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// A check that fails says so in the exit code, in annotations before the right lines, in the summary and in outputs.
func TestAction_Runs(t *testing.T) {
	site := small(t)
	expect := func(j job, code int, outputs map[string]string) {
		t.Helper()
		if j.code != code {
			t.Errorf("exit code %d, want %d\n%s", j.code, code, j.log)
		}
		for name, want := range outputs {
			if got := j.outputs[name]; got != want {
				t.Errorf("the output %s is %q, want %q\n%s", name, got, want, j.log)
			}
		}
	}
	with := func(more ...string) map[string]string {
		inputs := map[string]string{"lean": "true", "environment": "production"}
		for i := 0; i < len(more); i += 2 {
			inputs[more[i]] = more[i+1]
		}
		return inputs
	}

	j := perform(t, site, with())
	expect(j, 1, map[string]string{"exit-code": "1", "findings": "1", "errors": "0", "warnings": "1"})
	if !strings.Contains(j.log, "metarobots 1.2.3, without Hugo, go1.") {
		t.Errorf("the program does not say which it is:\n%s", j.log)
	}
	if !strings.Contains(j.log, "\n::warning file=dist/index.html,line=1,title=") {
		t.Errorf("no annotation:\n%s", j.log)
	}
	if !strings.Contains(j.summary, "# What crawlers may do") || !strings.Contains(j.summary, "/secret/") ||
		j.summary != "**The check failed:** 5 HTML files and 1 other file differ from the policy: run metarobots apply "+
			"(dist/about/index.html, dist/blog/index.html, dist/contact/index.html, …)\n\n"+
			read(t, j.outputs["report"]) {
		t.Errorf("the summary is\n%s", j.summary)
	}
	var result struct {
		Findings []struct{ ID string }
		Summary  struct{ Noindex int }
	}
	if err := json.Unmarshal([]byte(read(t, j.outputs["json"])), &result); err != nil || len(result.Findings) != 1 ||
		result.Summary.Noindex != 1 {
		t.Errorf("the result is %+v, %v", result, err)
	}

	expect(perform(t, site, with("fail-on", "never", "annotations", "false", "summary", "false")), 0,
		map[string]string{"exit-code": "1"})
	j = perform(t, site, with("command", "apply", "fail-on", "warning", "report", "out/report.html"))
	expect(j, 1, map[string]string{"exit-code": "0", "warnings": "1", "report": "out/report.html"})
	if !strings.Contains(j.log, "\n::warning file=dist/index.html") ||
		!strings.Contains(j.summary, "# What crawlers may do") {
		t.Errorf("annotations or summary of apply are missing:\n%s", j.log)
	}
	if page := read(t, filepath.Join(site, "out", "report.html")); !strings.Contains(page, "<html") {
		t.Errorf("the report is %.100s", page)
	}
	if page := read(t, filepath.Join(site, "dist", "secret", "index.html")); !strings.Contains(page, "noindex") {
		t.Errorf("apply left %s", page)
	}
	j = perform(t, site, with())
	// what the generator printed stays a finding
	expect(j, 0, map[string]string{"exit-code": "0", "errors": "0", "warnings": "1"})

	// A baseline.
	write(t, filepath.Join(site, "metarobots.lock.json"),
		inFolder(t, site, programFile(t, lean), t.TempDir(), step{}, "snapshot", "-o", "-").stdout)
	expect(perform(t, site, with("baseline", "metarobots.lock.json")), 0, nil)
	file := filepath.Join(site, "metarobots.toml")
	kept := read(t, file)
	write(t, file, strings.Replace(kept, `"/secret/**"`, `"/secret/**", "/about/"`, 1))
	expect(perform(t, site, with("command", "apply")), 0, nil)
	j = perform(t, site, with("baseline", "metarobots.lock.json"))
	expect(j, 1, map[string]string{"exit-code": "1", "errors": "1"})
	if !strings.Contains(j.log, "\n::error ") || !strings.Contains(j.summary, "/about/") {
		t.Errorf("the page that is lost is not named:\n%s\n%s", j.log, j.summary)
	}
	expect(perform(t, site, with("baseline", "metarobots.lock.json", "args", "--max-newly-noindex\r\n1\n\n")), 0, nil)
	expect(perform(t, site, with("command", "apply", "baseline", "metarobots.lock.json")), 2, nil)

	// A policy that cannot be read fails whatever fail-on says, at its line.
	write(t, file, kept)
	unreadable(t, site)
	j = perform(t, site, with("fail-on", "never"))
	expect(j, 2, map[string]string{"exit-code": "2", "findings": "0", "report": "", "json": ""})
	if !strings.Contains(j.log, "\n::error file=metarobots.toml,line=8,title=metarobots::") ||
		!strings.Contains(j.summary, "Nothing was decided") {
		t.Errorf("the error is not at its line:\n%s\n%s", j.log, j.summary)
	}
	if stale := perform(t, site, with("report", "out/report.html")); stale.outputs["report"] != "" {
		t.Errorf("an earlier run's report is given for this one's: %s", stale.outputs["report"])
	}
	for name, value := range map[string]string{"command": "explode", "fail-on": "x", "annotations": "yes",
		"summary": "", "lean": "1", "go-version": "1.26; id"} {
		j := perform(t, site, with(name, value))
		expect(j, 2, nil)
		if !strings.Contains(j.log, "::error title=metarobots::"+name+": want ") {
			t.Errorf("%s = %q: %s", name, value, j.log)
		}
	}
}

// With fail-on never, too, a job does not go on to deploy a site into which the policy could not be written; check,
// which writes nothing, passes.
func TestAction_NeverDeploysWhatWasNotWritten(t *testing.T) {
	for _, spoil := range []func(*testing.T, string){overflowing, func(t *testing.T, site string) {
		file := filepath.Join(site, "metarobots.toml")
		write(t, file, read(t, file)+"[robots.headers]\ntargets = [\"vercel\"]\n")
		write(t, filepath.Join(site, "vercel.json"), "{")
	}} {
		for command, code := range map[string]int{"apply": 1, "check": 0} {
			site := small(t)
			spoil(t, site)
			j := perform(t, site, map[string]string{"lean": "true", "environment": "production", "command": command,
				"fail-on": "never"})
			if j.code != code || j.outputs["exit-code"] != "1" {
				t.Errorf("%s: exit code %d, want %d\n%s", command, j.code, code, j.log)
			}
		}
	}
}

// Further arguments that say which site is meant count for the annotations too; those that only the command knows do
// not cost them.
func TestAction_AnnotationsAreOfTheSameSite(t *testing.T) {
	site := small(t)
	other := filepath.Join(site, "other.toml")
	write(t, other, read(t, filepath.Join(site,
		"metarobots.toml"))+"[[robots.rules]]\nmatch = \"/nowhere\"\nrobots = \"noindex\"\n")
	for args, want := range map[string]bool{"--policy\nother.toml": true, "--policy=other.toml\n--diff": false} {
		j := perform(t, site, map[string]string{"lean": "true", "environment": "production", "args": args})
		if got := strings.Contains(j.log, "\n::error file=other.toml,"); got != want ||
			!strings.Contains(j.log, "\n::warning file=dist/index.html") {
			t.Errorf("%q: exit code %d\n%s", args, j.code, j.log)
		}
	}
}

// Two runs in one job keep what each has said.
func TestAction_TwoRunsInOneJob(t *testing.T) {
	site, temp := small(t), t.TempDir()
	var reports []string
	for _, command := range []string{"check", "apply"} {
		output := filepath.Join(temp, command)
		c := exec.Command("bash", filepath.Join(root(t), "packaging", "github", "run.sh"))
		c.Dir = site
		c.Env = append(os.Environ(), "RUNNER_TEMP="+temp, "GITHUB_OUTPUT="+output,
			"GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary"), "PROGRAM="+programFile(t, lean))
		for name, input := range readAction(t).Inputs {
			c.Env = append(c.Env, "INPUT_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_"))+"="+input.Default)
		}
		c.Env = append(c.Env, "INPUT_COMMAND="+command, "INPUT_FAIL_ON=never", "INPUT_ENVIRONMENT=production")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		m := regexp.MustCompile(`(?m)^json=(.+)$`).FindStringSubmatch(read(t, output))
		if m == nil {
			t.Fatal(read(t, output))
		}
		reports = append(reports, m[1])
	}
	if first, second := read(t, reports[0]), read(t, reports[1]); reports[0] == reports[1] || first == "" ||
		second == "" {
		t.Errorf("the results are %q", reports)
	}
}

// Nothing that a user or a page says is run, or taken for a command of GitHub's.
func TestAction_TakesTextAsText(t *testing.T) {
	work := t.TempDir()
	hostile := `a b"$(touch pwned)` + "`touch pwned`;'&|*"
	if err := os.CopyFS(filepath.Join(work, hostile), os.DirFS(small(t))); err != nil {
		t.Fatal(err)
	}
	j := perform(t, work, map[string]string{"lean": "true", "command": "apply", "source": hostile,
		"directory": hostile + "/dist", "report": hostile + ".md",
		"args": "--state\nstate $(touch pwned)"})
	if j.code != 0 {
		t.Fatalf("exit code %d\n%s", j.code, j.log)
	}
	for _, name := range []string{"state $(touch pwned)", hostile + ".md"} {
		if _, err := os.Stat(filepath.Join(work, name)); err != nil {
			t.Error(err)
		}
	}
	for _, inputs := range []map[string]string{
		{"command": "check; touch pwned"}, {"environment": "$(touch pwned)"}, {"base-url": "`touch pwned`"},
		{"policy": "x\n::error::pwned"}, {"baseline": "--help\ntouch pwned"},
	} {
		inputs["lean"], inputs["source"] = "true", hostile
		if j := perform(t, work, inputs); strings.Contains(j.log, "\n::error::pwned") || strings.HasPrefix(j.log,
			"::error::pwned") {
			outside := j.log
			if a, rest, ok := strings.Cut(outside, "::stop-commands::"); ok {
				token, rest, _ := strings.Cut(rest, "\n")
				_, rest, _ = strings.Cut(rest, "::"+token+"::\n")
				outside = a + rest
			}
			if strings.Contains(outside, "\n::error::pwned") {
				t.Errorf("%q: a command gets through:\n%s", inputs, j.log)
			}
		}
	}
	for _, name := range regular(t, work) {
		if filepath.Base(name) == "pwned" {
			t.Errorf("%s was made", name)
		}
	}
}

// #26: the key of the cache holds the checksum, and what comes out of the cache is held against it on every run.
func TestAction_ChecksumOnEveryRun(t *testing.T) {
	temp, bin := t.TempDir(), t.TempDir()
	made := filepath.Join(bin, "made.tgz")
	write(t, filepath.Join(bin, "package/bin/metarobots"), "#!/bin/sh\necho program\n")
	write(t, filepath.Join(bin, "npm"),
		"#!/bin/sh\n[ \"$*\" = 'pack --silent metarobots-linux-x64@1.2.3' ] && cp "+made+" .\n")
	script := func(name string, env ...string) (out string, code int) {
		t.Helper()
		c := exec.Command("bash", filepath.Join(root(t), "packaging", "github", name))
		c.Env = append([]string{"PATH=" + bin + ":" + os.Getenv("PATH"), "GITHUB_ACTION_PATH=" + root(t),
			"RUNNER_TEMP=" + temp,
			"RUNNER_OS=Linux", "RUNNER_ARCH=X64", "INPUT_LEAN=true", "INPUT_FROM_SOURCE=false", "INPUT_VERSION=1.2.3",
			"INPUT_GO_VERSION=", "ACTION_REF=x", "GITHUB_OUTPUT=" + filepath.Join(temp, "output"),
			"INPUT_PACKAGE=metarobots-linux-x64@1.2.3",
			"PROGRAM=" + filepath.Join(temp, "metarobots-program-unpacked/package/bin/metarobots")}, env...)
		text, _ := c.CombinedOutput()
		return string(text), c.ProcessState.ExitCode()
	}
	for _, name := range []string{"package/bin/metarobots", "npm"} {
		if err := os.Chmod(filepath.Join(bin, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("tar", "-czf", made, "-C", bin, "package").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	data := sha512.Sum512([]byte(read(t, made)))
	sum := "sha512-" + base64.StdEncoding.EncodeToString(data[:])
	if out, code := script("prepare.sh", "INPUT_INTEGRITY=sha512-x,y"); code != 2 || !strings.Contains(out,
		"::integrity: want") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if out, code := script("prepare.sh", "INPUT_INTEGRITY="+sum); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	said := read(t, filepath.Join(temp, "output"))
	for _, want := range []string{"key=metarobots-tgz-metarobots-1.2.3-linux-x64-" + strings.TrimPrefix(sum,
		"sha512-") + "\n",
		"package=metarobots-linux-x64@1.2.3\n",
		"program=" + filepath.Join(temp, "metarobots-program-unpacked/package/bin/metarobots") + "\n"} {
		if !strings.Contains(said, want) {
			t.Errorf("%s\nlacks %s", said, want)
		}
	}
	if out, code := script("install.sh"); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	for range 2 { // the second time out of the cache
		if out, code := script("unpack.sh", "INPUT_INTEGRITY="+sum); code != 0 || out != "program\n" {
			t.Errorf("exit code %d\n%s", code, out)
		}
	}
	write(t, filepath.Join(temp, "metarobots-program/program.tgz"), read(t, made)+"x")
	if out, code := script("unpack.sh", "INPUT_INTEGRITY="+sum); code != 2 || !strings.Contains(out,
		"has the checksum sha512-") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// The key of the cache changes with what is compiled in, and with nothing else.
func TestAction_CacheKey(t *testing.T) {
	dir := sources(t)
	key := func(kind string) string {
		t.Helper()
		output := filepath.Join(t.TempDir(), "output")
		c := exec.Command("bash", filepath.Join(dir, "packaging", "github", "prepare.sh"))
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "GITHUB_ACTION_PATH=" + dir, "GITHUB_OUTPUT=" + output,
			"RUNNER_TEMP=/tmp", "RUNNER_OS=Linux", "RUNNER_ARCH=X64", "INPUT_LEAN=" + kind, "INPUT_GO_VERSION=",
			"INPUT_FROM_SOURCE=true", "INPUT_VERSION=", "ACTION_REF="}
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		m := regexp.MustCompile(`(?m)^key=(metarobots-(?:lean|full)-Linux-X64-go1\.\d+-[0-9a-f]{64})$`).FindStringSubmatch(read(t, output))
		if m == nil {
			t.Fatalf("the step says %s", read(t, output))
		}
		return m[1]
	}
	first := key("false")
	if key("true") == first {
		t.Error("lean and full share a key")
	}
	for name, counts := range map[string]bool{"README.md": false, "policy/policy_test.go": false, "docs/x.go": false,
		"go.sum": true, "policy/policy.go": true, "report/page.css": true, "report/new.svg": true} {
		file := filepath.Join(dir, filepath.FromSlash(name))
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

// netlify builds a site with Netlify's own build program, offline.
func netlify(t *testing.T, site string, env ...string) result {
	t.Helper()
	bin, err := filepath.Abs("hosts/node_modules/@netlify/build/bin.js")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(bin); err != nil {
		t.Fatal("e2e/hosts/node_modules is missing: run e2e/install.sh")
	}
	interpreter, err := filepath.Abs("hosts/node_modules/node/bin/node")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(interpreter); err != nil {
		interpreter = "node"
	}
	args := []string{bin, "--offline", "--telemetry=false", "--cwd", site}
	c := exec.Command(interpreter, args...)
	c.Dir = site
	c.Env = append([]string{"PATH=" + filepath.Dir(interpreter) + ":" + os.Getenv("PATH"), "HOME=" + t.TempDir(),
		"NETLIFY_TELEMETRY_DISABLED=1", "NO_COLOR=1", "LC_ALL=C.UTF-8"}, env...)
	return finish(t, c)
}

// netlifySite is a small site that Netlify builds with the plugin, whose inputs are TOML. A second plugin writes down
// the headers that Netlify knows afterwards.
func netlifySite(t *testing.T, inputs string) string {
	t.Helper()
	site := small(t)
	if err := os.Rename(filepath.Join(site, "dist"), filepath.Join(site, "src")); err != nil {
		t.Fatal(err)
	}
	plugin := filepath.Join(site, "node_modules", "netlify-plugin-metarobots")
	if err := os.CopyFS(plugin, os.DirFS("../packaging/npm/netlify")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(plugin, "package.json"),
		`{"name": "netlify-plugin-metarobots", "version": "0.0.0", "type": "module", "exports": "./index.js"}`)
	write(t, filepath.Join(site, "look", "package.json"),
		`{"name": "look", "version": "0.0.0", "type": "module", "exports": "./index.js"}`)
	write(t, filepath.Join(site, "look", "manifest.yml"), "name: look\n")
	write(t, filepath.Join(site, "look", "index.js"), `import { writeFileSync } from 'node:fs'
export const onPostBuild = ({ netlifyConfig }) => writeFileSync('headers.json', JSON.stringify(netlifyConfig.headers))
`)
	toml := blocks(t, "toml", "[[plugins]]")
	if len(toml) != 1 {
		t.Fatalf("docs/pipelines.md shows %d netlify.toml", len(toml))
	}
	text := strings.Replace(toml[0], `"npm run build"`, `"cp -r src dist"`, 1)
	if text == toml[0] {
		t.Fatalf("the build command is not in\n%s", text)
	}
	write(t, filepath.Join(site, "netlify.toml"), text+inputs+"\n[[plugins]]\npackage = \"./look\"\n")
	return site
}

// Netlify's own build program runs the plugin after the build and before it reads _headers; a policy that went wrong
// fails the deploy.
func TestNetlifyPlugin(t *testing.T) {
	t.Parallel()
	program := programFile(t, lean)
	input := fmt.Sprintf("[plugins.inputs]\nprogram = %q\n", program)

	site := netlifySite(t, input)
	r := netlify(t, site)
	if r.code != 0 || !strings.Contains(r.stdout, "What crawlers may do") || !strings.Contains(r.stdout,
		"5 pages in production: 4 indexable, 1 noindex; 0 errors, 1 warning") {
		t.Fatalf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	if page := read(t, filepath.Join(site, "dist", "secret", "index.html")); !strings.Contains(page,
		`<meta name="robots" content="noindex, follow" />`) {
		t.Errorf("the page is %s", page)
	}
	headers := read(t, filepath.Join(site, "headers.json"))
	for _, want := range []string{`{"for":"/a.pdf","values":{"X-Robots-Tag":"noindex, follow"}}`, `"for":"/secret/*"`} {
		if !strings.Contains(headers, want) {
			t.Errorf("Netlify knows the headers %s, not %s", headers, want)
		}
	}

	// A preview, by the context alone.
	site = netlifySite(t, input)
	if r := netlify(t, site, "CONTEXT=deploy-preview"); r.code != 0 || !strings.Contains(r.stdout,
		"in deploy-preview, which is not indexed") {
		t.Errorf("a preview: exit code %d\n%s", r.code, r.stdout)
	}
	if headers := read(t, filepath.Join(site, "headers.json")); !strings.Contains(headers,
		`{"for":"/*","values":{"X-Robots-Tag":"noindex, nofollow"}}`) {
		t.Errorf("a preview has the headers %s", headers)
	}

	for _, c := range []struct {
		name, inputs string
		spoil        func(*testing.T, string)
		env          string
		code         int // of Netlify's build: 2 for a failed build
		want         string
	}{
		{"the guard", input, guarded, "", 2, "exit code 1"},
		{"the guard is shown alone", input + "failOn = \"never\"\n", guarded, "", 0, "in production"},
		{"no room for the headers", input + "failOn = \"never\"\n", overflowing, "", 2, "exit code 1"},
		{"a policy that cannot be read", input + "failOn = \"never\"\n", unreadable, "", 2, "metarobots.toml:8:"},
		{"an unknown flag", input + "args = [\"--nonsense\"]\n", nil, "", 2, "unknown flag: --nonsense"},
		{"a program that is not there", "[plugins.inputs]\nprogram = \"./nowhere\"\n", nil, "", 2,
			"nowhere is not there"},
		{"no sources", "", nil, "", 2, "is not installed: npm install --save-dev metarobots-hugo"},
		{"an unknown failOn", input + "failOn = \"x\"\n", nil, "", 2, "want error or never"},
		{"METAROBOTS_BINARY", "", nil, "METAROBOTS_BINARY=" + program, 0, "in production"},
	} {
		site := netlifySite(t, c.inputs)
		if c.spoil != nil {
			c.spoil(t, site)
		}
		var env []string
		if c.env != "" {
			env = []string{c.env}
		}
		if r := netlify(t, site, env...); r.code != c.code || !strings.Contains(r.stdout+r.stderr, c.want) {
			t.Errorf("%s: exit code %d, want %d and %q\n%s%s", c.name, r.code, c.code, c.want, r.stdout, r.stderr)
		}
	}
}

// Without a program the plugin builds one with Go, keeps what Go made between deploys, and leaves Hugo out where the
// site is not Hugo's.
func TestNetlifyPlugin_BuildsTheProgram(t *testing.T) {
	t.Parallel()
	checkout := t.TempDir() // in place of the sources, which compile longer: it hands on to the program
	write(t, filepath.Join(checkout, "go.mod"), "module metarobots\n\ngo 1.26.0\n")
	write(t, filepath.Join(checkout, "main.go"), read(t, "testdata/handson.go.txt"))
	for _, hugo := range []bool{false, true} {
		site := netlifySite(t, fmt.Sprintf("[plugins.inputs]\ncheckout = %q\n", checkout))
		if hugo {
			write(t, filepath.Join(site, "hugo.toml"), "baseURL = \"https://example.org/\"\n")
		}
		home := t.TempDir()
		r := netlify(t, site, "HOME="+home, "GOFLAGS=", "HANDS_ON_TO="+programFile(t, lean))
		if r.code != 0 || !strings.Contains(r.stdout, "in production") {
			t.Fatalf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
		}
		info, err := buildinfo.ReadFile(filepath.Join(home, ".cache", "metarobots", "metarobots"))
		if err != nil {
			t.Fatal(err)
		}
		if isLean := slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool {
			return s.Key == "-tags" &&
				s.Value == "nohugo"
		}); isLean == hugo {
			t.Errorf("a site of Hugo's: %t, built without Hugo: %t", hugo, isLean)
		}
		if kept := filepath.Join(site, ".netlify", "cache", "home", ".cache", "metarobots",
			"go-build"); !isFolder(kept) {
			t.Errorf("%s is not kept", kept)
		}
	}
	write(t, filepath.Join(checkout, "main.go"), "package main\nfunc main() { nonsense }\n")
	site := netlifySite(t, fmt.Sprintf("[plugins.inputs]\ncheckout = %q\n", checkout))
	if r := netlify(t, site, "GOFLAGS="); r.code != 2 || !strings.Contains(r.stdout+r.stderr, "undefined: nonsense") {
		t.Errorf("sources that do not compile: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// The build command for Cloudflare builds the site, then writes the policy; previews are those of other branches.
func TestCloudflareBuild(t *testing.T) {
	t.Parallel()
	build := func(site string, env []string, args ...string) result {
		t.Helper()
		c := exec.Command("bash", append([]string{filepath.Join(root(t), "packaging", "cloudflare", "build.sh")},
			args...)...)
		c.Dir = site
		c.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "CI=true", "CF_PAGES=1"}, env...)
		return finish(t, c)
	}
	binary := "METAROBOTS_BINARY=" + programFile(t, lean)
	fresh := func() string {
		site := small(t)
		if err := os.Rename(filepath.Join(site, "dist"), filepath.Join(site, "src")); err != nil {
			t.Fatal(err)
		}
		return site
	}

	site := fresh()
	r := build(site, []string{binary, "CF_PAGES_BRANCH=main"}, "dist", "--", "cp", "-r", "src", "dist")
	if r.code != 0 || !strings.Contains(r.stderr, "warning: the branch main counts as production") {
		t.Fatalf("exit code %d\n%s", r.code, r.stderr)
	}
	if headers := read(t, filepath.Join(site, "dist", "_headers")); !strings.Contains(headers,
		"/a.pdf\n  X-Robots-Tag: noindex, follow\n") {
		t.Errorf("_headers is\n%s", headers)
	}
	for branch, wanted := range map[string]string{"main": "4 indexable, 1 noindex", "draft": "0 indexable, 5 noindex"} {
		for _, variable := range []string{"CF_PAGES_BRANCH", "WORKERS_CI_BRANCH"} {
			site := fresh()
			file := filepath.Join(site, "metarobots.toml")
			write(t, file, strings.Replace(read(t, file), "[site]\n", "[site]\nproductionBranch = \"main\"\n", 1))
			r := build(site, []string{binary, variable + "=" + branch}, "dist", "--", "cp", "-r", "src", "dist")
			if r.code != 0 || !strings.Contains(r.stderr, wanted) || strings.Contains(r.stderr,
				"counts as production") {
				t.Errorf("%s=%s: exit code %d\n%s", variable, branch, r.code, r.stderr)
			}
		}
	}

	// What fails, fails the build; what the site's own build says is its exit code.
	site = fresh()
	guarded(t, site)
	if r := build(site, []string{binary}, "dist", "--", "cp", "-r", "src", "dist"); r.code != 1 {
		t.Errorf("the guard: exit code %d\n%s", r.code, r.stderr)
	}
	site = fresh()
	unreadable(t, site)
	if r := build(site, []string{binary}, "dist", "--", "cp", "-r", "src", "dist"); r.code != 2 ||
		!strings.Contains(r.stderr, "metarobots.toml:8:") {
		t.Errorf("a broken policy: exit code %d\n%s", r.code, r.stderr)
	}
	if r := build(fresh(), []string{binary}, "dist", "--", "bash", "-c", "exit 7"); r.code != 7 {
		t.Errorf("a broken build: exit code %d\n%s", r.code, r.stderr)
	}
	if r := build(fresh(), []string{"METAROBOTS_BINARY=/nowhere"}, "dist", "--", "true"); r.code != 2 ||
		!strings.Contains(r.stderr, "/nowhere") {
		t.Errorf("no program: exit code %d\n%s", r.code, r.stderr)
	}

	// Without a name it is the one that npm installed.
	site = fresh()
	if r := build(site, nil, "dist", "--", "true"); r.code != 2 || !strings.Contains(r.stderr,
		"npm install --save-dev") {
		t.Errorf("nothing is installed: exit code %d\n%s", r.code, r.stderr)
	}
	if err := os.MkdirAll(filepath.Join(site, "node_modules", ".bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(programFile(t, lean), filepath.Join(site, "node_modules", ".bin", "metarobots")); err != nil {
		t.Fatal(err)
	}
	if r := build(site, nil, "dist", "--", "cp", "-r", "src", "dist"); r.code != 0 {
		t.Errorf("npm's program: exit code %d\n%s", r.code, r.stderr)
	}

	// It builds Hugo sites by itself,
	site = t.TempDir()
	write(t, filepath.Join(site, "hugo.toml"), "baseURL = \"https://example.org/\"\ndisableKinds = [\"taxonomy\", "+
		"\"rss\", \"sitemap\"]\n")
	write(t, filepath.Join(site, "layouts", "all.html"), "<html><head></head><body>{{ .Content }}</body></html>")
	write(t, filepath.Join(site, "content", "a.md"), "---\nrobots: noindex\n---\n")
	if r := build(site, []string{"METAROBOTS_BINARY=" + program}, "--minify"); r.code != 0 {
		t.Fatalf("Hugo: exit code %d\n%s", r.code, r.stderr)
	}
	if page := read(t, filepath.Join(site, "public", "a", "index.html")); !strings.Contains(page, "noindex") {
		t.Errorf("Hugo's page is %s", page)
	}
	// and the program where none is named, with what Go left in a folder that was kept.
	site = fresh()
	kept := filepath.Join(site, "kept", "metarobots")
	if err := os.MkdirAll(kept, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, variable := range map[string]string{"go-build": "GOCACHE", "go-mod": "GOMODCACHE"} {
		if err := os.Symlink(goVariable(t, variable), filepath.Join(kept, name)); err != nil {
			t.Fatal(err)
		}
	}
	r = build(site, []string{"GOCACHE=/nowhere", "GOMODCACHE=/nowhere", "METAROBOTS_CACHE=kept",
		"GOPROXY=off", "METAROBOTS_FROM_SOURCE=true"}, "dist", "--", "cp", "-r", "src", "dist")
	if _, err := buildinfo.ReadFile(filepath.Join(kept, "program")); r.code != 0 || err != nil {
		t.Errorf("building the program: exit code %d, %v\n%s%s", r.code, err, r.stdout, r.stderr)
	}
}

// A site of Hugo's gets the program with Hugo, by whichever name its configuration goes: the other would not apply.
func TestCloudflareBuild_KnowsHugosSites(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	write(t, filepath.Join(bin, "go"), "#!/bin/sh\nif [ \"$1\" = env ]; then echo go1.26; exit; fi\necho \"$@\" "+
		">\"$ARGS\"\nexit 9\n")
	if err := os.Chmod(filepath.Join(bin, "go"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"hugo.toml": "", "config/_default/hugo.toml": "", "config.toml": "title = \"x\"\nbaseURL = " +
			"\"https://example.org/\"\n", "config.yaml": "baseurl: https://example.org/\n",
		"config.json": "{\n  \"baseURL\": \"https://example.org/\"\n}\n",
		"config.yml":  "base: /\n", "_config.yml": "baseurl: /\n", "package.json": "{}",
	} {
		site := t.TempDir()
		write(t, filepath.Join(site, name), text)
		args := filepath.Join(t.TempDir(), "args")
		c := exec.Command("bash", filepath.Join(root(t), "packaging", "cloudflare", "build.sh"), "dist", "--", "true")
		c.Dir = site
		c.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "ARGS=" + args,
			"METAROBOTS_FROM_SOURCE=true"}
		if r := finish(t, c); r.code != 9 {
			t.Fatalf("exit code %d\n%s", r.code, r.stderr)
		}
		hugo := strings.Contains(name, "hugo") || strings.Contains(text, "example.org")
		if got := !strings.Contains(read(t, args), "-tags nohugo"); got != hugo {
			t.Errorf("%s: with Hugo: %t", name, got)
		}
	}
}

// goProxy makes Go take modules from this disk: those of go.sum, which every build of this repository has fetched.
func goProxy(t *testing.T) string {
	t.Helper()
	return "GOPROXY=file://" + filepath.ToSlash(filepath.Join(goVariable(t, "GOMODCACHE"), "cache", "download"))
}

// Shells read the scripts, and offer what they are told.
func TestCompletion_InShells(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Symlink(programFile(t, lean), filepath.Join(dir, "metarobots")); err != nil {
		t.Fatal(err)
	}
	scripts := map[string]string{}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		scripts[shell] = filepath.Join(dir, "completion."+shell)
		text := inLean(t, dir, 0, "completion", shell).stdout
		if len(text) < 1000 {
			t.Errorf("the script for %s is %q", shell, text)
		}
		write(t, scripts[shell], text)
		path, err := exec.LookPath(shell)
		if err != nil || shell == "powershell" {
			continue
		}
		if out, err := exec.Command(path, "-n", scripts[shell]).CombinedOutput(); err != nil {
			t.Errorf("%s -n: %v\n%s", shell, err, out)
		}
	}
	const helpers = "/usr/share/bash-completion/bash_completion"
	for shell, ask := range map[string]string{
		"bash": `source "$1"; COMP_WORDS=(metarobots report --format ""); COMP_CWORD=3; COMP_LINE="metarobots report --format "; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9
__start_metarobots metarobots "" --format; printf '%s\n' "${COMPREPLY[@]}"`,
		"fish": `source $argv[1]; complete -C "metarobots report --format "`,
	} {
		path, err := exec.LookPath(shell)
		if _, e := os.Stat(helpers); err != nil || shell == "bash" && e != nil {
			t.Logf("%s, or its package bash-completion, is missing", shell)
			continue
		}
		args := []string{"-c", "source " + helpers + "; " + ask, shell, scripts[shell]}
		if shell == "fish" {
			args = []string{"--no-config", "-c", ask, scripts[shell]}
		}
		c := exec.Command(path, args...)
		c.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "HOME=" + dir, "TERM=dumb"}
		r := finish(t, c)
		got := strings.Fields(r.stdout)
		slices.Sort(got)
		if want := []string{"csv", "github", "html", "json", "markdown", "sarif"}; r.code != 0 || !slices.Equal(got,
			want) {
			t.Errorf("%s offers %q, want %q (exit code %d, %s)", shell, got, want, r.code, r.stderr)
		}
	}
}

// The manual page is one that mandoc takes too.
func TestMan_Mandoc(t *testing.T) {
	t.Parallel()
	mandoc, err := exec.LookPath("mandoc")
	if err != nil {
		t.Skip("mandoc is missing: apt-get install mandoc")
	}
	c := exec.Command(mandoc, "-T", "lint", "-W", "warning")
	c.Stdin = strings.NewReader(inLean(t, t.TempDir(), 0, "man").stdout)
	if out, err := c.CombinedOutput(); err != nil &&
		!regexp.MustCompile(`^mandoc: <stdin>:1:\d+: WARNING: missing date[^\n]*\n$`).Match(out) {
		t.Errorf("mandoc: %v\n%s", err, out)
	}
}

// withHugo asks for the image with Hugo too, whose build takes minutes; the tag releases sets it.
var withHugo bool

// BuildKit reads the Dockerfile without a warning; what it would run after the modules' layer builds without a network,
// in the files that .dockerignore lets through; the image's user is not root.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	dir := sources(t)
	c := exec.Command("go", "run", "-C", "packages/dockerfile", ".", dir, "full", "lean")
	c.Stdin = strings.NewReader(strings.Join(regular(t, dir), "\n"))
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	var got struct {
		Warnings []string
		Targets  []struct {
			Target, Platform, User, WorkingDir string
			Entrypoint                         []string
			Runs                               []struct {
				Args, Env    []string
				Cwd, Network string
			}
		}
		Context []string
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Warnings) > 0 {
		t.Errorf("docker build --check says %q", got.Warnings)
	}
	context := t.TempDir()
	for _, name := range got.Context {
		if strings.HasPrefix(name, ".git/") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name,
			"packaging/") {
			t.Errorf("%s goes to the builder", name)
		}
		write(t, filepath.Join(context, filepath.FromSlash(name)), read(t, filepath.Join(dir,
			filepath.FromSlash(name))))
	}
	if len(got.Targets) != 4 {
		t.Fatalf("%d targets", len(got.Targets))
	}
	for _, target := range got.Targets {
		if target.User != "nonroot:nonroot" || target.WorkingDir != "/site" || !slices.Equal(target.Entrypoint,
			[]string{"/usr/local/bin/metarobots"}) {
			t.Errorf("the image %s is %+v", target.Target, target)
		}
		if len(target.Runs) != 2 || target.Runs[0].Args[2] != "go mod download" || target.Runs[1].Network != "NONE" ||
			!slices.Contains(target.Runs[1].Env, "GOPROXY=off") {
			t.Errorf("%s runs %+v", target.Target, target.Runs)
			continue
		}
		if target.Platform != runtime.GOARCH || target.Target == "full" && !withHugo {
			continue
		}
		// The modules' layer sees two files alone. What it fetches is on this disk already.
		build := target.Runs[1]
		file := filepath.Join(t.TempDir(), "metarobots")
		line := strings.Replace(build.Args[2], "/out/metarobots", file, 1)
		shell := exec.Command("sh", "-c", line)
		if unshare, err := exec.LookPath("unshare"); err == nil && os.Geteuid() == 0 {
			shell = exec.Command(unshare, "--net", "sh", "-c", line)
		}
		shell.Dir = context
		shell.Env = append(os.Environ(), build.Env[:len(build.Env):len(build.Env)]...)
		shell.Env = append(shell.Env, "PATH="+os.Getenv("PATH"))
		if out, err := shell.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", line, err, out)
			continue
		}
		version, err := exec.Command(file, "version").Output()
		if hugo := !strings.Contains(string(version), "without Hugo"); err != nil || hugo != (target.Target == "full") {
			t.Errorf("%s: version says %q, %v", target.Target, version, err)
		}
	}
}

// blocks are the code blocks of docs/pipelines.md in a language that contain a text.
func blocks(t *testing.T, language, contains string) (found []string) {
	t.Helper()
	for _, block := range regexp.MustCompile("(?ms)^```([a-z]*)[^\n]*\n(.*?)^```$").FindAllStringSubmatch(read(t,
		"../docs/pipelines.md"), -1) {
		if block[1] == language && strings.Contains(block[2], contains) {
			found = append(found, block[2])
		}
	}
	return found
}

// The commands of docs/pipelines.md do what it says, one after the other, in a small site; a line below a command that
// begins with "exit code" says how it ends.
func TestPipelines_CommandsAreTrue(t *testing.T) {
	t.Parallel()
	site := small(t)
	bin := t.TempDir()
	if err := os.Symlink(programFile(t, lean), filepath.Join(bin, "metarobots")); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, block := range blocks(t, "console", "$ metarobots") {
		for _, part := range strings.Split("\n"+block, "\n$ ")[1:] {
			line, rest, _ := strings.Cut(part, "\n")
			want := 0
			fmt.Sscanf(rest, "exit code %d", &want)
			c := exec.Command("sh", "-c", line)
			c.Dir = site
			c.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + bin}
			if r := finish(t, c); r.code != want {
				t.Errorf("%s: exit code %d, want %d\n%s%s", line, r.code, want, r.stdout, r.stderr)
			}
			ran++
		}
	}
	if ran < 5 {
		t.Errorf("docs/pipelines.md has %d commands", ran)
	}

	// GitLab's job, in a shell of its own as a runner has it.
	jobs := blocks(t, "yaml", "script:")
	if len(jobs) != 1 {
		t.Fatalf("docs/pipelines.md has %d jobs for GitLab", len(jobs))
	}
	var config map[string]yaml.Node
	if err := yaml.Unmarshal([]byte(jobs[0]), &config); err != nil {
		t.Fatal(err)
	}
	node := config["robots"]
	var gitlab struct {
		Script    []string
		Artifacts struct{ Paths []string }
		Variables map[string]string
	}
	if err := node.Decode(&gitlab); err != nil || len(gitlab.Script) == 0 {
		t.Fatalf("the job is %+v, %v", gitlab, err)
	}
	site = small(t)
	inFolder(t, site, programFile(t, lean), t.TempDir(), step{}, "apply")
	inFolder(t, site, programFile(t, lean), t.TempDir(), step{}, "snapshot")
	if err := os.Symlink(root(t), filepath.Join(site, "metarobots")); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("bash", "-eo", "pipefail", "-c", strings.Join(gitlab.Script, "\n"))
	c.Dir = site
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), goProxy(t), "GOCACHE=" + goVariable(t,
		"GOCACHE")}
	for name, value := range gitlab.Variables {
		if name != "GOCACHE" {
			c.Env = append(c.Env, name+"="+strings.ReplaceAll(value, "$CI_PROJECT_DIR", site))
		}
	}
	if r := finish(t, c); r.code != 0 {
		t.Errorf("GitLab's script: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	for _, name := range gitlab.Artifacts.Paths {
		if _, err := os.Stat(filepath.Join(site, name)); err != nil {
			t.Errorf("the artifact %s: %v", name, err)
		}
	}
}
