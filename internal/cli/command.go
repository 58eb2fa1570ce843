package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"metarobots/internal/check"
	"metarobots/internal/engines"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/report"
	"metarobots/internal/result"
	"metarobots/policy"
)

// Exit codes (X).
const (
	exitDone    = 0
	exitFailed  = 1 // a check failed, or a finding is an error
	exitInvalid = 2 // usage, configuration, front matter; nothing was written
	exitBroken  = 3 // rendering, reading or writing failed
)

// exitError ends the command with a code; err, if any, is still to be printed.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

// run is the command with its surroundings as arguments.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, getenv func(string) string) int {
	c := &command{stdout: newPrinter(stdout, getenv), stderr: newPrinter(stderr, getenv), getenv: getenv, reports: reports{most: -1}}
	root := c.root()
	root.InitDefaultCompletionCmd()
	if shells, _, err := root.Find([]string{"completion"}); err == nil {
		// Without this an unknown shell would get help, and exit code 0, in the file that a package makes.
		shells.Args = noShell
		shells.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(c.stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitDone
	}
	var exit *exitError
	if !errors.As(err, &exit) { // cobra's own: flags and arguments
		help := "run " + cmd.CommandPath() + " --help for its arguments and flags"
		exit = &exitError{exitInvalid, &printable.Help{Err: err, Lines: []string{help}}}
	}
	if exit.err != nil {
		c.stderr.errors(exit.err)
	}
	return exit.code
}

// command holds what all commands share.
type command struct {
	stdout, stderr *printer
	getenv         func(string) string

	options        plan.Options
	json           bool
	crawlers       []string
	as             string // the engine that explain answers for
	quiet, verbose bool
	dryRun, diff   bool
	withheld       bool   // apply has written nothing, since the header rules do not fit (N2)
	output         string // the file that data writes; empty for the site's own
	reports        reports
}

func (c *command) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "metarobots",
		Short:         "Tell crawlers what they may do with each page of a static site",
		Long:          strings.TrimSpace(manual),
		Args:          noArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          c.build,
	}
	root.CompletionOptions.HiddenDefaultCmd = false
	root.Flags().SortFlags = false
	root.SuggestionsMinimumDistance = 2
	c.siteFlags(root, true)
	sub := func(cmd *cobra.Command, buildFlags bool) *cobra.Command {
		cmd.Flags().SortFlags = false
		c.siteFlags(cmd, buildFlags)
		root.AddCommand(cmd)
		return cmd
	}
	sub(&cobra.Command{Use: "build", Short: "Build the Hugo site and write the policy as the pages are written (the default)", Args: noArguments, RunE: c.build}, true)
	sub(&cobra.Command{Use: "apply [DIR]", Short: "Write the policy into a site that is already generated", Args: cobra.MaximumNArgs(1), RunE: c.apply}, false)
	sub(&cobra.Command{Use: "check [DIR]", Short: "Write nothing; exit 1 if anything would change or a finding is an error", Args: cobra.MaximumNArgs(1), RunE: c.check}, false)
	sub(&cobra.Command{Use: "explain URL-OR-FILE …", Short: "Show the decision for a page or file, and what decided it", Args: atLeastOne("a URL, a published file or a content file"), RunE: c.explain}, false)
	sub(&cobra.Command{Use: "data", Short: "Write the tags of the site's pages as data for the live preview (hugo server)", Args: noArguments, RunE: c.data}, false)
	c.reportCommands(sub, root)
	sub(c.logsCommand(), false)
	sub(c.initCommand(), false)
	resolve := &cobra.Command{Use: "resolve STATEMENT …", Short: "Combine statements in the grammar of X-Robots-Tag, each a source of its own", Args: atLeastOne("one statement or more, each in quotes"), RunE: c.resolve,
		Example: `  metarobots resolve "index, follow" "googlebot: noindex"`}
	resolve.Flags().BoolVar(&c.json, "json", false, "print JSON")
	root.AddCommand(resolve)
	root.AddCommand(c.schemaCommand())
	root.AddCommand(c.verifyCommand())
	root.AddCommand(&cobra.Command{Use: "version", Short: "Print the version", Args: noArguments, RunE: c.version}, c.manCommand())
	complete(root)
	return root
}

