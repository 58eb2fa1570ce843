package report

import (
	"encoding/csv"
	"io"
	"strings"

	"metarobots/policy"
)

// writeRows writes CSV (RFC 4180).
func writeRows(w io.Writer, rows [][]string) error {
	c := csv.NewWriter(w)
	c.UseCRLF = true
	for _, row := range rows {
		for i := range row {
			row[i] = field(row[i])
		}
	}
	return c.WriteAll(rows)
}

// writeCSV writes a row for each file.
func writeCSV(w io.Writer, d *Data) error {
	rows := [][]string{{"url", "title", "file", "kind", "type", "section", "language", "format",
		"state", "robots", "crawlers", "header", "cause", "where", "since", "robotsTxt"}}
	v := newView(d)
	for _, r := range v.rows {
		p := r.Page
		var crawlers, disallowed []string
		for _, name := range r.decision.Names() {
			crawlers = append(crawlers, name+": "+r.decision.Crawlers[name])
		}
		for _, t := range p.RobotsTxt {
			if !t.Allowed {
				disallowed = append(disallowed, t.Crawler+" may not fetch it ("+t.Rule+")")
			}
		}
		cause, at := "", ""
		if len(r.deciding) > 0 {
			o := r.deciding[0].Origin()
			cause, at = o.Layer.String()+", "+o.Key, policy.Place(o.File, o.Line)
		}
		rows = append(rows, []string{p.URL, p.Title, p.File, p.Kind, p.Type, p.Section, p.Language, p.Format,
			stateName(r.state), r.decision.Robots, strings.Join(crawlers, "; "), strings.Join(p.Header, "; "),
			cause, at, p.Since, strings.Join(disallowed, "; ")})
	}
	return writeRows(w, rows)
}
