package report

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"metarobots/internal/printable"
	"metarobots/internal/verify"
)

// deployedFormats are the forms of a report of what a deployed site answers. Those that show findings beside the lines
// they are about are not among them: an answer stands in no file.
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

// WriteDeployed writes a report of what a deployed site answers. Equal data and options give equal bytes. The Markdown
// lists as many URLs of each verdict as the options say files.
func WriteDeployed(w io.Writer, f Format, r *verify.Report, o Options) error {
	switch f {
	case HTML:
		return deployedHTML(w, r, o)
	case Markdown:
		var b strings.Builder
		fmt.Fprintf(&b, "# %s\n\n%s\n%s", text(deployedTitle(r)), deployedLead(r), deployedNumbers(r))
		for _, p := range deployedParts(r, cmp.Or(o.Rows, defaultRows)) {
			fmt.Fprintf(&b, "\n## %s\n\n%s", p.title, p.text)
		}
		fmt.Fprintf(&b, "\n%s", made(o))
		_, err := io.WriteString(w, b.String())
		return err
	case JSON:
		return printable.WriteJSON(w, r)
	case CSV:
		return deployedCSV(w, r)
	}
	return fmt.Errorf("what a site answers has no report in the format %q", f)
}

func deployedHTML(w io.Writer, r *verify.Report, o Options) error {
	b := bufio.NewWriter(w)
	parts := deployedParts(r, deployedRows)
	var header strings.Builder
	fmt.Fprintf(&header, "%s<div class=\"numbers verdicts\">\n%s</div>\n", render(deployedLead(r)),
		render(deployedNumbers(r)))
	open(b, deployedTitle(r), "main", header.String(), "")
	contents(b, parts)
	b.WriteString("<main id=\"main\">\n")
	for _, p := range parts {
		writePart(b, p, render(p.text))
	}
	b.WriteString("</main>\n<footer>\n" + render(made(o)) + "</footer>\n</body>\n</html>\n")
	return b.Flush()
}

func deployedTitle(r *verify.Report) string {
	if len(r.Summary.Bases) == 0 {
		return "What crawlers read"
	}
	return "What crawlers read: " + strings.Join(r.Summary.Bases, ", ")
}

// deployedLead is the headline in a sentence, and what was held against what.
func deployedLead(r *verify.Report) string {
	s := &r.Summary
	var b strings.Builder
	as := "as decided"
	if s.Source == verify.FromSitemaps {
		as = "as the sitemaps ask for"
	}
	switch {
	case s.Asked == 0:
		b.WriteString("**No URL was asked.**")
	case s.Match == s.Asked && s.Asked == 1:
		fmt.Fprintf(&b, "**The one URL that was asked is %s.**", as)
	case s.Match == s.Asked:
		fmt.Fprintf(&b, "**All %s that were asked are %s.**", number(s.Asked, "URL"), as)
	default:
		is := "are"
		if s.Match == 1 {
			is = "is"
		}
		fmt.Fprintf(&b, "**%s of %s %s %s.**", thousands(s.Match), number(s.Asked, "URL"), is, as)
	}
	if s.Interrupted {
		b.WriteString(" **The run was interrupted.**")
	}
	if s.Source == verify.FromSitemaps {
		b.WriteString(" What was asked is what the sitemaps list.")
	} else if s.Source != "" {
		fmt.Fprintf(&b, " What was decided stands in %s", code(s.Source))
		if s.Environment != "" {
			fmt.Fprintf(&b, ", environment %s", code(s.Environment))
		}
		b.WriteString(".")
	}
	fmt.Fprintf(&b, " %s sent", number(s.Requests, "request"))
	if s.Passed > 0 {
		fmt.Fprintf(&b, "; %s passed over, such as control files and error pages", number(s.Passed, "URL"))
	}
	if s.Left > 0 {
		fmt.Fprintf(&b, "; %s not asked", number(s.Left, "URL"))
		if s.Sample > 0 {
			fmt.Fprintf(&b, ", for a sample of %s (seed %d)", thousands(s.Sample), s.Seed)
		}
	}
	return b.String() + ".\n"
}

// deployedVerdicts are the verdicts in the order of the headline's numbers, with what each means.
var deployedVerdicts = []struct {
	verdict verify.Verdict
	means   string
}{
	{verify.Match, "A crawler reads what was decided."},
	{verify.Stricter, "A crawler reads more restrictions than were decided."},
	{verify.Looser, "Something that was decided is missing."},
	{verify.Unreachable, "A crawler cannot read the URL: it answers with an error, or robots.txt keeps a crawler " +
		"from its noindex."},
	{verify.Redirected, "The URL leads to another page, which crawlers judge instead."},
}