// noArguments is for commands that take none; after metarobots alone, one is meant for a command.
func noArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasParent():
		return fmt.Errorf("%s takes no arguments, not %q", cmd.CommandPath(), args[0])
	}
	suggestion := ""
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		suggestion = fmt.Sprintf(" (did you mean %q?)", near[0])
	}
	return fmt.Errorf("unknown command %q%s", args[0], suggestion)
}

// noShell is for completion itself: what it is given is a shell that it does not know.
func noShell(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("completion: there is none for %q: bash, fish, powershell or zsh", args[0])
	}
	return nil
}

// atLeastOne asks for arguments, and says of which kind.
func atLeastOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s: name %s", cmd.Name(), what)
		}
		return nil
	}
}

// notEmpty returns an error for a flag that is given and empty: a pipeline's variable that holds nothing would pass for a check
// that nobody asked for.
func notEmpty(cmd *cobra.Command, names ...string) error {
	var errs []error
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			errs = append(errs, fmt.Errorf("--%s: it is empty (a variable without a value?)", name))
		}
	}
	return errors.Join(errs...)
}

// siteFlags adds the flags that say which site; their names are Hugo's where Hugo has them.
func (c *command) siteFlags(cmd *cobra.Command, builds bool) {
	f, o := cmd.Flags(), &c.options
	f.StringVarP(&o.Source, "source", "s", "", "the site's `folder` (default: the working folder, or what the policy file says)")
	f.StringVarP(&o.Destination, "destination", "d", "", "the publish `folder`, relative to the site's (default: the generator's own)")
	f.StringVarP(&o.Environment, "environment", "e", "", "the `name` of the environment, Hugo's and the policy's")
	f.StringVarP(&o.BaseURL, "baseURL", "b", "", "the `URL` of the site's root")
	f.StringVar(&o.Policy, "policy", "", "the policy `file` (default: metarobots.toml or config.toml of the site's folder)")
	f.StringVar(&o.Now, "now", "", "the `date` that counts as now (default: SOURCE_DATE_EPOCH or the clock)")
	f.StringVar(&o.State, "state", "", "the `folder` that remembers which tags are ours")
	if !builds && cmd.Name() != "data" {
		f.BoolVar(&o.AssumeOurs, "assume-ours", false, "take tags in our form for ours where nothing is remembered of them")
	}
	f.BoolVar(&c.quiet, "quiet", false, "print errors alone")
	switch name := cmd.Name(); {
	case name == "data":
		f.StringVarP(&c.output, "output", "o", "", "the `file` to write (default: metarobots.json in the site's data folder)")
	case name == "report" || name == "snapshot":
	default:
		f.BoolVar(&c.json, "json", false, "print the whole result as JSON on stdout")
		f.BoolVarP(&c.verbose, "verbose", "v", false, "print every finding, and the decision for each page")
	}
	if cmd.Name() == "apply" || builds {
		f.BoolVarP(&c.dryRun, "dry-run", "n", false, "write nothing, say what would change")
		f.BoolVar(&o.Sync, "sync", false, "wait for each page to be on the disk")
	}
	if cmd.Name() == "explain" {
		f.StringSliceVar(&c.crawlers, "crawler", nil, "the `names` of crawlers whose robots.txt verdict is shown (default: googlebot, bingbot)")
		f.StringVar(&c.as, "as", "", "the `engine` by whose own rules the answer is given too: google, bing, yandex and others, or a crawler's name")
	}
	if cmd.Name() == "apply" || cmd.Name() == "check" || builds {
		f.BoolVar(&c.diff, "diff", false, "with --dry-run or check: show how")
		c.reportFlags(cmd)
	}
	// Hugo's own. What it does with them, its documentation says: https://gohugo.io/commands/hugo/.
	f.BoolP("buildDrafts", "D", false, "Hugo: include content marked as draft")
	f.BoolP("buildFuture", "F", false, "Hugo: include content with publishdate in the future")
	f.BoolP("buildExpired", "E", false, "Hugo: include expired content")
	f.String("config", "", "Hugo: config `file`")
	f.String("configDir", "", "Hugo: config `folder`")
	f.StringP("contentDir", "c", "", "Hugo: content `folder`")
	f.StringP("layoutDir", "l", "", "Hugo: layout `folder`")
	f.StringSliceP("theme", "t", nil, "Hugo: `themes` to use")
	f.String("themesDir", "", "Hugo: themes `folder`")
	f.String("cacheDir", "", "Hugo: cache `folder`")
	f.String("clock", "", "Hugo: the `time` that counts as now for it, such as 2021-11-06T22:30:00+09:00")
	f.StringSlice("disableKinds", nil, "Hugo: `kinds` of pages to leave out")
	f.StringSlice("renderSegments", nil, "Hugo: `segments` to render")
	f.String("ignoreVendorPaths", "", "Hugo: ignore _vendor for module paths matching the `glob`")
	f.String("logLevel", "", "Hugo: log `level` (debug, info, warn, error)")
	f.Bool("enableGitInfo", false, "Hugo: add Git information to the pages")
	if !builds {
		return
	}
	f.Bool("minify", false, "Hugo: minify any supported output format")
	f.Bool("gc", false, "Hugo: remove unused cache files after the build")
	f.Bool("cleanDestinationDir", false, "Hugo: remove files from the destination that no static folder has")
	f.Bool("ignoreCache", false, "Hugo: ignore the file caches")
	f.Bool("noBuildLock", false, "Hugo: don't create .hugo_build.lock")
	f.Bool("noChmod", false, "Hugo: don't sync permission modes")
	f.Bool("noTimes", false, "Hugo: don't sync modification times")
	f.Bool("panicOnWarning", false, "Hugo: fail on the first warning")
	f.Bool("printI18nWarnings", false, "Hugo: print missing translations")
	f.Bool("printPathWarnings", false, "Hugo: print warnings on duplicate target paths")
	f.Bool("printUnusedTemplates", false, "Hugo: print warnings on unused templates")
	f.Bool("templateMetrics", false, "Hugo: display metrics about template executions")
	f.Bool("templateMetricsHints", false, "Hugo: and hints, with --templateMetrics")
}

