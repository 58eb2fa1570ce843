package cli

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"metarobots/emit/robotstag"
	"metarobots/internal/plan"
	"metarobots/internal/project"
)

// A siteCommand is what commands that read a site's folder have in common.
type siteCommand struct {
	command
	options project.Options
	// isAwaited: somebody waits for the answer, so that time counts more than memory.
	isAwaited bool
}

// addSite adds the flags that say which site is meant, and --quiet.
func (c *siteCommand) addSite(flags *pflag.FlagSet) {
	o := &c.options
	flags.StringVarP(&o.Source, "source", "s", "", "")
	flags.StringVarP(&o.Destination, "destination", "d", "", "")
	flags.StringVarP(&o.Environment, "environment", "e", "", "")
	flags.StringVarP(&o.BaseURL, "baseURL", "b", "", "")
	flags.StringVar(&o.Policy, "policy", "", "")
	flags.StringVar(&o.Now, "now", "", "")
	flags.StringVar(&o.Earlier.State, "state", "", "")
	c.addQuiet(flags)
}

// addFolder adds the flags of commands that read a publish folder which another program has made.
func (c *siteCommand) addFolder(flags *pflag.FlagSet) {
	c.addSite(flags)
	flags.BoolVar(&c.options.Earlier.AssumeOurs, "assume-ours", false, "")
}

// noFolder is the argument of commands that take none: the flags say where the site is.
const noFolder = ""

// open reads flags and environment variables, and opens the project of a folder, or for [noFolder]
// the one that flags or the working folder name. A URL is refused: the command asks no deployed
// site.
func (c *siteCommand) open(dir string) (*project.Project, error) {
	wd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if err := c.refuseHost(dir); err != nil {
		return nil, err
	}
	o := &c.options
	o.WorkDir, o.Dir, o.Getenv = wd, dir, c.getenv
	o.Generator = project.GeneratorOptions{Flags: c.buildOptions(), Log: c.stderr, Verbose: c.verbose}
	o.Progress = c.showPages
	return project.Open(c.cmd.Context(), *o, generators()...)
}

// refuseHost returns an error if the argument for a folder names a deployed site, with its scheme
// or without. The error names a command that asks one.
func (c *siteCommand) refuseHost(dir string) error {
	if isURL(dir) {
		return invalidf("%s is a deployed site, and %s reads a folder: metarobots list, report, snapshot and "+
			"verify ask deployed sites", dir, c.cmd.CommandPath())
	}
	command := "report"
	if asksSites := strings.Contains(c.cmd.Use, "URL"); asksSites {
		command = c.cmd.Name()
	}
	return lacksScheme(dir, command)
}

// buildOptions are Hugo's settings for this run, by their names: those of its own flags, and above
// them the command's. A command that writes prints Hugo's warnings, because the site may have been
// built by a newer Hugo than ours; the others print errors alone, unless flags say what is logged.
func (c *siteCommand) buildOptions() map[string]any {
	build := hugoValues(c.cmd.Flags())
	maps.Copy(build, c.options.Generator.Flags)
	isLoud := (builds(c.cmd) || c.cmd.Name() == "apply") && !c.quiet
	if !isLoud && build["logLevel"] == nil && build["panicOnWarning"] == nil {
		build["logLevel"] = "error"
	}
	return build
}

// A planner makes a plan of a project.
type planner func(context.Context, *project.Project) (*plan.Plan, error)

// plan opens the project of a folder, empty for the one of the flags, makes a plan of it and hands
// that on.
func (c *siteCommand) plan(dir string, make planner, use func(*plan.Plan) error) error {
	p, err := c.open(dir)
	if err != nil {
		return err
	}
	return c.planOpen(p, make, use)
}

// planOpen makes a plan of an open project, hands it on and closes the project.
func (c *siteCommand) planOpen(p *project.Project, make planner, use func(*plan.Plan) error) error {
	defer p.Close()
	defer c.suitCollector(p)()
	site, err := make(c.cmd.Context(), p)
	c.stderr.clear()
	if err != nil {
		return err
	}
	return use(site)
}

// lock is the site's own snapshot: it lies in the site's folder, wherever the program is called
// from.
func (c *siteCommand) lock() string { return filepath.Join(c.options.Source, lockFile) }

// showPages shows the number of files so far on a terminal.
func (c *command) showPages(files int) {
	c.progress(func() string { return robotstag.Count(files, "page", "pages") })
}

// progress shows on a terminal how far the work is, ten times a second at most. It asks for the
// text only if it shows it.
func (c *command) progress(text func() string) {
	p, now := c.stderr, time.Now()
	if !c.quiet && p.terminal && now.Sub(p.last) > 100*time.Millisecond {
		p.last, p.shown = now, true
		p.printf("\r%s …\x1b[K", text())
	}
}
