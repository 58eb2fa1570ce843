package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"metarobots/emit/robotstxt"
	"metarobots/internal/accesslog"
	"metarobots/internal/crawlers"
	"metarobots/internal/crawlers/visits"
	"metarobots/internal/disk"
	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// logs are the flags of logs.
type logs struct {
	against      string
	robots       string
	since        string
	crawlers     []string
	hosts        []string
	ranges       []string
	addressField string
	proxies      int
	dns          bool
	all          bool
	require      bool
}

const logsLong = `Tell which verified crawler has read which decision since it went live, and who fetches what robots.txt disallows.

The logs may be Common or Combined, with a virtual host in front or not, or JSON as nginx, Caddy, Cloudflare Logpush,
Netlify and Vercel write it; compressed with gzip or bzip2 or not; of any time and in any order. - is the standard input.

Decisions come from --against, else from metarobots.lock.json in the site's folder (metarobots snapshot writes it), else
the site is planned as check does. A decision is read by GET with status 200 at the URL itself: a 304, a redirect, a
refusal and a HEAD carry no tag. Nor does a fetch from before the directive went live, which --since tells. A URL with a query is another URL for a crawler, and counted beside it.

Who only says that it is a crawler is not taken for it: its address must be in its operator's published ranges, which are
built in with their dates, or with --dns have a name in the operator's domain that leads back to it. No address is printed
or kept.`

// logsCommand makes the command.
func (c *command) logsCommand() *cobra.Command {
	l := &logs{}
	cmd := &cobra.Command{Use: "logs ACCESS.LOG …", Short: "Tell from access logs which crawler has read which decision, and who fetches what is disallowed",
		Long: logsLong, Args: atLeastOne("one access log or more, - for stdin"),
		Example: "  metarobots logs access.log access.log.1 access.log.*.gz --since 2026-11-20\n  metarobots logs access.log --crawler googlebot --require-read --since 2026-11-20",
		RunE:    func(cmd *cobra.Command, args []string) error { return c.logs(cmd, l, args) }}
	f := cmd.Flags()
	f.StringVar(&l.against, "against", "", "a snapshot `file` (default: "+lockFile+" in the site's folder, else the site is planned)")
	f.StringVar(&l.robots, "robots", "", "the published robots.txt, a `file` (default: that of the publish folder)")
	f.StringVar(&l.since, "since", "", "the `date` or time at which the directives went live (default: snapshot, which takes each noindex's day from it, as far as it has one)")
	f.StringSliceVar(&l.crawlers, "crawler", nil, "the `names` of crawlers (default: googlebot, bingbot and those that were seen)")
	f.StringSliceVar(&l.hosts, "host", nil, "the site's host `names`, where the log has others too, or the site has several of which the log is one's (default: that of --baseURL, else all)")
	f.BoolVar(&l.all, "all", false, "tell of URLs without restrictions too")
	f.BoolVar(&l.require, "require-read", false, "exit 1 when a crawler named by --crawler has not read a noindex since it went live, or when that day is not known")
	f.StringSliceVar(&l.ranges, "ranges", nil, "newer address ranges, a `file or folder` as their publishers serve and name them (googlebot.json)")
	f.BoolVar(&l.dns, "dns", false, "ask DNS about addresses that no published range has")
	f.StringVar(&l.addressField, "address-field", "", "the `name` of the JSON field with the client's address, such as request.client_ip")
	f.IntVar(&l.proxies, "forwarded", 0, "take the address from X-Forwarded-For, which this `number` of proxies of yours have written to")
	f.Lookup("forwarded").NoOptDefVal = "1"
	return cmd
}

// logSource is where decisions and robots.txt came from.
type logSource struct {
	decisions, robots string
	now               time.Time
}

