package cli

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"

	"metarobots/internal/project"
	"metarobots/internal/site"
)

// Sizes of the heap in bytes; see [heapPlan.goal].
const (
	headStart  = 32 << 20
	smallLimit = 180 << 20
	noLimit    = math.MaxUint64
	// headStartOfHugo saves a build of 3,000 pages 7 % of its processor time, and takes 60 MB.
	headStartOfHugo = 128 << 20
	// goMinimum is the heap below which Go's collector does not run at 100 %. Another percentage
	// changes it in proportion (https://go.dev/doc/gc-guide#GOGC).
	goMinimum = 4 << 20
)

// leastGrowth is the percentage by which the heap may grow at the least before Go's collector runs
// again, however large it is: the more is in use, the longer each run takes.
const leastGrowth = 12

// A heapPlan says how large the heap may become before Go's collector runs again.
type heapPlan struct{ headStart, limit uint64 }

// goal returns the size to which the heap may grow before Go's collector runs again, if live bytes
// of it are in use. Go's own rule is twice as much. A head start spares small sites the collector.
// The limit makes large ones pay for their memory: 100,000 pages have 150 MB in use, and the
// program is to take 250 MB for them (docs/bench.md).
func (h heapPlan) goal(live uint64) uint64 {
	return max(min(h.headStart+2*live, h.limit), live+live*leastGrowth/100)
}

// isCollectorSet reports whether the owner says how often Go's collector runs.
func (c *command) isCollectorSet() bool { return c.getenv("GOGC")+c.getenv("GOMEMLIMIT") != "" }

// suitCollector makes Go's collector run by a [heapPlan] until stop is called. It leaves the
// collector as it is if the owner has set it. There is no limit for an answer that somebody waits
// for, and none for a site of Hugo's: what Hugo keeps of it would soon exceed it.
func (c *siteCommand) suitCollector(p *project.Project) (stop func()) {
	if c.isCollectorSet() {
		return func() {}
	}
	plan := heapPlan{headStart, smallLimit}
	if _, isHugo := p.Site.(site.Builder); isHugo {
		plan = heapPlan{headStartOfHugo, noLimit}
	} else if c.isAwaited {
		plan.limit = noLimit
	}
	before := debug.SetGCPercent(plan.percent())
	stopWatching := afterCollections(func() { debug.SetGCPercent(plan.percent()) })
	return func() {
		stopWatching()
		debug.SetGCPercent(before)
	}
}

// percent returns the value for [debug.SetGCPercent] with which the heap grows to its goal.
func (h heapPlan) percent() int {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}} // what the last collection left
	metrics.Read(sample)
	live := max(sample[0].Value.Uint64(), goMinimum)
	return int((h.goal(live) - live) * 100 / live)
}

// afterCollections calls do after each run of Go's collector, and no longer once stop has returned.
func afterCollections(do func()) (stop func()) {
	var mu sync.Mutex
	isStopped := false
	var watch func()
	watch = func() {
		object := new(struct{ self *int }) // the next collection finds that nobody holds it
		runtime.AddCleanup(object, func(struct{}) {
			mu.Lock()
			defer mu.Unlock()
			if !isStopped {
				watch() // first: a collection that runs meanwhile has its call too
				do()
			}
		}, struct{}{})
	}
	watch()
	return func() {
		mu.Lock()
		defer mu.Unlock()
		isStopped = true
	}
}
