package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"metarobots/emit/robotstxt"
	"metarobots/internal/accesslog"
	"metarobots/internal/config"
	"metarobots/internal/crawlers"
	"metarobots/internal/crawlers/visits"
	"metarobots/internal/disk"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// logs is one run of logs: its flags, and what they lead to.
type logs struct {
	options  visits.TallyOptions
	against  string
	robots   string
	since    string
	crawlers []string
	ranges   []string
	dns      bool
	require  bool

	decisions  string // where they are from
	robotsFrom string
	now        time.Time
	files      []logFile
}

func (c *command) logsCommand() *cobra.Command {
	l := &logs{options: visits.TallyOptions{Verifier: crawlers.NewVerifier()}}
	cmd := newCommand("logs", takes(1, unlimited, "%[1]s: name one access log or more, - for stdin"),
		func(cmd *cobra.Command, args []string) error { return c.logs(cmd, l, args) })
	f, o := cmd.Flags(), &l.options
	f.StringVar(&l.against, "against", "", "")
	f.StringVar(&l.robots, "robots", "", "")
	f.StringVar(&l.since, "since", "", "")
	f.StringSliceVar(&l.crawlers, "crawler", nil, "")
	f.StringSliceVar(&o.Hosts, "host", nil, "")
	f.BoolVar(&l.require, "require-read", false, "")
	f.StringSliceVar(&l.ranges, "ranges", nil, "")
	f.BoolVar(&l.dns, "dns", false, "")
	f.IntVar(&o.Proxies, "forwarded", 0, "")
	f.Lookup("forwarded").NoOptDefVal = "1"
	c.siteFlags(cmd)
	return cmd
}

func (c *command) logs(cmd *cobra.Command, l *logs, args []string) error {
	o := &l.options
	var err error
	l.now, err = config.Now(c.options.Now, c.getenv)
	err = errors.Join(err, notEmpty(cmd, "against", "robots", "since"), l.check(), readRanges(o.Verifier, l.ranges),
		logsThere(args))
	if err != nil {
		return invalid(err)
	}
	if l.dns {
		o.Verifier.Resolver = net.DefaultResolver
	}
	if err := c.logDecisions(cmd, l); err != nil {
		return err
	}
	if l.robots != "" {
		data, err := disk.ReadFile(l.robots, maxRobots)
		if err != nil {
			return invalid(err)
		}
		o.Robots, l.robotsFrom = robotstxt.Parse(data), l.robots
	}
	tally := visits.New(*o)
	err = c.readLogs(cmd.Context(), l, args, tally)
	c.stderr.clear()
	if err != nil {
		return err
	}
	report := tally.Report()
	if !c.json {
		c.stdout.visits(report.Rows, c.most())
	} else if err := c.printJSON(struct {
		Rows      []visits.Row   `json:"results"`
		Crawlers  []*visits.Seen `json:"crawlers"`
		Counts    visits.Counts  `json:"summary"`
		Decisions string         `json:"decisions"`
		Robots    string         `json:"robots"`
		Files     []logFile      `json:"files"`
	}{report.Rows, report.Crawlers, report.Counts, l.decisions, l.robotsFrom, l.files}); err != nil {
		return err
	}
	if !c.quiet {
		c.stderr.logSummary(report, l)
	}
	if l.require {
		return requireRead(report.Rows, o)
	}
	return nil
}

// check reads the flags that can be wrong.
func (l *logs) check() error {
	var errs []error
	for _, name := range l.crawlers {
		crawler := crawlers.Lookup(name)
		if crawler == nil {
			var names []string
			for _, known := range crawlers.All() {
				names = append(names, known.Name)
			}
			errs = append(errs, fmt.Errorf("--crawler: unknown crawler %q%s", name, policy.DidYouMean(name, names)))
		}
		l.options.Crawlers = append(l.options.Crawlers, crawler)
	}
	if l.since != "" && l.since != "snapshot" {
		var err error
		if l.options.Since, err = policy.ParseDate(l.since); err != nil {
			errs = append(errs, fmt.Errorf("--since: %w, nor is it snapshot", err))
		}
	}
	if l.require && len(l.crawlers) == 0 {
		errs = append(errs, errors.New("--require-read: name the crawlers that must have read it, with --crawler"))
	}
	if l.options.Proxies < 0 {
		errs = append(errs, fmt.Errorf("--forwarded: %d is not a number of proxies", l.options.Proxies))
	}
	return errors.Join(errs...)
}