func (c *command) logs(cmd *cobra.Command, l *logs, args []string) error {
	o := visits.Options{All: l.all, Proxies: l.proxies, Hosts: l.hosts, Verifier: crawlers.NewVerifier()}
	source := &logSource{now: c.logsNow()}
	if err := errors.Join(notEmpty(cmd, "against", "robots", "since"), l.check(&o), readRanges(o.Verifier, l.ranges), logsThere(args)); err != nil {
		return &exitError{exitInvalid, err}
	}
	if l.dns {
		o.Verifier.UseDNS(net.DefaultResolver)
	}
	if err := c.logDecisions(cmd, l, &o, source); err != nil {
		return err
	}
	if l.robots != "" {
		data, err := disk.ReadFile(l.robots, maxRobots)
		if err != nil {
			return &exitError{exitInvalid, err}
		}
		o.Robots, source.robots = robotstxt.Parse(data), l.robots
	}
	tally := visits.New(o)
	files, err := c.readLogs(cmd.Context(), args, accesslog.Options{AddressField: l.addressField}, tally)
	c.stderr.clear()
	if err != nil {
		return err
	}
	result := tally.Result()
	if c.json {
		err = c.printJSON(struct {
			*visits.Result
			Decisions string    `json:"decisions"`
			Robots    string    `json:"robots"`
			Files     []logFile `json:"files"`
		}{result, source.decisions, source.robots, files})
	} else {
		c.stdout.visits(result.Rows)
	}
	if err != nil {
		return err
	}
	if !c.quiet {
		c.stderr.logSummary(result, files, source, &o)
	}
	if l.require {
		return c.requireRead(result.Rows, &o)
	}
	return nil
}

// check reads the flags that can be wrong.
func (l *logs) check(o *visits.Options) error {
	var errs []error
	for _, name := range l.crawlers {
		if crawler := crawlers.Lookup(name); crawler != nil {
			o.Crawlers = append(o.Crawlers, crawler)
			continue
		}
		var names []string
		for _, known := range crawlers.All() {
			names = append(names, known.Name)
		}
		errs = append(errs, fmt.Errorf("--crawler: unknown crawler %q%s", name, policy.DidYouMean(name, names)))
	}
	switch l.since {
	case "", "snapshot":
		o.SinceSnapshot = true
	default:
		var err error
		if o.Since, err = policy.ParseDate(l.since); err != nil {
			errs = append(errs, fmt.Errorf("--since: %w, nor is it snapshot", err))
		}
	}
	if l.require && len(l.crawlers) == 0 {
		errs = append(errs, errors.New("--require-read: name the crawlers that must have read it, with --crawler"))
	}
	if l.proxies < 0 {
		errs = append(errs, fmt.Errorf("--forwarded: %d is no number of proxies", l.proxies))
	}
	return errors.Join(errs...)
}

// logsThere checks, before a site is planned, that the logs can be opened.
func logsThere(names []string) error {
	var errs []error
	for i, name := range names {
		if name == "-" {
			if slices.Contains(names[:i], "-") {
				errs = append(errs, errors.New("- stands for the standard input, which can be read once"))
			}
			continue
		}
		info, err := os.Stat(name)
		switch {
		case err != nil:
			errs = append(errs, err)
		case info.IsDir():
			errs = append(errs, fmt.Errorf("%s: a folder; name the logs in it", name))
		}
	}
	return errors.Join(errs...)
}

// readRanges gives publishers' files to the verifier. Of a folder, those with a name that is known.
func readRanges(v *crawlers.Verifier, names []string) error {
	var errs []error
	give := func(name string) {
		f, err := os.Open(name)
		if err == nil {
			err = v.Give(name, f)
			f.Close()
		}
		errs = append(errs, err)
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil || !info.IsDir() {
			give(name)
			continue
		}
		given := len(errs)
		for _, file := range v.FileNames() {
			if _, err := os.Stat(filepath.Join(name, file)); err == nil {
				give(filepath.Join(name, file))
			}
		}
		if len(errs) == given {
			errs = append(errs, fmt.Errorf("%s: none of the files that publishers serve: %s", name, strings.Join(v.FileNames(), ", ")))
		}
	}
	return errors.Join(errs...)
}

