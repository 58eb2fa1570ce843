//go:build e2e

package e2e

import (
	"path/filepath"
	"testing"
)

// Issue 9: the same for sites as real generators build them, on all engines.
func TestReaders_Generators(t *testing.T) {
	if !everything {
		t.Skip("takes long; PROOFS=all")
	}
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
	dir := g.lay(t)
	g.build(t, dir)
	g.configure(t, dir, true)
	policy := filepath.Join(dir, "metarobots.toml")
	write(t, policy, read(t, policy)+bothTargets)
	metarobots := programFile(t, lean)
	in := func(args ...string) result {
		t.Helper()
		c := command(args...)
		c.Path, c.Dir, c.Env = metarobots, dir, append(c.Env, builtOn)
		return finish(t, c).is(t, 0)
	}
	site := &readersSite{publish: filepath.Join(dir, g.publish)}
	return site.explained(t, in("apply", "--json"),
		func(urls []string) result { return in(append([]string{"explain", "--json"}, urls...)...) })
}
