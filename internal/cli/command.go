// Package cli is the command: flags, streams, exit codes, and what is printed for people. help.toml says what each
// command does and what its exit codes mean.
package cli

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"

	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/project"
	"metarobots/internal/report"
	"metarobots/internal/result"
	"metarobots/internal/verify"
	"metarobots/policy"
)

// reference is the reference configuration, config.toml, whose comments describe the keys.
var reference []byte

// Main runs the command with the process's arguments and streams, and returns its exit code. The text of config.toml
// comes from package main, the only one whose folder holds that file.
func Main(configTOML []byte) int {
	reference = configTOML
	// A first interrupt ends the run between two pages; a second one ends it at once. Pages are whole either way.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Getenv)
}

// run is the program, with what it needs of its process as arguments.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, getenv func(string) string) int {
	out, errs := newPrinter(stdout, getenv), newPrinter(stderr, getenv)
	answer := &delivery{w: stdout}
	out.w = answer
	root := newRoot(command{stdout: out, stderr: errs, getenv: getenv}, args)
	root.SetArgs(args)
	root.SetOut(answer)
	root.SetErr(errs)
	cobrasOwn(root)
	code, err := exit(root.ExecuteContext(ctx))
	errs.errors(err)
	if answer.lost != nil {
		if !errors.Is(err, answer.lost) {
			errs.errors(fmt.Errorf("the output is lost: %w", answer.lost))
		}
		return exitBroken
	}
	return code
}

// A delivery is what a command answers on standard output. An answer that nobody gets, as on a full disk, must not pass
// for one that arrived.
type delivery struct {
	w    io.Writer
	lost error // the first one of writing
}

func (d *delivery) Write(text []byte) (int, error) {
	n, err := d.w.Write(text)
	if d.lost == nil {
		d.lost = err
	}
	return n, err
}

// A command is one of the program's, with the values of its flags; those that it does not take have their defaults.
type command struct {
	stdout, stderr *printer
	getenv         func(string) string
	cmd            *cobra.Command // with the flags that it takes
	args           []string
	errs           []error // what is wrong with them

	options                             project.Options
	json, quiet, verbose, dryRun, diff  bool
	output                              string // empty for the usual file
	reports                             []string
	format, title, audience             string // of a report
	crawlers                            []string
	failOn                              string // which findings end with exit code 1
	findingsOnly                        bool   // check passes whatever is still to be written
	baseline, against                   string // snapshots
	mostNoindex, mostIndexable          int    // since baseline; negative for what the configuration allows
	noindex, indexable, restricted, why bool
	section                             string
	ignoreEnvironment                   bool
	robots, since, host                 string
	requireRead, dns                    bool
	asking                              verify.AskOptions
	allowPrivate, strict                bool
	user                                string
	headers                             []string

	withheld  bool // apply has written nothing, since the header rules do not fit (N2)
	unwritten bool // the policy, or all of its headers, could not be written: --fail-on never does not help
}

// newRoot makes the program's commands, each a copy of c with flags of its own. args are the program's arguments.
func newRoot(c command, args []string) *cobra.Command {
	add := func(name string, run func(*command) error, flags string) *cobra.Command {
		return c.newCommand(name, run, flags, args)
	}
	root := add("metarobots", (*command).build, buildFlags+"version ")
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.HiddenDefaultCmd = false
	root.Version = about()
	root.SetVersionTemplate("{{ .Version }}\n")
	if name := c.stdout.program; name != "" {
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: name}
	}
	cobra.AddTemplateFunc("listFlags", listFlags)
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(),
		"Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}", "{{listFlags .LocalFlags}}", 1))
	root.SetFlagErrorFunc(flagError)
	root.SuggestionsMinimumDistance = 2
	root.AddCommand(
		add("build", (*command).build, buildFlags),
		add("apply", (*command).apply, folderFlags+jsonFlags+"dry-run force diff report fail-on"),
		add("check", (*command).check, folderFlags+jsonFlags+"diff report baseline "+maxFlags+"fail-on findings-only"),
		add("data", (*command).data, siteFlags+"output"),
		add("explain", (*command).explain, folderFlags+jsonFlags+"crawler"),
		add("list", (*command).list, "noindex indexable restricted section why against "+askFlags+folderFlags+jsonFlags),
		add("report", (*command).report, folderFlags+"format output baseline fail-on title audience"),
		add("snapshot", (*command).snapshot, folderFlags+"output"),
		add("diff", (*command).diffSites, "quiet "+jsonFlags+"ignore-environment "+askFlags),
		add("logs", (*command).logs, "against robots since crawler host require-read dns now quiet "+jsonFlags),
		add("init", (*command).init, "output dry-run "+folderFlags+jsonFlags),
		add("resolve", (*command).resolve, "json now"),
		add("schema", (*command).schema, ""),
		add("verify", (*command).verify,
			"against "+askFlags+"sample seed report strict fail-on allow-noindex quiet "+jsonFlags),
		add("version", (*command).version, "json"),
		add("man", (*command).man, ""))
	return root
}

//go:embed help.toml
var helpTOML string

// texts are what help says of each command, by its name, as help.toml has it.
var texts = sync.OnceValue(func() (all struct {
	Published string // the help of commands that do not build
	Hugo      []struct {
		Name, Short, Type, Usage string
		Builds                   bool
	}
	Commands map[string]struct {
		Use, Short, Long, Example string
		Published                 bool
		Flags                     map[string]string
	}
	Flags map[string]string // of several commands
}) {
	if _, err := toml.Decode(helpTOML, &all); err != nil {
		panic("help.toml: " + err.Error()) // every run of the program reads it
	}
	return all
})

