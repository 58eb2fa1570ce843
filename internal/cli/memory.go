package cli

import (
	"runtime"
	"runtime/debug"
)

// many is how many files make a site large: from there on memory counts more than the collector's
// time (docs/bench.md).
const many = 20_000

// collector returns a function that suits Go's collector to the number of files, of which it gets
// each. The collector runs when the heap has doubled: with a reserve that nobody touches, so that
// it takes no memory, it leaves the little alone that a small site needs.
func collector() func(files int) {
	reserve := make([]byte, 32<<20)
	percents := map[int]int{many: 50, 3 * many: 25, 4 * many: 15}
	return func(files int) {
		if percent, ok := percents[files]; ok {
			runtime.KeepAlive(reserve) // until now
			reserve = nil
			debug.SetGCPercent(percent)
		}
	}
}
