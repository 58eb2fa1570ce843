package visits

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"metarobots/internal/accesslog"
	"metarobots/internal/crawlers"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// An Effect says what became of a decision at a crawler.
type Effect string

// The effects, in the order in which they are printed.
const (
	Disobeyed Effect = "disobeyed" // the crawler fetched what robots.txt disallows
	Ignored   Effect = "ignored"   // so it did, and its operator says that it may
	Read      Effect = "read"      // it has read the decision
	Hidden    Effect = "hidden"    // it is restricted, and cannot read that, because robots.txt disallows the URL
	Unread    Effect = "not read"  // it is restricted, and has not read that, as is usual for most pages of a log
)

var effects = []Effect{Disobeyed, Ignored, Read, Hidden, Unread}

// A Row is one URL and one crawler that the decision restricts, or that fetched it although robots.txt disallows that.
type Row struct {
	// URL is the path from the publish root; or a pattern of robots.txt, for the URLs below it that the snapshot does
	// not have or that were requested with a query.
	URL string `json:"url"`
	// Decision is that for this crawler, in one line; empty for a pattern of robots.txt.
	Decision string `json:"decision"`
	Noindex  bool   `json:"noindex"` // the decision is noindex
	Crawler  string `json:"crawler"`
	// Disallowed is the rule of robots.txt that keeps it away, and Line its line; empty where none does.
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

	since  int    // its fetches since the decision went live
	method string // of the last one: GET or HEAD
}

// count adds a fetch, of a decision that is live since a day. Of two fetches of the same second the one with the lower
// status, and by GET, is the last, so that the order of files does not matter.
func (r *Row) count(e *accesslog.Entry, since time.Time, reads bool) {
	r.Fetches++
	if r.Fetches == 1 || cmp.Or(e.Time.Compare(r.Last), cmp.Compare(r.Status, e.Status),
		cmp.Compare(r.method, e.Method)) > 0 {
		r.Last, r.Status, r.method = e.Time, e.Status, e.Method
	}
	if e.Time.Before(since) {
		return
	}
	if r.since++; reads && e.Time.After(r.ReadAt) {
		r.Read, r.ReadAt = true, e.Time
	}
}

// A Report is what a Tally came to.
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

// Report holds what was counted against the decisions. It is about the crawlers of the options; without any, about the
// usual ones, those that were seen and read tags or headers, and of others what they fetched. It is asked for once: it
// counts in what was seen of each crawler.
func (t *Tally) Report() *Report {
	r := &Report{Rows: []Row{}, Counts: t.counts, Logs: t.logs}
	about, named := slices.Clone(t.options.Crawlers), len(t.options.Crawlers) > 0
	if !named {
		about = slices.AppendSeq(usual(), maps.Keys(t.seen))
	}
	slices.SortFunc(about, func(a, b *policy.Crawler) int { return strings.Compare(a.Name, b.Name) })
	for _, c := range slices.Compact(about) {
		s := t.seenOf(c)
		// It heeds decisions if it looks for a name that tags and headers take.
		_, heeds := policy.KnownCrawlers().Lookup(c.Reads[0])
		expected := named || slices.Contains(usual(), c) || heeds && !c.MayIgnore && s.Verified > 0
		for i := range t.options.Snapshot.Entries {
			row, fetched := t.rows[place{crawler: c, entry: i}]
			if !fetched && !expected {
				continue
			}
			if row = t.decided(row, c, i); row.Effect == "" {
				continue
			}
			if r.Rows = append(r.Rows, row); row.Noindex {
				s.Noindex++
				if row.Read {
					s.Read++
				}
				if row.Read && row.Undated {
					s.Undated++
				}
			}
		}
		r.Crawlers = append(r.Crawlers, s)
	}
	for p, row := range t.rows {
		if p.entry < 0 && row.since > 0 { // a rule of robots.txt, such as "Disallow: /a"
			_, pattern, _ := strings.Cut(p.rule.Rule, ":")
			row.URL, row.Crawler, row.Undated = strings.TrimSpace(pattern), p.crawler.Name, t.options.Since.IsZero()
			row.disallowed(p.crawler, p.rule)
			r.Rows = append(r.Rows, row)
		}
	}
	slices.SortStableFunc(r.Rows, func(a, b Row) int { // a URL before a rule of that name
		return cmp.Or(cmp.Compare(slices.Index(effects, a.Effect), slices.Index(effects, b.Effect)),
			strings.Compare(a.URL, b.URL), strings.Compare(a.Crawler, b.Crawler), cmp.Compare(a.Line, b.Line))
	})
	r.Counts.Hosts = append([]string{}, slices.Sorted(maps.Keys(t.hosts))...)
	return r
}

// decided completes the row of one URL and one crawler. Its effect is empty where nothing is to be said.
func (t *Tally) decided(row Row, c *policy.Crawler, entry int) Row {
	e := &t.options.Snapshot.Entries[entry]
	told := e.Told.For(c.Reads...)
	since := t.since(entry)
	row.URL, row.Crawler, row.Noindex = e.URL, c.Name, told.NoIndex()
	row.Decision = cmp.Or(e.Told.Role, told.Printed)
	row.Undated = since.IsZero()
	if robots := t.ask(c, t.options.Base+e.URL); !robots.Allowed {
		row.disallowed(c, robots)
	}
	switch {
	case row.Disallowed != "" && row.since > 0:
	case !told.Restricts():
		row.Effect = ""
	case row.Read:
		row.Effect = Read
	case row.Disallowed != "":
		row.Effect, row.Reason = Hidden, fmt.Sprintf("robots.txt:%d keeps it away", row.Line)
	default:
		row.Effect, row.Reason = Unread, row.unread(since)
	}
	return row
}

// disallowed says that a rule of robots.txt keeps the crawler away.
func (r *Row) disallowed(c *policy.Crawler, by seen.Fetch) {
	r.Effect, r.Disallowed, r.Line = Disobeyed, by.Rule, by.Read
	if c.MayIgnore {
		r.Effect = Ignored
	}
}

// unread says why a decision that is live since a day has not been read.
func (r *Row) unread(since time.Time) string {
	switch {
	case r.Fetches == 0:
		return "never fetched"
	case r.since == 0:
		return "not since " + since.Format(time.DateOnly)
	case r.Status == 304:
		return "got 304, so it still has the old page"
	case r.Status/100 == 3:
		return "redirected"
	case r.Status == 206:
		return "only a part"
	case r.Status == 200 && r.method == "HEAD":
		return "only asked by HEAD"
	case r.Status == 0:
		return "not answered"
	}
	return fmt.Sprintf("answered %d", r.Status)
}
