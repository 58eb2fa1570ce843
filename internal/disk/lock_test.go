package disk

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// locked takes a lock for a test.
func locked(t *testing.T, file, writer string) (unlock func()) {
	t.Helper()
	unlock, err := Lock(context.Background(), file, writer)
	if err != nil {
		t.Fatal(err)
	}
	return unlock
}

// X: one run at a time writes, and who waits in vain hears of whom. Runs that only read need not wait for each other.
func TestHouse_OneRunAtATime(t *testing.T) {
	defer func(was time.Duration) { patience = was }(patience)
	patience = 100 * time.Millisecond
	file := filepath.Join(t.TempDir(), "state/a.lock")
	busy := func(writer string) string {
		t.Helper()
		unlock, err := Lock(context.Background(), file, writer)
		if err == nil {
			unlock()
			return ""
		}
		return err.Error()
	}
	locked(t, file, "")() // nothing is made to read
	if _, err := os.Stat(filepath.Dir(file)); !os.IsNotExist(err) {
		t.Error("reading makes a folder:", err)
	}
	unlock := locked(t, file, "metarobots apply")
	for _, second := range []string{"metarobots build", ""} {
		if got := busy(second); !strings.HasPrefix(got, "metarobots apply (process ") {
			t.Errorf("%q goes on, or waits for %q", second, got)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Lock(ctx, file, "metarobots build"); err != context.Canceled {
		t.Error("an interrupt:", err)
	}
	wait := patience / 4
	go func() {
		time.Sleep(wait)
		unlock()
	}()
	if got := busy("metarobots build"); got != "" {
		t.Error("the lock does not become free:", got)
	}
	reads := locked(t, file, "")
	locked(t, file, "")()
	if got := busy("metarobots build"); !strings.HasPrefix(got, "another run of metarobots is at work") {
		t.Errorf("a run writes while another reads: %q", got)
	}
	reads()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(filepath.Dir(file), "elsewhere"), file); err != nil {
		t.Skip("no symlinks here:", err)
	}
	if locked(t, file, "metarobots build")(); exists(filepath.Join(filepath.Dir(file), "elsewhere")) {
		t.Error("a link is followed")
	}
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// A run that is killed keeps nobody waiting.
func TestHouse_AKilledRunHoldsNoLock(t *testing.T) {
	if file := os.Getenv("LOCK_AND_WAIT"); file != "" {
		locked(t, file, "metarobots apply")
		os.Stdout.WriteString("locked\n")
		time.Sleep(time.Minute)
		return
	}
	file := filepath.Join(t.TempDir(), "a.lock")
	c := exec.Command(os.Args[0], "-test.run=^TestHouse_AKilledRunHoldsNoLock$")
	c.Env = append(os.Environ(), "LOCK_AND_WAIT="+file)
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Error(line, err)
	}
	c.Process.Kill()
	c.Wait()
	locked(t, file, "metarobots build")()
}
