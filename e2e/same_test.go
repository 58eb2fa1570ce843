//go:build e2e

package e2e

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"metarobots/internal/tables"
)

// A change of the program that is to change nothing is proved by running the program from before
// it and the one from after it on the same sites:
//
//	BEFORE=/tmp/metarobots.before go test -tags e2e -run TestSame ./e2e
//
// AFTER is the other program; without it, it is the one that these tests build. SITES is how many
// random sites there are, 1000 without it, and SEED the first of them. Both programs run each order
// in the same folder in turn, on a fresh copy of the site, so that no path differs. Each published
// byte, standard output, standard error and the exit code are compared as they are: nothing is
// normalised. KEEP is a folder for the sites that differ, with what both programs said where it
// differs. What is not compared is the record of what metarobots has written.
func TestSame_SitesAreServedAndReportedAsBefore(t *testing.T) {
	before, after := samePrograms(t)
	c := newComparison(t, before, after)
	var trials []*trial
	cases := map[string]bool{}
	for _, e := range lawEngines {
		for _, s := range lawCases(t, e.name) {
			if !cases[s.name] {
				trials = append(trials, &trial{s.name, s.files, siteOrders(1, s.publishes())})
			}
			cases[s.name] = true
		}
	}
	sources := sameSources(t)
	first := lawSeed()
	for seed := first; seed < first+sameSites(1000); seed++ {
		trials = append(trials, randomTrial(seed, sources))
	}
	c.runAll(trials)
	c.report()
}

// The same for sites that Hugo builds: site-example, and the small sites that each have a feature
// of Hugo's. It needs two programs that have Hugo in them.
func TestSame_HugoSitesAreBuiltAsBefore(t *testing.T) {
	before, after := samePrograms(t)
	for _, program := range []string{before, after} {
		help, _ := exec.Command(program, "build", "--help").Output()
		if hasHugo := bytes.Contains(help, []byte("--buildDrafts")); !hasHugo {
			t.Skipf("%s has no Hugo in it", program)
		}
	}
	c := newComparison(t, before, after)
	c.runAll(hugoTrials(t, lawSeed(), sameSites(60)))
	c.report()
}

// samePrograms are the absolute paths of the two programs, by the environment. Without the first
// the test is skipped.
func samePrograms(t *testing.T) (before, after string) {
	t.Helper()
	if os.Getenv("BEFORE") == "" {
		t.Skip("it compares two programs: set BEFORE to the one from before a change")
	}
	before = tables.Value(filepath.Abs(os.Getenv("BEFORE")))(t)
	after = tables.Value(filepath.Abs(cmp.Or(os.Getenv("AFTER"), program)))(t)
	return before, after
}

// sameSites is how many random sites are asked for.
func sameSites(usual int) int {
	if n, err := strconv.Atoi(os.Getenv("SITES")); err == nil {
		return n
	}
	return usual
}

// A trial is a site, and the orders that both programs run on it, one after the other.
type trial struct {
	name   string // by which it is made again
	files  map[string]string
	orders []order
}

// An order is one run of a program in the folder of a site.
type order struct {
	name string
	args []string
	// edits are files that are written before it.
	edits map[string]string
	// writes tells that the site's files are compared after it.
	writes bool
}

// An account is what an order left: "stdout", "stderr", "exit code", and each file by its name.
type account map[string]string

// understood is the trial without what the earlier program refuses and the later one takes: the
// orders that it does not know, and one line of the policy. It is the trial itself if there is
// nothing of that kind. Once without a line, both programs run again, and may refuse another one.
func (of *trial) understood(before, after []account) *trial {
	older := *of
	older.orders = knownOrders(of.orders, before, after)
	older.files = withoutPolicyLine(of.files, refusedLine(before, after))
	if len(older.orders) == len(of.orders) && older.files[policyFile] == of.files[policyFile] {
		return of
	}
	return &older
}

// knownOrders are the orders without those that have a flag or a command which the earlier program
// does not know.
func knownOrders(orders []order, before, after []account) (known []order) {
	for i, o := range orders {
		isNew := unknownFlag.MatchString(before[i]["stderr"]) && !unknownFlag.MatchString(after[i]["stderr"])
		if !isNew {
			known = append(known, o)
		}
	}
	return known
}

// refusedLine is the last line of the policy that only the earlier program calls wrong; 0 for none.
func refusedLine(before, after []account) (last int) {
	for i := range before {
		for _, m := range faultOfPolicy.FindAllStringSubmatch(before[i]["stderr"], -1) {
			if !strings.Contains(after[i]["stderr"], m[0]) {
				line, _ := strconv.Atoi(m[1])
				last = max(last, line)
			}
		}
	}
	return last
}

