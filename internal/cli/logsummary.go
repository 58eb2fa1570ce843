package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"metarobots/internal/crawlers"
	"metarobots/internal/crawlers/visits"
)

var visitColors = map[visits.Verdict]string{visits.Unread: yellow, visits.Hidden: red, visits.Disobeyed: red,
	visits.Read: green}

// visits prints a table.
func (p *printer) visits(rows []visits.Row) {
	if len(rows) == 0 {
		return
	}
	var table [][]cell
	add := func(texts ...string) []cell {
		cells := make([]cell, len(texts))
		for i, text := range texts {
			cells[i].text = text
		}
		table = append(table, cells)
		return cells
	}
	heads := add("URL", "DECISION", "CRAWLER", "FETCHES", "LAST SEEN (UTC)", "STATUS", "READ")
	for i := range heads {
		heads[i].color = faint
	}
	for _, r := range rows {
		cells := add(visitCells(r)...)
		cells[len(cells)-1].color = visitColors[r.Verdict]
	}
	p.table("", widest, table)
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
func (p *printer) logSummary(r *visits.Result, l *logs) {
	o := &l.options
	line := func(name, format string, args ...any) { p.row(20, name, format, args...) }
	lines, unreadable := 0, 0
	for _, f := range l.files {
		lines, unreadable = lines+f.Lines, unreadable+f.Unreadable
		for _, fault := range f.faults {
			p.messages(yellow, "warning", fmt.Sprintf("%s:%d: %v", f.File, fault.Line, fault.Err))
		}
		if more := f.Unreadable - len(f.faults); more > 0 {
			p.messages(yellow, "warning", fmt.Sprintf("%s: %d more lines that cannot be read", f.File, more))
		}
	}
	c := &r.Counts
	span := ""
	if c.First != nil {
		span = fmt.Sprintf(", %s to %s", c.First.UTC().Format(time.DateOnly), c.Last.UTC().Format(time.DateOnly))
	}
	p.printf("%s: %s%s; %d cannot be read\n", p.paint(bold, count(len(l.files), "log")), count(lines, "line"), span,
		unreadable)
	line("decisions", "%s: %s", l.decisions, count(len(o.Snapshot.Entries), "URL"))
	switch {
	case l.robotsFrom != "":
		line("robots.txt", "%s", l.robotsFrom)
	case o.Base != "":
		line("robots.txt", "not known: below %s the host's own counts, which --robots names", o.Base)
	default:
		line("robots.txt", "not found; --robots names it")
	}
	for _, s := range r.Crawlers {
		line(s.Crawler, "%s", seen(s))
	}
	if c.Strange > 0 {
		line("other URLs", "%s by verified crawlers that the snapshot does not have", count(c.Strange, "fetch"))
	}
	if c.Elsewhere > 0 {
		line("other hosts", "%s of crawlers left out", count(c.Elsewhere, "request"))
	}
	p.messages(blue, "note", logNotes(r, l)...)
}

// seen says what was seen of a crawler.
func seen(s *visits.Seen) string {
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
	return strings.Join(parts, "; ")
}

// logNotes say what would tell more.
func logNotes(r *visits.Result, l *logs) (notes []string) {
	o := &l.options
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	c := &r.Counts
	unknown, private, claims := 0, 0, 0
	var old []string
	for _, s := range r.Crawlers {
		crawler := crawlers.Lookup(s.Crawler)
		private, claims = private+s.Private, claims+s.Claimed+s.Unknown
		if o.Verifier.Hosts(crawler) != nil {
			unknown += s.Unknown + s.Claimed
		}
		list := o.Verifier.List(crawler)
		if list == nil || !list.Old(l.now) || slices.Contains(old, list.Name) || s.Verified+s.Claimed == 0 {
			continue
		}
		old = append(old, list.Name)
		note("the address ranges of %s are those of %s, over half a year old; newer ones are at %s, and --ranges "+
			"takes them", list.Name, list.Checked.Format(time.DateOnly), list.Source)
	}
	days := o.Snapshot.Since()
	if o.Since.IsZero() && slices.ContainsFunc(r.Rows, func(row visits.Row) bool {
		return row.Verdict == visits.Disobeyed || row.Read && days[row.URL] == ""
	}) {
		note("without --since DATE, older fetches count too, except where the snapshot has the day of the noindex")
	}
	if len(o.Hosts) > 0 && len(c.Hosts) == 0 && c.Requests > 0 && c.Elsewhere == 0 {
		note("the logs do not name the host of a request, so --host leaves nothing out")
	}
	if len(o.Hosts) == 0 && len(c.Hosts) > 1 {
		note("the logs are of %d hosts (%s …), which count as one: --host names yours", len(c.Hosts), c.Hosts[0])
	}
	if c.NoAgent == c.Requests && c.Requests > 0 {
		note("the logs have no user agents (Common Log Format), so no crawler can be recognized; use the Combined format")
	}
	unanswered := o.Verifier.Unanswered()
	if private > 0 && private*2 > claims {
		note("%s of crawlers came from private addresses or none: the log was written behind a proxy; "+
			"--forwarded takes X-Forwarded-For, --address-field another field of JSON", count(private, "request"))
	} else if unknown > 0 && unanswered == "" && o.Verifier.Resolver == nil {
		note("--dns asks DNS whether %s came from the crawler or from somebody else", count(unknown, "request"))
	}
	if unanswered != "" {
		note("%s", unanswered)
	}
	return notes
}
