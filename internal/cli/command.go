// Package cli is the command: flags, streams, exit codes, and what is printed for people. help.toml says what each
// command does and what its exit codes mean.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"metarobots/internal/check"
	"metarobots/internal/printable"
	"metarobots/internal/project"
	"metarobots/internal/result"
	"metarobots/internal/verify"
	"metarobots/policy"
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
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }

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
	var wrong *project.InvalidError
	var option *verify.OptionError
	switch {
	case err == nil:
		return exitDone, nil
	case errors.As(err, &own):
		return own.code, own.err
	case errors.Is(err, context.Canceled):
		return exitBroken, errors.New("interrupted: what is written is whole, another run does the rest")
	case errors.As(err, &wrong), errors.As(err, &option):
		return exitInvalid, err
	}
	return exitBroken, err
}

// run is the command, with what it needs of its process as arguments.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, getenv func(string) string) (code int) {
	c := &command{stdout: newPrinter(stdout, getenv), stderr: newPrinter(stderr, getenv), getenv: getenv,
		reports: reports{mostNoindex: -1, mostIndexable: -1}}
	root := c.root()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(c.stderr)
	c.rename(root)
	root.InitDefaultCompletionCmd() // its commands print to what is the output now
	if shells, _, err := root.Find([]string{"completion"}); err == nil {
		// Without this an unknown shell would get help, and exit code 0, in the file that a package makes.
		shells.Args = noShell
		shells.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	started := false
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		err := cmp.Or(oneHyphen(cmd, args), c.readFailOn(cmd),
			notEmpty(cmd, "environment", "policy", "source", "destination", "baseURL"))
		if err == nil && c.quiet && c.verbose {
			err = errors.New("--quiet and --verbose exclude each other")
		}
		started = err == nil
		return err
	}
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && !started { // flags and arguments
		help := "run " + cmd.CommandPath() + " --help for its arguments and flags"
		err = invalid(&printable.Help{Err: err, Lines: []string{help}})
	}
	code, err = exit(err)
	if code == exitFailed && c.failOn == failNever && !c.unwritten {
		defer func() { code = exitDone }()
	}
	if err != nil && code != exitDone && err.Error() != "" {
		c.stderr.errors(err)
	}
	return code
}

// rename has help name the program as the user calls it.
func (c *command) rename(cmd *cobra.Command) {
	if name := c.stdout.program; name != "" && !cmd.HasParent() {
		cmd.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: name}
	}
	cmd.Long, cmd.Example = c.stdout.named(cmd.Long), c.stdout.named(cmd.Example)
	for _, sub := range cmd.Commands() {
		c.rename(sub)
	}
}

// command holds what all commands share.
type command struct {
	stdout, stderr *printer
	getenv         func(string) string

	options        project.Options
	json           bool
	crawlers       []string
	quiet, verbose bool
	dryRun, diff   bool
	withheld       bool   // apply has written nothing, since the header rules do not fit (N2)
	failOn         string // error, warning or never: which findings end with exit code 1
	unwritten      bool   // the policy, or all of its headers, could not be written: --fail-on never does not help
	findingsOnly   bool   // check passes whatever is still to be written
	output         string // --output; empty for the usual file
	reports        reports
}

// The values of --fail-on.
const (
	failError   = "error"
	failWarning = "warning"
	failNever   = "never"
)

// failOnFlag adds --fail-on, of which each command has a default of its own.
func failOnFlag(cmd *cobra.Command, usual string) { cmd.Flags().String("fail-on", usual, "") }

// readFailOn reads it.
func (c *command) readFailOn(cmd *cobra.Command) error {
	if f := cmd.Flags().Lookup("fail-on"); f != nil {
		c.failOn = f.Value.String()
	}
	switch c.failOn {
	case "", failError, failWarning, failNever:
		return nil
	}
	return fmt.Errorf("--fail-on: %q is none of error, warning and never", c.failOn)
}

// failing reports whether findings end the command with exit code 1.
func (c *command) failing(o *check.Outcome) bool {
	return o.Failed() || c.failOn == failWarning && slices.ContainsFunc(o.Findings, func(f policy.Finding) bool {
		return f.Severity == policy.Warning
	})
}

func (c *command) root() *cobra.Command {
	root := newCommand("metarobots", noArguments, c.build)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.HiddenDefaultCmd = false
	root.Version = about()
	root.SetVersionTemplate("{{ .Version }}\n")
	root.SetHelpCommand(helpCommand())
	cobra.AddTemplateFunc("listFlags", listFlags)
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(),
		"Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}", "{{listFlags .LocalFlags}}", 1))
	root.SetFlagErrorFunc(flagError)
	root.SuggestionsMinimumDistance = 2
	c.siteFlags(root)
	root.Flags().BoolP("version", "V", false, "")
	version := newCommand("version", noArguments, c.version)
	version.Flags().BoolVar(&c.json, "json", false, "")
	root.AddCommand(c.onSite("build", noArguments, c.build), c.onSite("apply", oneFolder, c.apply),
		c.onSite("check", oneFolder, c.check), c.onSite("data", noArguments, c.data),
		c.onSite("explain", takes(1, unlimited, "%[1]s: name a URL, a published file or a content file"), c.explain),
		c.listCommand(), c.reportCommand(), c.snapshotCommand(), c.diffCommand(), c.logsCommand(), c.initCommand(),
		c.resolveCommand(), c.schemaCommand(), c.verifyCommand(), version,
		newCommand("man", noArguments, c.man))
	giveUsage(root)
	complete(root)
	return root
}

// onSite is a command that opens a site.
func (c *command) onSite(name string, args cobra.PositionalArgs, run runs) *cobra.Command {
	cmd := newCommand(name, args, run)
	c.siteFlags(cmd)
	return cmd
}

func (c *command) printJSON(v any) error { return result.WriteJSON(c.stdout.w, v) }