// withoutPolicyLine are the files of a site without one line of its policy, from 1, or without the
// whole table that the line begins. They are the same if there is no such line.
func withoutPolicyLine(files map[string]string, line int) map[string]string {
	lines := strings.SplitAfter(files[policyFile], "\n")
	if line < 1 || line > len(lines) {
		return files
	}
	beginsTable := func(line string) bool { return strings.HasPrefix(line, "[") }
	end := line
	if beginsTable(lines[line-1]) {
		for end < len(lines) && !beginsTable(lines[end]) {
			end++
		}
	}
	fewer := maps.Clone(files)
	fewer[policyFile] = strings.Join(slices.Delete(lines, line-1, end), "")
	return fewer
}

// policyFile has the policy of each site but site-example.
const policyFile = "metarobots.toml"

var (
	unknownFlag   = regexp.MustCompile(`(?m)^error: unknown (shorthand )?(flag|command)`)
	faultOfPolicy = regexp.MustCompile(`(?m)^error: metarobots\.toml:(\d+): .*`)
)

// A comparison of two programs counts what is compared and gathers what differs.
type comparison struct {
	t             *testing.T
	before, after string
	keep          string // a folder, "" for none

	mu                              sync.Mutex
	sites, orders, files, differing int
	differences                     []difference
	exits                           map[string]int // how often each order ended with each code
}

func newComparison(t *testing.T, before, after string) *comparison {
	t.Helper()
	return &comparison{t: t, before: before, after: after, keep: os.Getenv("KEEP"), exits: map[string]int{}}
}

// runAll shares the trials out to as many workers as there are processors.
func (c *comparison) runAll(trials []*trial) {
	c.t.Helper()
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.NumCPU() {
		w := newWorker(c.t)
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(trials)); i = next.Add(1) - 1 {
				c.compare(w, trials[i])
			}
		})
	}
	workers.Wait()
}

// compare runs both programs on a site. What the earlier one does not know yet, flags and lines of
// the policy, goes from the site first, since nothing else could be compared then.
func (c *comparison) compare(w *worker, of *trial) {
	before, after := w.run(c.before, of), w.run(c.after, of)
	for range 12 {
		older := of.understood(before, after)
		if older == of {
			break
		}
		of = older
		before, after = w.run(c.before, of), w.run(c.after, of)
	}
	c.judge(of, before, after)
}

// judge compares the accounts of one trial, order by order.
func (c *comparison) judge(of *trial, before, after []account) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sites++
	var found []difference
	for i, o := range of.orders {
		c.orders++
		c.exits[o.name+" "+before[i]["exit code"]]++
		names := maps.Clone(before[i])
		maps.Copy(names, after[i])
		for _, name := range sortedKeys(names) {
			if _, stream := streams[name]; !stream {
				c.files++
			}
			if was, is := before[i].told(name), after[i].told(name); was != is {
				found = append(found, difference{of, o.name, name, was, is})
			}
		}
	}
	if len(found) > 0 {
		c.differing++
		c.differences = append(c.differences, found...)
	}
	if len(found) > 0 && c.keep != "" {
		c.keepSite(of, before, after)
	}
}

// streams are the parts of an account that are no files.
var streams = map[string]bool{"stdout": true, "stderr": true, "exit code": true}

// told is a part of an account; a file that is not there differs from an empty one.
func (a account) told(name string) string {
	if text, ok := a[name]; ok {
		return text
	}
	return "(there is no such file)\n"
}

// keepSite writes the site of a trial to the folder for those that differ, and beside it what each
// program said.
func (c *comparison) keepSite(of *trial, before, after []account) {
	dir := filepath.Join(c.keep, strings.Map(func(r rune) rune {
		if strings.ContainsRune(` "/,()`, r) {
			return '-'
		}
		return r
	}, of.name))
	tables.Write(c.t, filepath.Join(dir, "site"), of.files)
	for program, accounts := range map[string][]account{"before": before, "after": after} {
		for i, a := range accounts {
			if maps.Equal(before[i], after[i]) {
				continue
			}
			tables.Write(c.t, filepath.Join(dir, program, fmt.Sprintf("%02d %s", i, of.orders[i].name)), a)
		}
	}
}

// A worker runs trials in one folder, which a server of its own serves.
type worker struct {
	t   *testing.T
	dir string
	// home is where programs keep what is no part of the site.
	home    string
	address string
}

