package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"metarobots/emit/robotstag"
	"metarobots/internal/check"
	"metarobots/internal/disk"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/published"
	"metarobots/internal/report"
	"metarobots/internal/result"
	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

type reportCommand struct {
	siteCommand
	network        networkFlags
	format, output string // empty for the usual ones
	baseline       baselineFlags
	failOn         failOn
	title          string
	audience       string // owner or client
	what           string // what a CSV has a row for
}

func (c *reportCommand) addFlags(flags *pflag.FlagSet) {
	c.addFolder(flags)
	flags.StringVar(&c.format, "format", "", "")
	flags.StringVarP(&c.output, "output", "o", "", "")
	c.baseline.addFile(flags)
	c.failOn.add(flags, failNever)
	flags.StringVar(&c.title, "title", "", "")
	flags.StringVar(&c.audience, "audience", "owner", "")
	flags.StringVar(&c.what, "what", string(report.Pages), "")
	c.network.addURLs(flags)
	c.network.addAsking(flags)
}

func (c *reportCommand) wrongFlag(f *pflag.Flag) error {
	if f.Name == "fail-on" {
		return c.failOn.validate()
	}
	return c.network.wrongFlag(f, c.args)
}

// run writes the report of a folder, or of a deployed site if the argument is a URL.
func (c *reportCommand) run() error {
	format, err := c.chosenFormat()
	if err != nil {
		return project.Invalid(err)
	}
	if err := c.checkChoices(format); err != nil {
		return err
	}
	if isURL(c.arg()) {
		return c.reportDeployed(format)
	}
	return c.reportFolder(format)
}

// checkChoices refuses unknown words of --audience and --what, and flags that the format ignores.
func (c *reportCommand) checkChoices(format report.Format) error {
	isGiven := c.cmd.Flags().Changed
	isDocument := format == report.HTML || format == report.Markdown
	switch {
	case c.audience != "owner" && c.audience != "client":
		return invalidf("unknown audience %q (want owner or client)", c.audience)
	case report.What(c.what) != report.Pages && report.What(c.what) != report.Findings:
		return invalidf("unknown --what %q (want pages or findings)", c.what)
	case isGiven("what") && format != report.CSV:
		return invalidf("--what is for CSV, not for %s", format)
	case isGiven("title") && !isDocument:
		return invalidf("--title is for HTML and Markdown, not for %s", format)
	case isGiven("audience") && !isDocument && format != report.CSV:
		return invalidf("--audience is for HTML, Markdown and CSV, not for %s", format)
	}
	return nil
}

// setPresentation sets how a report shows its data, by flags: Title, Client (--audience) and What.
func (c *reportCommand) setPresentation(data *report.Data) {
	data.Title, data.Client, data.What = c.title, c.audience == "client", report.What(c.what)
}

// reportFolder plans the site of a folder, writes a report of it, and returns the error of
// --fail-on. The report shows the folder as it is: what a run would write there first is neither
// listed nor counted.
func (c *reportCommand) reportFolder(format report.Format) error {
	c.options.Titles, c.options.Audit = true, true // show titles, and what crawlers read now
	return c.plan(c.arg(), plan.New, func(site *plan.Plan) error {
		data, err := checkedResult(site, c.baseline)
		if err != nil {
			return err
		}
		c.noteUncompared(format)
		data.Summary.Files -= len(notWritten(site))
		c.setPresentation(data)
		file := reportFile{name: c.output, format: format, isPlanned: true}
		if err := c.writeReport(site, *data, file); err != nil {
			return err
		}
		return c.failure(data.Findings)
	})
}

// failure is the error of a report with findings that --fail-on lets fail; nil if none does.
func (c *reportCommand) failure(findings []policy.Finding) error {
	if c.failOn == failNever || !c.failOn.fails(findings) {
		return nil
	}
	return failed(gravest(findings))
}

// noteUncompared notes that annotations or SARIF say nothing of what changed, if the site has a
// snapshot that nobody named: whoever reads them takes their silence for a comparison.
func (c *reportCommand) noteUncompared(format report.Format) {
	isForPipelines := format == report.GitHub || format == report.SARIF
	if isForPipelines && c.baseline.file == "" && project.Exists(c.lock()) && !c.quiet {
		c.stderr.messages(blue, "note",
			fmt.Sprintf("nothing is compared with %s: --baseline %s does that", lockFile, lockFile))
	}
}

