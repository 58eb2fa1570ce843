package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"metarobots/emit/robotstag"
	"metarobots/emit/robotstxt"
	"metarobots/internal/config"
	"metarobots/internal/crawlers"
	"metarobots/internal/crawlers/visits"
	"metarobots/internal/disk"
	"metarobots/internal/project"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

type logsCommand struct {
	command
	against, robots string // the snapshot, and the robots.txt that goes with it; empty for the site's
	since           string // a date
	crawlers        []string
	host            string // whose log it is, if the site has several
	requireRead     bool   // fails unless the crawlers have read each noindex
	dns             bool   // verifies crawlers by DNS, too
	now             string // a date; empty for the clock
}

func (c *logsCommand) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&c.against, "against", lockFile, "")
	flags.StringVar(&c.robots, "robots", "", "")
	flags.StringVar(&c.since, "since", "", "")
	flags.StringSliceVar(&c.crawlers, "crawler", nil, "")
	flags.StringVar(&c.host, "host", "", "")
	flags.BoolVar(&c.requireRead, "require-read", false, "")
	flags.BoolVar(&c.dns, "dns", false, "")
	flags.StringVar(&c.now, "now", "", "")
	c.addQuiet(flags)
	c.addJSON(flags)
	c.addVerbose(flags)
}

// run compares access logs with the decisions of a snapshot: who has read them, and who fetches
// what robots.txt disallows.
func (c *logsCommand) run() error {
	o := visits.TallyOptions{Verifier: crawlers.NewVerifier(), Host: c.host}
	if c.dns {
		o.Verifier.Resolver = net.DefaultResolver
	}
	now, err := config.Now(c.now, c.getenv)
	c.wrong(err)
	c.setOptions(&o)
	c.checkLogs()
	robotsFrom, err := c.readDecisions(&o)
	c.wrong(err)
	if err := c.invalid(); err != nil { // all that is wrong up to here
		return err
	}
	tally := visits.New(o)
	err = c.readLogs(tally)
	c.stderr.clear()
	if err != nil {
		return err
	}
	r := tally.Report()
	r.Decisions, r.Robots = c.against, robotsFrom
	if environment := o.Snapshot.Environment; environment != "" { // of a deployed site nobody knows it
		r.Decisions += ", environment " + environment
	}
	return c.printVisits(r, &o, now)
}

// printVisits prints the visits and their summary, and with --require-read returns the error of a
// crawler that has not read what it should.
func (c *logsCommand) printVisits(r *visits.Report, o *visits.TallyOptions, now time.Time) error {
	if !c.json {
		c.stdout.visits(r.Rows, c.mostLines())
	} else if err := c.printJSON(r); err != nil {
		return err
	}
	if !c.quiet {
		c.stderr.logSummary(r, o, now)
	}
	if c.requireRead {
		return requireRead(r.Crawlers)
	}
	return nil
}

// checkLogs keeps what is wrong with the names of the logs, before any is read.
func (c *logsCommand) checkLogs() {
	for i, name := range c.args {
		if name == "-" {
			if slices.Contains(c.args[:i], name) {
				c.wrongf("- stands for the standard input, which can be read once")
			}
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			c.wrong(ofFile(err))
		} else if info.IsDir() {
			c.wrongf("%s: a folder; name the logs in it", name)
		}
	}
}

// setOptions sets the crawlers and the date of o by the flags. What is wrong with a flag goes to
// [command.wrong]; o is then of no use.
func (c *logsCommand) setOptions(o *visits.TallyOptions) {
	var known []string
	for _, crawler := range crawlers.All() {
		known = append(known, crawler.Name)
	}
	for _, name := range c.crawlers {
		crawler := crawlers.Lookup(name)
		if crawler == nil {
			c.wrongf("--crawler: unknown crawler %q%s", name, policy.DidYouMeanCrawler(name, known))
		}
		o.Crawlers = append(o.Crawlers, crawler)
	}
	if c.since != "" {
		var err error
		if o.Since, err = policy.ParseDate(c.since); err != nil {
			c.wrongf("--since: %w", err)
		}
	}
	if c.requireRead && len(c.crawlers) == 0 {
		c.wrongf("--require-read: name the crawlers that must have read it, with --crawler")
	}
}

// maxRobots is how long a robots.txt may be, in bytes. Of one that is longer than crawlers read,
// they read the beginning.
const maxRobots = 16 << 20

