// Package visits finds which crawler has read which decision: of the requests of an access log it
// counts those of verified crawlers, and holds them against a snapshot and a robots.txt.
//
// A crawler has read the decision for a URL when it got the page by GET with status 200, at that
// URL. An answer 304 says that it keeps the copy it has, with the tags of that time; a redirect, a
// refusal and an error carry no page. HEAD shows headers alone: it counts where the decision is
// told by a header alone (a PDF), as does a part of such a file (206).
//
// Paths are compared decoded, letters in their case. A URL with a query is another URL for a
// crawler, although most hosts serve the same file: it reads nothing. What a host serves under
// another name with status 200 or 304 is the page: by what the snapshot says of rewrites and the
// like, else as /a/index.html for /a/, and /a for /a.html or /a/; where that could be either of
// two, it counts for neither. A URL that the snapshot does not have is counted where robots.txt
// disallows it, under the rule that does.
//
// Addresses are looked at and forgotten. Nothing of a request is kept that is not a verified
// crawler's, but that there was one, and by which name if it calls itself a crawler. Memory grows
// with the URLs of the snapshot and the crawlers that were seen, not with the logs. The outcome
// does not depend on the order in which these are read, unless they name more than [maxHosts] hosts
// or [mostPrograms] programs: then the first ones are remembered.
//
// # Words of this package
//
//   - An entry is a URL of the snapshot, by its index there; noEntry is none.
//   - A place is an entry, or a rule of robots.txt that disallows what is no entry, and the crawler
//     that fetched there.
//   - A decision is live since the day on which its directives were published: a fetch before that has not read it.
//   - A crawler is verified if it came from its operator's addresses: only what it fetched counts.
//   - A row is what the report says of one crawler and one URL, its effect what the crawler has
//     made of the decision.
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
	"metarobots/internal/lazyregexp"
	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// TallyOptions say what is counted, and what it is compared with.
type TallyOptions struct {
	Snapshot *snapshot.Snapshot // has the decisions
	Robots   *robotstxt.File    // the robots.txt of the host; nil if there is none
	// Base is the path below which the site is served, without a slash at its end; empty for the
	// host's root.
	Base string
	// Host is the name of the site's host; empty for every host of the log. A request whose host is
	// not logged counts.
	Host string
	// Since is when the directives went live: earlier fetches have not read them. With the zero
	// time it is the day that the snapshot has of a URL, if it has one; a fetch of that very day
	// has not read the directive, since the hour is not known.
	Since    time.Time
	Crawlers []*policy.Crawler // those to report; empty for the usual ones and those that were seen
	Verifier *crawlers.Verifier
}

// A Tally counts requests. It is for one goroutine at a time.
type Tally struct {
	options TallyOptions
	index   index
	seen    map[*policy.Crawler]*Seen
	fetches map[place]*fetchCount
	hosts   map[string]bool
	// programs are those of the counts, by their names in lower case.
	programs map[string]*Program
	counts   Counts
	logs     []accesslog.Stats
}

// noEntry is the index of an entry that is not there.
const noEntry = -1

// A place is where a crawler fetched: an entry of the snapshot or, if that has none there, the rule
// of robots.txt that disallows the fetch.
type place struct {
	crawler *policy.Crawler
	entry   int        // noEntry if there is a rule
	rule    seen.Fetch // zero if there is an entry
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
	// Noindex is how many URLs are noindex for it, and Read how many of these decisions it has
	// read. Both are zero for crawlers that are not reported.
	Noindex int `json:"noindex"`
	Read    int `json:"read"`
	// ReadDisallowed are those of Read at URLs that robots.txt disallows to it, and Disobeyed the
	// URLs and rules of robots.txt at which it fetched what that disallows.
	ReadDisallowed int `json:"readDisallowed"`
	Disobeyed      int `json:"disobeyed"`
	Undated        int `json:"-"` // of Read: when the noindex went live is unknown, so all fetches count
}

