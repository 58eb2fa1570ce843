package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"metarobots/emit/robotstag"
	"metarobots/internal/disk"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/report"
	"metarobots/internal/result"
	"metarobots/internal/write"
	"metarobots/policy"
)

// A resultCommand is what build, apply and check have in common: they print what came of a plan.
type resultCommand struct {
	siteCommand
	dryRun  bool // also of check, which never writes
	diff    bool
	reports []string // their files
	failOn  failOn
}

// addWriting adds the flags of a command that writes the site.
func (c *resultCommand) addWriting(flags *pflag.FlagSet) {
	flags.BoolVarP(&c.dryRun, "dry-run", "n", false, "")
	flags.BoolVar(&c.options.Writing.Force, "force", false, "")
	c.addReports(flags)
	c.failOn.add(flags, failError)
}

func (c *resultCommand) addReports(flags *pflag.FlagSet) {
	flags.BoolVar(&c.diff, "diff", false, "")
	flags.StringArrayVar(&c.reports, "report", nil, "")
}

func (c *resultCommand) wrongFlag(f *pflag.Flag) error {
	switch {
	case f.Name == "diff" && !c.dryRun:
		return errors.New("--diff goes with --dry-run")
	case f.Name == "fail-on":
		return c.failOn.validate()
	}
	return nil
}

// prepare checks what --report names before anything is written, and says who writes.
func (c *resultCommand) prepare() error {
	if !c.dryRun {
		c.options.Writing.By = c.cmd.CommandPath()
	}
	for _, file := range c.reports {
		if _, err := report.FormatOf(file); err != nil {
			return project.Invalid(err)
		}
		c.options.Titles = true
	}
	return nil
}

type buildCommand struct {
	resultCommand
	isRoot bool // the program without the name of a command
}

func (c *buildCommand) addFlags(flags *pflag.FlagSet) {
	c.addSite(flags)
	c.addJSON(flags)
	c.addVerbose(flags)
	c.addWriting(flags)
	if c.isRoot {
		flags.BoolP("version", "V", false, "") // which cobra reads
	}
}

func (c *buildCommand) run() error {
	if err := c.prepare(); err != nil {
		return err
	}
	build := func(ctx context.Context, p *project.Project) (*plan.Plan, error) {
		return write.Build(ctx, p, c.dryRun)
	}
	return c.plan(noFolder, build, func(site *plan.Plan) error {
		c.noteHugoVersion(site)
		// The pages are written even if files beside them are withheld.
		return c.finish(site, ending{isWritten: !c.dryRun, listsChanges: c.dryRun})
	})
}

type applyCommand struct{ resultCommand }

func (c *applyCommand) addFlags(flags *pflag.FlagSet) {
	c.addFolder(flags)
	c.addJSON(flags)
	c.addVerbose(flags)
	c.addWriting(flags)
}

func (c *applyCommand) run() error {
	if err := c.prepare(); err != nil {
		return err
	}
	var stage *disk.Stage // a dry run has none
	if !c.dryRun {
		stage = &disk.Stage{}
	}
	makePlan := func(ctx context.Context, p *project.Project) (*plan.Plan, error) {
		return plan.NewToWrite(ctx, p, stage)
	}
	return c.plan(c.arg(), makePlan, func(site *plan.Plan) error {
		if c.dryRun {
			return c.finish(site, ending{listsChanges: true})
		}
		if err := write.Apply(c.cmd.Context(), site, stage); err != nil {
			return err
		}
		return c.finish(site, ending{isWritten: !site.IsWithheld()})
	})
}

type checkCommand struct {
	resultCommand
	baseline     baselineFlags
	findingsOnly bool // files that differ from the policy do not fail the check
}

func (c *checkCommand) addFlags(flags *pflag.FlagSet) {
	c.addFolder(flags)
	c.addJSON(flags)
	c.addVerbose(flags)
	c.addReports(flags)
	c.baseline.addFile(flags)
	c.baseline.addLimits(flags)
	c.failOn.add(flags, failError)
	flags.BoolVar(&c.findingsOnly, "findings-only", false, "")
}

