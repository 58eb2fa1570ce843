// Package cli is the command: flags, streams, exit codes, and what is printed for people. help.toml
// says what each command does and what its exit codes mean.
//
// # Words of this package
//
//   - A command has what all commands need: streams, arguments and how much is printed. Each
//     subcommand embeds it in a struct with its own flags: verifyCommand, diffCommand.
//   - What is wrong with flags and arguments is collected by [command.wrong] and returned all at once by
//     [command.invalid].
//   - c.network has the flags about asking deployed sites: network.crawlers are the names of
//     --crawler.
//   - [invalidf] makes the error of wrong usage or input: nothing was written.
//   - The answer is what goes to standard output; notes, warnings and summaries go to standard error:
//     command.note and command.warn print a line there, unless --quiet is given.
//   - printer.show prints data by a template of text.tmpl.
//   - A deployed site is one that is asked on the network; a site is a folder with its policy.
//   - A plan, often in a variable called site, is a site with the decision on each of its files,
//     and the changes that a run would make.
//   - What a deployed URL told crawlers ([seen.Told]) has a role if it is no page that was read,
//     such as [seen.Disallowed]. Its state is that role, or noindex, limited or indexable. Its
//     answer ([seen.Answer]) has what was wanted, what the crawler got ("" if nothing could be
//     read), and the verdict.
//   - A side is one of the two that diff compares.
//   - A check that failed is no fault of the run: [failed] makes its error, and its exit code is another.
//   - A cell is a text of a table with its color; a row is a list of cells.
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

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// reference is the reference configuration, config.toml, whose comments describe the keys.
var reference []byte

// Main runs the command with the process's arguments and streams, and returns its exit code. The
// text of config.toml comes from package main, the only one whose folder holds that file.
func Main(configTOML []byte) int {
	reference = configTOML
	// A first interrupt ends the run between two pages; a second one ends it at once. Pages are
	// whole either way.
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
	changeBuiltIn(root)
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

// A delivery is what a command answers on standard output. An answer that nobody gets, as on a full
// disk, must not pass for one that arrived.
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

// A command has what each of the program's commands needs: its streams, its arguments, and how much
// it prints. The commands embed it beside their own flags.
type command struct {
	stdout, stderr *printer
	getenv         func(name string) string
	cmd            *cobra.Command // with the flags that it takes
	args           []string
	errs           []error // what is wrong with them
	// How much is printed, and in which form; false for a command that has no such flag.
	quiet, json, verbose bool
}

func (c *command) addQuiet(flags *pflag.FlagSet) { flags.BoolVarP(&c.quiet, "quiet", "q", false, "") }

func (c *command) addJSON(flags *pflag.FlagSet) { flags.BoolVar(&c.json, "json", false, "") }

func (c *command) addVerbose(flags *pflag.FlagSet) {
	flags.BoolVarP(&c.verbose, "verbose", "v", false, "")
}

// A subcommand is one of the program's commands, whose struct has its flags. Its texts are in
// help.toml.
type subcommand interface {
	// shared is what it has in common with the others.
	shared() *command
	// addFlags adds its flags, without Hugo's, in the order of its help. help.toml says what they
	// do.
	addFlags(flags *pflag.FlagSet)
	// wrongFlag is what is wrong with a flag that is given, besides what is wrong for all commands;
	// nil for nothing.
	wrongFlag(f *pflag.Flag) error
	run() error
}

func (c *command) shared() *command            { return c }
func (c *command) addFlags(*pflag.FlagSet)     {}
func (c *command) wrongFlag(*pflag.Flag) error { return nil }

// newRoot makes the program's commands, which use the streams of c. args are the program's
// arguments.
func newRoot(c command, args []string) *cobra.Command {
	add := func(name string, s subcommand) *cobra.Command {
		*s.shared() = c
		return newCommand(name, s, args)
	}
	root := add("metarobots", &buildCommand{isRoot: true})
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.HiddenDefaultCmd = false
	root.Version = about()
	root.SetVersionTemplate("{{ .Version }}\n")
	if name := c.stdout.program; name != "" {
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: name}
	}
	addTemplateFunctions()
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(),
		"Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}", "{{listFlags .LocalFlags}}", 1))
	root.SetFlagErrorFunc(flagError)
	root.SuggestionsMinimumDistance = 2
	root.AddCommand(
		add("build", &buildCommand{}),
		add("apply", &applyCommand{}),
		add("check", &checkCommand{}),
		add("data", &dataCommand{}),
		add("explain", &explainCommand{}),
		add("list", &listCommand{}),
		add("report", &reportCommand{}),
		add("snapshot", &snapshotCommand{}),
		add("diff", &diffCommand{}),
		add("logs", &logsCommand{}),
		add("init", &initCommand{}),
		add("resolve", &resolveCommand{}),
		add("schema", &schemaCommand{}),
		add("verify", &verifyCommand{}),
		add("version", &versionCommand{}),
		add("man", &manCommand{}))
	return root
}