// A Program calls itself a crawler and is none of the table, so that nothing verifies it.
type Program struct {
	Name     string `json:"name"`
	Requests int    `json:"requests"`
	// Disallowed are those for what robots.txt disallows to that name.
	Disallowed int `json:"disallowed"`
}

// Counts are of all requests.
type Counts struct {
	Requests int `json:"requests"`
	NoAgent  int `json:"withoutUserAgent"`
	// These are counted of no crawler: requests of what is none of the table, of crawlers that the
	// options do not name, and for other hosts than that of the options.
	NotCrawlers int `json:"notCrawlers"`
	NotAsked    int `json:"notAsked"`
	OtherHosts  int `json:"otherHosts"`
	// Programs are those of NotCrawlers that call themselves crawlers, most requests first. The
	// list has a limit.
	Programs []Program `json:"unknownPrograms"`
	// Hosts are those that verified crawlers requested, if they are logged, sorted. The list has a
	// limit.
	Hosts []string `json:"hosts"`
	// First and Last are the times of the first and the last request; zero without any.
	First time.Time `json:"first,omitzero"`
	Last  time.Time `json:"last,omitzero"`
}

// New returns an empty Tally.
func New(o TallyOptions) *Tally {
	o.Host = hostname(o.Host)
	return &Tally{options: o, index: newIndex(o.Snapshot), seen: map[*policy.Crawler]*Seen{},
		fetches: map[place]*fetchCount{}, hosts: map[string]bool{}, programs: map[string]*Program{}}
}

// Read counts the requests of a log, and calls progress now and then with the number of requests of
// all logs so far. If the context ends, the reading ends too, even of a pipe through which nothing
// comes, or of lines that are no log's.
func (t *Tally) Read(ctx context.Context, name string, in io.Reader, progress func(requests int)) (accesslog.Stats,
	error) {
	stats, err := accesslog.Read(until(ctx, in), func(e *accesslog.Entry) error {
		t.add(ctx, e)
		if t.counts.Requests%1000 == 0 {
			progress(t.counts.Requests)
		}
		return ctx.Err()
	})
	stats.File = name
	t.logs = append(t.logs, stats)
	return stats, err
}

