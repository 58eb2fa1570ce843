package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"metarobots/internal/check"
	"metarobots/internal/disk"
	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/report"
	"metarobots/internal/result"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// lockFile is where snapshot writes, and what it is usually compared with.
const lockFile = "metarobots.lock.json"

// reports are the flags about reports and snapshots.
type reports struct {
	format   string
	files    []string // --report of build, apply and check
	baseline string
	title    string
	audience string // owner or client
	// mostNoindex and mostIndexable are --max-newly-…, negative for what the configuration allows.
	mostNoindex, mostIndexable int
}

// maxFlags are those of check that say how much may have changed since --baseline.
var maxFlags = []string{"max-newly-noindex", "max-newly-indexable"}

func (c *command) reportCommand() *cobra.Command {
	cmd := c.onSite("report", oneFolder, c.report)
	f := cmd.Flags()
	f.StringVar(&c.reports.format, "format", "", "")
	f.StringVarP(&c.output, "output", "o", "", "")
	f.StringVar(&c.reports.baseline, "baseline", "", "")
	failOnFlag(cmd, failNever)
	f.StringVar(&c.reports.title, "title", "", "")
	f.StringVar(&c.reports.audience, "audience", "owner", "")
	return cmd
}

func (c *command) snapshotCommand() *cobra.Command {
	cmd := c.onSite("snapshot", oneFolder, c.snapshot)
	cmd.Flags().StringVarP(&c.output, "output", "o", "", "")
	return cmd
}

// reportFlags adds what build, apply and check have of reports.
func (c *command) reportFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&c.reports.files, "report", nil, "")
	if cmd.Name() == "check" {
		f.StringVar(&c.reports.baseline, "baseline", "", "")
		f.IntVar(&c.reports.mostNoindex, "max-newly-noindex", -1, "")
		f.IntVar(&c.reports.mostIndexable, "max-newly-indexable", -1, "")
		for _, name := range maxFlags {
			f.Lookup(name).DefValue = "0" // so that help names the configuration's alone
		}
	}
}

func (c *command) report(cmd *cobra.Command, args []string) error {
	format, err := report.HTML, error(nil)
	if c.reports.format != "" {
		format, err = report.ParseFormat(c.reports.format)
	} else if c.output != "" {
		format, err = report.FormatOf(c.output)
	} else if c.stdout.terminal {
		err = errors.New("metarobots report -o report.html writes the page; --format markdown prints the report here")
	}
	if err == nil {
		err = c.readers(cmd, format)
	}
	if err != nil {
		return invalid(err)
	}
	c.options.Titles, c.options.Audit, c.dryRun = true, true, true
	return c.plan(cmd, first(args), func(site *plan.Plan) error {
		outcome, changes, err := c.checked(site)
		if err != nil {
			return err
		}
		err = c.writeReport(site, outcome, changes, format, c.output)
		if err == nil && c.failOn != failNever && c.failing(outcome) {
			err = &exitError{exitFailed, errors.New(gravest(outcome.Findings))}
		}
		return err
	})
}

// readers checks the flags that say how a report looks to its readers.
func (c *command) readers(cmd *cobra.Command, format report.Format) error {
	if a := c.reports.audience; a != "owner" && a != "client" {
		return fmt.Errorf("unknown audience %q (want owner or client)", a)
	}
	if f := cmd.Flags(); format != report.HTML && format != report.Markdown && (f.Changed("title") ||
		f.Changed("audience")) {
		return fmt.Errorf("--title and --audience are for HTML and Markdown, not for %s", format)
	}
	return nil
}

// checked is what the checks say of a plan, compared with --baseline where there is one.
// The changes are nil without one.
func (c *command) checked(site *plan.Plan) (*check.Outcome, *snapshot.Changes, error) {
	outcome := check.Run(site)
	outcome.Findings = check.Once(site, outcome.Findings)
	if c.reports.baseline == "" {
		return outcome, nil, nil
	}
	file := c.reports.baseline
	old, err := readSnapshot(file)
	if errors.Is(err, os.ErrNotExist) {
		err = &printable.Help{Err: err, Lines: []string{"to write it: metarobots snapshot -o " + file}}
	}
	if err != nil {
		return nil, nil, invalid(err)
	}
	b := &snapshot.Baseline{Snapshot: old, File: file, MostNoindex: c.reports.mostNoindex,
		MostIndexable: c.reports.mostIndexable}
	changes, more, err := b.Compare(site)
	if err != nil {
		return nil, nil, invalid(err)
	}
	outcome.Findings = append(outcome.Findings, more...)
	return outcome, changes, nil
}

