// Package visits finds which crawler has read which decision: of the requests of an access log it counts those of
// verified crawlers, and holds them against a snapshot and a robots.txt.
//
// A crawler has read the decision for a URL when it got the page by GET with status 200, at that URL. An answer 304
// says that it keeps the copy it has, with the tags of that time; a redirect, a refusal and an error carry no page.
// HEAD shows headers alone: it counts where the decision is told by a header alone (a PDF), as does a part of such a
// file (206).
//
// Paths are compared decoded, letters in their case. A URL with a query is another URL for a crawler, although most
// hosts serve the same file: it reads nothing. What a host serves under another name with status 200 or 304 is the
// page: by what the snapshot says of rewrites and the like, else as /a/index.html for /a/, and /a for /a.html or /a/;
// where that could be either of two, it counts for neither.
// A URL that the snapshot does not have is counted where robots.txt disallows it, under the rule that does.
//
// Addresses are looked at and forgotten. Nothing of a request is kept that is not a verified crawler's, but that there
// was one. Memory grows with the URLs of the snapshot and the crawlers that were seen, not with the logs, and the
// outcome does not depend on the order in which these are read.
package visits

import (
	"context"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"metarobots/emit/robotstxt"
	"metarobots/internal/accesslog"
	"metarobots/internal/address"
	"metarobots/internal/crawlers"
	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// TallyOptions say what is counted, and what it is compared with.
type TallyOptions struct {
	Snapshot *snapshot.Snapshot // has the decisions
	Robots   *robotstxt.File    // the robots.txt of the host; nil where there is none
	// Base is the path below which the site is served, without a slash at its end; empty for the host's root.
	Base string
	// Host is the name of the site's host; empty for every host of the log. A request whose host is not logged counts.
	Host string
	// Since is when the directives went live: earlier fetches have not read them. With the zero time it is the day that
	// the snapshot has of a URL, if it has one; a fetch of that very day has not read the directive, since the hour is
	// not known.
	Since    time.Time
	Crawlers []*policy.Crawler // those to report; empty for the usual ones and those that were seen
	Verifier *crawlers.Verifier
}

// A Tally counts requests. It is for one goroutine at a time.
type Tally struct {
	options TallyOptions
	index   index
	seen    map[*policy.Crawler]*Seen
	rows    map[place]Row // what was counted; the rest is [Tally.Report]'s
	hosts   map[string]bool
	counts  Counts
	logs    []accesslog.Stats
}

// place is a URL of the snapshot, or a rule of robots.txt for those that it does not have, and who fetched there.
type place struct {
	crawler *policy.Crawler
	entry   int        // -1 for a rule
	rule    seen.Fetch // that it is disallowed
}

// Seen is what was seen of one crawler: requests whose user agent names it.
type Seen struct {
	Crawler  string `json:"crawler"`
	Verified int    `json:"verified"` // came from its operator's addresses
	Claimed  int    `json:"claimed"`  // came from elsewhere
	Unknown  int    `json:"unknown"`  // there are no ranges, and no answer of DNS
	Private  int    `json:"private"`  // of Claimed and Unknown, with a private address, such as a proxy's, or none
	// Robots is when it last fetched robots.txt; zero for never.
	Robots time.Time `json:"robotsTxt,omitzero"`
	// Noindex is how many URLs are noindex for it, and Read how many of these decisions it has read. Both are zero for
	// crawlers that are not reported.
	Noindex int `json:"noindex"`
	Read    int `json:"read"`
	Undated int `json:"-"` // of Read: when the noindex went live is unknown, so all fetches count
}

// Counts are of all requests.
type Counts struct {
	Requests int `json:"requests"`
	NoAgent  int `json:"withoutUserAgent"`
	// Hosts are those that verified crawlers requested, if they are logged, sorted. The list has a limit.
	Hosts []string `json:"hosts"`
	// First and Last are the times of the first and the last request; zero without any.
	First time.Time `json:"first,omitzero"`
	Last  time.Time `json:"last,omitzero"`
}

// New returns an empty Tally.
func New(o TallyOptions) *Tally {
	o.Host = hostname(o.Host)
	return &Tally{options: o, index: newIndex(o.Snapshot), seen: map[*policy.Crawler]*Seen{},
		rows: map[place]Row{}, hosts: map[string]bool{}}
}

// Read counts the requests of a log, and tells progress now and then how many it knows of all logs. If the context ends,
// so does the reading, even of a pipe through which nothing comes or of lines that are none of a log.
func (t *Tally) Read(ctx context.Context, name string, in io.Reader, progress func(requests int)) (accesslog.Stats,
	error) {
	stats, err := accesslog.Read(until(ctx, in), func(e *accesslog.Entry) error {
		if t.add(ctx, e); t.counts.Requests%1000 == 0 {
			progress(t.counts.Requests)
		}
		return ctx.Err()
	})
	stats.File = name
	t.logs = append(t.logs, stats)
	return stats, err
}

// until reads from in until the context ends, and then returns its error.
func until(ctx context.Context, in io.Reader) io.Reader {
	out, into := io.Pipe()
	context.AfterFunc(ctx, func() { into.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.Copy(into, in)
		into.CloseWithError(err)
	}()
	return out
}

// add counts a request.
func (t *Tally) add(ctx context.Context, e *accesslog.Entry) {
	c := &t.counts
	c.Requests++
	if c.Requests == 1 || e.Time.Before(c.First) {
		c.First = e.Time
	}
	if e.Time.After(c.Last) {
		c.Last = e.Time
	}
	if len(e.UserAgent) == 0 {
		c.NoAgent++
		return
	}
	crawler := crawlers.Identify(e.UserAgent)
	if crawler == nil || len(t.options.Crawlers) > 0 && !slices.Contains(t.options.Crawlers, crawler) {
		return
	}
	host := hostname(e.Host)
	if t.options.Host != "" && host != "" && host != t.options.Host || !t.verified(ctx, crawler, e.Address) {
		return
	}
	if host != "" && len(t.hosts) < maxHosts {
		t.hosts[host] = true
	}
	if strings.HasPrefix(e.Target, "/") && (e.Method == "GET" || e.Method == "HEAD") {
		t.fetched(crawler, e)
	}
}

// maxHosts bounds the hosts that are remembered; a wrong proxy can make up as many as it likes.
const maxHosts = 1000

// hostname is a host without its port, in lower case.
func hostname(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// verified counts whether a request came from the crawler that it names.
func (t *Tally) verified(ctx context.Context, c *policy.Crawler, a netip.Addr) bool {
	s := t.seenOf(c)
	switch t.options.Verifier.Verify(ctx, c, a) {
	case crawlers.Verified:
		s.Verified++
		return true
	case crawlers.Claimed:
		s.Claimed++
	default:
		s.Unknown++
	}
	if !a.IsValid() || a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() {
		s.Private++
	}
	return false
}

func (t *Tally) seenOf(c *policy.Crawler) *Seen {
	if t.seen[c] == nil {
		t.seen[c] = &Seen{Crawler: c.Name}
	}
	return t.seen[c]
}

// fetched counts what a verified crawler fetched.
func (t *Tally) fetched(c *policy.Crawler, e *accesslog.Entry) {
	path, query, _ := strings.Cut(e.Target, "?")
	if path == "/robots.txt" {
		got := e.Method == "GET" && (e.Status == 200 || e.Status == 304)
		if s := t.seen[c]; got && s.Robots.Before(e.Time) {
			s.Robots = e.Time
		}
		return
	}
	p, since, reads := place{crawler: c, entry: -1}, t.options.Since, false
	if below, ok := strings.CutPrefix(path, t.options.Base); ok && strings.HasPrefix(below, "/") && query == "" {
		p.entry = t.index.find(below, e.Status)
	}
	if p.entry >= 0 {
		header := t.options.Snapshot.Entries[p.entry].Told.HeaderOnly
		since, reads = t.since(p.entry), e.Status == 200 && (e.Method == "GET" || header) || e.Status == 206 && header
	} else {
		if query != "" {
			path = e.Target
		}
		if p.rule = t.ask(c, path); p.rule.Allowed {
			return
		}
	}
	row := t.rows[p]
	row.count(e, since, reads)
	t.rows[p] = row
}

// ask asks robots.txt, which never keeps anybody from itself (RFC 9309, section 2.2.2).
func (t *Tally) ask(c *policy.Crawler, target string) (f seen.Fetch) {
	if target == "/robots.txt" {
		return seen.Fetch{Allowed: true}
	}
	f, _ = seen.Host{Robots: t.options.Robots}.Fetch(c.Token, robotstxt.Escape(target))
	return f
}

// since is when the decision for an entry went live.
func (t *Tally) since(entry int) time.Time {
	if t.options.Since.IsZero() {
		if day, err := time.Parse(time.DateOnly, t.options.Snapshot.Entries[entry].Since); err == nil {
			return day.AddDate(0, 0, 1)
		}
	}
	return t.options.Since
}

// index finds the entries of a snapshot by the paths at which they are served: those that the snapshot has, else the one
// that several paths of hosts stand for. Of two entries hosts differ in which they serve there, so it is neither (-1).
type index struct{ exact, folded map[string]int }

func newIndex(s *snapshot.Snapshot) index {
	x := index{map[string]int{}, map[string]int{}}
	for i, e := range s.Entries {
		if len(e.Addresses()) == 0 { // another page is served at its URL
			continue
		}
		path := policy.Decoded(e.URL)
		if _, taken := x.exact[path]; !taken {
			x.exact[path] = i
		}
		for _, at := range e.Addresses() {
			x.exact[policy.Decoded(at)] = i
		}
		folded := address.Folded(path)
		if _, twice := x.folded[folded]; twice {
			i = -1
		}
		x.folded[folded] = i
	}
	return x
}

// find returns the entry behind a path that was answered with a status; -1 where there is none.
func (x index) find(path string, status int) int {
	path = policy.Decoded(path)
	if i, ok := x.exact[path]; ok {
		return i
	}
	if i, ok := x.folded[address.Folded(path)]; ok && (status/100 == 2 || status == 304) { // else it is no page
		return i
	}
	return -1
}
