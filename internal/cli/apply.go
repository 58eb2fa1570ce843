package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/report"
	"metarobots/internal/result"
	"metarobots/internal/write"
	"metarobots/policy"
)

func (c *command) build() error {
	return c.plan("", func(ctx context.Context, p *project.Project) (*plan.Plan, error) {
		return write.Build(ctx, p, c.dryRun)
	}, c.finish)
}

// policyNotRead repeats at the end, also with --quiet, that what was meant for the policy is not read, if nothing is.
func (c *command) policyNotRead(findings []policy.Finding, s *plan.Plan) {
	for _, f := range findings {
		if f.ID == "policy-not-read" && s.Project.PolicyName() == "" {
			c.stderr.messages(yellow, "warning", "no policy was read, so only the defaults apply: "+
				policy.Placed(f.File, f.Line, f.Message))
			return
		}
	}
}

func (c *command) apply() error {
	return c.plan(c.arg(), plan.New, func(site *plan.Plan) error {
		if !c.dryRun {
			if err := write.Apply(c.cmd.Context(), site); err != nil {
				return err
			}
			c.withheld = site.Overflow() != nil
		}
		return c.finish(site)
	})
}

func (c *command) check() error {
	c.dryRun = true
	return c.plan(c.arg(), plan.New, c.finish)
}

// differing says how many files are not as the policy wants them, and with advice what to do about it; empty without
// any.
func differing(site *plan.Plan, advice bool) string {
	pages, others := site.Differing()
	names, text := slices.Concat(pages, others), count(len(pages), "HTML file")
	switch {
	case len(names) == 0:
		return ""
	case len(pages) == 0:
		text = count(len(others), "other file")
	case len(others) > 0:
		text += " and " + count(len(others), "other file")
	}
	if len(names) == 1 {
		text += " differs from the policy"
	} else {
		text += " differ from the policy"
	}
	if advice {
		if len(names) > mostNamed {
			names = append(names[:mostNamed], "…")
		}
		text += fmt.Sprintf(": run %s (%s)", strings.TrimSpace("metarobots apply "+site.Project.Options.Dir),
			strings.Join(names, ", "))
	}
	return text
}

// finish prints what came of a plan.
func (c *command) finish(site *plan.Plan) error {
	run, err := c.checked(site)
	if err != nil {
		return err
	}
	for _, file := range c.reports {
		format, _ := report.FormatOf(file) // which open has checked
		if err := c.writeReport(site, *run, format, file); err != nil {
			return err
		}
	}
	if c.json {
		err = report.WriteJSON(c.stdout.w, run, result.Pages(site))
	} else if c.dryRun && !c.quiet && !c.findingsOnly {
		err = c.changes(site)
	}
	if err != nil {
		return err
	}
	if c.verbose && !c.json {
		for _, pg := range site.Pages {
			c.stdout.explain(site, pg, "")
		}
	}
	c.stderr.findings(run.Findings, c.quiet, c.verbose)
	if !c.quiet {
		c.stderr.summary(run.Summary, c.dryRun || c.withheld)
	}
	c.policyNotRead(run.Findings, site)
	return c.verdict(site, run.Findings)
}

// verdict is the error with which a run ends, in its last line: the gravest finding, then what is still to be done.
// For check, that is a failure too.
func (c *command) verdict(site *plan.Plan, findings []policy.Finding) error {
	var parts []string
	failing := c.failing(findings)
	printed := c.quiet && result.Count(findings)[policy.Error] > 0 // and nothing else
	if failing {
		if !printed {
			parts = append(parts, gravest(findings))
		}
		if !c.dryRun && !c.withheld {
			parts = append(parts, fmt.Sprintf("%s was written despite these errors: fix them before you deploy it",
				site.Project.Short(site.Project.Settings.Publish)))
		}
	}
	if c.cmd.Name() == "check" && !c.findingsOnly {
		if text := differing(site, !failing); text != "" { // what is wrong is not to be written
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 && !failing {
		return nil
	}
	c.unwritten = !c.dryRun && slices.ContainsFunc(findings, func(f policy.Finding) bool {
		return f.Severity == policy.Error && (f.ID == "header-overflow" || f.ID == "header-syntax")
	})
	return failed(strings.ReplaceAll(strings.Join(parts, ". "), "?. ", "? "))
}

// gravest is the finding that an owner has to see first, in a few words, and how many more there are: what takes the
// home page or the whole site out of the index stands before all else.
func gravest(findings []policy.Finding) string {
	isError := func(f policy.Finding) bool { return f.Severity == policy.Error }
	i := slices.IndexFunc(findings, func(f policy.Finding) bool { return isError(f) && f.ID == "guard" })
	if i < 0 {
		i = slices.IndexFunc(findings, isError)
	}
	f := findings[max(i, 0)]
	text, _, _ := strings.Cut(f.Message, ". ")
	text, _, _ = strings.Cut(text, "; ")
	text = policy.Placed(cmp.Or(f.File, f.URL), f.Line, text)
	if more := result.Count(findings)[f.Severity] - 1; more > 0 {
		text += fmt.Sprintf(" (and %s)", count(more, "more "+string(f.Severity)))
	}
	return text
}
