//go:build e2e

package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// startHost has a host's engine serve a folder until the test ends. hosts/serve.mjs, which starts them in the same way,
// ends when its questions are answered; readers ask for themselves.
func startHost(t *testing.T, engine, publish string) (base string) {
	t.Helper()
	scratch, err := os.MkdirTemp("", "readers")
	if err != nil {
		t.Fatal(err)
	}
	modules, err := filepath.Abs("hosts/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	address, second := freeAddress(t), freeAddress(t)
	port, other := address[len("127.0.0.1:"):], second[len("127.0.0.1:"):]
	var args []string
	switch engine {
	case "pages":
		args = []string{filepath.Join(modules, "wrangler", "bin", "wrangler.js"), "pages", "dev", publish,
			"--compatibility-date", "2026-01-01",
			"--ip", "127.0.0.1", "--port", port, "--inspector-port", other, "--show-interactive-dev-session", "false"}
	case "netlify":
		write(t, filepath.Join(scratch, "netlify.toml"),
			fmt.Sprintf("[build]\npublish = %q\n[dev]\nframework = \"#static\"\npublish = %q\nport = "+
				"%s\nstaticServerPort = %s\nautoLaunch = false\n",
				publish, publish, port, other))
		args = []string{filepath.Join(modules, "netlify-cli", "bin", "run.js"), "dev", "--offline", "--no-open",
			"--internal-disable-edge-functions"}
	default:
		t.Fatalf("%s is no host", engine)
	}
	c := modernNode(t, args...)
	home := filepath.Join(scratch, "home")
	if err := os.Mkdir(home, 0o755); err != nil {
		t.Fatal(err)
	}
	c.Dir = scratch
	c.Env = []string{"PATH=" + filepath.Dir(c.Path) + ":" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + scratch,
		"LANG=C.UTF-8", "CI=true", "NO_COLOR=1",
		"WRANGLER_SEND_METRICS=false", "WRANGLER_SEND_ERROR_REPORTS=false", "CLOUDFLARE_CF_FETCH_ENABLED=false",
		"NETLIFY_TELEMETRY_DISABLED=1", "DO_NOT_TRACK=1", "NO_UPDATE_NOTIFIER=1"}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what it starts is stopped with it
	var output bytes.Buffer
	c.Stdout, c.Stderr = &output, &output
	c.WaitDelay = time.Second
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { c.Wait(); close(done) }()
	t.Cleanup(func() {
		syscall.Kill(-c.Process.Pid, syscall.SIGTERM)
		for end := time.Now().Add(5 * time.Second); time.Now().Before(end) && syscall.Kill(-c.Process.Pid, 0) == nil; {
			time.Sleep(50 * time.Millisecond)
		}
		syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		<-done
		os.RemoveAll(scratch)
	})
	client := &http.Client{Timeout: 10 * time.Second}
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); {
		if res, err := client.Get("http://" + address + "/"); err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return "http://" + address
			}
		}
		select {
		case <-done:
			t.Fatalf("%s stopped: %s", engine, output.String())
		case <-time.After(100 * time.Millisecond):
		}
	}
	t.Fatalf("%s does not serve", engine)
	return ""
}