// readDecisions reads what the log is compared with: the snapshot of --against, or the part of it
// that the log's host serves, and the robots.txt of that host. It sets Snapshot, Base and Robots of
// the options, and returns where that robots.txt is from, in words for the report; empty if nobody
// knows it. Host of the options is --host, which may be a base URL, and becomes its name.
func (c *logsCommand) readDecisions(o *visits.TallyOptions) (robotsFrom string, err error) {
	s, err := readSnapshot(c.against)
	if err != nil {
		return "", err
	}
	folder, base, err := folderOf(s, o.Host)
	if err != nil {
		return "", fmt.Errorf("%s: %w", c.against, err)
	}
	o.Snapshot, o.Base = s, strings.TrimSuffix(base.EscapedPath(), "/")
	if len(s.Hosts) > 0 {
		o.Snapshot = s.PartOfHost(folder)
	}
	isHostKnown := base.Host != "" // to the snapshot; else --host is compared as it is written
	if o.Host != "" && isHostKnown {
		o.Host = base.Hostname()
	}
	o.Robots, robotsFrom, err = c.readRobotsOf(s, folder, o.Base)
	return robotsFrom, err
}

// readRobotsOf returns the robots.txt of the host that serves a folder of a snapshot from a base
// path, and where it is from: the file of --robots, the snapshot, or if that knows none the first
// file in a folder where generators put pages, in the working directory. The file is nil if the
// host has none, and if nobody knows it; then from is empty too.
func (c *logsCommand) readRobotsOf(s *snapshot.Snapshot, folder, base string) (
	file *robotstxt.File, from string, err error) {
	switch {
	case c.robots != "":
		file, err = readRobots(c.robots)
		return file, c.robots, err
	case s.KnowsRobots(folder):
		if file = s.Host(folder).Robots.Behind(s.Managed); file == nil {
			return nil, "the site has none, by " + c.against, nil
		}
		return file, "as in " + c.against, nil
	case base != "": // crawlers read none below a path: the host's has to be given
		return nil, "", nil
	}
	for _, publish := range project.PublishFolders {
		name := filepath.Join(publish, filepath.FromSlash(folder), "robots.txt")
		if file, err = readRobots(name); err == nil {
			return file, name, nil
		}
	}
	return nil, "", nil
}

// readRobots reads a robots.txt of this machine, as crawlers read it.
func readRobots(file string) (*robotstxt.File, error) {
	data, err := disk.ReadFile(file, maxRobots)
	if err != nil {
		return nil, err
	}
	return robotstxt.Parse(data), nil
}

// folderOf is the folder of the publish root that a host serves, and its base URL. Of several hosts
// one has to be named: a log's /imprint/ is the page of one of them, and would be counted as read
// of another.
func folderOf(s *snapshot.Snapshot, host string) (folder string, base *url.URL, err error) {
	folder, base = "/", &url.URL{}
	n := 0
	for f, address := range s.Hosts {
		u, err := url.Parse(address)
		if err != nil {
			return "", nil, err
		}
		isNamed := host == address || strings.EqualFold(host, u.Hostname()) || strings.EqualFold(host, u.Host)
		if len(s.Hosts) == 1 || isNamed {
			folder, base, n = f, u, n+1
		}
	}
	if n == 1 || len(s.Hosts) == 0 {
		return folder, base, nil
	}
	return "", nil, fmt.Errorf("the site has several hosts, and a log is compared with one of them: name it, or "+
		"its base URL, with --host (%s)", strings.Join(slices.Sorted(maps.Values(s.Hosts)), ", "))
}

// readLogs reads the logs, one after the other. One of which no line can be read is no access log.
func (c *logsCommand) readLogs(tally *visits.Tally) (err error) {
	for _, name := range c.args {
		in := os.Stdin
		if name != "-" {
			if in, err = os.Open(name); err != nil {
				return err
			}
		}
		stats, err := tally.Read(c.cmd.Context(), name, in, func(n int) {
			c.progress(func() string { return fmt.Sprintf("%d requests", n) })
		})
		in.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if stats.Lines > 0 && stats.Lines == stats.Unreadable {
			c.wrongf("%s: no access log: %w", name, stats.Fault)
		}
	}
	return c.invalid()
}

