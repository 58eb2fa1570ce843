package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"metarobots/internal/config"
	"metarobots/internal/printable"
	"metarobots/internal/project"
	"metarobots/internal/report"
	"metarobots/policy"
)

// describeFlags gives each flag of a command its text from help.toml.
func describeFlags(cmd *cobra.Command) {
	own, common := texts().Commands[cmd.Name()].Flags, texts().Flags
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		f.Usage = cmp.Or(own[f.Name], common[f.Name])
		if strings.HasPrefix(f.DefValue, "-") {
			f.DefValue = "0" // so that help says what the configuration decides
		}
	})
}

// addHugoFlags adds Hugo's own flags to a command that opens a site. Help does not list them if the
// program is lean, or if the command does not build.
func addHugoFlags(cmd *cobra.Command, isLean bool) {
	if cmd.Flags().Lookup("source") == nil {
		return
	}
	hugo := hugoFlags(builds(cmd))
	if isLean || !builds(cmd) && cmd.Name() != "data" {
		hugo.VisitAll(func(f *pflag.Flag) { f.Hidden = true }) // most sites are not Hugo's; build --help lists them
	}
	cmd.Flags().AddFlagSet(hugo)
}

// builds reports whether a command builds the site with Hugo, to publish it. It goes by the name,
// since a command has no parent before its flags are there.
func builds(cmd *cobra.Command) bool { return cmd.Name() == "build" || cmd.Name() == "metarobots" }

// completeFlags says what shells offer for the values of a command's flags. It is only for runs of
// shells that ask: cobra keeps such a flag, and with it the command and its site, until the process
// ends, and the tests run the program thousands of times in one.
func completeFlags(cmd *cobra.Command) {
	words := map[string]func() []string{"environment": config.Environments, "format": formatNames,
		"crawler": func() []string { return policy.KnownCrawlers().Names() }}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		var err error
		if list := words[f.Name]; list != nil {
			err = cmd.RegisterFlagCompletionFunc(f.Name, func(*cobra.Command, []string, string) (
				[]cobra.Completion, cobra.ShellCompDirective) {
				return list(), cobra.ShellCompDirectiveNoFileComp
			})
		} else if kind, _ := pflag.UnquoteUsage(f); kind == "folder" {
			err = cmd.MarkFlagDirname(f.Name)
		}
		if err != nil {
			panic(err) // the flag is there, and has nothing yet
		}
	})
}

func formatNames() (names []string) {
	for _, f := range report.Formats {
		names = append(names, string(f))
	}
	return names
}

// ofHugo begins what help says of a flag that is passed on to Hugo.
const ofHugo = "Hugo: "

func isHugos(f *pflag.Flag) bool { return strings.HasPrefix(f.Usage, ofHugo) }

// hugoFlags are Hugo's own, those of its build included.
func hugoFlags(builds bool) *pflag.FlagSet {
	var f pflag.FlagSet
	f.SortFlags = false
	for _, h := range texts().Hugo {
		switch usage := ofHugo + h.Usage; {
		case h.Builds && !builds:
		case h.Type == "string":
			f.StringP(h.Name, h.Short, "", usage)
		case h.Type == "stringslice":
			f.StringSliceP(h.Name, h.Short, nil, usage)
		default:
			f.BoolP(h.Name, h.Short, false, usage)
		}
	}
	return &f
}

// hugoValues returns the values of the flags that were given for Hugo, by their names.
func hugoValues(flags *pflag.FlagSet) map[string]any {
	values := map[string]any{}
	flags.Visit(func(f *pflag.Flag) {
		switch {
		case !isHugos(f):
		case f.Value.Type() == "bool":
			values[f.Name], _ = flags.GetBool(f.Name)
		case f.Value.Type() == "stringSlice":
			values[f.Name], _ = flags.GetStringSlice(f.Name)
		default:
			values[f.Name] = f.Value.String()
		}
	})
	return values
}

