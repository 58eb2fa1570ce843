package cli

import (
	"context"
	"errors"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"metarobots/internal/plan"
	"metarobots/internal/report"
)

// open reads flags and surroundings and opens the project.
func (c *command) open(cmd *cobra.Command, dir string) (*plan.Project, error) {
	wd, err := os.Getwd()
	if err != nil {
		return nil, &exitError{exitBroken, err}
	}
	if err := notEmpty(cmd, "baseline", "report", "as", "output"); err != nil {
		return nil, &exitError{exitInvalid, err}
	}
	if f := cmd.Flags().Lookup("max-newly-noindex"); f != nil && f.Changed && c.reports.baseline == "" {
		return nil, &exitError{exitInvalid,
			errors.New("--max-newly-noindex goes with --baseline: without one nothing is compared")}
	}
	o := &c.options
	o.WorkDir, o.Dir, o.Getenv = wd, dir, c.getenv
	o.Build = passedOn(cmd)
	if c.reports.file != "" { // before anything is written
		if _, err := report.FormatOf(c.reports.file); err != nil {
			return nil, &exitError{exitInvalid, err}
		}
		o.Titles = true
	}
	if c.diff && cmd.Flags().Lookup("dry-run") != nil && !c.dryRun {
		return nil, &exitError{exitInvalid, errors.New("--diff goes with --dry-run")}
	}
	o.Log = c.stderr
	if c.quiet && o.Build["logLevel"] == nil {
		o.Build["logLevel"] = "error"
	}
	o.Verbose = c.verbose
	o.Progress = c.progress()
	p, err := plan.Open(cmd.Context(), *o, generators()...)
	if err != nil {
		return nil, exit(err)
	}
	return p, nil
}

// many is how many files make a site large: from there on memory counts more than the collector's time (docs/bench.md).
const many = 20_000

// progress counts pages, on a terminal where they are seen.
func (c *command) progress() func(int) {
	shown, own := !c.quiet && c.stderr.terminal, c.getenv("GOGC") != ""
	return func(files int) {
		switch {
		case own:
		case files == many:
			debug.SetGCPercent(50)
		case files == 5*many:
			debug.SetGCPercent(25)
		}
		if shown {
			c.stderr.progress("%d pages", files)
		}
	}
}

// exit gives an error its exit code.
func exit(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.Canceled) {
		return &exitError{exitBroken, errors.New("interrupted: what is written is whole, another run does the rest")}
	}
	var invalid *plan.InvalidError
	if errors.As(err, &invalid) {
		return &exitError{exitInvalid, err}
	}
	return &exitError{exitBroken, err}
}

// plan opens the project, plans what is published in dir and hands the plan on.
func (c *command) plan(cmd *cobra.Command, dir string, use func(*plan.Site) error) error {
	p, err := c.open(cmd, dir)
	if err != nil {
		return err
	}
	defer p.Close()
	site, err := p.Plan(cmd.Context())
	c.stderr.clear()
	if err != nil {
		return exit(err)
	}
	return use(site)
}