// own are the flags that are not Hugo's to see.
var own = []string{"source", "destination", "environment", "baseURL", "policy", "now", "state", "assume-ours", "json", "quiet", "verbose", "dry-run", "sync", "diff", "crawler", "as", "output", "help",
	"report", "format", "baseline", "max-newly-noindex",
	"against", "robots", "since", "host", "ranges", "address-field", "forwarded", "dns", "all", "require-read"}

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
		return nil, &exitError{exitInvalid, errors.New("--max-newly-noindex goes with --baseline: without one nothing is compared")}
	}
	o := &c.options
	o.WorkDir, o.Dir, o.Getenv = wd, dir, c.getenv
	o.Build = map[string]any{}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(own, f.Name) {
			return
		}
		switch f.Value.Type() {
		case "bool":
			o.Build[f.Name], _ = cmd.Flags().GetBool(f.Name)
		case "stringSlice":
			o.Build[f.Name], _ = cmd.Flags().GetStringSlice(f.Name)
		default:
			o.Build[f.Name] = f.Value.String()
		}
	})
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

// many is how many files make a site large: from there on memory counts more than the collector's time (docs/scale.md).
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
			c.stderr.progress(files)
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

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

func (c *command) build(cmd *cobra.Command, _ []string) error {
	p, err := c.open(cmd, "")
	if err != nil {
		return err
	}
	defer p.Close()
	site, err := p.Build(cmd.Context(), c.dryRun)
	c.stderr.clear()
	if err != nil {
		return exit(err)
	}
	return c.finish(site)
}

