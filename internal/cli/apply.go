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
	"metarobots/policy"
)

func (c *command) build(cmd *cobra.Command, _ []string) error {
	p, err := c.open(cmd, "")
	if err != nil {
		return err
	}
	defer p.Close()
	site, err := plan.Build(cmd.Context(), p, c.dryRun)
	c.stderr.clear()
	if err != nil {
		return err
	}
	return c.finish(site)
}

// policyNotRead repeats at the end, also with --quiet, that what was meant for the policy is not read, if nothing is.
func (c *command) policyNotRead(outcome *check.Outcome, s *plan.Site) {
	for _, f := range outcome.Findings {
		if f.ID == "policy-not-read" && s.Project.PolicyName() == "" {
			c.stderr.messages(yellow, "warning", "no policy was read, so only the defaults apply: "+
				policy.Placed(f.File, f.Line, f.Message))
			return
		}
	}
}

func (c *command) apply(cmd *cobra.Command, args []string) error {
	return c.plan(cmd, first(args), func(site *plan.Site) error {
		if !c.dryRun {
			if err := site.Apply(cmd.Context()); err != nil {
				return err
			}
			c.withheld = site.Overflow != nil
		}
		return c.finish(site)
	})
}

func (c *command) check(cmd *cobra.Command, args []string) error {
	c.dryRun = true
	return c.plan(cmd, first(args), func(site *plan.Site) error {
		err := c.finish(site)
		if err != nil && err != errFailed {
			return err
		}
		return cmp.Or(differs(site), err)
	})
}

// differs is the error of a check that found files which are not as the policy wants them; nil without any.
func differs(site *plan.Site) error {
	pages, others := site.Differing()
	var what []string
	if n := len(pages); n > 0 {
		what = append(what, count(n, "HTML file"))
	}
	if n := len(others); n > 0 {
		what = append(what, count(n, "other file"))
	}
	names, more := slices.Concat(pages, others), ""
	if len(names) == 0 {
		return nil
	}
	if len(names) > namedFiles {
		names, more = names[:namedFiles], ", …"
	}
	verb := "differ"
	if len(pages)+len(others) == 1 {
		verb = "differs"
	}
	return &exitError{exitFailed, fmt.Errorf("%s %s from the policy: run %s (%s%s)", strings.Join(what, " and "),
		verb, strings.TrimSpace("metarobots apply "+site.Project.Options.Dir), strings.Join(names, ", "), more)}
}

// namedFiles is how many files a failed check names in its last line.
const namedFiles = 3

// finish prints what came of a plan.
func (c *command) finish(site *plan.Site) error {
	outcome, changes, err := c.checked(site)
	if err != nil {
		return err
	}
	if c.reports.file != "" {
		format, err := report.FormatOf(c.reports.file)
		if err == nil {
			err = c.writeReport(site, outcome, changes, format, c.reports.file)
		}
		if err != nil {
			return err
		}
	}
	if c.json {
		if err := result.Write(c.stdout.w, resultOf(site, outcome), result.Pages(site)); err != nil {
			return err
		}
	} else if c.dryRun && !c.quiet {
		if err := c.changes(site); err != nil {
			return err
		}
	}
	if c.verbose && !c.json {
		for _, pg := range site.Pages {
			c.stdout.explain(site, pg)
		}
	}
	notCompared := c.reports.baseline != "" && changes == nil // a check that passes says so, also with --quiet
	c.stderr.findings(outcome.Findings, c.quiet && !notCompared, c.verbose)
	if !c.quiet {
		c.stderr.summary(resultOf(site, outcome).Summary, c.dryRun || c.withheld)
	}
	c.policyNotRead(outcome, site)
	switch {
	case !outcome.Failed():
		return nil
	case c.dryRun, c.withheld:
		return errFailed
	}
	return &exitError{exitFailed, fmt.Errorf("%s was written despite these errors: do not deploy it before "+
		"they are fixed", site.Project.Short(site.Project.Settings.Publish))}
}
