package visits

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"metarobots/internal/accesslog"
	"metarobots/internal/crawlers"
	"metarobots/policy"
)

// An Effect says what a crawler has made of a decision.
type Effect string

// The effects, in the order in which they are printed.
const (
	Disobeyed Effect = "disobeyed" // the crawler fetched what robots.txt disallows
	Ignored   Effect = "ignored"   // it fetched that too, and its operator says that it may
	Read      Effect = "read"      // it has read the decision
	Hidden    Effect = "hidden"    // it is restricted, and cannot read that, because robots.txt disallows the URL
	Unread    Effect = "not read"  // it is restricted, and has not read that, as is usual for most pages of a log
)

var effects = []Effect{Disobeyed, Ignored, Read, Hidden, Unread}

// A Row is one URL and one crawler that the decision restricts, or that fetched it although
// robots.txt disallows that.
type Row struct {
	// URL is the path from the publish root; or a pattern of robots.txt, for the URLs below it that
	// the snapshot does not have or that were requested with a query.
	URL string `json:"url"`
	// Decision is that for this crawler, in one line; empty for a pattern of robots.txt.
	Decision string `json:"decision"`
	Noindex  bool   `json:"noindex"` // the decision is noindex
	Crawler  string `json:"crawler"`
	// Disallowed is the rule of robots.txt that keeps it away, and Line its line; empty if none
	// does.
	Disallowed string `json:"disallowed,omitempty"`
	Line       int    `json:"line,omitempty"`
	// Fetches are its verified requests for the URL: the last at Last, with Status.
	Fetches int       `json:"fetches"`
	Last    time.Time `json:"last,omitzero"`
	Status  int       `json:"status,omitempty"`
	// Read: it has read the decision since that went live, the last time at ReadAt.
	Read   bool      `json:"read"`
	ReadAt time.Time `json:"readAt,omitzero"`
	Effect Effect    `json:"verdict"`
	Reason string    `json:"reason,omitempty"` // why it has not read it
	// Undated: when the decision went live is unknown, so all fetches count.
	Undated bool `json:"-"`
}

// A fetchCount is what was counted of one crawler at one place.
type fetchCount struct {
	fetches int
	live    int // those since the decision went live
	// The last fetch. Of two in the same second it is the one with the lower status, and by GET, so
	// that the order in which logs are read does not matter.
	last   time.Time
	status int
	method string // GET or HEAD
	// readAt is the last fetch since then that got the decision; isRead reports whether there was
	// one.
	isRead bool
	readAt time.Time
}

// add counts a fetch of a decision that is live since a day; getsDecision reports whether the
// answer shows it.
func (n *fetchCount) add(e *accesslog.Entry, since time.Time, getsDecision bool) {
	n.fetches++
	isLater := cmp.Or(e.Time.Compare(n.last), cmp.Compare(n.status, e.Status), cmp.Compare(n.method, e.Method)) > 0
	if n.fetches == 1 || isLater {
		n.last, n.status, n.method = e.Time, e.Status, e.Method
	}
	if e.Time.Before(since) {
		return
	}
	n.live++
	if getsDecision && e.Time.After(n.readAt) {
		n.isRead, n.readAt = true, e.Time
	}
}

// A Report is the result of a Tally.
type Report struct {
	Rows      []Row             `json:"results"`
	Crawlers  []*Seen           `json:"crawlers"`
	Counts    Counts            `json:"summary"`
	Decisions string            `json:"decisions"` // says where they are from, and Robots the file; both are the caller's
	Robots    string            `json:"robots"`
	Logs      []accesslog.Stats `json:"files"`
}

// usual are in every report that is not limited to other crawlers, seen or not.
func usual() []*policy.Crawler {
	return []*policy.Crawler{crawlers.Lookup("googlebot"), crawlers.Lookup("bingbot")}
}

// Report holds what was counted against the decisions. It is about the crawlers of the options;
// without any, about the usual ones, those that were seen and read tags or headers, and of others
// what they fetched. Call it once: it counts in what was seen of each crawler.
func (t *Tally) Report() *Report {
	r := &Report{Rows: []Row{}, Counts: t.counts, Logs: t.logs}
	for _, c := range t.reported() {
		rows := t.rowsOf(c)
		s := t.seenOf(c)
		for i := range rows {
			s.countRow(&rows[i])
		}
		r.Rows, r.Crawlers = append(r.Rows, rows...), append(r.Crawlers, s)
	}
	for _, row := range t.rowsOfRules() {
		r.Rows = append(r.Rows, row)
		t.seenOf(crawlers.Lookup(row.Crawler)).countRow(&row)
	}
	sort.SliceStable(r.Rows, func(i, j int) bool { // a URL before a rule of that name
		a, b := &r.Rows[i], &r.Rows[j]
		return cmp.Or(cmp.Compare(slices.Index(effects, a.Effect), slices.Index(effects, b.Effect)),
			strings.Compare(a.URL, b.URL), strings.Compare(a.Crawler, b.Crawler), cmp.Compare(a.Line, b.Line)) < 0
	})
	byRequests := func(a, b *Program) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), strings.Compare(a.Name, b.Name))
	}
	r.Counts.Programs = []Program{}
	for _, p := range slices.SortedFunc(maps.Values(t.programs), byRequests) {
		r.Counts.Programs = append(r.Counts.Programs, *p)
	}
	r.Counts.Hosts = append([]string{}, slices.Sorted(maps.Keys(t.hosts))...)
	return r
}