// logsNow is the clock, by which the age of ranges is told: --now, SOURCE_DATE_EPOCH or the system's.
func (c *command) logsNow() time.Time {
	for _, text := range []string{c.options.Now, c.getenv("SOURCE_DATE_EPOCH")} {
		if t, err := policy.ParseDate(text); err == nil {
			return t
		}
	}
	return time.Now()
}

// maxRobots is how long a robots.txt may be, in bytes. Of one that is longer than crawlers read, they read the
// beginning.
const maxRobots = 16 << 20

// publishFolders are where generators publish, for the robots.txt beside a snapshot.
var publishFolders = []string{"public", "dist", "_site", "build", "site", "output"}

// logDecisions finds the decisions, the robots.txt that goes with them, and where on its host the site is.
func (c *command) logDecisions(cmd *cobra.Command, l *logs, o *visits.Options, source *logSource) error {
	folder := c.options.Source
	file := l.against
	if file == "" {
		file = c.lock()
	}
	s, err := readSnapshot(file)
	base, root := c.options.BaseURL, "/"
	switch {
	case err == nil:
		if o.Snapshot, root, err = c.ofOneHost(s, l.hosts, &base); err != nil {
			return &exitError{exitInvalid, fmt.Errorf("%s: %w", file, err)}
		}
		source.decisions = fmt.Sprintf("%s, environment %s", file, s.Environment)
		folders := []string{c.options.Destination}
		if folders[0] == "" {
			folders = publishFolders
		}
		for _, name := range folders {
			if !filepath.IsAbs(name) {
				name = filepath.Join(folder, name)
			}
			name = filepath.Join(name, filepath.FromSlash(root), "robots.txt")
			if data, err := disk.ReadFile(name, maxRobots); err == nil {
				o.Robots, source.robots = robotstxt.Parse(data), name
				break
			}
		}
	case l.against != "" || !errors.Is(err, os.ErrNotExist):
		return &exitError{exitInvalid, err}
	default:
		err := c.plan(cmd, "", func(site *plan.Site) error {
			var err error
			if o.Snapshot, root, err = c.ofOneHost(site.Snapshot(), l.hosts, &base); err != nil {
				return &exitError{exitInvalid, err}
			}
			source.now = site.Now()
			source.decisions = fmt.Sprintf("the site as it is now, environment %s", o.Snapshot.Environment)
			if base == "" {
				base = site.BaseURL()
			}
			for _, r := range site.Robots {
				if r.Root == strings.Trim(root, "/") && r.New != nil {
					o.Robots, source.robots = robotstxt.Parse(r.New), r.File
				}
			}
			return nil
		})
		if err != nil {
			var exit *exitError
			if errors.As(err, &exit) && exit.err != nil && !errors.Is(exit.err, errSeveralHosts) {
				exit.err = &printable.Help{Err: exit.err, Lines: []string{"without a snapshot (" + lockFile +
					", or --against FILE) the decisions are the site's, which cannot be planned"}}
			}
			return err
		}
	}
	u, err := url.Parse(base)
	if err != nil {
		return &exitError{exitInvalid, fmt.Errorf("--baseURL: %w", err)}
	}
	o.Base = strings.TrimSuffix(u.EscapedPath(), "/")
	if o.Base != "" {
		o.Robots, source.robots = nil, "" // of a folder, nobody reads it: the host's is to be named
	}
	if len(o.Hosts) == 0 && c.options.BaseURL != "" && u.Hostname() != "" {
		o.Hosts = []string{u.Hostname()}
	}
	return nil
}

// errSeveralHosts is returned where nobody says of which host a log is.
var errSeveralHosts = errors.New("the site has several hosts, and a log is held against one at a time")

