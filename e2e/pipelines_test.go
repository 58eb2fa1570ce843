//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// blocks are the code blocks of docs/pipelines.md in a language that contain a text.
func blocks(t *testing.T, language, contains string) []string {
	t.Helper()
	return blocksIn(t, "../docs/pipelines.md", language, contains)
}

func blocksIn(t *testing.T, page, language, contains string) (found []string) {
	t.Helper()
	for _, block := range regexp.MustCompile("(?ms)^```([a-z]*)[^\n]*\n(.*?)^```$").FindAllStringSubmatch(read(t, page), -1) {
		if block[1] == language && strings.Contains(block[2], contains) {
			found = append(found, block[2])
		}
	}
	return found
}

// The commands of docs/pipelines.md do what it says, one after the other, in a small site; a line
// below a command that begins with "exit code" says how it ends.
func TestPipelines_CommandsAreTrue(t *testing.T) {
	t.Parallel()
	site := small(t)
	bin := t.TempDir()
	must(t, os.Symlink(programFile(t, lean), filepath.Join(bin, "metarobots")))
	ran := 0
	for _, block := range blocks(t, "console", "$ metarobots") {
		for _, part := range strings.Split("\n"+block, "\n$ ")[1:] {
			line, rest, _ := strings.Cut(part, "\n")
			want := 0
			fmt.Sscanf(rest, "exit code %d", &want)
			c := exec.Command("sh", "-c", line)
			c.Dir = site
			c.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + bin}
			finish(t, c).is(t, want)
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
	must(t, yaml.Unmarshal([]byte(jobs[0]), &config))
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
	must(t, os.Symlink(root(t), filepath.Join(site, "metarobots")))
	c := exec.Command("bash", "-eo", "pipefail", "-c", strings.Join(gitlab.Script, "\n"))
	c.Dir = site
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), goProxy(t), "GOCACHE=" + goVariable(t,
		"GOCACHE"), "GOFLAGS=" + os.Getenv("GOFLAGS"), "CGO_ENABLED=" + goVariable(t, "CGO_ENABLED")}
	for name, value := range gitlab.Variables {
		if name != "GOCACHE" {
			c.Env = append(c.Env, name+"="+strings.ReplaceAll(value, "$CI_PROJECT_DIR", site))
		}
	}
	finish(t, c).is(t, 0)
	for _, name := range gitlab.Artifacts.Paths {
		if _, err := os.Stat(filepath.Join(site, name)); err != nil {
			t.Errorf("the artifact %s: %v", name, err)
		}
	}
}
