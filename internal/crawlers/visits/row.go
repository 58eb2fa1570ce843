package visits

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"metarobots/emit/robotstxt"
	"metarobots/internal/crawlers"
	"metarobots/policy"
)

// An Effect says what became of a decision at a crawler.
type Effect string

// The effects, in the order in which they are printed.
const (
	// Disobeyed: the crawler fetched what robots.txt disallows.
	Disobeyed Effect = "disobeyed"
	// Ignored: so it did, and its operator says that it may.
	Ignored Effect = "ignored"
	// Read: it has read the decision.
	Read Effect = "read"
	// Hidden: the decision restricts it, and it cannot read that, because robots.txt disallows the URL.
	Hidden Effect = "hidden"
	// Unread: the decision restricts it, and it has not read that, as is usual for most pages of a log.
	Unread Effect = "not read"
)

var effects = []Effect{Disobeyed, Ignored, Read, Hidden, Unread}

// A Row is one URL and one crawler that the decision restricts, or that fetched it although robots.txt disallows that.
type Row struct {
	// URL is the path from the publish root; or a pattern of robots.txt, for the URLs below it that the snapshot does
	// not have or that were requested with a query.
	URL string `json:"url"`
	// Decision is that for this crawler, in one line; empty for a pattern of robots.txt.
	Decision string `json:"decision"`
	// Noindex: the decision is noindex.
	Noindex bool   `json:"noindex"`
	Crawler string `json:"crawler"`
	// Disallowed is the rule of robots.txt that keeps it away, and Line its line; empty where none does.
	Disallowed string `json:"disallowed,omitempty"`
	Line       int    `json:"line,omitempty"`
	// Fetches are its verified requests for the URL.
	Fetches int `json:"fetches"`
	// Last is when it last fetched the URL, and Status what it got.
	Last   time.Time `json:"last,omitzero"`
	Status int       `json:"status,omitempty"`
	// Read: it has read the decision since that went live, the last time at ReadAt.
	Read   bool      `json:"read"`
	ReadAt time.Time `json:"readAt,omitzero"`
	Effect Effect    `json:"verdict"`
	// Reason says why it has not.
	Reason string `json:"reason,omitempty"`
}

// A Report is what a Tally came to.
type Report struct {
	Rows     []Row
	Crawlers []*Seen
	Counts   Counts
}

// usual are in every report that is not limited to other crawlers, seen or not.
var usual = []*policy.Crawler{crawlers.Lookup("googlebot"), crawlers.Lookup("bingbot")}

// Report holds what was counted against the decisions. It is about the crawlers of the options; without any, about the
// usual ones, those that were seen and read tags or headers, and of others what they fetched.
func (t *Tally) Report() *Report {
	r := &Report{Rows: []Row{}}
	about, named := slices.Clone(t.options.Crawlers), len(t.options.Crawlers) > 0
	if !named {
		about = slices.AppendSeq(slices.Clone(usual), maps.Keys(t.seen))
	}
	slices.SortFunc(about, func(a, b *policy.Crawler) int { return strings.Compare(a.Name, b.Name) })
	for _, c := range slices.Compact(about) {
		s := t.seenOf(c)
		_, heeds := policy.KnownCrawlers().Lookup(c.Reads[0])
		expected := named || slices.Contains(usual, c) || heeds && !c.MayIgnore && s.Verified > 0
		for i := range t.options.Snapshot.Entries {
			row, ok := t.row(c, i, expected)
			if !ok {
				continue
			}
			if r.Rows = append(r.Rows, row); row.Noindex {
				s.Noindex++
			}
			if row.Noindex && row.Read {
				s.Read++
			}
		}
		r.Crawlers = append(r.Crawlers, s)
	}
	for p, v := range t.visits {
		if p.entry < 0 && v.since > 0 {
			_, pattern, _ := strings.Cut(p.rule, ":")
			row := newRow(p.crawler, strings.TrimSpace(pattern), v)
			row.Effect, row.Disallowed, row.Line = disobedience(p.crawler), p.rule, p.line
			r.Rows = append(r.Rows, row)
		}
	}
	slices.SortStableFunc(r.Rows, func(a, b Row) int { // a URL before a rule of that name
		return cmp.Or(cmp.Compare(slices.Index(effects, a.Effect), slices.Index(effects, b.Effect)),
			strings.Compare(a.URL, b.URL), strings.Compare(a.Crawler, b.Crawler), cmp.Compare(a.Line, b.Line))
	})
	r.Counts = t.counts
	r.Counts.Hosts = slices.AppendSeq([]string{}, maps.Keys(t.hosts))
	slices.Sort(r.Counts.Hosts)
	return r
}

// row is the row of one URL and one crawler; ok is false if there is none. A crawler of which nothing is expected has
// rows only for what it fetched.
func (t *Tally) row(c *policy.Crawler, entry int, expected bool) (row Row, ok bool) {
	e, v := &t.options.Snapshot.Entries[entry], t.visits[place{crawler: c, entry: entry}]
	switch {
	case v == nil && !expected:
		return row, false
	case v == nil:
		v = &visit{}
	}
	text := e.Decision.Told(c.Reads...)
	stated := policy.Stating(text)
	robots := t.ask(c, robotstxt.Escape(t.options.Base+e.URL))
	row = newRow(c, e.URL, v)
	row.Decision, row.Noindex = cmp.Or(e.Decision.Role, text), stated.NoIndex()
	if !robots.Allowed {
		row.Disallowed, row.Line = robots.Rule, robots.Line
	}
	switch {
	case !robots.Allowed && v.since > 0:
		row.Effect = disobedience(c)
	case !stated.Restricts():
		return row, false
	case row.Read:
		row.Effect = Read
	case !robots.Allowed:
		row.Effect, row.Reason = Hidden, fmt.Sprintf("robots.txt:%d keeps it away", robots.Line)
	default:
		row.Effect, row.Reason = Unread, t.unread(v, entry)
	}
	return row, true
}

func newRow(c *policy.Crawler, url string, v *visit) Row {
	return Row{URL: url, Crawler: c.Name, Fetches: v.fetches, Last: v.last.time, Status: v.last.status,
		Read: !v.read.IsZero(), ReadAt: v.read}
}

func disobedience(c *policy.Crawler) Effect {
	if c.MayIgnore {
		return Ignored
	}
	return Disobeyed
}

// unread says why a decision has not been read.
func (t *Tally) unread(v *visit, entry int) string {
	m := v.last
	switch {
	case v.fetches == 0:
		return "never fetched"
	case v.since == 0:
		return "not since " + t.since(entry).Format(time.DateOnly)
	case m.status == 304:
		return "got 304, so it still has the old page"
	case m.status/100 == 3:
		return "redirected"
	case m.status == 206:
		return "only a part"
	case m.status == 200 && m.method == "HEAD":
		return "only asked by HEAD"
	case m.status == 0:
		return "not answered"
	}
	return fmt.Sprintf("answered %d", m.status)
}
