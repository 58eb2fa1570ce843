// Package report shows what was decided, and what a deployed site answers: as a page to look at, as
// Markdown for a job's summary, and in the forms that other programs read.
//
// Prose and tables are written once, as templates of Markdown. The page is that text rendered by
// goldmark, with charts, a search and filters around it; it loads nothing, and says everything
// without scripting too. The table of all files, which has thousands of rows, is written as Markdown
// or as the HTML of that: its cells are made once, with a markup.
//
//	report              formats, and the Data that a report is made of
//	view                the data counted and grouped, as templates ask for it
//	document, markdown  the parts of the text, by the templates of markdown.tmpl
//	html, compact       the page: the text rendered, and the data for its script
//	csv, sarif          the forms for other programs; github.tmpl makes annotations without code of its own
//	deployed            the report of what a deployed site answers
//	escape, markup      how a text of the site goes into each form
//
// # Words of this package
//
//   - A [Data] has what the caller knows. A view is made of it once; a row is one file of it, and a
//     set some rows that have something in common. Templates call the exported methods of these
//     types.
//   - The class of a file is its state, finer for what is no page: restricted, free (without a
//     restriction), undecided (without a policy). The headline counts classes, and the page's
//     filter chooses by them.
//   - A group is the findings of one kind and severity.
//   - A client reads reports and does not run metarobots ([Data.Client]): nothing about configuration, no keys.
//   - A part is a section of the text: a heading, and what a template with the part's ID makes.
//     Without text there is no heading either.
//   - A cell is Markdown for a cell of a table, or HTML if a markup says so. Of a function that
//     returns one, the result is not to be escaped again: text, code, cell and escape are called
//     once for each text of the site.
package report

import (
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"metarobots/internal/findings"
	"metarobots/internal/result"
	"metarobots/internal/snapshot"
)

// A Format is a form of the report.
type Format string

// The formats.
const (
	// HTML is one self-contained page.
	HTML Format = "html"
	// Markdown fits the summary of a job, of which GitHub reads 1 MiB.
	// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#adding-a-job-summary
	Markdown Format = "markdown"
	// JSON is the data itself, in the form of --json.
	JSON Format = "json"
	// SARIF holds the findings for code scanning, version 2.1.0.
	SARIF Format = "sarif"
	// GitHub are the findings as annotations of a workflow.
	GitHub Format = "github"
	// CSV has a row for each file, for spreadsheets.
	CSV Format = "csv"
)

// What is what a CSV has a row for.
type What string

// The rows of CSV.
const (
	Pages    What = "pages"
	Findings What = "findings"
)

// Formats are all formats.
var Formats = []Format{HTML, Markdown, JSON, SARIF, GitHub, CSV}

// ParseFormat returns the format of that name.
func ParseFormat(name string) (Format, error) {
	if f, ok := extensions["."+strings.ToLower(name)]; ok { // md
		return f, nil
	}
	if f := Format(strings.ToLower(name)); slices.Contains(Formats, f) {
		return f, nil
	}
	return "", fmt.Errorf("unknown format %q (want html, markdown, json, sarif, github or csv)", name)
}

var extensions = map[string]Format{".html": HTML, ".htm": HTML, ".md": Markdown, ".markdown": Markdown, ".json": JSON,
	".csv": CSV}

// FormatOf returns the format that a file's name ends with: .html, .htm, .md, .markdown, .json,
// .sarif, .sarif.json or .csv.
func FormatOf(file string) (Format, error) {
	name := strings.ToLower(filepath.Base(file))
	if filepath.Ext(strings.TrimSuffix(name, ".json")) == ".sarif" {
		return SARIF, nil
	}
	if f, ok := extensions[filepath.Ext(name)]; ok {
		return f, nil
	}
	return "", fmt.Errorf("the format of %q is not known: its name ends with none of .html, .md, .json, .sarif and "+
		".csv", file)
}

// Data is what a report shows: a run, and what else the caller knows, which is optional.
type Data struct {
	// Site names the site: its own title, or its host.
	Site string `json:"site,omitempty"`
	// Title is the heading of a page or of Markdown; empty for the usual one.
	Title string `json:"-"`
	// Asked says in a sentence of what deployed site the files are, and how they were asked for;
	// empty for those of a plan.
	Asked string `json:"-"`
	// AreAsTheyAre: there is no policy, so the files are shown as they are published.
	AreAsTheyAre bool `json:"-"`
	// Kinds are those of the findings that were looked for in what a deployed site answers; of a
	// plan nobody asks.
	Kinds []string `json:"-"`
	// Client: the report, in any format, is for a reader who does not run metarobots. It leaves out
	// what is not written yet, findings about configuration, and the header files.
	Client bool `json:"-"`
	// What a CSV has a row for: [Pages], which empty means, or [Findings].
	What What `json:"-"`
	// Result is embedded for its members in JSON.
	result.Result
	// Changes are those since a baseline; nil without one.
	Changes *snapshot.Changes `json:"changes,omitempty"`
	// Vendors are what vendors of AI may do with the files; nil if nothing is said of AI.
	Vendors []result.VendorTable `json:"vendors,omitempty"`
	// Signals are what a deployed site says to AI beside that.
	Signals []result.SignalCount `json:"signals,omitempty"`
	// LeavesLinks: it is not checked where some canonical and hreflang links lead, because nobody
	// knows the site's own host ([check.LeavesLinks]). The finding about it may be suppressed.
	LeavesLinks bool `json:"-"`
	// NotWritten is how many files do not say yet what is decided.
	NotWritten int `json:"notWritten,omitempty"`
}

// Write writes a report of d, generated at a time, which a page and Markdown print unless it is
// zero. It changes nothing in d; equal data and times give equal bytes.
func Write(w io.Writer, f Format, d *Data, at time.Time) error {
	if d.Client {
		d = d.forClient()
	}
	v := newView(d)
	switch f {
	case HTML, Markdown:
		document := v.document(at)
		if f == Markdown { // the page has a table of its own, by its script
			document.Parts = append(document.Parts, v.filesPart())
		}
		return write(w, f, document)
	case JSON:
		return WriteJSON(w, d, slices.Values(d.Pages))
	case SARIF:
		return writeSARIF(w, v.Groups)
	case GitHub:
		return write(w, f, v)
	case CSV:
		if d.What == Findings {
			return writeCSV(w, "findings csv", v)
		}
		return v.writeFiles(w)
	}
	return fmt.Errorf("unknown format %q", f)
}

// write writes what the template with a format's name makes of data.
func write(w io.Writer, f Format, data any) error {
	return fillTo(w, string(f), data)
}

// writeCSV writes what a template makes, behind a byte order mark.
func writeCSV(w io.Writer, name string, data any) error {
	if _, err := io.WriteString(w, byteOrderMark); err != nil {
		return err
	}
	return fillTo(w, name, data)
}

// forClient is a copy of the data with what a client reads, and its findings in a client's words.
func (d *Data) forClient() *Data {
	c := *d
	c.NotWritten, c.Summary.NewlyNoindex, c.Summary.Headers, c.Findings = 0, nil, nil, nil
	for _, f := range d.Findings {
		if kind, _ := findings.Of(f.ID); kind.Setup {
			continue
		}
		f.Fix, f.Message, f.Detail = "", anyCMS.Replace(f.Message), anyCMS.Replace(f.Detail)
		c.Findings = append(c.Findings, f)
	}
	return &c
}

// WriteJSON writes the data in the form of --json, with pages in place of its own: a site may have
// more pages than fit into memory.
func WriteJSON(w io.Writer, d *Data, pages iter.Seq[result.Page]) error {
	whole := *d
	whole.Pages = []result.Page{}
	return result.Write(w, whole, pages)
}
