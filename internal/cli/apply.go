package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"metarobots/internal/check"
	"metarobots/internal/plan"
	"metarobots/internal/report"
	"metarobots/internal/result"
	"metarobots/internal/write"
	"metarobots/policy"
)

func (c *command) build(cmd *cobra.Command, _ []string) error {
	p, err := c.open(cmd, "")
	if err != nil {
		return err
	}
	defer p.Close()
	site, err := write.Build(cmd.Context(), p, c.dryRun)
	c.stderr.clear()
	if err != nil {
		return err
	}
	return c.finish(site, false)
}

// policyNotRead repeats at the end, also with --quiet, that what was meant for the policy is not read, if nothing is.
func (c *command) policyNotRead(outcome *check.Outcome, s *plan.Plan) {
	for _, f := range outcome.Findings {
		if f.ID == "policy-not-read" && s.Project.PolicyName() == "" {
			c.stderr.messages(yellow, "warning", "no policy was read, so only the defaults apply: "+
				policy.Placed(f.File, f.Line, f.Message))
			return
		}
	}
}

func (c *command) apply(cmd *cobra.Command, args []string) error {
	return c.plan(cmd, first(args), func(site *plan.Plan) error {
		if !c.dryRun {
			if err := write.Apply(cmd.Context(), site); err != nil {
				return err
			}
			c.withheld = site.Overflow != nil
		}
		return c.finish(site, false)
	})
}

func (c *command) check(cmd *cobra.Command, args []string) error {
	c.dryRun = true
	return c.plan(cmd, first(args), func(site *plan.Plan) error { return c.finish(site, !c.findingsOnly) })
}

// differing says how many files are not as the policy wants them, and with advice what to do about it; empty without
// any.
func differing(site *plan.Plan, advice bool) string {
	pages, others := site.Differing()
	names := slices.Concat(pages, others)
	var what []string
	if n := len(pages); n > 0 {
		what = append(what, count(n, "HTML file"))
	}
	if n := len(others); n > 0 {
		what = append(what, count(n, "other file"))
	}
	text := strings.Join(what, " and ")
	switch len(names) {
	case 0:
		return ""
	case 1:
		text += " differs from the policy"
	default:
		text += " differ from the policy"
	}
	if advice {
		if len(names) > namedFiles {
			names = append(names[:namedFiles], "…")
		}
		text += fmt.Sprintf(": run %s (%s)", strings.TrimSpace("metarobots apply "+site.Project.Options.Dir),
			strings.Join(names, ", "))
	}
	return text
}

// namedFiles is how many files a failed check names in its last line.
const namedFiles = 3

// finish prints what came of a plan. With complete, files that are not as the policy wants them are a failure.
func (c *command) finish(site *plan.Plan, complete bool) error {
	outcome, changes, err := c.checked(site)
	if err != nil {
		return err
	}
	for _, file := range c.reports {
		format, _ := report.FormatOf(file) // which open has checked
		if err := c.writeReport(site, outcome, changes, format, file); err != nil {
			return err
		}
	}
	r := resultOf(site, outcome)
	if c.json {
		data := &report.Data{Result: *r, Changes: changes}
		if err := report.WriteJSON(c.stdout.w, data, result.Pages(site)); err != nil {
			return err
		}
	} else if c.dryRun && !c.quiet && !c.findingsOnly {
		if err := c.changes(site); err != nil {
			return err
		}
	}
	if c.verbose && !c.json {
		for _, pg := range site.Pages {
			c.stdout.explain(site, pg)
		}
	}
	c.stderr.findings(outcome.Findings, c.quiet, c.verbose)
	if !c.quiet {
		c.stderr.summary(r.Summary, c.dryRun || c.withheld)
	}
	c.policyNotRead(outcome, site)
	return c.verdict(site, outcome, complete)
}

// verdict is the error with which a run ends, in its last line: the gravest finding, then what is still to be done.
func (c *command) verdict(site *plan.Plan, outcome *check.Outcome, complete bool) error {
	var parts []string
	failing := c.failing(outcome)
	single := c.quiet && result.Count(outcome.Findings)[policy.Error] == 1 // it is all that was printed
	if failing {
		if !single {
			parts = append(parts, gravest(outcome.Findings))
		}
		if !c.dryRun && !c.withheld {
			parts = append(parts, fmt.Sprintf("%s was written despite these errors: fix them before you deploy it",
				site.Project.Short(site.Project.Settings.Publish)))
		}
	}
	if text := differing(site, !failing); complete && text != "" { // what is wrong is not to be written
		parts = append(parts, text)
	}
	if len(parts) == 0 && !failing {
		return nil
	}
	c.unwritten = !c.dryRun && slices.ContainsFunc(outcome.Findings, func(f policy.Finding) bool {
		return f.Severity == policy.Error && (f.ID == "header-overflow" || f.ID == "header-syntax")
	})
	return failed(strings.Join(parts, ". "))
}

// gravest is the finding that an owner has to see first, in a few words, and how many more there are: what takes the
// home page or the whole site out of the index stands before all else.
func gravest(findings []policy.Finding) string {
	rank := func(f policy.Finding) int {
		switch {
		case f.Severity == policy.Error && f.ID == "guard":
			return 0
		case f.Severity == policy.Error:
			return 1
		}
		return 2
	}
	f := slices.MinFunc(findings, func(a, b policy.Finding) int { return cmp.Compare(rank(a), rank(b)) })
	text, _, _ := strings.Cut(f.Message, ". ")
	text, _, _ = strings.Cut(text, "; ")
	text = policy.Placed(cmp.Or(f.File, f.URL), f.Line, text)
	if more := result.Count(findings)[f.Severity] - 1; more > 0 {
		text += fmt.Sprintf(" (and %s)", count(more, "more "+string(f.Severity)))
	}
	return text
}
