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

// notEmpty returns an error for a flag that is given and empty: a pipeline's variable that holds nothing would pass for
// a check that nobody asked for.
func notEmpty(cmd *cobra.Command, names ...string) error {
	var errs []error
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && strings.Trim(f.Value.String(), `[]"`) == "" {
			errs = append(errs, fmt.Errorf("--%s is empty (a variable without a value?)", name))
		}
	}
	return errors.Join(errs...)
}

// outputFlags adds those that say what is printed.
func (c *command) outputFlags(f *pflag.FlagSet) {
	f.BoolVar(&c.json, "json", false, "")
	f.BoolVar(&c.quiet, "quiet", false, "")
	f.BoolVarP(&c.verbose, "verbose", "v", false, "")
}

// siteFlags adds the flags that say which site; their names are Hugo's where Hugo has them.
func (c *command) siteFlags(cmd *cobra.Command) {
	f, o, name := cmd.Flags(), &c.options, cmd.Name()
	builds := name == "build" || name == "metarobots"
	f.StringVarP(&o.Source, "source", "s", "", "")
	f.StringVarP(&o.Destination, "destination", "d", "", "")
	f.StringVarP(&o.Environment, "environment", "e", "", "")
	f.StringVarP(&o.BaseURL, "baseURL", "b", "", "")
	f.StringVar(&o.Policy, "policy", "", "")
	f.StringVar(&o.Now, "now", "", "")
	f.StringVar(&o.State, "state", "", "")
	if !builds && name != "data" {
		f.BoolVar(&o.AssumeOurs, "assume-ours", false, "")
	}
	f.BoolVar(&c.quiet, "quiet", false, "")
	switch name {
	case "data":
		f.StringVarP(&c.output, "output", "o", "", "")
	case "report", "snapshot":
	default:
		f.BoolVar(&c.json, "json", false, "")
		f.BoolVarP(&c.verbose, "verbose", "v", false, "")
	}
	if name == "apply" || builds {
		f.BoolVarP(&c.dryRun, "dry-run", "n", false, "")
		f.BoolVar(&o.Force, "force", false, "")
	}
	if name == "explain" {
		f.StringSliceVar(&c.crawlers, "crawler", nil, "")
	}
	if name == "apply" || name == "check" || builds {
		f.BoolVar(&c.diff, "diff", false, "")
		c.reportFlags(cmd)
		failOnFlag(cmd, failError)
	}
	if name == "check" {
		f.BoolVar(&c.findingsOnly, "findings-only", false, "")
	}
	hugo := hugoFlags(builds)
	if !builds && name != "data" {
		hugo.VisitAll(func(f *pflag.Flag) { f.Hidden = true }) // most sites are not Hugo's; build --help lists them
	}
	f.AddFlagSet(hugo)
}

// flagGroups are the headings below which help lists flags, a command's own first and Hugo's last.
var flagGroups = [...]string{"Flags", "Site", "Output", "Hugo's own"}

// groupOf is the heading of a flag, by its place in flagGroups.
func groupOf(f *pflag.Flag) int {
	switch f.Name {
	case "source", "destination", "environment", "baseURL", "policy", "now", "state":
		return 1
	case "quiet", "json", "verbose", "diff", "report":
		return 2
	}
	if _, ok := f.Annotations[passedToHugo]; ok {
		return 3
	}
	return 0
}

// listFlags is the part of a command's help that lists its flags.
func listFlags(all *pflag.FlagSet) string {
	var groups [len(flagGroups)]pflag.FlagSet
	all.VisitAll(func(f *pflag.Flag) {
		g := &groups[groupOf(f)]
		g.SortFlags = false
		g.AddFlag(f)
	})
	var parts []string
	for i := range groups {
		if usages := groups[i].FlagUsages(); usages != "" {
			parts = append(parts, flagGroups[i]+":\n"+strings.ReplaceAll(usages, "Hugo: ", ""))
		}
	}
	return strings.TrimRight(strings.Join(parts, "\n"), "\n")
}

// passedToHugo is the annotation of a flag that is passed on to Hugo.
const passedToHugo = "hugo"

// hugoFlags are Hugo's own, those of its build included.
func hugoFlags(builds bool) *pflag.FlagSet {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.SortFlags = false
	for _, h := range texts().Hugo {
		switch {
		case h.Builds && !builds:
		case h.Type == "string":
			f.StringP(h.Name, h.Short, "", h.Usage)
		case h.Type == "stringslice":
			f.StringSliceP(h.Name, h.Short, nil, h.Usage)
		default:
			f.BoolP(h.Name, h.Short, false, h.Usage)
		}
	}
	f.VisitAll(passOn)
	return f
}

// passOn has a flag passed on to Hugo.
func passOn(f *pflag.Flag) {
	f.Annotations = map[string][]string{passedToHugo: nil}
	f.Usage = "Hugo: " + f.Usage
}

// passedOn returns the values of the flags that were given for Hugo, by their names.
func passedOn(cmd *cobra.Command) map[string]any {
	values := map[string]any{}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if _, ok := f.Annotations[passedToHugo]; !ok {
			return
		}
		switch f.Value.Type() {
		case "bool":
			values[f.Name], _ = cmd.Flags().GetBool(f.Name)
		case "stringSlice":
			values[f.Name], _ = cmd.Flags().GetStringSlice(f.Name)
		default:
			values[f.Name] = f.Value.String()
		}
	})
	return values
}

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