func (c *checkCommand) wrongFlag(f *pflag.Flag) error {
	if f.Name == "diff" { // which needs no --dry-run here
		return nil
	}
	return cmp.Or(c.resultCommand.wrongFlag(f), c.baseline.wrongFlag(f))
}

func (c *checkCommand) run() error {
	c.dryRun = true
	if err := c.prepare(); err != nil {
		return err
	}
	return c.plan(c.arg(), plan.New, func(site *plan.Plan) error {
		return c.finish(site, ending{baseline: c.baseline, listsChanges: !c.findingsOnly,
			failsOnChanges: !c.findingsOnly})
	})
}

// warnOfPolicyNotRead repeats at the end, also with --quiet, that what was meant for the policy is
// not read, if nothing is.
func (c *command) warnOfPolicyNotRead(findings []policy.Finding, s *plan.Plan) {
	for _, f := range findings {
		if f.ID == "policy-not-read" && s.Project.PolicyName() == "" {
			c.stderr.messages(yellow, "warning", "no policy was read, so only the defaults apply: "+
				policy.Placed(f.File, f.Line, f.Text()))
			return
		}
	}
}

// differing says how many files are not as the policy wants them, and if it advises, what to do
// about it; empty without any.
func differing(site *plan.Plan, advises bool) string {
	pages, others := site.Differing()
	names, text := slices.Concat(pages, others), robotstag.Count(len(pages), "HTML file", "HTML files")
	switch {
	case len(names) == 0:
		return ""
	case len(pages) == 0:
		text = robotstag.Count(len(others), "other file", "other files")
	case len(others) > 0:
		text += " and " + robotstag.Count(len(others), "other file", "other files")
	}
	if len(names) == 1 {
		text += " differs from the policy"
	} else {
		text += " differ from the policy"
	}
	if advises {
		if len(names) > mostNamed {
			names = append(names[:mostNamed], "…")
		}
		text += fmt.Sprintf(": run %s (%s)", strings.TrimSpace("metarobots apply "+site.Project.Options.Dir),
			strings.Join(names, ", "))
	}
	return text
}

// An ending is how a run of build, apply or check ends.
type ending struct {
	baseline       baselineFlags
	isWritten      bool // otherwise the files are only planned
	listsChanges   bool // prints which files differ from the policy
	failsOnChanges bool // and fails if any do
}

// finish writes the reports of --report, prints what came of a plan, and returns the error with
// which the run ends. With --json the answer is one object in place of the decisions; findings and
// the summary go to standard error all the same.
func (c *resultCommand) finish(site *plan.Plan, e ending) error {
	data, err := checkedResult(site, e.baseline)
	if err != nil { // of the baseline, which check alone has
		return err
	}
	if err := c.writeReports(site, data, e); err != nil {
		return err
	}
	if c.json {
		err = report.WriteJSON(c.stdout.w, data, result.Pages(site))
	} else {
		err = c.printDecisions(site, e)
	}
	if err != nil {
		return err
	}
	shown := withSourcePlaces(site, data.Findings) // all of them, some at other places than in JSON
	c.stderr.findings(shown, c.quiet, c.verbose)
	if !c.quiet {
		c.stderr.summary(data.Summary, e.isWritten)
	}
	// Errors end the run, and the last sentence would then be about them: one of them may be this.
	if result.Count(data.Findings)[policy.Error] == 0 {
		c.warnOfPolicyNotRead(data.Findings, site)
	}
	return c.verdict(site, shown, e)
}

// writeReports writes a file for each --report, in the format that its name tells.
func (c *resultCommand) writeReports(site *plan.Plan, data *report.Data, e ending) error {
	for _, file := range c.reports {
		format, _ := report.FormatOf(file) // which prepare has checked
		to := reportFile{name: file, format: format, isPlanned: !e.isWritten}
		// Each gets a copy of the data, to which it adds what its format shows.
		if err := c.writeReport(site, *data, to); err != nil {
			return err
		}
	}
	return nil
}