// addTemplateFunctions gives cobra the function of the template for usage. cobra keeps it in a map of
// its package, without a lock: runs that the tests start at the same time would write to it.
var addTemplateFunctions = sync.OnceFunc(func() { cobra.AddTemplateFunc("listFlags", listFlags) })

//go:embed help.toml
var helpTOML string

// texts are what help says of each command, by its name, as help.toml has it.
var texts = sync.OnceValue(func() (all struct {
	HugoSites string // the end of texts that speak of Hugo sites
	Published string // the help of commands that do not build
	Hugo      []struct {
		Name, Short, Type, Usage string
		Builds                   bool
	}
	Commands map[string]struct {
		Use, Short, Long, Example string
		Lean                      struct{ Short, Long, Example string } // without Hugo; empty for the same
		Published                 bool
		Flags                     map[string]string
		Instead                   map[string]string // of flags that it does not have, what it has
	}
	Meant map[string]string // by words that are no command, what their users want
	Flags map[string]string // of several commands
}) {
	if _, err := toml.Decode(helpTOML, &all); err != nil {
		panic("help.toml: " + err.Error()) // every run of the program reads it
	}
	return all
})

// newCommand makes a command with its texts, its flags, and what shells offer for them. given are
// the program's arguments.
func newCommand(name string, s subcommand, given []string) *cobra.Command {
	c, t := s.shared(), texts().Commands[name]
	if t.Published {
		t.Long = t.Short + ".\n\n" + texts().Published
	}
	if isLean(given) {
		t.Short, t.Example = cmp.Or(t.Lean.Short, t.Short), cmp.Or(t.Lean.Example, t.Example)
		t.Long = strings.Replace(cmp.Or(t.Lean.Long, t.Long), texts().HugoSites, "", 1)
	}
	if t.Example != "" {
		t.Example = "  " + strings.ReplaceAll(t.Example, "\n", "\n  ")
	}
	cmd := &cobra.Command{Use: t.Use, Short: t.Short, Long: c.stdout.named(t.Long),
		Example: c.stdout.named(t.Example), ValidArgs: choices(t.Use)}
	if strings.HasSuffix(t.Use, " [DIR]") {
		cmd.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	}
	c.cmd = cmd
	cmd.Flags().SortFlags = false
	s.addFlags(cmd.Flags())
	describeFlags(cmd)
	addHugoFlags(cmd, isLean(given))
	if isAskedByShell(given) {
		completeFlags(cmd)
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		c.args = args
		return usageError(cmd, cmp.Or(oneHyphen(cmd, given), checkArguments(cmd, args), wrongFlags(s)))
	}
	cmd.RunE = func(*cobra.Command, []string) error { return s.run() }
	return cmd
}

// isLean reports whether help is that of a program without Hugo. The manual page and the
// completions, which a release takes from such a program, are for both.
func isLean(given []string) bool {
	return !hasHugo && (len(given) == 0 || given[0] != "man" && given[0] != "completion")
}

// isAskedByShell reports whether a shell runs the program to offer words that may come next.
func isAskedByShell(given []string) bool {
	return slices.Contains(given, cobra.ShellCompRequestCmd) || slices.Contains(given, cobra.ShellCompNoDescRequestCmd)
}

// changeBuiltIn changes the commands that cobra adds, completion and help: an unknown argument ends
// the program with exit code 2, where cobra prints help and succeeds. A package that writes a
// completion to a file would get that help in it.
func changeBuiltIn(root *cobra.Command) {
	root.InitDefaultCompletionCmd() // its commands print to what is the output now
	root.InitDefaultHelpCmd()
	completion, _, _ := root.Find([]string{"completion"})
	completion.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	for _, cmd := range append(completion.Commands(), completion) {
		cmd.Args = func(cmd *cobra.Command, args []string) error { return usageError(cmd, checkArguments(cmd, args)) }
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