// logsThere checks, before a site is planned, that the logs can be opened.
func logsThere(names []string) error {
	var errs []error
	for i, name := range names {
		info, err := os.Stat(name)
		switch {
		case name == "-" && slices.Contains(names[:i], "-"):
			errs = append(errs, errors.New("- stands for the standard input, which can be read once"))
		case name == "-":
		case err != nil:
			errs = append(errs, ofFile(err))
		case info.IsDir():
			errs = append(errs, fmt.Errorf("%s: a folder; name the logs in it", name))
		}
	}
	return errors.Join(errs...)
}

// readRanges gives publishers' files to the verifier. Of a folder, those with a name that is known.
func readRanges(v *crawlers.Verifier, names []string) error {
	var errs []error
	for _, name := range names {
		files := []string{name}
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			files = nil
			for _, file := range v.FileNames() {
				file = filepath.Join(name, file)
				if _, err := os.Stat(file); err == nil {
					files = append(files, file)
				}
			}
			if len(files) == 0 {
				errs = append(errs, fmt.Errorf("%s: none of the files that publishers serve: %s", name,
					strings.Join(v.FileNames(), ", ")))
			}
		}
		for _, file := range files {
			f, err := os.Open(file)
			if err == nil {
				err = v.Load(file, f)
				f.Close()
			}
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// logFile is one log that was read.
type logFile struct {
	File       string            `json:"file"`
	Lines      int               `json:"lines"`
	Unreadable int               `json:"unreadable"`
	Faults     []accesslog.Fault `json:"-"`
	More       int               `json:"-"` // lines that cannot be read beside them
}

// readLogs reads the logs, one after the other. One of which no line can be read is no access log.
func (c *command) readLogs(ctx context.Context, l *logs, names []string, tally *visits.Tally) error {
	var errs []error
	requests := 0
	add := func(e *accesslog.Entry) error {
		if requests++; requests%1000 == 0 {
			c.progress("%d requests", requests)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		tally.Add(ctx, e)
		return nil
	}
	for _, name := range names {
		in := os.Stdin
		if name != "-" {
			var err error
			if in, err = os.Open(name); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		stats, err := accesslog.Read(in, add)
		in.Close()
		switch {
		case ctx.Err() != nil:
			return errors.New("interrupted")
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		case stats.Lines > 0 && stats.Lines == stats.Unreadable:
			f := stats.Faults[0]
			errs = append(errs, fmt.Errorf("%s:%d: %w; none of its %s can be read (Common, Combined, JSON of nginx "+
				"or Caddy)", name, f.Line, f.Err, count(stats.Lines, "line")))
		}
		l.files = append(l.files, logFile{name, stats.Lines, stats.Unreadable, stats.Faults,
			stats.Unreadable - len(stats.Faults)})
	}
	return invalid(errors.Join(errs...))
}

// requireRead fails where a noindex has not been read, or where that is not known: a fetch may be from before it went
// live.
func requireRead(rows []visits.Row, o *visits.TallyOptions) error {
	unread, undated := map[string]int{}, map[string]int{}
	days := o.Snapshot.Since()
	for _, r := range rows {
		switch {
		case r.Noindex && !r.Read:
			unread[r.Crawler]++
		case r.Noindex && o.Since.IsZero() && days[r.URL] == "":
			undated[r.Crawler]++
		}
	}
	var errs []error
	for _, c := range o.Crawlers {
		if n := unread[c.Name]; n > 0 {
			errs = append(errs, fmt.Errorf("%s has not read the noindex of %s", c.Name, count(n, "URL")))
		}
		if n := undated[c.Name]; n > 0 {
			errs = append(errs, fmt.Errorf("%s has fetched %s; when they became noindex is unknown: "+
				"add --since DATE", c.Name, count(n, "noindex URL")))
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return &exitError{exitFailed, errors.Join(errs...)}
}

var visitColors = map[visits.Effect]string{visits.Unread: yellow, visits.Hidden: red, visits.Disobeyed: red,
	visits.Read: green}

// visits prints the rows that matter: not those of pages that nothing restricts, and of one kind only so many.
func (p *printer) visits(rows []visits.Row, most int) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r visits.Row) bool { return r.Effect == visits.Fetched })
	if len(rows) == 0 {
		return
	}
	table := [][]cell{{{faint, "URL"}, {faint, "DECISION"}, {faint, "CRAWLER"}, {faint, "FETCHES"},
		{faint, "LAST SEEN (UTC)"}, {faint, "STATUS"}, {faint, "READ"}}}
	for _, kind := range snapshot.Group(rows, func(r visits.Row) visits.Effect { return r.Effect }) {
		first, more := shown(kind, most)
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
	decision := r.Decision
	if r.Disallowed != "" {
		decision = strings.TrimPrefix(fmt.Sprintf("%s; disallowed (robots.txt:%d)", decision, r.Line), "; ")
	}
	if decision == "" {
		decision = "nothing"
	}
	fetches, last, status := fmt.Sprint(r.Fetches), "never", ""
	if r.WithQuery > 0 {
		fetches += fmt.Sprintf(" (+%d with ?)", r.WithQuery)
	}
	if r.Fetches > 0 {
		last, status = minute(r.Last), fmt.Sprint(r.Status)
	}
	read := map[visits.Effect]string{
		visits.Unread: "not yet", visits.Hidden: "cannot", visits.Disobeyed: "although disallowed",
		visits.Ignored: "disallowed, which it may ignore", visits.Read: "read",
		visits.Obeyed: "not since it is disallowed",
	}[r.Effect]
	switch {
	case r.Reason != "":
		read += ": " + r.Reason
	case r.Effect == visits.Read:
		read += " " + day(r.ReadAt)
	}
	return []cell{{"", r.URL}, {"", decision}, {"", r.Crawler}, {"", fetches}, {"", last}, {"", status},
		{visitColors[r.Effect], read}}
}

// logSummary prints what was read, by whom, and which flags would show more.
func (p *printer) logSummary(r *visits.Report, l *logs) {
	o := &l.options
	summary := struct {
		Report                   *visits.Report
		Options                  *visits.TallyOptions
		Decisions, Robots        string
		Files                    []logFile
		Lines, Unreadable        int
		Private, Public, Unknown int              // requests that claim to be a crawler's; those that DNS may verify
		Old                      []*crawlers.List // address ranges
		Undated                  bool             // fetches count that may be older than the noindex
		Unanswered               string
	}{Report: r, Options: o, Decisions: l.decisions, Robots: l.robotsFrom, Files: l.files,
		Unanswered: o.Verifier.Unanswered()}
	for _, f := range l.files {
		summary.Lines, summary.Unreadable = summary.Lines+f.Lines, summary.Unreadable+f.Unreadable
	}
	for _, s := range r.Crawlers {
		crawler := crawlers.Lookup(s.Crawler)
		summary.Private, summary.Public = summary.Private+s.Private, summary.Public+s.Claimed+s.Unknown-s.Private
		if o.Verifier.Hosts(crawler) != nil {
			summary.Unknown += s.Unknown + s.Claimed
		}
		if list := o.Verifier.List(crawler); list != nil && list.Old(l.now) && !slices.Contains(summary.Old, list) &&
			s.Verified+s.Claimed > 0 {
			summary.Old = append(summary.Old, list)
		}
	}
	days := o.Snapshot.Since()
	summary.Undated = o.Since.IsZero() && slices.ContainsFunc(r.Rows, func(row visits.Row) bool {
		return row.Effect == visits.Disobeyed || row.Read && days[row.URL] == ""
	})
	p.show("logs", summary)
}

func day(t time.Time) string    { return t.UTC().Format(time.DateOnly) }
func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }
