package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"slices"

	"metarobots/internal/check"
	"metarobots/internal/disk"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/report"
	"metarobots/internal/result"
	"metarobots/internal/snapshot"
)

func (c *command) report() error {
	format, err, given := report.HTML, error(nil), c.cmd.Flags().Changed
	if c.format != "" {
		format, err = report.ParseFormat(c.format)
	} else if c.output != "" {
		format, err = report.FormatOf(c.output)
	} else if c.stdout.terminal {
		err = errors.New("metarobots report -o report.html writes the page; --format markdown prints the report here")
	}
	switch {
	case err != nil:
		return project.Invalid(err)
	case c.audience != "owner" && c.audience != "client":
		return invalidf("unknown audience %q (want owner or client)", c.audience)
	case format != report.HTML && format != report.Markdown && (given("title") || given("audience")):
		return invalidf("--title and --audience are for HTML and Markdown, not for %s", format)
	}
	c.options.Titles, c.options.Audit, c.dryRun = true, true, true
	return c.plan(c.arg(), plan.New, func(site *plan.Plan) error {
		run, err := c.checked(site)
		if err == nil {
			run.Summary.Files -= len(c.planned(site))
			err = c.writeReport(site, *run, format, c.output)
		}
		if err == nil && c.failOn != failNever && c.failing(run.Findings) {
			err = failed(gravest(run.Findings))
		}
		return err
	})
}

// checked is a run in its public form with what the checks say, compared with --baseline where there is one. It has no
// pages yet.
func (c *command) checked(site *plan.Plan) (*report.Data, error) {
	outcome, data := check.Run(site), &report.Data{}
	outcome.Findings = check.Once(site, outcome.Findings)
	if c.baseline != "" {
		old, err := readSnapshot(c.baseline)
		if err != nil {
			return nil, err
		}
		b := &snapshot.Baseline{Snapshot: old, File: c.baseline, MostNoindex: c.mostNoindex, MostIndexable: c.mostIndexable}
		changes, more, err := b.Compare(site)
		if err != nil {
			return nil, project.Invalid(err)
		}
		data.Changes, outcome.Findings = changes, append(outcome.Findings, more...)
	}
	data.Result = *resultOf(site, outcome)
	return data, nil
}

// resultOf is a run in its public form, without its pages.
func resultOf(site *plan.Plan, o *check.Outcome) *result.Result {
	return result.New(site, o.Findings, o.Suppressed, check.NewlyNoindex(site))
}

// ofFile is an error about a file that the user named, without the call that it comes from: "a.log: no such file".
func ofFile(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return fmt.Errorf("%s: %w", p.Path, p.Err)
	}
	return err
}

// writeReport writes a report of a run to a file, or to stdout where it has no name. The clock is the policy's, so that
// --now and SOURCE_DATE_EPOCH make it reproducible.
func (c *command) writeReport(site *plan.Plan, data report.Data, format report.Format, file string) error {
	data.Site, data.Title, data.Client = siteName(site), c.title, c.audience == "client"
	if slices.Contains([]report.Format{report.HTML, report.Markdown, report.JSON}, format) {
		data.Vendors = result.VendorTables(site)
	}
	if c.dryRun || c.withheld {
		pages, others := site.Differing()
		data.NotWritten = len(pages) + len(others)
	}
	var since map[string]string
	if old, err := readSnapshot(c.lock()); err == nil {
		since = old.Since()
	}
	// beside the result of --json, reports show what robots.txt says of each page, and since when it is noindex
	pages := func(yield func(result.Page) bool) {
		planned := c.planned(site)
		for _, pg := range site.Pages {
			if slices.Contains(planned, pg) {
				continue
			}
			p := result.PageOf(site, pg)
			p.Since, p.RobotsTxt = since[p.URL], result.RobotsTxt(site, pg, "", nil)
			if format != report.JSON {
				p.RobotsTxt = result.RobotsGroups(site, pg)
			}
			if !yield(p) {
				return
			}
		}
	}
	if format == report.JSON {
		return c.writeOutput(file, func(w io.Writer) error { return report.WriteJSON(w, &data, pages) })
	}
	data.Pages = slices.Collect(pages)
	return c.writeOutput(file, func(w io.Writer) error {
		return report.Write(w, format, &data, site.Project.Policy.Now)
	})
}

// planned are the files that a report leaves out, since nobody has written them.
func (c *command) planned(site *plan.Plan) (pages []*plan.Page) {
	if !c.dryRun && !c.withheld {
		return nil
	}
	for _, o := range site.Outputs() {
		if pg := site.Page(o.Name); pg != nil && o.Old == nil && o.New != nil {
			pages = append(pages, pg)
		}
	}
	return pages
}

// siteName is the title that Hugo's configuration gives the site, else its host.
func siteName(site *plan.Plan) string {
	settings := site.Project.Settings
	base, _ := url.Parse(settings.BaseURL)
	if settings.Title != "" || base == nil {
		return settings.Title
	}
	return cmp.Or(base.Host, settings.BaseURL)
}

// writeOutput has a file written, or stdout where it has no name.
func (c *command) writeOutput(file string, write func(io.Writer) error) error {
	if file == "" || file == "-" {
		return write(c.stdout.w)
	}
	err := disk.WriteFrom(file, write)
	if err == nil && !c.quiet {
		c.stderr.printf("%s written\n", file)
	}
	return err
}

// save writes a file, unless it has these bytes: who watches it acts at every write.
func save(file string, text []byte) (changed bool, err error) {
	if old, err := disk.ReadFile(file, int64(len(text))); err == nil && bytes.Equal(old, text) {
		return false, nil
	}
	return true, disk.Replace(file, text)
}
