// Rounds runs whole programs in turn, round after round, each over pages of its own, and prints
// medians and ratios. Only the ratios mean something on a machine with other work: they are taken
// within a round, and stand with their quartiles.
//
// With -before, an earlier metarobots takes its turn beside today's, and a last line compares the
// two.
//
//	rounds -pages N -rounds N -work DIR -metarobots FILE -generate FILE -floor FILE [-before FILE]
//	    [-peers FILE -scripts DIR] changing|same|peers
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

var (
	pages      = flag.Int("pages", 5000, "how many pages")
	rounds     = flag.Int("rounds", 7, "how many rounds")
	work       = flag.String("work", "", "a folder for the pages")
	metarobots = flag.String("metarobots", "", "the program")
	earlier    = flag.String("before", "", "an earlier version of the program")
	generate   = flag.String("generate", "", "the program that makes the pages")
	floor      = flag.String("floor", "", "the program that does the least")
	peers      = flag.String("peers", "", "the program that uses other parsers")
	scripts    = flag.String("scripts", "", "the folder of the scripts for Node")
)

// A contender is one program. The first of a list is what the others are compared with.
type contender struct {
	name   string
	before func(site string, round int) // a round
	// isEmpty says that it has no pages.
	isEmpty bool
	args    func(site string, round int) []string
	wall    []time.Duration
	cpu     []time.Duration
	peak    int64 // kilobytes
}

// content differs from round to round, so that every page changes.
func content(round int) string { return []string{"noindex, follow", "noindex, nofollow"}[round%2] }

func main() {
	flag.Parse()
	check(os.MkdirAll(*work, 0o755))
	// Each contender has a folder of its own, with its policies in it: what lies beside a site is
	// read too. A whole site that is noindex fails the guard (exit code 1) and is written all the
	// same.
	policy := func(site string, round int) string {
		return filepath.Join(filepath.Dir(site), fmt.Sprintf("%d.toml", round%2))
	}
	apply := contender{name: "metarobots apply", args: func(site string, round int) []string {
		return []string{*metarobots, "apply", "--force", "--quiet", "-e", "production", "--policy", policy(site, round), site}
	}}
	w := strconv.Itoa(max(4, 2*runtime.NumCPU())) // as many workers as metarobots has on this machine
	least := func(mode string) contender {
		return contender{name: mode, args: func(site string, _ int) []string { return []string{*floor, mode, site, w} }}
	}
	script := func(name string) contender {
		return contender{name: name, args: func(site string, round int) []string {
			return []string{"node", filepath.Join(*scripts, name+".mjs"), site, content(round)}
		}}
	}
	peer := func(name string) contender {
		return contender{name: name, args: func(site string, round int) []string {
			return []string{*peers, name, site, content(round)}
		}}
	}
	var all []contender
	changing := true
	switch flag.Arg(0) {
	case "changing":
		all = []contender{least("rewrite"), least("raw"), apply}
	case "same":
		changing = false
		command := func(folder string, words ...string) func(string, int) []string {
			return func(site string, _ int) []string {
				return append(append([]string{*metarobots}, words...), "--quiet", "-e", "production", "--policy",
					policy(site, 0), site+folder)
			}
		}
		all = []contender{least("lstat"), least("read"), {name: "metarobots check", args: command("", "check")},
			{name: "metarobots apply, one page is new", before: touch, args: command("", "apply", "--force")},
			{name: "metarobots check of no pages", isEmpty: true, args: command("-empty", "check")}}
	case "peers":
		all = []contender{apply, peer("xnet"), peer("goquery"), script("lolhtml"), script("cheerio")}
	default:
		check(fmt.Errorf("rounds changing|same|peers"))
	}
	if *earlier != "" {
		all = withEarlier(all)
	}
	site := func(c *contender) string {
		return filepath.Join(*work, strings.ReplaceAll(c.name, " ", "-"), "site")
	}
	for i := range all {
		check(os.RemoveAll(filepath.Dir(site(&all[i]))))
		check(os.MkdirAll(site(&all[i])+"-empty", 0o755))
		check(os.WriteFile(filepath.Join(site(&all[i])+"-empty", "style.css"), nil, 0o644)) // an empty folder is an error
		for round := range 2 {
			check(os.WriteFile(policy(site(&all[i]), round),
				[]byte("[robots]\nfound = \"replace\"\ndefault = \""+content(round)+"\"\nguard.noindex = "+
					"1.0\nheaders.targets = [\"none\"]\n"), 0o644))
		}
		if all[i].isEmpty {
			continue
		}
		run(*generate, site(&all[i]), strconv.Itoa(*pages))
		for range 2 { // the second one knows what the first one left
			if !changing {
				applied := apply.args(site(&all[i]), 0)
				if strings.HasSuffix(all[i].name, beforeSuffix) {
					applied[0] = *earlier
				}
				run(applied...)
			}
		}
	}
	for round := range *rounds + 1 { // the first warms up
		for i := range all {
			c := &all[i]
			if c.before != nil {
				c.before(site(c), round)
			}
			wall, cpu, peak := run(c.args(site(c), round)...)
			if round == 0 {
				verify(c, site(c), round, changing)
				continue
			}
			c.wall, c.cpu, c.peak = append(c.wall, wall), append(c.cpu, cpu), max(c.peak, peak)
		}
	}
	fmt.Printf("%d pages, medians of %d rounds\n\n| program | wall ms | CPU ms | wall | CPU | peak MB "+
		"|\n|---|---|---|---|---|---|\n", *pages, *rounds)
	for _, c := range all {
		fmt.Printf("| %s | %.0f | %.0f | %s | %s | %.0f |\n", c.name, ms(median(c.wall)), ms(median(c.cpu)),
			quartiles(ratios(c.wall, all[0].wall)), quartiles(ratios(c.cpu, all[0].cpu)), float64(c.peak)/1024)
	}
	for i, c := range all {
		if strings.HasSuffix(c.name, beforeSuffix) {
			now := all[i-1]
			fmt.Printf("\n%s over an earlier version: wall %s, CPU %s\n", now.name,
				quartiles(ratios(now.wall, c.wall)), quartiles(ratios(now.cpu, c.cpu)))
		}
		check(os.RemoveAll(filepath.Dir(site(&all[i]))))
	}
}