// chosenFormat is the format of --format, or of the ending of --output, or else HTML, which no
// terminal can show.
func (c *reportCommand) chosenFormat() (report.Format, error) {
	switch {
	case c.format != "":
		return report.ParseFormat(c.format)
	case c.output != "":
		return report.FormatOf(c.output)
	case c.stdout.terminal:
		return "", errors.New("metarobots report -o report.html writes the page; " +
			"--format markdown prints the report here")
	}
	return report.HTML, nil
}

// baselineFlags name a snapshot, and how much may have changed since; a negative number is the
// configuration's.
type baselineFlags struct {
	file                       string
	mostNoindex, mostIndexable int
	mostDisallowed             int // by robots.txt
	mostFetchable              int // by robots.txt
	mostRemoved                int // negative for any number
}

func (b *baselineFlags) addFile(flags *pflag.FlagSet) {
	flags.StringVar(&b.file, "baseline", "", "")
	b.mostNoindex, b.mostIndexable, b.mostDisallowed, b.mostFetchable, b.mostRemoved = -1, -1, -1, -1, -1
}

func (b *baselineFlags) addLimits(flags *pflag.FlagSet) {
	flags.IntVar(&b.mostNoindex, "max-newly-noindex", -1, "")
	flags.IntVar(&b.mostIndexable, "max-newly-indexable", -1, "")
	flags.IntVar(&b.mostDisallowed, "max-newly-disallowed", -1, "")
	flags.IntVar(&b.mostFetchable, "max-newly-fetchable", -1, "")
	flags.IntVar(&b.mostRemoved, "max-removed", -1, "")
}

func (b *baselineFlags) wrongFlag(f *pflag.Flag) error {
	if b.file == "" && strings.HasPrefix(f.Name, "max-") {
		return fmt.Errorf("--%s goes with --baseline: without one nothing is compared", f.Name)
	}
	return nil
}

// checkedResult is a run in its public form with what the checks find, and with what differs from a
// baseline if one is named. It has no pages yet. The error is that of the baseline: a file that
// cannot be read or compared.
func checkedResult(site *plan.Plan, baseline baselineFlags) (*report.Data, error) {
	outcome, data := check.Run(site), &report.Data{LeavesLinks: check.LeavesLinks(site)}
	outcome.Findings = check.Once(site, outcome.Findings)
	if baseline.file != "" {
		old, err := readSnapshot(baseline.file)
		if err != nil {
			return nil, err
		}
		b := &snapshot.Baseline{Snapshot: old, File: baseline.file, MostNoindex: baseline.mostNoindex,
			MostIndexable: baseline.mostIndexable, MostDisallowed: baseline.mostDisallowed,
			MostFetchable: baseline.mostFetchable, MostRemoved: baseline.mostRemoved}
		changes, more, err := b.Compare(site)
		if err != nil {
			return nil, project.Invalid(err)
		}
		nameNew(outcome.Findings, changes.NewlyNoindex, baseline.file)
		data.Changes, outcome.Findings = changes, append(outcome.Findings, more...)
	}
	data.Result = *resultOf(site, outcome)
	return data, nil
}

// nameNew has the guard's finding about a share of the pages name what is newly noindex since a
// baseline, in place of the largest cause: what was noindex before was meant to be.
func nameNew(findings []policy.Finding, changes []snapshot.Change, baseline string) {
	placeOf := func(c snapshot.Change) string { return policy.Placed(c.File, c.Line, c.Reason.Text) }
	causes := snapshot.Group(changes, snapshot.Cause) // as the baseline's own finding counts them
	if len(causes) == 0 {
		return
	}
	most := slices.MaxFunc(causes, func(a, b []snapshot.Change) int { return len(a) - len(b) })
	for i := range findings {
		if f := &findings[i]; f.ID == "guard" && f.Severity == policy.Error && f.URL == "" {
			f.Detail = fmt.Sprintf("; newly noindex since %s: %s, %d of them by %s, first %s", baseline,
				robotstag.Count(len(changes), "URL", "URLs"), len(most), placeOf(most[0]), most[0].URL)
		}
	}
}

