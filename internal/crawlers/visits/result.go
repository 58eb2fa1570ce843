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
	"metarobots/internal/result"
	"metarobots/policy"
)

// An Effect says what became of a decision at a crawler.
type Effect string

// The effects, in the order in which they are told.
const (
	// Disobeyed: the crawler fetched what robots.txt disallows.
	Disobeyed Effect = "disobeyed"
	// Ignored: so it did, and its operator says that it may.
	Ignored Effect = "ignored"
	// Read: it has read the decision.
	Read Effect = "read"
	// Fetched: it fetched what nothing restricts.
	Fetched Effect = "fetched"
	// Obeyed: it fetched what is disallowed before that was so, and not since.
	Obeyed Effect = "obeyed"
	// Hidden: the decision restricts it, and it cannot read that, because robots.txt disallows the URL.
	Hidden Effect = "hidden"
	// Unread: the decision restricts it, and it has not read that, as is usual for most pages of a log.
	Unread Effect = "not read"
)

var effects = []Effect{Disobeyed, Ignored, Read, Fetched, Obeyed, Hidden, Unread}

// A Row is one URL and one crawler.
type Row struct {
	// URL is the path from the publish root; or a pattern of robots.txt, for the URLs below it that the snapshot does
	// not have or that were asked with a query.
	URL string `json:"url"`
	// Decision is that for this crawler, in one line; empty for a pattern of robots.txt.
	Decision string `json:"decision"`
	// Noindex: the decision is noindex.
	Noindex bool   `json:"noindex"`
	Crawler string `json:"crawler"`
	// Disallowed is the rule of robots.txt that keeps it away, and Line its line; empty where none does.
	Disallowed string `json:"disallowed,omitempty"`
	Line       int    `json:"line,omitempty"`
	// Fetches are its verified requests for the URL; those with a query are counted apart.
	Fetches   int `json:"fetches"`
	WithQuery int `json:"withQuery"`
	// First and Last are when it first and last fetched the URL, and Status what it got the last time.
	First  time.Time `json:"first,omitzero"`
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
var usual = []string{"googlebot", "bingbot"}

// about are the crawlers that the result is about, by name.
func (t *Tally) about() []*policy.Crawler {
	list := slices.Clone(t.options.Crawlers)
	if len(list) == 0 {
		for _, name := range usual {
			list = append(list, crawlers.Lookup(name))
		}
		for c, s := range t.seen {
			if s.Verified > 0 {
				list = append(list, c)
			}
		}
	}
	slices.SortFunc(list, func(a, b *policy.Crawler) int { return strings.Compare(a.Name, b.Name) })
	return slices.Compact(list)
}

// Report holds what was counted against the decisions.
func (t *Tally) Report() *Report {
	r := &Report{Rows: []Row{}, Counts: t.counts}
	r.Counts.Hosts = slices.AppendSeq([]string{}, maps.Keys(t.hosts))
	slices.Sort(r.Counts.Hosts)
	about := t.about()
	for _, c := range about {
		s := t.seenOf(c)
		s.Noindex, s.Read = 0, 0
		expected := len(t.options.Crawlers) > 0 || slices.Contains(usual, c.Name) || t.heeds(c)
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
	}
	for p, v := range t.visits {
		if p.entry < 0 && slices.Contains(about, p.crawler) {
			_, pattern, _ := strings.Cut(p.rule, ":")
			r.Rows = append(r.Rows, newRow(p.crawler, strings.TrimSpace(pattern), v, p.rule, p.line))
		}
	}
	slices.SortStableFunc(r.Rows, func(a, b Row) int { // a URL before a rule of that name
		return cmp.Or(cmp.Compare(slices.Index(effects, a.Effect), slices.Index(effects, b.Effect)),
			strings.Compare(a.URL, b.URL), strings.Compare(a.Crawler, b.Crawler), cmp.Compare(a.Line, b.Line))
	})
	r.Crawlers = slices.SortedFunc(maps.Values(t.seen),
		func(a, b *Seen) int { return strings.Compare(a.Crawler, b.Crawler) })
	return r
}

// heeds reports whether a crawler reads metas and headers, so that a decision it has not read matters.
func (t *Tally) heeds(c *policy.Crawler) bool {
	_, ok := policy.KnownCrawlers().Lookup(c.Reads[0])
	return ok && !c.MayIgnore
}

// row is the row of one URL and one crawler; ok is false if there is none. A crawler of which nothing is expected has
// rows only for what it fetched.
func (t *Tally) row(c *policy.Crawler, entry int, expected bool) (row Row, ok bool) {
	e := &t.options.Snapshot.Entries[entry]
	v := t.visits[place{crawler: c, entry: entry}]
	if v == nil {
		if !expected {
			return row, false
		}
		v = &visit{}
	}
	text := e.Decision.Role
	state := result.State(text)
	if text == "" {
		text = e.Decision.Told(c.Reads...)
		state = result.Decision{Robots: text}.State()
	}
	restricted := state == result.Noindex || state == result.Limited
	robots := t.ask(c, robotstxt.Escape(t.options.Base+e.URL))
	if v.fetches+v.queries == 0 && !restricted {
		return row, false // nothing to read, and nothing done: as it is meant to be where robots.txt keeps it away
	}
	if robots.Allowed { // by a rule, or by none
		robots.Rule, robots.Line = "", 0
	}
	row = newRow(c, e.URL, v, robots.Rule, robots.Line)
	row.Decision, row.Noindex = text, state == result.Noindex
	switch {
	case row.Effect == Obeyed && restricted && !row.Read:
		row.Effect, row.Reason = Hidden, fmt.Sprintf("robots.txt:%d keeps it away", robots.Line)
	case !robots.Allowed:
	case !restricted:
		row.Effect = Fetched
	case row.Read:
		row.Effect = Read
	default:
		row.Effect, row.Reason = Unread, t.unread(v, entry)
	}
	return row, true
}

// newRow is a row with what a crawler fetched, and whether it obeyed a rule of robots.txt that disallows it.
func newRow(c *policy.Crawler, url string, v *visit, rule string, line int) Row {
	r := Row{URL: url, Crawler: c.Name, Disallowed: rule, Line: line, Fetches: v.fetches, WithQuery: v.queries,
		First: v.first.time, Last: v.last.time, Status: v.last.status, Read: !v.read.IsZero(), ReadAt: v.read}
	switch {
	case rule == "":
	case v.since == 0:
		r.Effect = Obeyed
	case c.MayIgnore:
		r.Effect = Ignored
	default:
		r.Effect = Disobeyed
	}
	return r
}

// unread says why a decision has not been read.
func (t *Tally) unread(v *visit, entry int) string {
	m := v.lastSince
	switch {
	case v.fetches == 0 && v.queries > 0:
		return "only fetched with a query"
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
