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