// beforeSuffix ends the name of an earlier program's run.
const beforeSuffix = ", before"

// withEarlier puts the earlier version's run behind each run of metarobots.
func withEarlier(all []contender) (both []contender) {
	for _, c := range all {
		both = append(both, c)
		if args := c.args; args("", 0)[0] == *metarobots {
			c.name += beforeSuffix
			c.args = func(site string, round int) []string {
				return append([]string{*earlier}, args(site, round)[1:]...)
			}
			both = append(both, c)
		}
	}
	return both
}

// verify checks that a program has done its job at all.
func verify(c *contender, site string, round int, changing bool) {
	if !changing || strings.HasPrefix(c.args("", 0)[0], *floor) {
		return
	}
	count, done := 0, 0
	check(filepath.WalkDir(site, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		count++
		head, _, _ := bytes.Cut(data, []byte("</head>"))
		if bytes.Contains(head, []byte(`content="`+content(round)+`"`)) {
			done++
		}
		return err
	}))
	if count != *pages || done != count {
		check(fmt.Errorf("%s did %d of %d pages", c.name, done, count))
	}
}

// run runs a program and tells what it took.
func run(args ...string) (wall, cpu time.Duration, peak int64) {
	c := exec.Command(args[0], args[1:]...)
	var errs bytes.Buffer
	c.Stderr = &errs
	start := time.Now()
	err := c.Run()
	wall = time.Since(start)
	if s := c.ProcessState; s == nil || s.ExitCode() > 1 || s.ExitCode() == 1 && args[0] != *metarobots && args[0] != *earlier {
		check(fmt.Errorf("%s: %v\n%s", strings.Join(args, " "), err, &errs))
	}
	usage := c.ProcessState.SysUsage().(*syscall.Rusage)
	return wall, c.ProcessState.UserTime() + c.ProcessState.SystemTime(), usage.Maxrss
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func ratios(a, b []time.Duration) (r []float64) {
	for i := range a {
		r = append(r, float64(a[i])/float64(b[i]))
	}
	return r
}

// touch makes the first page anew, as a generator does.
func touch(site string, round int) {
	var first string
	check(filepath.WalkDir(site, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			first = name
			return fs.SkipAll
		}
		return err
	}))
	check(os.WriteFile(first, fmt.Appendf(nil, "<!doctype html><title>%d</title>", round), 0o644))
}

// quartiles are the median and the quartiles around it.
func quartiles(s []float64) string {
	slices.Sort(s)
	return fmt.Sprintf("%.2f (%.2f–%.2f)", s[len(s)/2], s[len(s)/4], s[len(s)*3/4])
}

func median[T cmp.Ordered](s []T) T {
	s = slices.Sorted(slices.Values(s))
	return s[len(s)/2]
}
