//go:build e2e

package e2e

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"metarobots/e2e/bench/head/corpus"
)

// A victim is a site that two policies take turns on. Each changes every page.
type victim struct {
	dir, site string
	names     []string
	policies  [2]string
	was       map[string]sum    // the pages as they were made
	after     [2]map[string]sum // as each policy leaves them
	took      time.Duration     // what a whole run takes
}

// sum is one version of a page.
type sum = [sha256.Size]byte

// newVictim makes the site and applies both policies; first and second are their [robots].
func newVictim(t *testing.T, pages int, first, second string) *victim {
	v := &victim{dir: t.TempDir()}
	v.site = filepath.Join(v.dir, "site")
	must(t, corpus.Write(v.site, pages))
	v.names = regular(t, v.site)
	for i, text := range []string{first, second} {
		v.policies[i] = filepath.Join(v.dir, fmt.Sprintf("%d.toml", i))
		write(t, v.policies[i], "[robots]\n"+text+"\nheaders.targets = [\"none\"]\n")
	}
	v.was = v.versions(t)
	// a tag of the theme that says the same as ours stays, until the other policy has exchanged it
	for _, n := range []int{1, 0, 1} {
		start := time.Now()
		run(t, 0, v.args(n)...)
		v.took = time.Since(start)
		v.after[n] = v.versions(t)
	}
	for _, name := range v.names {
		if v.after[0][name] == v.after[1][name] {
			t.Fatalf("%s does not change", name)
		}
	}
	return v
}

// args are those of run n.
func (v *victim) args(n int) []string {
	return []string{"apply", "--force", "--quiet", "--policy", v.policies[n%2], v.site}
}

// kill begins run n and kills it at a random moment: from 5 ms up to what a whole run took last,
// but 150 ms at least. Two of four are killed a moment after the run begins to write, since when
// that is depends on what else the machine does.
func (v *victim) kill(t *testing.T, r *rand.Rand, n int) {
	t.Helper()
	if n%4 == 3 {
		time.Sleep(2100 * time.Millisecond) // until the pages are old enough to be staged (M6s)
	}
	before := v.stamps(t)
	c := command(v.args(n)...)
	must(t, c.Start())
	moment := 5*time.Millisecond + time.Duration(r.Int64N(int64(max(145*time.Millisecond, v.took))))
	if n%4 >= 2 {
		moment /= 10
		for end := time.Now().Add(time.Second + 3*v.took); time.Now().Before(end); time.Sleep(200 * time.Microsecond) {
			if v.stamps(t) != before {
				break
			}
		}
	}
	time.Sleep(moment)
	c.Process.Kill()
	c.Wait()
}

// stamps are when some of the pages were written.
func (v *victim) stamps(t *testing.T) (all [16]time.Time) {
	t.Helper()
	for i := range all {
		info, err := os.Stat(filepath.Join(v.site, v.names[i*len(v.names)/len(all)]))
		must(t, err)
		all[i] = info.ModTime()
	}
	return all
}

// versions reads every page.
func (v *victim) versions(t *testing.T) map[string]sum {
	t.Helper()
	all := make(map[string]sum, len(v.names))
	var mu sync.Mutex
	var wg sync.WaitGroup
	for half := range slices.Chunk(v.names, (len(v.names)+1)/2) {
		wg.Go(func() {
			for _, name := range half {
				data, err := os.ReadFile(filepath.Join(v.site, name))
				if err != nil {
					t.Error(err)
				}
				s := sha256.Sum256(data)
				mu.Lock()
				all[name] = s
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return all
}

// check fails the test where a page is neither what it was at first nor what one of the policies
// makes of it, or where a file stands that is no page and no hidden temporary file. It returns how
// many pages are as each policy makes them, and the temporary files.
func (v *victim) check(t *testing.T) (as [2]int, left []string) {
	t.Helper()
	now := regular(t, v.site)
	left = temps(now)
	if now = slices.DeleteFunc(now, func(name string) bool { return slices.Contains(left, name) }); !slices.Equal(now,
		v.names) {
		t.Fatalf("%d files stand there, %d were there", len(now), len(v.names))
	}
	for name, s := range v.versions(t) {
		switch s {
		case v.after[0][name]:
			as[0]++
		case v.after[1][name]:
			as[1]++
		case v.was[name]:
		default:
			t.Fatalf("%s is damaged", name)
		}
	}
	return as, left
}

// repair does a whole run, after which every page is as the policy makes it and no temporary file
// is left.
func (v *victim) repair(t *testing.T, n int) {
	t.Helper()
	start := time.Now()
	run(t, 0, v.args(n)...)
	v.took = time.Since(start)
	as, left := v.check(t)
	if len(left) > 0 {
		t.Errorf("temporary files stay: %s", strings.Join(left, ", "))
	}
	if as[n%2] != len(v.names) {
		t.Errorf("after a whole run %d of %d pages are not as the policy makes them", len(v.names)-as[n%2],
			len(v.names))
	}
}

// M6a: 40 runs, or 200, each killed, leave every page whole, and the next whole run repairs.
func TestKilledRunsLeaveWholePages(t *testing.T) {
	kills := choose(40, 200)
	v := newVictim(t, 2000, `found = "replace"`+"\n"+`default = "index, follow"`,
		`found = "replace"`+"\n"+`default = "noarchive"`)
	r := rand.New(rand.NewPCG(7, 8))
	middle, swept := 0, 0
	for n := range kills {
		v.kill(t, r, n)
		as, left := v.check(t)
		swept += len(left)
		if as[0] > 0 && as[1] > 0 {
			middle++
		}
		if n%20 >= 18 {
			v.repair(t, n)
		}
	}
	t.Logf("a whole run takes %v; after %d of %d kills pages of both policies stand there; %d temporary files were "+
		"swept", v.took, middle, kills, swept)
	if middle < kills/10 {
		t.Errorf("%d kills of %d struck while pages were written: too few to prove anything", middle, kills)
	}
}

// M7i: what a killed run has written is ours all the same, so that the policy can be loosened
// afterwards.
func TestKilledRunsRememberWhatIsOurs(t *testing.T) {
	v := newVictim(t, 500, `default = "index, follow"`, `default = "noarchive"`)
	r := rand.New(rand.NewPCG(9, 10))
	for n := range 40 {
		v.kill(t, r, n)
		v.check(t)
		if n%8 >= 6 {
			v.repair(t, n)
		}
		if t.Failed() {
			t.Fatalf("after %d kills", n+1)
		}
	}
}