// ofOneHost is the part of a snapshot that one host serves, by the paths at which it does, and the folder of the
// publish root that this is. Where nothing else says it, base becomes where the host serves it. Of several hosts --host
// or --baseURL names one: a log's /imprint/ is the page of one of them, and would be counted as read of another.
func (c *command) ofOneHost(s *snapshot.Snapshot, names []string, base *string) (*snapshot.Snapshot, string, error) {
	var near, exact, all []string
	for _, folder := range slices.Sorted(maps.Keys(s.Hosts)) {
		u, err := url.Parse(s.Hosts[folder])
		if err != nil {
			continue
		}
		all = append(all, s.Hosts[folder])
		switch named, err := url.Parse(*base); {
		case *base != "" && err == nil && strings.EqualFold(named.Host, u.Host):
			near = append(near, folder)
			if strings.Trim(named.Path, "/") == strings.Trim(u.Path, "/") {
				exact = append(exact, folder)
			}
		case *base == "" && slices.ContainsFunc(names, func(name string) bool {
			return strings.EqualFold(name, u.Hostname()) || strings.EqualFold(name, u.Host)
		}):
			near = append(near, folder)
		}
	}
	var folder string
	switch {
	case len(s.Hosts) == 0:
		return s, "/", nil
	case len(exact) == 1:
		folder = exact[0]
	case len(near) == 1:
		folder = near[0]
	case len(all) == 1:
		for folder = range s.Hosts {
		}
	default:
		return nil, "", fmt.Errorf("%w: --host or --baseURL names it (%s)", errSeveralHosts, strings.Join(all, ", "))
	}
	if *base == "" {
		*base = s.Hosts[folder]
	}
	if folder == "/" && len(s.Hosts) == 1 {
		return s, folder, nil
	}
	part := *s
	part.Hosts, part.Entries = map[string]string{"/": s.Hosts[folder]}, nil
	for _, e := range s.Entries {
		of := ""
		for other := range s.Hosts {
			if strings.HasPrefix(e.URL, other) && len(other) > len(of) {
				of = other
			}
		}
		if of == folder {
			e.URL = "/" + strings.TrimPrefix(e.URL, folder)
			part.Entries = append(part.Entries, e)
		}
	}
	return &part, folder, nil
}

// logFile is one log that was read.
type logFile struct {
	File       string `json:"file"`
	Lines      int    `json:"lines"`
	Unreadable int    `json:"unreadable"`
	faults     []accesslog.Fault
}

// readLogs reads the logs, one after the other. One of which no line can be read is no access log.
func (c *command) readLogs(ctx context.Context, names []string, o accesslog.Options, tally *visits.Tally) ([]logFile, error) {
	var files []logFile
	var errs []error
	lines := 0
	for _, name := range names {
		stats, err := readLog(name, o, func(e *accesslog.Entry) error {
			if lines++; lines%1000 == 0 {
				c.logProgress(lines)
				if err := ctx.Err(); err != nil {
					return err
				}
			}
			tally.Add(ctx, e)
			return nil
		})
		switch {
		case errors.Is(err, context.Canceled) || ctx.Err() != nil:
			return nil, &exitError{exitBroken, errors.New("interrupted")}
		case err != nil:
			return nil, &exitError{exitBroken, fmt.Errorf("%s: %w", name, err)}
		case stats.Lines > 0 && stats.Lines == stats.Unreadable:
			f := stats.Faults[0]
			errs = append(errs, fmt.Errorf("%s:%d: %w; none of its %s can be read (Common, Combined, JSON of nginx, Caddy, Cloudflare, Netlify or Vercel)", name, f.Line, f.Err, count(stats.Lines, "line")))
		}
		files = append(files, logFile{name, stats.Lines, stats.Unreadable, stats.Faults})
	}
	if err := errors.Join(errs...); err != nil {
		return nil, &exitError{exitInvalid, err}
	}
	return files, nil
}

func readLog(name string, o accesslog.Options, each func(*accesslog.Entry) error) (accesslog.Stats, error) {
	var in io.ReadCloser = os.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return accesslog.Stats{}, err
		}
		in = f
	}
	defer in.Close()
	return accesslog.Read(in, o, each)
}

