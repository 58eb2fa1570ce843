package cli

import (
	"context"
	"os"
	"runtime/debug"

	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/report"
)

// open reads flags and environment variables, and opens the project.
func (c *command) open(dir string) (*project.Project, error) {
	wd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if isURL(dir) {
		return nil, invalidf("%s is a deployed site, and %s reads a folder: metarobots list and verify ask deployed sites",
			dir, c.cmd.CommandPath())
	}
	o := &c.options
	o.WorkDir, o.Dir, o.Getenv = wd, dir, c.getenv
	o.Build = c.passedOn()
	if c.cmd.Name() == "init" {
		o.Build["noBuildLock"] = true // a site that is built in memory stays as it is
	}
	if c.cmd.Flags().Lookup("force") != nil && !c.dryRun { // build and apply
		o.Writer = c.cmd.CommandPath()
	}
	for _, file := range c.reports { // before anything is written
		if _, err := report.FormatOf(file); err != nil {
			return nil, project.Invalid(err)
		}
		o.Titles = true
	}
	o.Log = c.stderr
	if c.quiet && o.Build["logLevel"] == nil {
		o.Build["logLevel"] = "error"
	}
	o.Verbose = c.verbose
	o.Progress = c.pages()
	return project.Open(c.cmd.Context(), *o, generators()...)
}

// many is how many files make a site large: from there on memory counts more than the collector's time (docs/bench.md).
const many = 20_000

// pages counts files, on a terminal where it is seen.
func (c *command) pages() func(int) {
	percents := map[int]int{many: 50, 3 * many: 25, 4 * many: 15}
	if c.getenv("GOGC") != "" {
		percents = nil
	}
	return func(files int) {
		if percent, ok := percents[files]; ok {
			debug.SetGCPercent(percent)
		}
		c.progress("%s", count(files, "page"))
	}
}

// progress shows how far the work is, on a terminal.
func (c *command) progress(format string, args ...any) {
	if !c.quiet && c.stderr.terminal {
		c.stderr.progress(format, args...)
	}
}

// plan opens the project of a folder, empty for the one of the flags, makes a plan of it and hands that on.
func (c *command) plan(dir string, of func(context.Context, *project.Project) (*plan.Plan, error),
	use func(*plan.Plan) error) error {
	p, err := c.open(dir)
	if err != nil {
		return err
	}
	defer p.Close()
	site, err := of(c.cmd.Context(), p)
	c.stderr.clear()
	if err != nil {
		return err
	}
	return use(site)
}