// Flags that help lists under a heading of their own.
const (
	siteHeading   = "source destination environment baseURL policy now state"
	outputHeading = "quiet json verbose diff report"
)

// listFlags is the part of a command's help that lists its flags, its own first and Hugo's last.
func listFlags(all *pflag.FlagSet) string {
	headings := []string{"Flags", "Site", "Output", "Hugo's own"}
	groups := make([]pflag.FlagSet, len(headings))
	all.VisitAll(func(f *pflag.Flag) {
		i := 0
		switch {
		case isHugos(f):
			i = 3
		case isUnder(f, outputHeading):
			i = 2
		case isUnder(f, siteHeading):
			i = 1
		}
		groups[i].SortFlags = false
		groups[i].AddFlag(f)
	})
	var parts []string
	for i := range groups {
		if usages := groups[i].FlagUsages(); usages != "" {
			parts = append(parts, headings[i]+":\n"+strings.ReplaceAll(usages, ofHugo, ""))
		}
	}
	return strings.TrimRight(strings.Join(parts, "\n"), "\n")
}

// isUnder reports whether a heading lists a flag.
func isUnder(f *pflag.Flag, heading string) bool {
	return slices.Contains(strings.Fields(heading), f.Name)
}

// wrongFlags is what is wrong with the flags that are given to a command; nil for nothing.
func wrongFlags(s subcommand) error {
	c := s.shared()
	c.cmd.Flags().Visit(func(f *pflag.Flag) {
		switch value := f.Value.String(); {
		case isHugos(f):
		case strings.Trim(value, `[]"`) == "": // it would pass for a check that nobody asked for
			c.wrongf("--%s is empty (a variable without a value?)", f.Name)
		case value[0] == '-' && f.Value.Type() != "string":
			c.wrongf("--%s is negative", f.Name)
		default:
			c.wrong(s.wrongFlag(f))
		}
	})
	if c.quiet && c.verbose {
		c.wrongf("--quiet and --verbose exclude each other")
	}
	return errors.Join(c.errs...)
}

// choices are the words that a command takes for its only argument, which it needs, by its use:
// those of "schema policy|hugo". It is nil for any other use, such as "report [DIR|URL]".
func choices(use string) []string {
	if _, words, ok := strings.Cut(use, " "); ok && strings.Contains(words, "|") &&
		!strings.ContainsAny(words, "[ ") {
		return strings.Split(words, "|")
	}
	return nil
}

// checkArguments checks the arguments of a command by how help.toml says that it is used: "diff OLD
// NEW", "apply [DIR]", "logs ACCESS.LOG …". It returns what is wrong with them, or nil: a
// URL with a slip in its scheme, such as htps://example.org, one that is empty, too few or too
// many, or another word than those that help.toml lists. Those of resolve are texts of directives
// and no names, so that they may have any form, or none.
func checkArguments(cmd *cobra.Command, args []string) error {
	takesTexts := cmd.Name() == "resolve"
	if !takesTexts {
		if err := checkURLs(args); err != nil {
			return err
		}
	}
	if len(args) > 0 && cmd.HasSubCommands() { // the program itself: a word that is no command of it
		return unknownCommand(cmd, args[0])
	}
	parameters := strings.Fields(cmd.Use)[1:] // behind the command's name
	least, most := argumentCounts(parameters)
	known := choices(cmd.Use) // nil if any word will do
	switch {
	case len(args) < least || len(args) > most:
		usage := append([]string{cmd.CommandPath()}, parameters...)
		return fmt.Errorf("usage: %s", strings.Join(usage, " "))
	case known != nil && !slices.Contains(known, args[0]):
		return fmt.Errorf("%s: %q is none of %s%s", cmd.Name(), args[0], strings.Join(known, ", "),
			policy.DidYouMean(args[0], known))
	case !takesTexts && slices.Contains(args, ""):
		return errors.New("an argument is empty (a variable without a value?)")
	}
	return nil
}

