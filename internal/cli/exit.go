package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"metarobots/internal/project"
	"metarobots/policy"
)

// Exit codes (X).
const (
	exitDone    = 0
	exitFailed  = 1 // a check failed, or a finding is an error
	exitInvalid = 2 // usage, configuration, front matter; nothing was written
	exitBroken  = 3 // rendering, reading or writing failed
)

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

// errFailed is matched by errors of checks that failed. It has no text, and nothing is printed of
// it.
var errFailed = errors.New("")

// allPrinted is the text of [failed] if the answer shows already why the check failed.
const allPrinted = ""

// failed is the error of a check that failed, with the text that is printed last.
func failed(text string) error { return fmt.Errorf("%s%w", text, errFailed) }

// invalidf is the error of wrong usage or configuration: nothing was written.
func invalidf(format string, args ...any) error { return project.Invalid(fmt.Errorf(format, args...)) }

// wrong keeps an error of the arguments or of a file that they name; nil is none. [command.invalid]
// has all of them.
func (c *command) wrong(err error) { c.errs = append(c.errs, err) }

func (c *command) wrongf(format string, args ...any) { c.wrong(fmt.Errorf(format, args...)) }

// invalid is the error of all that is wrong, and nil for nothing.
func (c *command) invalid() error { return project.Invalid(errors.Join(c.errs...)) }

// failOn is the value of --fail-on: which findings end a command with exit code 1.
type failOn string

const (
	failError   failOn = "error"
	failWarning failOn = "warning"
	failNever   failOn = "never"
)

func (f *failOn) add(flags *pflag.FlagSet, usual failOn) {
	flags.StringVar((*string)(f), "fail-on", string(usual), "")
}

func (f failOn) validate() error {
	if !slices.Contains([]failOn{failError, failWarning, failNever}, f) {
		return fmt.Errorf("--fail-on: %q is none of error, warning and never", f)
	}
	return nil
}

// fails reports whether findings fail the check. With never, the caller forgives what
// [failOn.fails] finds.
func (f failOn) fails(findings []policy.Finding) bool {
	return slices.ContainsFunc(findings, func(found policy.Finding) bool {
		return found.Severity == policy.Error || found.Severity == policy.Warning && f == failWarning
	})
}

// forgive prints the error of a check that failed where --fail-on never lets the command succeed,
// and returns any other error.
func (c *command) forgive(f failOn, err error) error {
	if f == failNever && errors.Is(err, errFailed) {
		c.stderr.errors(err)
		return nil
	}
	return err
}