// requireRead fails where a noindex has not been read, or where that is not known: a fetch may be
// from before it went live.
func requireRead(named []*visits.Seen) error {
	var errs []error
	for _, s := range named {
		if unread := s.Noindex - s.Read; unread > 0 {
			errs = append(errs, fmt.Errorf("%s has not read the noindex of %s",
				s.Crawler, robotstag.Count(unread, "URL", "URLs")))
		}
		if s.Undated > 0 {
			errs = append(errs, fmt.Errorf("%s has fetched %s; when they became noindex is unknown: add --since DATE",
				s.Crawler, robotstag.Count(s.Undated, "noindex URL", "noindex URLs")))
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return errors.Join(append(errs, errFailed)...)
}

var visitColors = map[visits.Effect]string{visits.Unread: yellow, visits.Hidden: red, visits.Disobeyed: red,
	visits.Read: green}

// visits prints the rows, and of one kind only so many.
func (p *printer) visits(rows []visits.Row, most int) {
	if len(rows) == 0 {
		return
	}
	table := [][]cell{{{faint, "URL"}, {faint, "DECISION"}, {faint, "CRAWLER"}, {faint, "FETCHES"},
		{faint, "LAST SEEN (UTC)"}, {faint, "STATUS"}, {faint, "READ"}}}
	for _, kind := range snapshot.Group(rows, func(r visits.Row) visits.Effect { return r.Effect }) {
		first, more := firstOf(kind, most)
		for _, r := range first {
			table = append(table, visitCells(r))
		}
		if more != "" {
			table = append(table, []cell{{faint, more}})
		}
	}
	p.table("", widest, table)
}

func visitCells(r visits.Row) []cell {
	decision, last, status := r.Decision, "never", ""
	if r.Disallowed != "" {
		decision = strings.TrimPrefix(fmt.Sprintf("%s; disallowed (robots.txt:%d)", decision, r.Line), "; ")
	}
	if r.Fetches > 0 {
		last, status = minute(r.Last), fmt.Sprint(r.Status)
	}
	read := map[visits.Effect]string{visits.Disobeyed: "although disallowed",
		visits.Ignored: "disallowed, which it may ignore", visits.Read: "read " + day(r.ReadAt),
		visits.Unread: "not yet: " + r.Reason, visits.Hidden: "cannot: " + r.Reason}[r.Effect]
	return []cell{{"", r.URL}, {"", cmp.Or(decision, "nothing")}, {"", r.Crawler}, {"", fmt.Sprint(r.Fetches)},
		{"", last}, {"", status}, {visitColors[r.Effect], read}}
}

// A logsSummary is what the template "logs" of logs' summary shows.
type logsSummary struct {
	Read              *visits.Report
	Options           *visits.TallyOptions
	Lines, Unreadable int              // of all logs
	Others            []string         // what was left out, and how often
	Private           int              // requests that claim to be a crawler's, from private addresses
	Unknown           int              // requests that may be a crawler's and that --dns may verify
	Old               []*crawlers.List // of address ranges, by which crawlers were verified
	Undated           bool             // fetches count that may be older than the noindex
}

// logSummary prints what was read, by whom, and which flags would show more. now says which address
// ranges are old.
func (p *printer) logSummary(read *visits.Report, o *visits.TallyOptions, now time.Time) {
	summary := logsSummary{Read: read, Options: o, Others: leftOut(read, o)}
	for _, log := range read.Logs {
		summary.Lines += log.Lines
		summary.Unreadable += log.Unreadable
	}
	for _, crawler := range read.Crawlers {
		summary.addCrawler(crawler, o.Verifier.List(crawlers.Lookup(crawler.Crawler)), now)
	}
	summary.Undated = slices.ContainsFunc(read.Rows, func(row visits.Row) bool {
		return row.Undated && (row.Effect == visits.Disobeyed || row.Read)
	})
	p.show("logs", summary)
}

// addCrawler adds what is not certain about a crawler's requests. ranges are its published
// addresses; nil if it publishes none.
func (s *logsSummary) addCrawler(seen *visits.Seen, ranges *crawlers.List, now time.Time) {
	s.Private += seen.Private
	if ranges == nil {
		return
	}
	if canAskDNS := ranges.Hosts != nil; canAskDNS {
		s.Unknown += seen.Unknown + seen.Claimed - seen.Private
	}
	if ranges.Old(now) && seen.Verified+seen.Claimed > 0 && !slices.Contains(s.Old, ranges) {
		s.Old = append(s.Old, ranges)
	}
}

// mostPrograms is how many unknown programs are named.
const mostPrograms = 5

// leftOut says how many of the readable lines count for no crawler of the table, and whose they
// are, so that all lines are accounted for: "3 requests of Foobot, a crawler that metarobots does
// not know".
func leftOut(read *visits.Report, o *visits.TallyOptions) (parts []string) {
	counts := &read.Counts
	add := func(requests int, whose string) {
		if requests > 0 {
			parts = append(parts, robotstag.Count(requests, "request", "requests")+" "+whose)
		}
	}
	byPeople := counts.NotCrawlers
	for _, program := range counts.Programs { // the most requests first
		byPeople -= program.Requests
	}
	named := counts.Programs[:min(mostPrograms, len(counts.Programs))]
	for _, program := range named {
		whose := "of " + program.Name + ", a crawler that metarobots does not know"
		if program.Disallowed > 0 {
			whose += fmt.Sprintf(": %d of what robots.txt disallows", program.Disallowed)
		}
		add(program.Requests, whose)
	}
	others := counts.Programs[len(named):]
	byOthers := 0
	for _, program := range others {
		byOthers += program.Requests
	}
	add(byOthers, fmt.Sprintf("of %d more such crawlers", len(others)))
	// Those of crawlers behind the first 1,000 unknown names are among them: see visits.Tally.
	add(byPeople, "of browsers and other programs that do not call themselves crawlers")
	add(counts.NotAsked, "of crawlers that --crawler does not name")
	add(counts.OtherHosts, "for other hosts than "+o.Host)
	return parts
}

func day(t time.Time) string    { return t.UTC().Format(time.DateOnly) }
func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }
