package cli

import (
	"cmp"
	"context"
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

	"github.com/spf13/cobra"

	"metarobots/emit/robotstxt"
	"metarobots/internal/accesslog"
	"metarobots/internal/config"
	"metarobots/internal/crawlers"
	"metarobots/internal/crawlers/visits"
	"metarobots/internal/disk"
	"metarobots/internal/printable"
	"metarobots/internal/project"
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
	dns      bool
	require  bool
	now      time.Time
	files    []logFile
}

func (c *command) logsCommand() *cobra.Command {
	l := &logs{options: visits.TallyOptions{Verifier: crawlers.NewVerifier()}}
	cmd := newCommand("logs", takes(1, unlimited, "%[1]s: name one access log or more, - for stdin"),
		func(cmd *cobra.Command, args []string) error { return c.logs(cmd, l, args) })
	f := cmd.Flags()
	f.StringVar(&l.against, "against", lockFile, "")
	f.StringVar(&l.robots, "robots", "", "")
	f.StringVar(&l.since, "since", "", "")
	f.StringSliceVar(&l.crawlers, "crawler", nil, "")
	f.StringVar(&l.options.Host, "host", "", "")
	f.BoolVar(&l.require, "require-read", false, "")
	f.BoolVar(&l.dns, "dns", false, "")
	f.StringVar(&c.options.Now, "now", "", "")
	c.outputFlags(f)
	return cmd
}

func (c *command) logs(cmd *cobra.Command, l *logs, args []string) error {
	var err error
	l.now, err = config.Now(c.options.Now, c.getenv)
	if err := errors.Join(err, notEmpty(cmd, "against", "robots", "since", "host"), l.check(), logsThere(args),
		l.decisions()); err != nil {
		return invalid(err)
	}
	if l.dns {
		l.options.Verifier.Resolver = net.DefaultResolver
	}
	tally := visits.New(l.options)
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
	}{report.Rows, report.Crawlers, report.Counts, l.from(), l.robots, l.files}); err != nil {
		return err
	}
	if !c.quiet {
		c.stderr.logSummary(report, l)
	}
	if l.require {
		return requireRead(report.Rows, l)
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
	if l.since != "" {
		var err error
		if l.options.Since, err = policy.ParseDate(l.since); err != nil {
			errs = append(errs, fmt.Errorf("--since: %w", err))
		}
	}
	if l.require && len(l.crawlers) == 0 {
		errs = append(errs, errors.New("--require-read: name the crawlers that must have read it, with --crawler"))
	}
	return errors.Join(errs...)
}

// logsThere checks that the logs can be opened.
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

// maxRobots is how long a robots.txt may be, in bytes. Of one that is longer than crawlers read, they read the
// beginning.
const maxRobots = 16 << 20

// decisions reads the snapshot, and the robots.txt that goes with it.
func (l *logs) decisions() error {
	o := &l.options
	s, err := readSnapshot(l.against)
	if errors.Is(err, os.ErrNotExist) {
		err = &printable.Help{Err: err, Lines: []string{"to write it: metarobots snapshot -o " + l.against}}
	}
	if err != nil {
		return err
	}
	root, base, err := folderOf(s, o.Host)
	if err != nil {
		return fmt.Errorf("%s: %w", l.against, err)
	}
	if o.Snapshot = s; len(s.Hosts) > 0 {
		o.Snapshot = s.Below(root)
	}
	if o.Base = strings.TrimSuffix(base.EscapedPath(), "/"); o.Host != "" && base.Host != "" {
		o.Host = base.Hostname()
	}
	files := []string{l.robots}
	if l.robots == "" {
		files = nil
		if o.Base == "" { // crawlers do not read the robots.txt of a folder: the host's has to be given
			for _, folder := range project.PublishFolders {
				files = append(files, filepath.Join(folder, filepath.FromSlash(root), "robots.txt"))
			}
		}
	}
	for _, file := range files {
		data, err := disk.ReadFile(file, maxRobots)
		switch {
		case err == nil:
			o.Robots, l.robots = robotstxt.Parse(data), file
			return nil
		case l.robots != "":
			return err
		}
	}
	return nil
}

// from says where the decisions are from.
func (l *logs) from() string { return l.against + ", environment " + l.options.Snapshot.Environment }

