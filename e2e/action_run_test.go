//go:build e2e

package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A job is what GitHub's runner knows of one run of the action. Its log is the standard output.
type job struct {
	result
	summary string
	outputs map[string]string
}

// perform runs the steps of action.yml as the runner does, where Go is installed; a step that uses
// another action does nothing but for the cache, which holds the lean program after the first run.
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
	j := job{result: result{command: fmt.Sprintf("the action with %q", inputs)}, outputs: map[string]string{}}
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
			must(t, os.MkdirAll(folder, 0o755))
			must(t, os.Link(kept, filepath.Join(folder, filepath.Base(steps["prepare"]["program"]))))
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
		j.stdout += string(out)
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
			if err := os.Link(steps["prepare"]["program"], kept); err != nil && !os.IsExist(err) { // by another test
				t.Fatal(err)
			}
		}
	}
	for name, o := range a.Outputs {
		j.outputs[name] = expand(o.Value)
	}
	return j
}

// A check that fails says so in the exit code, in annotations before the right lines, in the
// summary and in outputs.
func TestAction_Runs(t *testing.T) {
	t.Parallel()
	site := small(t)
	expect := func(j job, code int, outputs map[string]string) {
		t.Helper()
		j.is(t, code)
		for name, want := range outputs {
			equal(t, "the output "+name, j.outputs[name], want)
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
	has(t, j.stdout, "metarobots 1.2.3, without Hugo, go1.", "\n::warning file=dist/index.html,line=1,title=")
	has(t, j.summary, "# What crawlers may do", "/secret/")
	equal(t, "the summary", j.summary, "**The check failed:** 5 HTML files and 1 other file differ from the policy: run "+
		"metarobots apply (dist/about/index.html, dist/blog/index.html, dist/contact/index.html, …)\n\n"+
		read(t, j.outputs["report"]))
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
	has(t, j.stdout, "\n::warning file=dist/index.html")
	has(t, j.summary, "# What crawlers may do")
	has(t, read(t, site, "out", "report.html"), "<html")
	has(t, read(t, site, "dist", "secret", "index.html"), "noindex")
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
	has(t, j.stdout, "\n::error ")
	has(t, j.summary, "/about/")
	expect(perform(t, site, with("baseline", "metarobots.lock.json", "args", "--max-newly-noindex\r\n1\n\n")), 0, nil)
	expect(perform(t, site, with("command", "apply", "baseline", "metarobots.lock.json")), 2, nil)

	// A policy that cannot be read fails whatever fail-on says, at its line.
	write(t, file, kept)
	unreadable(t, site)
	j = perform(t, site, with("fail-on", "never"))
	expect(j, 2, map[string]string{"exit-code": "2", "findings": "0", "report": "", "json": ""})
	has(t, j.stdout, "\n::error file=metarobots.toml,line=8,title=metarobots::")
	has(t, j.summary, "Nothing was decided")
	equal(t, "after an earlier run the report", perform(t, site, with("report", "out/report.html")).outputs["report"], "")
	for name, value := range map[string]string{"command": "explode", "fail-on": "x", "annotations": "yes",
		"summary": "", "lean": "1", "go-version": "1.26; id"} {
		perform(t, site, with(name, value)).says(t, 2, "::error title=metarobots::"+name+": want ")
	}
}

// With fail-on never, too, a job does not go on to deploy a site into which the policy could not be
// written; check, which writes nothing, passes.
func TestAction_NeverDeploysWhatWasNotWritten(t *testing.T) {
	t.Parallel()
	for _, spoil := range []func(*testing.T, string){overflowing, func(t *testing.T, site string) {
		extend(t, site, "[robots.headers]\ntargets = [\"vercel\"]\n")
		write(t, filepath.Join(site, "vercel.json"), "{")
	}} {
		for command, code := range map[string]int{"apply": 1, "check": 0} {
			site := small(t)
			spoil(t, site)
			j := perform(t, site, map[string]string{"lean": "true", "environment": "production", "command": command,
				"fail-on": "never"})
			j.is(t, code)
			equal(t, command+": the output exit-code", j.outputs["exit-code"], "1")
		}
	}
}

// Further arguments that say which site is meant count for the annotations too; those that only the
// command knows do not cost them.
func TestAction_AnnotationsAreOfTheSameSite(t *testing.T) {
	t.Parallel()
	site := small(t)
	other := filepath.Join(site, "other.toml")
	write(t, other, read(t, site, "metarobots.toml")+"[[robots.rules]]\nmatch = \"/nowhere\"\nrobots = \"noindex\"\n")
	for args, want := range map[string]bool{"--policy\nother.toml": true, "--policy=other.toml\n--diff": false} {
		j := perform(t, site, map[string]string{"lean": "true", "environment": "production", "args": args})
		equal(t, args, strings.Contains(j.stdout, "\n::error file=other.toml,"), want)
		has(t, j.stdout, "\n::warning file=dist/index.html")
	}
}

// Two runs in one job keep what each has said.
func TestAction_TwoRunsInOneJob(t *testing.T) {
	t.Parallel()
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
		finish(t, c).is(t, 0)
		reports = append(reports, found(t, `(?m)^json=(.+)$`, read(t, output)))
	}
	if first, second := read(t, reports[0]), read(t, reports[1]); reports[0] == reports[1] || first == "" ||
		second == "" {
		t.Errorf("the results are %q", reports)
	}
}

// Nothing that a user or a page says is run, or taken for a command of GitHub's.
func TestAction_TakesTextAsText(t *testing.T) {
	t.Parallel()
	work := t.TempDir()
	hostile := `a b"$(touch pwned)` + "`touch pwned`;'&|*"
	must(t, os.CopyFS(filepath.Join(work, hostile), os.DirFS(small(t))))
	j := perform(t, work, map[string]string{"lean": "true", "command": "apply", "source": hostile,
		"directory": hostile + "/dist", "report": hostile + ".md",
		"args": "--state\nstate $(touch pwned)"})
	j.is(t, 0)
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
		if j := perform(t, work, inputs); strings.Contains(j.stdout, "\n::error::pwned") || strings.HasPrefix(j.stdout,
			"::error::pwned") {
			outside := j.stdout
			if a, rest, ok := strings.Cut(outside, "::stop-commands::"); ok {
				token, rest, _ := strings.Cut(rest, "\n")
				_, rest, _ = strings.Cut(rest, "::"+token+"::\n")
				outside = a + rest
			}
			if strings.Contains(outside, "\n::error::pwned") {
				t.Errorf("%q: a command gets through:\n%s", inputs, j.stdout)
			}
		}
	}
	for _, name := range regular(t, work) {
		if filepath.Base(name) == "pwned" {
			t.Errorf("%s was made", name)
		}
	}
}