// until is a reader of in that ends with the context's error when the context ends, even if in is
// waiting. The goroutine that reads in ends when in does.
func until(ctx context.Context, in io.Reader) io.Reader {
	out, into := io.Pipe()
	context.AfterFunc(ctx, func() { into.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.Copy(into, in)
		into.CloseWithError(err)
	}()
	return out
}

// add counts a request, as one of four kinds: of another host, of no crawler of the table, of a
// crawler that is not asked about, or of one that is. Only of the last kind, and only if the
// crawler is verified, its host and what it fetched count too.
func (t *Tally) add(ctx context.Context, e *accesslog.Entry) {
	t.counts.add(e)
	crawler := crawlers.Identify(e.UserAgent) // as it calls itself; nil for none of the table
	host := hostname(e.Host)                  // empty if it is not logged: that counts as the site's
	isOtherHost := t.options.Host != "" && host != "" && host != t.options.Host
	switch {
	case isOtherHost:
		t.counts.OtherHosts++
	case crawler == nil:
		t.countProgram(e)
	case t.isLimited() && !slices.Contains(t.options.Crawlers, crawler):
		t.counts.NotAsked++
	default:
		t.addOfCrawler(ctx, crawler, e, host)
	}
}

// addOfCrawler counts a request of a crawler that is asked about. host is that of the request;
// empty if it is not logged.
func (t *Tally) addOfCrawler(
	ctx context.Context, c *policy.Crawler, e *accesslog.Entry, host string,
) {
	if isVerified := t.countVerified(ctx, c, e.Address); !isVerified {
		return // what somebody does under a crawler's name says nothing of the crawler
	}
	if host != "" && len(t.hosts) < maxHosts {
		t.hosts[host] = true
	}
	if isFetch(e) {
		t.countFetch(c, e)
	}
}

// mostPrograms bounds the programs that are remembered; anybody can make up names.
const mostPrograms = 1000

// programName matches the name of a program that calls itself a crawler.
var programName = lazyregexp.New(`(?i)(?:^|[^-\w./])([-\w]{0,40}(?:bot|crawler|spider)[-\w]{0,40})`)

// countProgram counts a request of what is no crawler of the table.
func (t *Tally) countProgram(e *accesslog.Entry) {
	t.counts.NotCrawlers++
	match := programName.FindStringSubmatch(e.UserAgent)
	if match == nil {
		return
	}
	key := strings.ToLower(match[1])
	p := t.programs[key]
	if p == nil && len(t.programs) >= mostPrograms { // a new one is not remembered any more
		return
	}
	if p == nil {
		p = &Program{Name: match[1]}
		t.programs[key] = p
	}
	p.Name = min(p.Name, match[1]) // of several spellings, whatever the order of the logs
	p.Requests++
	if isFetch(e) && !t.askFor(p.Name, e.Target).Allowed {
		p.Disallowed++
	}
}

// isFetch reports whether a request is for a path, by a method that gets what is there.
func isFetch(e *accesslog.Entry) bool {
	return strings.HasPrefix(e.Target, "/") && (e.Method == "GET" || e.Method == "HEAD")
}

// add counts a request.
func (c *Counts) add(e *accesslog.Entry) {
	c.Requests++
	if c.Requests == 1 || e.Time.Before(c.First) {
		c.First = e.Time
	}
	if e.Time.After(c.Last) {
		c.Last = e.Time
	}
	if len(e.UserAgent) == 0 {
		c.NoAgent++
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

// countVerified reports whether a request came from the crawler that it names, and counts it as
// verified, claimed or unknown. a is the address of the client; zero if it is not logged.
func (t *Tally) countVerified(ctx context.Context, c *policy.Crawler, a netip.Addr) bool {
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

// seenOf is what was seen of a crawler, to be added to.
func (t *Tally) seenOf(c *policy.Crawler) *Seen {
	if t.seen[c] == nil {
		t.seen[c] = &Seen{Crawler: c.Name}
	}
	return t.seen[c]
}

// countRobots counts a fetch of robots.txt, if the crawler has got the file or has it already.
func (s *Seen) countRobots(e *accesslog.Entry) {
	hasFile := e.Method == "GET" && (e.Status == 200 || e.Status == 304)
	if hasFile && s.Robots.Before(e.Time) {
		s.Robots = e.Time
	}
}

// countRow counts a row of the crawler: whether it disobeyed, and whether it has read a noindex.
func (s *Seen) countRow(row *Row) {
	if row.Effect == Disobeyed || row.Effect == Ignored {
		s.Disobeyed++
	}
	if !row.Noindex {
		return
	}
	s.Noindex++
	if row.Read {
		s.Read++
	}
	if row.Read && row.Disallowed != "" {
		s.ReadDisallowed++
	}
	if row.Read && row.Undated {
		s.Undated++
	}
}

// countFetch counts a fetch of a verified crawler, where it is of interest: of robots.txt, of an
// entry of the snapshot, or of what robots.txt disallows.
func (t *Tally) countFetch(c *policy.Crawler, e *accesslog.Entry) {
	path, query, _ := strings.Cut(e.Target, "?")
	if path == "/robots.txt" {
		t.seenOf(c).countRobots(e)
		return
	}
	if entry := t.entryAt(path, query, e.Status); entry != noEntry {
		t.fetchesAt(place{crawler: c, entry: entry}).add(e, t.since(entry), t.getsDecision(entry, e))
		return
	}
	target := path
	if query != "" {
		target = e.Target
	}
	if fetch := t.ask(c, target); !fetch.Allowed {
		t.fetchesAt(place{crawler: c, entry: noEntry, rule: fetch}).add(e, t.options.Since, false)
	}
}

// entryAt returns the entry that is served at a path below the base; noEntry for none. With a query
// it is another URL.
func (t *Tally) entryAt(path, query string, status int) int {
	below, isBelow := strings.CutPrefix(path, t.options.Base)
	if !isBelow || !strings.HasPrefix(below, "/") || query != "" {
		return noEntry
	}
	return t.index.find(below, status)
}

// getsDecision reports whether the answer to a request shows the decision on an entry: a whole page
// does and, if a header alone says it, a part of the file or its headers.
func (t *Tally) getsDecision(entry int, e *accesslog.Entry) bool {
	isInHeader := t.options.Snapshot.Entries[entry].Told.HeaderOnly
	switch e.Status {
	case 200:
		return e.Method == "GET" || isInHeader
	case 206:
		return isInHeader
	}
	return false
}

// fetchesAt is what was counted at a place, to be added to.
func (t *Tally) fetchesAt(at place) *fetchCount {
	if t.fetches[at] == nil {
		t.fetches[at] = &fetchCount{}
	}
	return t.fetches[at]
}

// ask asks robots.txt whether a crawler may fetch a target, a path with its query. It never keeps
// anybody from itself (RFC 9309, section 2.2.2).
func (t *Tally) ask(c *policy.Crawler, target string) seen.Fetch { return t.askFor(c.Token, target) }

// askFor is [Tally.ask] for a name that may be none of the table's.
func (t *Tally) askFor(name, target string) seen.Fetch {
	if target == "/robots.txt" {
		return seen.Fetch{Allowed: true}
	}
	fetch, _ := seen.Host{Robots: t.options.Robots}.Fetch(name, robotstxt.Escape(target))
	return fetch
}

// since is when the decision for an entry went live; zero if nobody knows it. Of a day in the
// snapshot, only the next day is surely later.
func (t *Tally) since(entry int) time.Time {
	if t.options.Since.IsZero() {
		if day, err := time.Parse(time.DateOnly, t.options.Snapshot.Entries[entry].Since); err == nil {
			return day.AddDate(0, 0, 1)
		}
	}
	return t.options.Since
}

// An index finds the entries of a snapshot by decoded paths.
type index struct {
	// exact has the paths that the snapshot names: an address of an entry before the URL of another
	// entry.
	exact map[string]int
	// folded has each URL as [address.Folded] has it, which is the same for the paths at which
	// hosts may serve a page: /a, /a/, /a.html. If two entries have the same, hosts differ in which
	// they serve, so it is noEntry.
	folded map[string]int
}

// newIndex makes the index of a snapshot.
func newIndex(s *snapshot.Snapshot) index {
	x := index{map[string]int{}, map[string]int{}}
	for i, e := range s.Entries {
		if len(e.Addresses()) == 0 { // another page is served at its URL
			continue
		}
		path := policy.Decoded(e.URL)
		if _, isTaken := x.exact[path]; !isTaken {
			x.exact[path] = i
		}
		for _, at := range e.Addresses() {
			x.exact[policy.Decoded(at)] = i
		}
		folded := address.Folded(path)
		if _, isTaken := x.folded[folded]; isTaken {
			x.folded[folded] = noEntry
		} else {
			x.folded[folded] = i
		}
	}
	return x
}

// find returns the entry that is behind a path which was answered with a status; noEntry if there
// is none. Another spelling than the snapshot's counts only if the answer was the page, and no
// redirect to it.
func (x index) find(path string, status int) int {
	path = policy.Decoded(path)
	if i, ok := x.exact[path]; ok {
		return i
	}
	isPage := status/100 == 2 || status == 304
	if i, ok := x.folded[address.Folded(path)]; ok && isPage {
		return i
	}
	return noEntry
}