// folderOf is the folder of the publish root that a host serves, and its base URL. Of several hosts one has to be
// named: a log's /imprint/ is the page of one of them, and would be counted as read of another.
func folderOf(s *snapshot.Snapshot, host string) (folder string, base *url.URL, err error) {
	if len(s.Hosts) == 0 {
		return "/", &url.URL{}, nil
	}
	n := 0
	for _, f := range slices.Sorted(maps.Keys(s.Hosts)) {
		u, err := url.Parse(s.Hosts[f])
		if err != nil {
			return "", nil, err
		}
		if host == "" || len(s.Hosts) == 1 || strings.EqualFold(host, u.Hostname()) ||
			strings.EqualFold(host, u.Host) || host == s.Hosts[f] {
			folder, base, n = f, u, n+1
		}
	}
	if n == 1 {
		return folder, base, nil
	}
	return "", nil, fmt.Errorf("the site has several hosts, and a log is held against one at a time: --host names it "+
		"or its base URL (%s)", strings.Join(slices.Sorted(maps.Values(s.Hosts)), ", "))
}

// logFile is one log that was read.
type logFile struct {
	File       string `json:"file"`
	Lines      int    `json:"lines"`
	Unreadable int    `json:"unreadable"`
	Fault      error  `json:"-"`
}

// readLogs reads the logs, one after the other. One of which no line can be read is no access log.
func (c *command) readLogs(ctx context.Context, l *logs, names []string, tally *visits.Tally) error {
	var errs []error
	requests := 0
	add := func(e *accesslog.Entry) error {
		if requests++; requests%1000 == 0 {
			c.progress("%d requests", requests)
			if ctx.Err() != nil {
				return errors.New("interrupted")
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
				return err
			}
		}
		stats, err := accesslog.Read(in, add)
		in.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if stats.Lines > 0 && stats.Lines == stats.Unreadable {
			errs = append(errs, fmt.Errorf("%s: no access log: %w", name, stats.Fault))
		}
		l.files = append(l.files, logFile{name, stats.Lines, stats.Unreadable, stats.Fault})
	}
	return invalid(errors.Join(errs...))
}

// requireRead fails where a noindex has not been read, or where that is not known: a fetch may be from before it went
// live.
func requireRead(rows []visits.Row, l *logs) error {
	unread, undated := map[string]int{}, map[string]int{}
	days := l.options.Snapshot.Since()
	for _, r := range rows {
		switch {
		case r.Noindex && !r.Read:
			unread[r.Crawler]++
		case r.Noindex && l.since == "" && days[r.URL] == "":
			undated[r.Crawler]++
		}
	}
	var errs []error
	for _, c := range l.options.Crawlers {
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

// visits prints the rows, and of one kind only so many.
func (p *printer) visits(rows []visits.Row, most int) {
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
	last, status := "never", ""
	if r.Fetches > 0 {
		last, status = minute(r.Last), fmt.Sprint(r.Status)
	}
	read := cmp.Or(r.Reason, map[visits.Effect]string{visits.Disobeyed: "although disallowed",
		visits.Ignored: "disallowed, which it may ignore", visits.Read: "read " + day(r.ReadAt)}[r.Effect])
	switch r.Effect {
	case visits.Unread:
		read = "not yet: " + read
	case visits.Hidden:
		read = "cannot: " + read
	}
	return []cell{{"", r.URL}, {"", cmp.Or(decision, "nothing")}, {"", r.Crawler}, {"", fmt.Sprint(r.Fetches)},
		{"", last}, {"", status}, {visitColors[r.Effect], read}}
}

// logSummary prints what was read, by whom, and which flags would show more.
func (p *printer) logSummary(r *visits.Report, l *logs) {
	o := &l.options
	summary := struct {
		Report            *visits.Report
		Options           *visits.TallyOptions
		Decisions, Robots string
		Files             []logFile
		Lines, Unreadable int
		Private, Unknown  int              // requests that claim to be a crawler's; those that DNS may verify
		Old               []*crawlers.List // address ranges
		Undated           bool             // fetches count that may be older than the noindex
		Unanswered        string
	}{Report: r, Options: o, Decisions: l.from(), Robots: l.robots, Files: l.files,
		Unanswered: o.Verifier.Unanswered}
	for _, f := range l.files {
		summary.Lines, summary.Unreadable = summary.Lines+f.Lines, summary.Unreadable+f.Unreadable
	}
	for _, s := range r.Crawlers {
		summary.Private += s.Private
		list := o.Verifier.List(crawlers.Lookup(s.Crawler))
		if list != nil && list.Hosts != nil {
			summary.Unknown += s.Unknown + s.Claimed - s.Private
		}
		if list != nil && list.Old(l.now) && !slices.Contains(summary.Old, list) && s.Verified+s.Claimed > 0 {
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