// checkURLs returns an error about the first argument that is nearly a URL of the web.
func checkURLs(args []string) error {
	for _, arg := range args {
		if better := policy.NearURL(arg); better != "" { // what it was meant to be
			return fmt.Errorf("%s is not a URL of the web (did you mean %s?)", arg, better)
		}
	}
	return nil
}

// argumentCounts returns how many arguments a command takes, by its parameters: one for each word,
// but [DIR] may be left out, and … repeats the one before it.
func argumentCounts(parameters []string) (least, most int) {
	most = len(parameters)
	for _, word := range parameters {
		switch {
		case word == "…":
			most = math.MaxInt
		case word[0] != '[':
			least++
		}
	}
	return least, most
}

// arg is the only argument of a command that takes one or none; empty for none.
func (c *command) arg() string { return cmp.Or(c.args...) }

func unknownCommand(above *cobra.Command, name string) error {
	if isURL(name) {
		return fmt.Errorf("%s needs a command before it, such as report, list or verify", name)
	}
	suggestion := ""
	if near := above.SuggestionsFor(name); len(near) > 0 {
		suggestion = fmt.Sprintf(" (did you mean %q?)", near[0])
	}
	if use := texts().Meant[name]; use != "" {
		suggestion = fmt.Sprintf(" (did you mean %s?)", use)
	}
	return fmt.Errorf("unknown command %q%s", name, suggestion)
}

// oneHyphen returns an error for a flag's whole name behind one hyphen, which would be read as
// short flags and their value: -dry-run as the publish folder ry-run.
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

// kinds are what flags of a type take.
var kinds = map[string]string{"bool": "true or false", "int": "a number", "uint64": "a number from 0 on",
	"float64": "a number", "duration": "a time such as 30s"}

// flagError says what a flag takes, and of an unknown one which may be meant.
func flagError(cmd *cobra.Command, err error) error {
	var wrong *pflag.InvalidValueError
	if errors.As(err, &wrong) && kinds[wrong.GetFlag().Value.Type()] != "" {
		f := wrong.GetFlag()
		err = fmt.Errorf("--%s: want %s, not %q", f.Name, kinds[f.Value.Type()], wrong.GetValue())
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		err = fmt.Errorf("%w%s", err, insteadOf(cmd, unknown))
	}
	return usageError(cmd, err)
}

// insteadOf says what there is in place of a flag that a command does not have, as the end of the
// error: by help.toml, by a similar name, or by the one name that the flag's begins or ends. It is
// empty if nothing is like it.
func insteadOf(cmd *cobra.Command, unknown *pflag.NotExistError) string {
	name := unknown.GetSpecifiedName()
	if instead := texts().Commands[cmd.Name()].Instead[name]; instead != "" {
		return ": " + instead
	}
	if unknown.GetSpecifiedShortnames() != "" { // a letter is like too many
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := policy.Near(name, names); near != "" {
		return fmt.Sprintf(" (did you mean --%s?)", near)
	}
	if longer := flagsAround(cmd, name); len(longer) == 1 {
		return fmt.Sprintf(" (did you mean %s?)", longer[0])
	}
	return ""
}

// flagsAround are the flags whose names begin or end with a part of at least three letters, as help
// writes them: "-d, --destination" for dest.
func flagsAround(cmd *cobra.Command, part string) (written []string) {
	part = strings.ToLower(part)
	if len(part) < 3 {
		return nil
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := strings.ToLower(f.Name)
		if !strings.HasPrefix(name, part) && !strings.HasSuffix(name, part) {
			return
		}
		flag := "--" + f.Name
		if f.Shorthand != "" {
			flag = "-" + f.Shorthand + ", " + flag
		}
		written = append(written, flag)
	})
	return written
}

// usageError is an error of flags or arguments, with what helps.
func usageError(cmd *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	errs := flat(err)
	last := len(errs) - 1
	errs[last] = &printable.Help{Err: errs[last],
		Lines: []string{"run " + cmd.CommandPath() + " --help for its arguments and flags"}}
	return project.Invalid(errors.Join(errs...))
}
