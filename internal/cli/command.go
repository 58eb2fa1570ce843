package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"metarobots/internal/plan"
	"metarobots/internal/printable"
)

// Exit codes (X).
const (
	exitDone    = 0
	exitFailed  = 1 // a check failed, or a finding is an error
	exitInvalid = 2 // usage, configuration, front matter; nothing was written
	exitBroken  = 3 // rendering, reading or writing failed
)

// exitError ends the command with a code other than 3.
type exitError struct {
	code int
	error
}

// errFailed ends a command of which everything is said already.
var errFailed = &exitError{exitFailed, errors.New("")}

// invalid is the error of wrong usage or configuration: nothing was written.
func invalid(err error) error {
	if err == nil {
		return nil
	}
	return &exitError{exitInvalid, err}
}

func invalidf(format string, args ...any) error { return invalid(fmt.Errorf(format, args...)) }

// exit finds the exit code of an error, and what is to be printed of it.
func exit(err error) (int, error) {
	var own *exitError
	var wrong *plan.InvalidError
	switch {
	case err == nil:
		return exitDone, nil
	case errors.As(err, &own):
		return own.code, own.error
	case errors.Is(err, context.Canceled):
		return exitBroken, errors.New("interrupted: what is written is whole, another run does the rest")
	case errors.As(err, &wrong):
		return exitInvalid, err
	}
	return exitBroken, err
}

// run is the command with its surroundings as arguments.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, getenv func(string) string) int {
	c := &command{stdout: newPrinter(stdout, getenv), stderr: newPrinter(stderr, getenv), getenv: getenv,
		reports: reports{mostNoindex: -1, mostIndexable: -1}}
	root := c.root()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(c.stderr)
	root.InitDefaultCompletionCmd() // its commands print to what is the output now
	if shells, _, err := root.Find([]string{"completion"}); err == nil {
		// Without this an unknown shell would get help, and exit code 0, in the file that a package makes.
		shells.Args = noShell
		shells.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	started := false
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		err := opposites(cmd)
		started = err == nil
		return err
	}
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && !started { // flags and arguments
		help := "run " + cmd.CommandPath() + " --help for its arguments and flags"
		err = invalid(&printable.Help{Err: err, Lines: []string{help}})
	}
	code, err := exit(err)
	if err != nil && code != exitDone && err.Error() != "" {
		c.stderr.errors(err)
	}
	return code
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
	output         string // --output; empty for the usual file
	reports        reports
}

// publishedOnly is the help of commands that do not build.
const publishedOnly = `It reads the publish folder, so build the site first. For a Hugo site, it takes Hugo's flags too: see
metarobots build --help.`

func (c *command) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "metarobots",
		Short:         "Decide what crawlers may do with each page of a static site",
		Long:          strings.TrimSpace(manual),
		Args:          noArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          c.build,
	}
	root.CompletionOptions.HiddenDefaultCmd = false
	root.Version = about()
	root.SetVersionTemplate("{{ .Version }}\n")
	root.SetHelpCommand(helpCommand())
	cobra.AddTemplateFunc("listFlags", listFlags)
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(),
		"Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}", "{{listFlags .LocalFlags}}", 1))
	root.SetFlagErrorFunc(flagError)
	root.Flags().SortFlags = false
	root.SuggestionsMinimumDistance = 2
	c.siteFlags(root, true)
	root.Flags().BoolP("version", "V", false, "print the version")
	sub := func(cmd *cobra.Command, buildFlags bool) *cobra.Command {
		cmd.Flags().SortFlags = false
		if cmd.Long == publishedOnly {
			cmd.Long = cmd.Short + ".\n\n" + publishedOnly
		}
		c.siteFlags(cmd, buildFlags)
		root.AddCommand(cmd)
		return cmd
	}
	sub(&cobra.Command{
		Use: "build", Short: "Build the Hugo site and apply the policy (the default)",
		Args: noArguments, RunE: c.build,
	}, true)
	sub(&cobra.Command{
		Use: "apply [DIR]", Short: "Apply the policy to a site that is already built", Long: publishedOnly,
		Args: oneFolder, RunE: c.apply,
	}, false)
	sub(&cobra.Command{
		Use: "check [DIR]", Short: "Write nothing; exit 1 if anything would change or a finding is an error",
		Long: publishedOnly,
		Args: oneFolder, RunE: c.check,
	}, false)
	sub(&cobra.Command{
		Use: "explain URL-OR-FILE …", Short: "Show what crawlers may do with a page or file, and why",
		Long: publishedOnly,
		Args: atLeastOne("a URL, a published file or a content file"), RunE: c.explain,
	}, false)
	sub(&cobra.Command{
		Use: "data", Short: "Write the tags of all pages as data for a live preview (hugo server)",
		Args: noArguments, RunE: c.data,
	}, false)
	c.reportCommands(sub, root)
	sub(c.logsCommand(), false)
	sub(c.initCommand(), false)
	version := &cobra.Command{Use: "version", Short: "Print the version", Args: noArguments, RunE: c.version}
	root.AddCommand(c.resolveCommand(), c.schemaCommand(), c.verifyCommand(), version, c.manCommand())
	complete(root)
	addExamples(root)
	return root
}

func (c *command) printJSON(v any) error { return printable.WriteJSON(c.stdout.w, v) }