// logProgress shows on a terminal how many requests are read, ten times a second at most.
func (c *command) logProgress(lines int) {
	if p := c.stderr; !c.quiet && p.terminal && time.Since(p.last) > 100*time.Millisecond {
		p.last, p.shown = time.Now(), true
		p.printf("\r%d requests …\x1b[K", lines)
	}
}

// requireRead fails where a noindex has not been read, or where nobody can say so: a fetch may be from before it went
// live.
func (c *command) requireRead(rows []visits.Row, o *visits.Options) error {
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
	for _, crawler := range crawlers.All() {
		if n := unread[crawler.Name]; n > 0 {
			errs = append(errs, fmt.Errorf("%s has not read the noindex of %s", crawler.Name, count(n, "URL")))
		}
		if n := undated[crawler.Name]; n > 0 {
			errs = append(errs, fmt.Errorf("%s has fetched %s of which nobody says since when the noindex is live: --since DATE", crawler.Name, count(n, "URL")))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return &exitError{exitFailed, err}
	}
	return nil
}

// visits prints a table.
func (p *printer) visits(rows []visits.Row) {
	if len(rows) == 0 {
		return
	}
	colors := map[visits.Verdict]string{visits.Unread: yellow, visits.Hidden: red, visits.Disobeyed: red, visits.Read: green}
	cells := [][]string{{"URL", "DECISION", "CRAWLER", "FETCHES", "LAST SEEN (UTC)", "STATUS", "READ"}}
	for _, r := range rows {
		cells = append(cells, visitCells(r))
	}
	widths := make([]int, len(cells[0]))
	for _, row := range cells {
		for i := range row {
			row[i] = printable.Line(row[i])
			cell := row[i]
			widths[i] = max(widths[i], min(utf8.RuneCountInString(cell), widest*2))
		}
	}
	for n, row := range cells {
		var line strings.Builder
		for i, cell := range row {
			padding := strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(cell)))
			switch {
			case n == 0:
				line.WriteString(string(p.paint(faint, cell)))
			case i == len(row)-1:
				line.WriteString(string(p.paint(colors[rows[n-1].Verdict], cell)))
			default:
				line.WriteString(cell)
			}
			if i < len(row)-1 {
				line.WriteString(padding + "  ")
			}
		}
		p.printf("%s\n", styled(line.String()))
	}
}

func visitCells(r visits.Row) []string {
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
	if r.Last != nil {
		last, status = r.Last.UTC().Format("2006-01-02 15:04"), fmt.Sprint(r.Status)
	}
	read := map[visits.Verdict]string{
		visits.Unread: "not yet", visits.Hidden: "cannot", visits.Disobeyed: "although disallowed",
		visits.Ignored: "disallowed, which it may ignore", visits.Read: "read", visits.Fetched: "fetched",
		visits.Obeyed: "not since it is disallowed",
	}[r.Verdict]
	switch {
	case r.Reason != "":
		read += ": " + r.Reason
	case r.Verdict == visits.Read:
		read += r.ReadAt.UTC().Format(" 2006-01-02")
	}
	return []string{r.URL, decision, r.Crawler, fetches, last, status, read}
}