func newWorker(t *testing.T) *worker {
	t.Helper()
	w := &worker{t: t, dir: filepath.Join(t.TempDir(), "site"), home: t.TempDir()}
	server := httptest.NewServer(http.HandlerFunc(w.serve))
	t.Cleanup(server.Close)
	w.address = server.URL + "/"
	return w
}

// run runs the orders of a trial on a fresh copy of its site.
func (w *worker) run(program string, of *trial) (accounts []account) {
	w.clear()
	w.write(of.files)
	for _, o := range of.orders {
		w.write(o.edits)
		var args []string
		for _, arg := range o.args {
			args = append(args, strings.ReplaceAll(arg, deployed, w.address))
		}
		run := exec.Command(program, args...)
		run.Dir = w.dir
		run.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "XDG_CACHE_HOME=" + w.cache(),
			"SOURCE_DATE_EPOCH=1796000000"}
		var out, errs bytes.Buffer
		run.Stdout, run.Stderr = &out, &errs
		run.Run()
		a := account{"stdout": out.String(), "stderr": errs.String(),
			"exit code": strconv.Itoa(run.ProcessState.ExitCode())}
		if o.writes {
			maps.Copy(a, w.tree())
		}
		accounts = append(accounts, a)
	}
	return accounts
}

// deployed is what an order's arguments have in place of the address of the worker's server.
const deployed = "DEPLOYED"

// clear removes the site of the trial before, and what was kept of it.
func (w *worker) clear() {
	os.RemoveAll(w.dir)
	os.RemoveAll(w.home)
	os.MkdirAll(w.dir, 0o755)
	os.MkdirAll(w.cache(), 0o755) // else Hugo keeps it where all its builds do
}

// cache is the folder of what programs keep from run to run.
func (w *worker) cache() string { return filepath.Join(w.home, "cache") }

// write lays files into the site, all of them with one time.
func (w *worker) write(files map[string]string) {
	tables.Write(w.t, w.dir, files)
	for name := range files {
		day := time.Unix(1795000000, 0)
		os.Chtimes(filepath.Join(w.dir, name), day, day)
	}
}

// tree are the files of the site without the record of what metarobots has written, which is its
// own and may change from one version to the next.
func (w *worker) tree() map[string]string {
	files := tables.Tree(w.t, w.dir)
	maps.DeleteFunc(files, func(name, _ string) bool {
		return strings.HasPrefix(name, ".metarobots/") || strings.Contains(name, "/.metarobots/")
	})
	return files
}

// serve answers with what is published: a file by its name, without its .html, or as the index of
// its folder, all of it with the addresses of this server. Of the documents each second one has a
// header, so that verify finds both what it expects and what it does not.
func (w *worker) serve(answer http.ResponseWriter, ask *http.Request) {
	for _, end := range []string{"", ".html", "/index.html", "index.html"} {
		name := filepath.Join(w.dir, "public", filepath.FromSlash(ask.URL.Path+end))
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		data, err := io.ReadAll(f)
		f.Close()
		if err != nil {
			continue // a folder
		}
		switch filepath.Ext(name) {
		case ".html", ".htm":
			answer.Header().Set("Content-Type", "text/html; charset=utf-8")
		case ".pdf":
			answer.Header().Set("Content-Type", "application/pdf")
			if len(name)%2 == 0 {
				answer.Header().Set("X-Robots-Tag", "noindex, nofollow")
			}
		case ".xml":
			answer.Header().Set("Content-Type", "application/xml")
		default:
			answer.Header().Set("Content-Type", "text/plain; charset=utf-8")
		}
		answer.Write(bytes.ReplaceAll(data, []byte("https://example.org/"), []byte(w.address)))
		return
	}
	http.NotFound(answer, ask)
}

// report prints what was compared and the groups of what differs, and fails if anything does.
func (c *comparison) report() {
	c.t.Helper()
	c.t.Logf("compared: %d sites, %d orders (%s), %d files; %d sites differ, in %d places", c.sites,
		c.orders,
		c.exitCodes(), c.files, c.differing, len(c.differences))
	slices.SortStableFunc(c.differences, func(a, b difference) int {
		return strings.Compare(a.site.name,
			b.site.name)
	})
	for _, g := range groupsOf(c.differences) {
		c.t.Error(g)
	}
}

// exitCodes tells how the orders ended: a comparison of runs that all fail early proves little.
func (c *comparison) exitCodes() string {
	codes := map[string]int{}
	for order, n := range c.exits {
		codes["exit "+order[strings.LastIndexByte(order, ' ')+1:]] += n
	}
	var said []string
	for _, code := range sortedKeys(codes) {
		said = append(said, fmt.Sprintf("%s: %d", code, codes[code]))
	}
	return strings.Join(said, ", ")
}
