package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"metarobots/internal/crawlers"
	"metarobots/internal/crawlers/visits"
	"metarobots/internal/snapshot"
)

var visitColors = map[visits.Effect]string{visits.Unread: yellow, visits.Hidden: red, visits.Disobeyed: red,
	visits.Read: green}

// visits prints the rows that matter: not those of pages that nothing restricts, and of one kind only so many.
func (p *printer) visits(rows []visits.Row, most int) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r visits.Row) bool { return r.Effect == visits.Fetched })
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
	if decision == "" {
		decision = "nothing"
	}
	fetches, last, status := fmt.Sprint(r.Fetches), "never", ""
	if r.WithQuery > 0 {
		fetches += fmt.Sprintf(" (+%d with ?)", r.WithQuery)
	}
	if r.Fetches > 0 {
		last, status = minute(r.Last), fmt.Sprint(r.Status)
	}
	read := map[visits.Effect]string{
		visits.Unread: "not yet", visits.Hidden: "cannot", visits.Disobeyed: "although disallowed",
		visits.Ignored: "disallowed, which it may ignore", visits.Read: "read",
		visits.Obeyed: "not since it is disallowed",
	}[r.Effect]
	switch {
	case r.Reason != "":
		read += ": " + r.Reason
	case r.Effect == visits.Read:
		read += " " + day(r.ReadAt)
	}
	return []cell{{"", r.URL}, {"", decision}, {"", r.Crawler}, {"", fetches}, {"", last}, {"", status},
		{visitColors[r.Effect], read}}
}

// logSummary prints what was read, by whom, and which flags would show more.
func (p *printer) logSummary(r *visits.Report, l *logs) {
	o := &l.options
	summary := struct {
		Report                   *visits.Report
		Options                  *visits.TallyOptions
		Decisions, Robots        string
		Files                    []logFile
		Lines, Unreadable        int
		Private, Public, Unknown int              // requests that claim to be a crawler's; those that DNS may verify
		Old                      []*crawlers.List // address ranges
		Undated                  bool             // fetches count that may be older than the noindex
		Unanswered               string
	}{Report: r, Options: o, Decisions: l.decisions, Robots: l.robotsFrom, Files: l.files,
		Unanswered: o.Verifier.Unanswered()}
	for _, f := range l.files {
		summary.Lines, summary.Unreadable = summary.Lines+f.Lines, summary.Unreadable+f.Unreadable
	}
	for _, s := range r.Crawlers {
		crawler := crawlers.Lookup(s.Crawler)
		summary.Private, summary.Public = summary.Private+s.Private, summary.Public+s.Claimed+s.Unknown-s.Private
		if o.Verifier.Hosts(crawler) != nil {
			summary.Unknown += s.Unknown + s.Claimed
		}
		if list := o.Verifier.List(crawler); list != nil && list.Old(l.now) && !slices.Contains(summary.Old, list) &&
			s.Verified+s.Claimed > 0 {
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
