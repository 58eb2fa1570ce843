//go:build e2e && !windows

package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// House: the first interrupt of a build, at whatever moment, ends it within 5 seconds; pages are
// whole, and the next build makes all of them.
func TestHouse_ABuildEndsAtTheFirstInterrupt(t *testing.T) {
	interrupts := choose(8, 100)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "hugo.toml"), "baseURL = \"https://example.org/\"\n")
	write(t, filepath.Join(dir, "layouts/all.html"), "<!doctype html><html><head><title>{{ .Title }}</title></head>"+
		"<body>{{ range seq 2000 }}{{ . }} {{ end }}{{ now.UnixNano }}</body></html>\n")
	write(t, filepath.Join(dir, "static/own.html"), "<!doctype html><html><head></head></html>\n")
	for i := range 300 {
		write(t, filepath.Join(dir, fmt.Sprintf("content/s%d/p%d.md", i%7, i)),
			"---\ntitle: x\nrobots: nofollow\n---\ntext\n")
	}
	public := filepath.Join(dir, "public")
	args := []string{"build", "--quiet", "-s", dir}
	start := time.Now()
	run(t, 0, args...)
	whole := time.Since(start)
	names := regular(t, public)
	r := rand.New(rand.NewPCG(3, 4))
	early, slowest := 0, time.Duration(0)
	for n := range interrupts {
		c := command(args...)
		must(t, c.Start())
		time.Sleep(time.Duration(r.Int64N(int64(whole))))
		signal := []os.Signal{os.Interrupt, syscall.SIGTERM}[n%2]
		c.Process.Signal(signal)
		begin := time.Now()
		dead := time.AfterFunc(30*time.Second, func() { c.Process.Kill() })
		c.Wait()
		dead.Stop()
		took := time.Since(begin)
		slowest = max(slowest, took)
		if took > 5*time.Second {
			t.Errorf("%v: it went on for %v", signal, took)
		}
		if code := c.ProcessState.ExitCode(); code != 0 {
			early++
			if code != 3 && code != -1 { // before it listens, the signal itself ends it
				t.Errorf("%v: exit code %d", signal, code)
			}
		}
		for _, name := range names {
			text := read(t, public, name)
			if strings.HasSuffix(name, ".html") && !strings.HasSuffix(text, "</html>\n") {
				t.Fatalf("%s is damaged: %q", name, text[max(0, len(text)-40):])
			}
		}
	}
	t.Logf("a whole build takes %v; %d of %d ended early, the slowest after %v", whole, early, interrupts, slowest)
	if early < interrupts/4 {
		t.Errorf("%d of %d interrupts struck a build: too few to prove anything", early, interrupts)
	}
	run(t, 0, args...)
	run(t, 0, "check", "--quiet", "-s", dir)
}