// newCommand makes a command with its texts, its flags, and what shells offer for them. Its own copy of c takes the
// flags' values, as a flag may have another default than that of another command. given are the program's arguments.
func (c command) newCommand(name string, run func(*command) error, flags string, given []string) *cobra.Command {
	t := texts().Commands[name]
	if t.Published {
		t.Long = t.Short + ".\n\n" + texts().Published
	}
	if t.Example != "" {
		t.Example = "  " + strings.ReplaceAll(t.Example, "\n", "\n  ")
	}
	cmd := &cobra.Command{Use: t.Use, Short: t.Short, Long: c.stdout.named(t.Long), Example: c.stdout.named(t.Example),
		ValidArgs: choices(t.Use)}
	if strings.HasSuffix(t.Use, " [DIR]") {
		cmd.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	}
	c.cmd = cmd
	c.addFlags(flags)
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		c.args = args
		return usageError(cmd, cmp.Or(oneHyphen(cmd, given), arguments(cmd, args), c.wrongFlags()))
	}
	cmd.RunE = func(*cobra.Command, []string) error {
		err := run(&c)
		if errors.Is(err, errFailed) && c.failOn == failNever && !c.unwritten {
			c.stderr.errors(err)
			return nil
		}
		return err
	}
	return cmd
}

// cobrasOwn changes the commands that cobra adds: what is unknown to them ends the program with exit code 2, where
// cobra prints help and succeeds, be it into the file that a package makes.
func cobrasOwn(root *cobra.Command) {
	root.InitDefaultCompletionCmd() // its commands print to what is the output now
	root.InitDefaultHelpCmd()
	completion, _, _ := root.Find([]string{"completion"})
	completion.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	for _, cmd := range append(completion.Commands(), completion) {
		cmd.Args = func(cmd *cobra.Command, args []string) error { return usageError(cmd, arguments(cmd, args)) }
	}
	help, _, _ := root.Find([]string{"help"})
	help.Use, help.Short, help.Long = "help [COMMAND]", "Show help for a command", ""
	help.Run, help.RunE = nil, func(_ *cobra.Command, args []string) error {
		about, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 {
			return usageError(root, unknownCommand(root, args[0]))
		}
		about.InitDefaultHelpFlag()
		return about.Help()
	}
}

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
	p, err := project.Open(c.cmd.Context(), *o, generators()...)
	if err != nil && c.cmd.Name() == "explain" && o.Source+o.Destination == "" && slices.ContainsFunc(c.args, isURL) {
		err = project.Invalid(&printable.Help{Err: err, Lines: []string{"explain reads a built site: -s or -d names its folder; " +
			"metarobots list --why URL asks a deployed site"}})
	}
	return p, err
}

// pages counts files: for the collector, unless the owner tells it how much memory there is, and on a terminal where it
// is seen.
func (c *command) pages() func(files int) {
	collect := func(int) {}
	if c.getenv("GOGC")+c.getenv("GOMEMLIMIT") == "" {
		collect = collector()
	}
	return func(files int) {
		collect(files)
		c.progress("%s", count(files, "page"))
	}
}

// progress shows on a terminal how far the work is, ten times a second at most.
func (c *command) progress(format string, args ...any) {
	p, now := c.stderr, time.Now()
	if !c.quiet && p.terminal && now.Sub(p.last) > 100*time.Millisecond {
		p.last, p.shown = now, true
		p.printf("\r%s …\x1b[K", sprintf(format, args...))
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

// Exit codes (X).
const (
	exitDone    = 0
	exitFailed  = 1 // a check failed, or a finding is an error
	exitInvalid = 2 // usage, configuration, front matter; nothing was written
	exitBroken  = 3 // rendering, reading or writing failed
)

// errFailed is matched by errors of checks that failed. It has no text, and nothing is printed of it.
var errFailed = errors.New("")

// failed is the error of a check that failed; without a text where everything is said already.
func failed(text string) error { return fmt.Errorf("%s%w", text, errFailed) }

// invalidf is the error of wrong usage or configuration: nothing was written.
func invalidf(format string, args ...any) error { return project.Invalid(fmt.Errorf(format, args...)) }

// wrong keeps what is wrong with the arguments or a file that they name, if it is anything; [command.invalid] has all.
func (c *command) wrong(err error) { c.errs = append(c.errs, err) }

func (c *command) wrongf(format string, args ...any) { c.wrong(fmt.Errorf(format, args...)) }

// invalid is the error of all that is wrong, and nil for nothing.
func (c *command) invalid() error { return project.Invalid(errors.Join(c.errs...)) }

// exit finds the exit code of an error, and what is to be printed of it.
func exit(err error) (int, error) {
	var wrong *project.InvalidError
	switch {
	case err == nil:
		return exitDone, nil
	case errors.Is(err, errFailed):
		return exitFailed, err
	case errors.Is(err, context.Canceled):
		return exitBroken, errors.New("interrupted: no file is left half written; run it again")
	case errors.As(err, &wrong):
		return exitInvalid, err
	}
	return exitBroken, err
}

// failing reports whether findings end the command with exit code 1.
func (c *command) failing(findings []policy.Finding) bool {
	return slices.ContainsFunc(findings, func(f policy.Finding) bool {
		return f.Severity == policy.Error || f.Severity == policy.Warning && c.failOn == failWarning
	})
}

func (c *command) printJSON(v any) error { return result.WriteJSON(c.stdout.w, v) }