// resultOf is a run in its public form, without its pages.
func resultOf(site *plan.Plan, o *check.Outcome) *result.Result {
	return result.New(site, o.Findings, o.Suppressed, check.NewlyNoindex(site))
}

// maxSnapshot is how much is read of a snapshot, in bytes; one of a million pages has 56 MB.
const maxSnapshot = 1 << 30

// ofFile is an error about a file that the user named, without the call that it comes from: "a.log: no such file".
func ofFile(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return fmt.Errorf("%s: %w", p.Path, p.Err)
	}
	return err
}

// readSnapshot reads a snapshot that the user names. It may be a pipe, as of diff <(git show
// main:metarobots.lock.json) …; the site's own snapshot may not.
func readSnapshot(file string) (*snapshot.Snapshot, error) {
	open := os.Open
	if filepath.Base(file) == lockFile {
		open = disk.Open
	}
	f, err := open(file)
	if err != nil {
		return nil, ofFile(err)
	}
	defer f.Close()
	s, err := snapshot.Read(io.LimitReader(f, maxSnapshot))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

// writeReport writes a report of a plan to a file, or to stdout where it has no name. The clock is the policy's, so
// that --now and SOURCE_DATE_EPOCH make it reproducible.
func (c *command) writeReport(site *plan.Plan, outcome *check.Outcome, changes *snapshot.Changes, format report.Format,
	file string) error {
	data := &report.Data{Site: siteName(site), Result: *resultOf(site, outcome), Changes: changes,
		Title: c.reports.title, Client: c.reports.audience == "client"}
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
		for _, pg := range site.Pages {
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
		return c.writeOutput(file, func(w io.Writer) error { return report.WriteJSON(w, data, pages) })
	}
	data.Pages = slices.Collect(pages)
	return c.writeOutput(file, func(w io.Writer) error {
		return report.Write(w, format, data, site.Project.Policy.Now)
	})
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
	err := save(file, write)
	if err == nil && !c.quiet {
		c.stderr.printf("%s written\n", file)
	}
	return err
}

// save writes a file and the folders above it.
func save(file string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return disk.WriteFrom(file, write)
}

// lock is the site's own snapshot: it lies in the site's folder, wherever the program is called from.
func (c *command) lock() string { return filepath.Join(c.options.Source, lockFile) }

// unread prints what is wrong with robots tags that no crawler reads, where nothing else of the findings is printed.
func (c *command) unread(site *plan.Plan) {
	c.stderr.findings(slices.DeleteFunc(slices.Clone(site.Findings), func(f policy.Finding) bool {
		return !slices.Contains([]string{"mistaken-tag", "value-for-content", "separator", "prefix", "unknown-directive"}, f.ID)
	}), c.quiet, c.verbose)
}

func (c *command) snapshot(cmd *cobra.Command, args []string) error {
	file := cmp.Or(c.output, c.lock())
	c.options.Audit = true
	return c.plan(cmd, first(args), func(site *plan.Plan) error {
		c.unread(site)
		s := snapshot.Of(site)
		if old, err := readSnapshot(file); err == nil {
			// nothing would be compared with it
			if old.Environment != "" && !strings.EqualFold(old.Environment, s.Environment) {
				return invalidf("%s: a snapshot of environment %s, and this is %s: it is not replaced (--output names "+
					"another file)", file, old.Environment, s.Environment)
			}
			s.Date(old, site.Project.Policy.Now)
		} else if file != "-" && !errors.Is(err, os.ErrNotExist) {
			return invalidf("%w: it is not replaced", err)
		}
		var b bytes.Buffer
		if err := s.Write(&b); err != nil {
			return err
		}
		if old, err := disk.ReadFile(file, int64(b.Len())); err == nil && bytes.Equal(old, b.Bytes()) {
			return nil
		}
		return c.writeOutput(file, func(w io.Writer) error { _, err := b.WriteTo(w); return err })
	})
}