// plan opens the project, plans what is published in dir and hands the plan on.
func (c *command) plan(cmd *cobra.Command, dir string, use func(*plan.Plan) error) error {
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

func (c *command) apply(cmd *cobra.Command, args []string) error {
	return c.plan(cmd, first(args), func(site *plan.Plan) error {
		if !c.dryRun {
			if err := site.Apply(cmd.Context()); err != nil {
				return exit(err)
			}
			c.withheld = site.Overflow != nil
		}
		return c.finish(site)
	})
}

func (c *command) check(cmd *cobra.Command, args []string) error {
	c.dryRun = true
	return c.plan(cmd, first(args), func(site *plan.Plan) error {
		if err := c.finish(site); err != nil {
			return err
		}
		if site.Changed() || site.Drifted() {
			return &exitError{code: exitFailed}
		}
		return nil
	})
}

// finish prints what came of a plan.
func (c *command) finish(site *plan.Plan) error {
	outcome, err := c.checked(site)
	if err != nil {
		return err
	}
	if c.reports.file != "" {
		format, err := report.FormatOf(c.reports.file)
		if err == nil {
			err = c.writeReport(site, outcome, format, c.reports.file)
		}
		if err != nil {
			return err
		}
	}
	if c.json {
		if err := result.Write(c.stdout.w, outcome.Result(site), site.ResultPages()); err != nil {
			return &exitError{exitBroken, err}
		}
	} else if c.dryRun && !c.quiet {
		if err := c.changes(site); err != nil {
			return exit(err)
		}
	}
	if c.verbose && !c.json {
		for _, pg := range site.Pages {
			c.stdout.explain(site, pg)
		}
	}
	c.stderr.findings(outcome.Findings, c.quiet, c.verbose)
	if !c.quiet {
		c.stderr.summary(outcome.Summary(site), c.dryRun || c.withheld)
	}
	if outcome.Failed() {
		return &exitError{code: exitFailed}
	}
	return nil
}

func (c *command) printJSON(v any) error {
	if err := printable.WriteJSON(c.stdout.w, v); err != nil {
		return &exitError{exitBroken, err}
	}
	return nil
}

func (c *command) explain(cmd *cobra.Command, args []string) error {
	engine, err := c.engine()
	if err != nil {
		return err
	}
	return c.plan(cmd, "", func(site *plan.Plan) error { return c.explainPages(site, args, engine) })
}

// explainPages prints the pages that the arguments name, and how an engine reads them where one is asked for.
func (c *command) explainPages(site *plan.Plan, args []string, engine *engines.Engine) error {
	var pages []*plan.Page
	var errs []error
	for _, arg := range args {
		found, err := site.Lookup(arg)
		if err != nil {
			errs = append(errs, err)
		}
		for _, pg := range found {
			if !slices.Contains(pages, pg) {
				pages = append(pages, pg)
			}
		}
	}
	if c.json {
		r := check.Run(site, nil).Result(site)
		for _, pg := range pages {
			page := site.ResultPage(pg)
			page.RobotsTxt, page.As = site.RobotsTxt(pg, c.crawlers), asJSON(engine, site, pg)
			r.Pages = append(r.Pages, page)
		}
		r.Findings = slices.DeleteFunc(slices.Clone(r.Findings), func(f policy.Finding) bool {
			return !slices.ContainsFunc(pages, func(pg *plan.Page) bool { return pg.URL == f.URL })
		})
		if err := c.printJSON(r); err != nil {
			return err
		}
	} else {
		for _, pg := range pages {
			c.stdout.explain(site, pg)
			c.stdout.verdicts(site.RobotsTxt(pg, c.crawlers), len(c.crawlers) > 0)
			if engine != nil {
				c.stdout.as(engine, site, pg)
			}
		}
	}
	return exit(errors.Join(errs...))
}

func (c *command) resolve(cmd *cobra.Command, args []string) error {
	tags, findings, err := plan.Resolve(args)
	if err != nil {
		return exit(err)
	}
	c.stderr.findings(findings, false, true)
	if c.json {
		object := map[string]string{}
		for _, t := range tags {
			object[t.Name] = t.Content
		}
		return c.printJSON(object)
	}
	for _, t := range tags {
		c.stdout.printf("%s: %s\n", t.Name, t.Content)
	}
	return nil
}
