//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"strings"
	"testing"
)

// startHost has a host's engine serve a folder until the test ends.
func startHost(t *testing.T, engine, publish string) (base string) {
	t.Helper()
	c := node(t, "hosts/serve.mjs", engine, publish, "stay")
	var errs bytes.Buffer
	c.Stderr = &errs
	in, err := c.StdinPipe()
	must(t, err)
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	t.Cleanup(func() { in.Close(); c.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%s does not serve: %v\n%s", engine, err, &errs)
	}
	return strings.TrimSpace(line)
}
