//go:build e2e

package e2e

import (
	"testing"
)

// Issue 9: the same for sites as real generators build them, on all engines.
func TestReaders_Generators(t *testing.T) {
	needEverything(t, "it takes long")
	t.Parallel()
	needReaders(t)
	all := newReadersTotals()
	for _, g := range generatorSites {
		t.Run(g.name, func(t *testing.T) { all.read(t, readersGenerated(t, g)) })
	}
	all.log(t)
}

// readersGenerated is a generator's site after apply.
func readersGenerated(t *testing.T, g generator) *readersSite {
	t.Helper()
	g = g.laid(t)
	extend(t, g.dir, bothTargets)
	site := &readersSite{publish: g.published()}
	return site.explained(t, g.run(t, "apply", "--json"),
		func(urls []string) result { return g.run(t, append([]string{"explain", "--json"}, urls...)...) })
}
