package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"metarobots/internal/seen"
	"metarobots/internal/verify"
)

// deployedFormats are the forms of a report of what a deployed site answers. Those that show
// findings beside the lines they are about are not among them: an answer is in no file.
var deployedFormats = []Format{HTML, Markdown, JSON, CSV}

// DeployedFormat is [FormatOf] for what [WriteDeployed] writes.
func DeployedFormat(file string) (Format, error) {
	if f, err := FormatOf(file); err == nil && slices.Contains(deployedFormats, f) {
		return f, nil
	}
	return "", fmt.Errorf("%q: what a site answers is written as .html, .md, .json or .csv", file)
}

// deployedRows is how many rows of one table the page has: who has more wrong reads the JSON.
const deployedRows = 2000

// WriteDeployed writes a report of what a deployed site answers. Equal data and times give equal
// bytes.
func WriteDeployed(w io.Writer, f Format, r *verify.Report, at time.Time) error {
	switch f {
	case HTML:
		return write(w, f, deployedDocument(r, at, deployedRows))
	case Markdown:
		return write(w, f, deployedDocument(r, at, mostRows))
	case JSON:
		return r.WriteJSON(w)
	case CSV:
		return writeCSV(w, "deployed csv", r)
	}
	return fmt.Errorf("what a site answers has no report in the format %q", f)
}

// A deployedView is what a site answers, its outcomes by verdict. Limit entries of each list are
// written.
type deployedView struct {
	Report   *verify.Report
	Outcomes map[string][]verify.Outcome
	Limit    int
}

// deployedHeadings are the parts: about the whole site, then the URLs by verdict, the worst first.
// URLs that match have no part but the notes.
var deployedHeadings = []part{
	{ID: "whole", Title: "The site as a whole"},
	{ID: "looser", Title: "Restrictions are missing"},
	{ID: "unreachable", Title: "Cannot be read"},
	{ID: "stricter", Title: "More restricted than expected"},
	{ID: "redirected", Title: "Redirected"},
	{ID: "notes", Title: "Notes"},
}

// deployedDocument is the report as text, with limit entries of each list.
func deployedDocument(r *verify.Report, at time.Time, limit int) *document {
	title := "What crawlers read"
	if len(r.Summary.Bases) > 0 {
		title += ": " + strings.Join(r.Summary.Bases, ", ")
	}
	d := deployedView{r, map[string][]verify.Outcome{}, limit}
	for _, o := range verify.Alike(r.Outcomes()) {
		v := string(o.First.Verdict)
		d.Outcomes[v] = append(d.Outcomes[v], o)
	}
	s := &r.Summary
	figures := []figure{
		{s.Match, "URL", "as expected", "indexable", ""},
		{s.Looser, "URL", "with restrictions missing (looser)", "error", string(seen.Looser)},
		{s.Unreachable, "URL", "that cannot be read (unreachable)", "error", string(seen.Unreachable)},
		{s.Stricter, "URL", "more restricted than expected (stricter)", "warning", string(seen.Stricter)},
		{s.Redirected, "URL", "leading to another page (redirected)", "note", string(seen.Redirected)},
	}
	return &document{Title: title, Generated: generated("", at), Lead: fill("deployed lead", d), Figures: figures,
		Parts: parts(deployedHeadings, d)}
}

// servedAt is the URL of an answer, and the one at which it was read if that is another one, as a
// cell.
func servedAt(a seen.Answer) string {
	if at := a.Elsewhere(); at != "" {
		return cell(a.URL) + " at " + cell(at)
	}
	return cell(a.URL)
}

// mostNamed is how many URLs with one outcome a row names.
const mostNamed = 3

// urlsWith names URLs with one outcome, as the command prints them.
func urlsWith(o verify.Outcome) string {
	named := []string{servedAt(o.First)}
	if o.First.Verdict == seen.Redirected { // a column of its own says where to
		named[0] = cell(o.First.URL)
	}
	for _, url := range o.URLs[1:min(mostNamed, len(o.URLs))] {
		named = append(named, cell(url))
	}
	list := strings.Join(named, ", ")
	if left := len(o.URLs) - mostNamed; left > 0 {
		list += fmt.Sprintf(" and %s more", thousands(left))
	}
	return list
}

// reasons are why an answer has its verdict, and its notes, as a cell.
func reasons(a seen.Answer) string {
	return text(strings.Join(append([]string{a.Why}, a.Notes...), "; "))
}

// names are the names of crawlers as a cell.
func names(crawlers []string) string { return text(strings.Join(crawlers, ", ")) }