// resultOf is a run in its public form, without its pages.
func resultOf(site *plan.Plan, o *check.Outcome) *result.Result {
	return result.New(site, o.Findings, o.Suppressed, check.NewlyNoindex(site))
}

// ofFile is an error about a file that the user named, without the call that it comes from: "a.log:
// no such file".
func ofFile(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return fmt.Errorf("%s: %w", p.Path, p.Err)
	}
	return err
}

// A reportFile is a report that is to be written.
type reportFile struct {
	name      string // empty for stdout
	format    report.Format
	isPlanned bool // the files that it tells of are not written
}

// writeReport writes a report of a run. The clock is the policy's, so that --now and
// SOURCE_DATE_EPOCH make it reproducible.
func (c *siteCommand) writeReport(site *plan.Plan, data report.Data, to reportFile) error {
	data.Site = siteName(site)
	if slices.Contains([]report.Format{report.HTML, report.Markdown, report.JSON}, to.format) {
		data.Vendors = result.VendorTables(site)
	}
	data.AreAsTheyAre = site.Project.AuditsFilesAsTheyAre()
	if to.isPlanned && !data.AreAsTheyAre {
		pages, others := site.Differing()
		data.NotWritten = len(pages) + len(others)
	}
	if to.format == report.GitHub || to.format == report.SARIF {
		data.Findings = moveToSources(site, data.Findings, to.format)
	}
	pages := c.reportedPages(site, to)
	if to.format == report.JSON {
		return c.writeOutput(to.name, func(w io.Writer) error { return report.WriteJSON(w, &data, pages) })
	}
	data.Pages = slices.AppendSeq(make([]result.Page, 0, len(site.Pages)), pages)
	return c.writeOutput(to.name, func(w io.Writer) error {
		return report.Write(w, to.format, &data, site.Project.Policy.Now)
	})
}

// reportedPages are the pages of a report, each made when it is its turn: JSON writes them so,
// since a site may have more than fit into memory, and the other formats collect them. A page has
// what --json shows of it, what robots.txt says of it, since when it is noindex, if the lock file
// can be read, and in CSV what it means to each vendor. A report of files that are not written
// leaves out the pages that only those would have.
func (c *siteCommand) reportedPages(site *plan.Plan, to reportFile) iter.Seq[result.Page] {
	var sinceOf map[string]string // the day, by URL
	if old, err := readSnapshot(c.lock()); err == nil {
		sinceOf = old.Since()
	}
	var absent []*plan.Page
	if to.isPlanned {
		absent = notWritten(site)
	}
	var vendorsOf map[*plan.Page][]published.Answer
	if to.format == report.CSV { // the other formats show vendors in a table of the whole site
		vendorsOf = published.AnswersOf(site)
	}
	return func(yield func(result.Page) bool) {
		for _, pg := range site.Pages {
			if slices.Contains(absent, pg) {
				continue
			}
			p := result.PageOf(site, pg)
			p.Vendors, p.Since = vendorsOf[pg], sinceOf[p.URL]
			p.RobotsTxt = reportedFetches(site, pg, to.format)
			if isEnough := !yield(p); isEnough {
				return
			}
		}
	}
}

// reportedFetches is what robots.txt says of a page in a report of a format: in JSON to each of the
// usual crawlers, for programs, else to each of its groups.
func reportedFetches(site *plan.Plan, pg *plan.Page, format report.Format) []seen.Fetch {
	if format == report.JSON {
		var usualCrawlers []string // nil means these
		return result.RobotsTxt(site, pg, noQuery, usualCrawlers)
	}
	return result.RobotsGroups(site, pg)
}

// noQuery is the query of a page that is asked for by its path alone.
const noQuery = ""

// notWritten are the files of a plan that do not exist before a run writes them.
func notWritten(site *plan.Plan) (pages []*plan.Page) {
	for _, f := range site.Files() {
		o := f.Output()
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

// writeOutput has a file written, in place of an old one, or stdout if its name is "" or "-".
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