// isLimited reports whether the report is about the crawlers of the options alone.
func (t *Tally) isLimited() bool { return len(t.options.Crawlers) > 0 }

// reported are the crawlers of the report, by name, each once.
func (t *Tally) reported() []*policy.Crawler {
	about := slices.Clone(t.options.Crawlers)
	if !t.isLimited() {
		about = slices.AppendSeq(usual(), maps.Keys(t.seen))
	}
	slices.SortFunc(about, func(a, b *policy.Crawler) int { return strings.Compare(a.Name, b.Name) })
	return slices.Compact(about)
}

// isExpected reports whether a crawler is expected to read decisions, so that those that it has not
// fetched are reported too: it was asked for, it is a usual one, or it was here and looks for a
// name that tags and headers take.
func (t *Tally) isExpected(c *policy.Crawler) bool {
	_, heeds := policy.KnownCrawlers().Lookup(c.Reads[0])
	return t.isLimited() || slices.Contains(usual(), c) || heeds && !c.RobotsTxt.MayIgnore && t.seenOf(c).Verified > 0
}

// rowsOf are the rows of one crawler, by the entries of the snapshot.
func (t *Tally) rowsOf(c *policy.Crawler) (rows []Row) {
	isExpected := t.isExpected(c)
	for i := range t.options.Snapshot.Entries {
		fetched := t.fetches[place{crawler: c, entry: i}]
		if fetched == nil && !isExpected {
			continue
		}
		if row := t.row(c, i, cmp.Or(fetched, &fetchCount{})); row.Effect != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// row is the row of a crawler and an entry. Its effect is empty if there is nothing to report.
func (t *Tally) row(c *policy.Crawler, entry int, n *fetchCount) Row {
	e := &t.options.Snapshot.Entries[entry]
	told, since := e.Told.For(c.Reads...), t.since(entry)
	row := Row{URL: e.URL, Crawler: c.Name, Decision: cmp.Or(e.Told.Role, told.Printed), Noindex: told.NoIndex(),
		Undated: since.IsZero()}
	row.setFetches(n)
	if fetch := t.ask(c, t.options.Base+e.URL); !fetch.Allowed {
		row.Disallowed, row.Line = fetch.Rule, fetch.Read
	}
	switch {
	case row.Disallowed != "" && n.live > 0:
		row.Effect = disobedience(c)
	case !told.Restricts():
		row.Effect = ""
	case row.Read:
		row.Effect = Read
	case row.Disallowed != "":
		row.Effect, row.Reason = Hidden, fmt.Sprintf("robots.txt:%d keeps it away", row.Line)
	default:
		row.Effect, row.Reason = Unread, n.whyUnread(since)
	}
	return row
}

// rowsOfRules are the rows of what was fetched although a rule of robots.txt, such as "Disallow:
// /a", disallows it, at URLs that the snapshot does not have. They are in any order.
func (t *Tally) rowsOfRules() (rows []Row) {
	for at, n := range t.fetches {
		if at.entry != noEntry || n.live == 0 {
			continue
		}
		_, pattern, _ := strings.Cut(at.rule.Rule, ":")
		row := Row{URL: strings.TrimSpace(pattern), Crawler: at.crawler.Name, Effect: disobedience(at.crawler),
			Disallowed: at.rule.Rule, Line: at.rule.Read, Undated: t.options.Since.IsZero()}
		row.setFetches(n)
		rows = append(rows, row)
	}
	return rows
}

// setFetches puts what was counted into a row.
func (r *Row) setFetches(n *fetchCount) {
	r.Fetches, r.Last, r.Status, r.Read, r.ReadAt = n.fetches, n.last, n.status, n.isRead, n.readAt
}

// disobedience is the effect of a fetch of what robots.txt disallows.
func disobedience(c *policy.Crawler) Effect {
	if c.RobotsTxt.MayIgnore {
		return Ignored
	}
	return Disobeyed
}

// whyUnread says why a crawler has not read a decision that is live since a day.
func (n *fetchCount) whyUnread(since time.Time) string {
	switch {
	case n.fetches == 0:
		return "never fetched"
	case n.live == 0:
		return "not since " + since.Format(time.DateOnly)
	case n.status == 304:
		return "got 304, so it still has the old page"
	case n.status/100 == 3:
		return "redirected"
	case n.status == 206:
		return "only a part"
	case n.status == 200 && n.method == "HEAD":
		return "only asked by HEAD"
	case n.status == 0:
		return "not answered"
	}
	return fmt.Sprintf("answered %d", n.status)
}