// logSummary prints what was read, by whom, and what would tell more.
func (p *printer) logSummary(r *visits.Result, files []logFile, source *logSource, o *visits.Options) {
	line := func(name, format string, args ...any) {
		p.printf("  %s %s\n", p.paint(faint, fmt.Sprintf("%-20s", name)), sprintf(format, args...))
	}
	var notes []string // after the counts
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	lines, unreadable := 0, 0
	for _, f := range files {
		lines, unreadable = lines+f.Lines, unreadable+f.Unreadable
		for _, fault := range f.faults {
			p.printf("%s %s:%d: %v\n", p.paint(yellow, "warning:"), f.File, fault.Line, fault.Err)
		}
		if more := f.Unreadable - len(f.faults); more > 0 {
			p.printf("%s %s: %d more lines that cannot be read\n", p.paint(yellow, "warning:"), f.File, more)
		}
	}
	c := &r.Counts
	span := ""
	if c.First != nil {
		span = fmt.Sprintf(", %s to %s", c.First.UTC().Format(time.DateOnly), c.Last.UTC().Format(time.DateOnly))
	}
	p.printf("%s: %s%s; %d cannot be read\n", p.paint(bold, count(len(files), "log")), count(lines, "line"), span, unreadable)
	line("decisions", "%s: %s", source.decisions, count(len(o.Snapshot.Entries), "URL"))
	switch {
	case source.robots != "":
		line("robots.txt", "%s", source.robots)
	case o.Base != "":
		line("robots.txt", "not known: below %s the host's own counts, which --robots names", o.Base)
	default:
		line("robots.txt", "not found; --robots names it")
	}
	unknown, private, claims := 0, 0, 0
	var old []string
	for _, s := range r.Crawlers {
		crawler := crawlers.Lookup(s.Crawler)
		parts := []string{count(s.Verified, "verified request")}
		if s.Claimed > 0 {
			parts = append(parts, fmt.Sprintf("%d from elsewhere that claim to be it", s.Claimed))
		}
		if s.Unknown > 0 {
			parts = append(parts, fmt.Sprintf("%d that nothing verifies", s.Unknown))
		}
		if s.Noindex > 0 {
			parts = append(parts, fmt.Sprintf("%d of %d noindex read", s.Read, s.Noindex))
		}
		if s.Robots != nil {
			parts = append(parts, "robots.txt fetched "+s.Robots.UTC().Format("2006-01-02 15:04"))
		}
		line(s.Crawler, "%s", strings.Join(parts, "; "))
		private, claims = private+s.Private, claims+s.Claimed+s.Unknown
		if o.Verifier.Hosts(crawler) != nil {
			unknown += s.Unknown + s.Claimed
		}
		if l := o.Verifier.List(crawler); l != nil && l.Old(source.now) && !slices.Contains(old, l.Name) && s.Verified+s.Claimed > 0 {
			old = append(old, l.Name)
			note("the address ranges of %s are those of %s, over half a year old; newer ones are at %s, and --ranges takes them", l.Name, l.Checked.Format(time.DateOnly), l.Source)
		}
	}
	if c.Strange > 0 {
		line("other URLs", "%s by verified crawlers that the snapshot does not have", count(c.Strange, "fetch"))
	}
	if c.Elsewhere > 0 {
		line("other hosts", "%s of crawlers left out", count(c.Elsewhere, "request"))
	}
	if days := o.Snapshot.Since(); o.Since.IsZero() && slices.ContainsFunc(r.Rows, func(row visits.Row) bool {
		return row.Verdict == visits.Disobeyed || row.Read && days[row.URL] == ""
	}) {
		note("without --since DATE, fetches from before a directive went live count too (but for a noindex whose day the snapshot has)")
	}
	if len(o.Hosts) == 0 && len(c.Hosts) > 1 {
		note("the logs are of %d hosts (%s …), which are taken for one: --host names yours", len(c.Hosts), c.Hosts[0])
	}
	if lines > 0 && c.NoAgent == c.Requests && c.Requests > 0 {
		note("the logs have no user agents (Common Log Format), so no crawler can be known; Combined has them")
	}
	if private > 0 && private*2 > claims {
		note("%s of crawlers came from private addresses or none: the log was written behind a proxy; --forwarded takes X-Forwarded-For, --address-field another field of JSON", count(private, "request"))
	} else if unknown > 0 && o.Verifier.Unanswered() == "" && !o.Verifier.AsksDNS() {
		note("--dns asks DNS whether %s came from the crawler or from somebody else", count(unknown, "request"))
	}
	if why := o.Verifier.Unanswered(); why != "" {
		note("%s", why)
	}
	for _, n := range notes {
		p.printf("%s %s\n", p.paint(blue, "note:"), n)
	}
}
