//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// startHost has a host's engine serve a folder until the test ends.
func startHost(t *testing.T, engine, publish string) (base string) {
	t.Helper()
	c := node(t, "hosts/serve.mjs", engine, publish, "stay")
	var errs bytes.Buffer
	c.Stderr = &errs
	in := tables.Value(c.StdinPipe())(t)
	out := tables.Value(c.StdoutPipe())(t)
	must(t, c.Start())
	t.Cleanup(func() { in.Close(); c.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%s does not serve: %v\n%s", engine, err, &errs)
	}
	return strings.TrimSpace(line)
}