func deployedNumbers(r *verify.Report) string {
	var b strings.Builder
	for _, v := range deployedVerdicts {
		fmt.Fprintf(&b, "- **%s** %s\n", thousands(r.Summary.Number(v.verdict)), v.verdict)
	}
	return b.String()
}

// deployedParts are the sections: what is said of the whole, then the URLs by verdict, the worst first.
func deployedParts(r *verify.Report, limit int) (parts []part) {
	if p := wholePart(r); p.text != "" {
		parts = append(parts, p)
	}
	outcomes := r.Outcomes()
	for _, v := range verify.Verdicts() {
		if p := verdictPart(v, outcomes, limit); p.text != "" {
			parts = append(parts, p)
		}
	}
	return append(parts, notesPart(r, limit)...)
}

// wholePart lists what is to be said of the site and the run.
func wholePart(r *verify.Report) part {
	var b strings.Builder
	for _, l := range []struct {
		title string
		list  []string
	}{{"Error", r.Summary.Errors}, {"Warning", r.Summary.Warnings}, {"Note", r.Summary.Notes}} {
		for _, s := range l.list {
			fmt.Fprintf(&b, "- **%s**: %s\n", l.title, text(s))
		}
	}
	return part{id: "whole", title: "The site as a whole", text: b.String()}
}

// verdictPart lists the URLs of one verdict; of those that match there is nothing to say.
func verdictPart(v verify.Verdict, outcomes []verify.Outcome, limit int) part {
	p := part{id: string(v), title: capital(string(v))}
	if v == verify.Match {
		return p
	}
	var rows strings.Builder
	n := 0
	for i := range outcomes {
		o := &outcomes[i]
		if o.Verdict != v {
			continue
		}
		if n++; n > limit {
			continue
		}
		url, why := cell(o.URL), text(strings.Join(append([]string{o.Why}, o.Notes...), "; "))
		if o.Location != "" && v != verify.Redirected && !strings.Contains(o.Why, o.Location) {
			url += " at " + cell(o.Location)
		}
		switch v {
		case verify.Unreachable:
			line(&rows, url, text(strings.Join(o.Crawlers, ", ")), text(o.Want), why)
		case verify.Redirected:
			line(&rows, url, text(strings.Join(o.Crawlers, ", ")), text(o.Want), cell(o.Location))
		default:
			line(&rows, url, text(strings.Join(o.Crawlers, ", ")), text(o.Want), text(o.Got), why)
		}
	}
	if n == 0 {
		return p
	}
	var b strings.Builder
	for _, d := range deployedVerdicts {
		if d.verdict == v {
			b.WriteString(d.means + "\n\n")
		}
	}
	switch v {
	case verify.Unreachable:
		head(&b, "URL", "Crawlers", "Decided", "Why")
	case verify.Redirected:
		head(&b, "URL", "Crawlers", "Decided", "Leads to")
	default:
		head(&b, "URL", "Crawlers", "Decided", "Read", "Why")
	}
	b.WriteString(rows.String())
	p.text = b.String() + more(n, limit)
	return p
}

// notesPart lists what is to be said of URLs that are as decided; no part where that is nothing.
func notesPart(r *verify.Report, limit int) []part {
	notes := r.Notes()
	if len(notes) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString("These URLs are as decided, but:\n\n")
	head(&b, "Note", "URL", ">URLs")
	for _, n := range notes[:min(limit, len(notes))] {
		line(&b, text(n.Text), cell(n.URL), thousands(n.URLs))
	}
	return []part{{id: "notes", title: "Notes", text: b.String() + more(len(notes), limit)}}
}

// deployedCSV writes a row for each URL and crawler (RFC 4180).
func deployedCSV(w io.Writer, r *verify.Report) error {
	c := csv.NewWriter(w)
	c.UseCRLF = true
	rows := [][]string{{"url", "crawler", "verdict", "want", "got", "why", "status", "location", "header", "meta",
		"notes"}}
	for i := range r.Results {
		res := &r.Results[i]
		var metas []string
		for _, m := range res.Meta {
			metas = append(metas, m.Name+": "+m.Content)
		}
		rows = append(rows, []string{res.URL, res.Crawler, string(res.Verdict), res.Want, res.Got, res.Why,
			fmt.Sprint(res.Status), res.Location,
			strings.Join(res.Header, "; "), strings.Join(metas, "; "), strings.Join(res.Notes, "; ")})
	}
	for _, row := range rows {
		for i := range row {
			row[i] = field(row[i])
		}
	}
	return c.WriteAll(rows)
}
