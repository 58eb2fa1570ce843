package cli

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"

	"metarobots/internal/project"
	"metarobots/internal/tables"
)

// A heap has a head start, doubles while it is small, keeps to the limit, and grows a little even
// above it: a goal below what is in use would make the collector run without an end.
func TestHouse_HeapGoal(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct{ live, goal uint64 }{
		{4 * mb, 40 * mb},
		{50 * mb, 132 * mb},
		{100 * mb, smallLimit},
		{160 * mb, smallLimit},
		{1000 * mb, 1120 * mb},
	} {
		if got := (heapPlan{headStart, smallLimit}).goal(c.live); got != c.goal {
			t.Errorf("the goal for %d MB: %d MB, want %d", c.live/mb, got/mb, c.goal/mb)
		}
	}
}

// Each run of the collector is followed by one call, until the watch is stopped.
func TestHouse_AfterCollections(t *testing.T) {
	var calls atomic.Int32
	stop := afterCollections(func() { calls.Add(1) })
	for range 3 {
		before := calls.Load()
		runtime.GC()
		for deadline := time.Now().Add(10 * time.Second); calls.Load() == before; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("no call in ten seconds after a collection")
			}
		}
	}
	stop()
	stopped := calls.Load()
	runtime.GC()
	runtime.GC()
	if calls.Load() != stopped {
		t.Error("a call after the watch was stopped")
	}
}

// Where a command has ended, the collector is as it was before.
func TestHouse_CollectorIsLeftAsItWas(t *testing.T) {
	before := debug.SetGCPercent(tables.Lazy)
	defer debug.SetGCPercent(before)
	c := &siteCommand{}
	c.getenv = func(string) string { return "" }
	stop := c.suitCollector(&project.Project{})
	stop()
	if got := debug.SetGCPercent(tables.Lazy); got != tables.Lazy {
		t.Errorf("GOGC is %d after the run, and was %d", got, tables.Lazy)
	}
}

// A run of the program leaves nothing behind in memory: the tests run it thousands of times in one
// process. Its standard output stands for all that it holds, since each command has it.
func TestHouse_ARunIsGivenBackToTheCollector(t *testing.T) {
	isGivenBack := make(chan bool)
	func() {
		out := new(bytes.Buffer)
		runtime.AddCleanup(out, func(c chan bool) { close(c) }, isGivenBack)
		if code := run(context.Background(), []string{"version"}, out, io.Discard, noVariables); code != exitDone {
			t.Fatalf("exit code %d", code)
		}
	}()
	runtime.GC()
	select {
	case <-isGivenBack:
	case <-time.After(10 * time.Second):
		t.Error("a collection has found that somebody holds the run")
	}
}
