package cli

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"metarobots/policy"
)

// noArguments is for commands that take none; after metarobots alone, one is meant for a command.
func noArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasParent():
		return fmt.Errorf("%s takes no arguments, not %q", cmd.CommandPath(), args[0])
	}
	return unknownCommand(cmd, args[0])
}

func unknownCommand(root *cobra.Command, name string) error {
	suggestion := ""
	if near := root.SuggestionsFor(name); len(near) > 0 {
		suggestion = fmt.Sprintf(" (did you mean %q?)", near[0])
	}
	return fmt.Errorf("unknown command %q%s", name, suggestion)
}

// unlimited is no limit of arguments.
const unlimited = math.MaxInt

// takes is for commands that take from least to most arguments. Of others wrong is said, whose values are the command,
// its whole path, how many arguments there are, and they.
func takes(least, most int, wrong string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if n := len(args); n < least || n > most {
			return fmt.Errorf(wrong, cmd.Name(), cmd.CommandPath(), n, args)
		}
		return nil
	}
}

// oneFolder is for commands that take the publish folder, or none.
func oneFolder(cmd *cobra.Command, args []string) error {
	if len(args) == 1 && args[0] == "" {
		return errors.New("the folder is empty (a variable without a value?)")
	}
	return takes(0, 1, "%[2]s takes one folder, not %[3]d: %[4]q")(cmd, args)
}

// noShell is for completion itself: what it is given is a shell that it does not know.
func noShell(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("completion: there is none for %q: bash, fish, powershell or zsh", args[0])
	}
	return nil
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// helpCommand is cobra's, but that a command which is not there is an error.
func helpCommand() *cobra.Command {
	cmd := newCommand("help", nil, func(cmd *cobra.Command, args []string) error {
		about, rest, err := cmd.Root().Find(args)
		if err != nil || len(rest) > 0 {
			return invalid(unknownCommand(cmd.Root(), args[0]))
		}
		about.InitDefaultHelpFlag()
		return about.Help()
	})
	cmd.ValidArgsFunction = func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, other := range cmd.Root().Commands() {
			if other.IsAvailableCommand() {
				names = append(names, other.Name())
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// values are what flags of a type take.
var values = map[string]string{"bool": "true or false", "int": "a number", "duration": "a time such as 30s"}

// flagError says what is wrong with a flag: what an unknown one may be meant for, and which values one takes.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var wrong *pflag.InvalidValueError
	switch {
	case errors.As(err, &wrong):
		if kind := values[wrong.GetFlag().Value.Type()]; kind != "" {
			return fmt.Errorf("--%s: want %s, not %q", wrong.GetFlag().Name, kind, wrong.GetValue())
		}
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := policy.Near(unknown.GetSpecifiedName(), names); near != "" {
			return fmt.Errorf("%w (did you mean --%s?)", err, near)
		}
	}
	return err
}

// oneHyphen returns an error for a flag's whole name behind one hyphen, which would be read as short flags and their
// value: -dry-run as the publish folder ry-run.
func oneHyphen(cmd *cobra.Command, args []string) error {
	for _, arg := range args {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		switch {
		case arg == "--":
			return nil
		case len(name) > 1 && name[0] != '-' && arg[0] == '-' && cmd.Flags().Lookup(name) != nil:
			return fmt.Errorf("unknown flag %s (did you mean --%s?)", arg, name)
		}
	}
	return nil
}
