//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"testing"
)

// Whoever has Go runs metarobots from its sources, out of another folder, as docs/pipelines.md
// says: go run -C hides the exit code, go tool hands it on.
func TestGo_RunsFromAnotherFolder(t *testing.T) {
	t.Parallel()
	site := small(t)
	do := func(name string, args ...string) result {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir = site
		c.Env = append(os.Environ(), "GOWORK=off")
		return finish(t, c)
	}
	do("go", "run", "-C", root(t), "-tags", "nohugo", ".", "check", "-s", site).is(t, 1)
	do("go", "run", "-C", root(t), "-tags", "nohugo", ".", "apply", "-s", site).is(t, 0)
	do("go", "run", "-C", root(t), "-tags", "nohugo", ".", "check", "-s", site).is(t, 0)
	do("go", "run", "-C", root(t), "-tags", "nohugo", ".", "check", "--nonsense", "-s", site).is(t, 1, "exit status 2")

	do("go", "mod", "init", "site").is(t, 0)
	do("go", "mod", "edit", "-replace", "metarobots="+root(t)).is(t, 0)
	do("go", "get", "-tool", "metarobots").is(t, 0)
	do("go", "tool", "metarobots", "check").is(t, 0)
	do("go", "tool", "metarobots", "check", "--nonsense").is(t, 2)
}