// printDecisions lists the files that would change, and with --verbose the decision for each page.
func (c *resultCommand) printDecisions(site *plan.Plan, e ending) error {
	if e.listsChanges && !c.quiet {
		if err := c.printChanges(site); err != nil {
			return err
		}
	}
	if c.verbose {
		const noAnswer, noAddresses = "", ""
		for _, pg := range site.Pages {
			c.stdout.explain(site, pg, noAnswer, noAddresses)
		}
	}
	return nil
}

// failing names the findings that failed a run which wrote all the same, by how many there are of
// each severity: its errors or, without any, with --fail-on warning, its warnings.
func failing(counts map[policy.Severity]int) string {
	n, kind := counts[policy.Error], "error"
	if n == 0 {
		n, kind = counts[policy.Warning], "warning"
	}
	if n == 1 {
		return "this " + kind + ": fix it before you deploy it"
	}
	return "these " + kind + "s: fix them before you deploy it"
}

// verdict is the error with which a run ends; nil if it succeeds. Its text is printed last: the
// gravest finding if findings fail the run, then what is still to be done; it is empty if all of it
// was printed before. findings are those that were printed.
//
// With --fail-on never, errors fail the run here as with --fail-on error; [command.forgive] then
// prints the text, and the run succeeds all the same.
func (c *resultCommand) verdict(site *plan.Plan, findings []policy.Finding, e ending) error {
	isFailing := c.failOn.fails(findings)
	var sentences []string
	if isFailing {
		sentences = c.failureSentences(site, findings, e)
	}
	if e.failsOnChanges {
		advises := !isFailing // else apply would write what is wrong
		if text := differing(site, advises); text != "" {
			sentences = append(sentences, text)
		}
	}
	if len(sentences) == 0 && !isFailing {
		return nil
	}
	err := failed(joinSentences(sentences))
	if isWriting := !c.dryRun; isWriting && lacksHeaders(findings) {
		return err // which nothing forgives: the site would be served without what is decided
	}
	return c.forgive(c.failOn, err)
}

// failureSentences say why findings fail a run, and that it has written the site all the same. With
// --quiet, errors are all that was printed, so that the gravest is not said twice.
func (c *resultCommand) failureSentences(site *plan.Plan, findings []policy.Finding, e ending) (sentences []string) {
	counts := result.Count(findings)
	hasErrors := counts[policy.Error] > 0
	if isPrinted := c.quiet && hasErrors; !isPrinted {
		sentences = append(sentences, gravest(findings))
	}
	if e.isWritten {
		sentences = append(sentences, site.Project.Short(site.Project.Settings.Publish)+" was written despite "+
			failing(counts))
	}
	return sentences
}

// joinSentences joins sentences without full stops. One may end in a question mark, which stays
// alone.
func joinSentences(sentences []string) string {
	return strings.ReplaceAll(strings.Join(sentences, ". "), "?. ", "? ")
}

// lacksHeaders reports whether the policy's headers, or some of them, could not be written, or were
// not proven.
func lacksHeaders(findings []policy.Finding) bool {
	withheld := []string{"header-overflow", "header-syntax", "header-mismatch", "ai-mismatch",
		"sitemap-mismatch"}
	return slices.ContainsFunc(findings, func(f policy.Finding) bool {
		return f.Severity == policy.Error && slices.Contains(withheld, f.ID)
	})
}

// gravest is the finding that an owner has to see first, in a few words, and how many more of its
// severity there are. Of several that are as grave it is the first.
func gravest(findings []policy.Finding) string {
	f := slices.MinFunc(findings, func(a, b policy.Finding) int { return urgency(a) - urgency(b) })
	text := policy.Placed(cmp.Or(f.File, f.URL), f.Line, f.Message)
	if more := result.Count(findings)[f.Severity] - 1; more > 0 {
		text += fmt.Sprintf(" (and %s)", countRegular(more, "more "+string(f.Severity)))
	}
	return text
}

// urgency is the place of a finding in the order of [gravest], lowest first: what takes the home
// page or the whole site out of the index is before all else.
func urgency(f policy.Finding) int {
	switch {
	case f.Severity == policy.Error && f.ID == "guard":
		return 0
	case f.Severity == policy.Error:
		return 1
	case f.Severity == policy.Warning:
		return 2
	}
	return 3
}
