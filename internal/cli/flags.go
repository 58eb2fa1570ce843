package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"metarobots/internal/config"
	"metarobots/internal/printable"
	"metarobots/internal/project"
	"metarobots/internal/report"
	"metarobots/policy"
)

// Flags that several commands take, in the order of their help. Hugo's own come with siteFlags.
const (
	siteFlags   = "source destination environment baseURL policy now state quiet "
	folderFlags = siteFlags + "assume-ours "
	jsonFlags   = "json verbose "
	buildFlags  = siteFlags + jsonFlags + "dry-run force diff report fail-on "
	maxFlags    = "max-newly-noindex max-newly-indexable " // how much may have changed since --baseline
	askFlags    = "crawler allow-private user header user-agent concurrency rate timeout retries "
)

// The values of --fail-on.
const (
	failError   = "error"
	failWarning = "warning"
	failNever   = "never"
)

// allFlags has every flag but Hugo's, with its default for a command. What it does is said in help.toml.
func (c *command) allFlags(name string) *pflag.FlagSet {
	var f pflag.FlagSet
	o, ask := &c.options, &c.asking
	against, failOn := "", failError
	switch name {
	case "logs":
		against = lockFile
	case "report":
		failOn = failNever
	}
	f.StringVarP(&o.Source, "source", "s", "", "")
	f.StringVarP(&o.Destination, "destination", "d", "", "")
	f.StringVarP(&o.Environment, "environment", "e", "", "")
	f.StringVarP(&o.BaseURL, "baseURL", "b", "", "")
	f.StringVar(&o.Policy, "policy", "", "")
	f.StringVar(&o.Now, "now", "", "")
	f.StringVar(&o.State, "state", "", "")
	f.BoolVar(&o.AssumeOurs, "assume-ours", false, "")
	f.BoolVar(&o.Force, "force", false, "")
	f.BoolP("version", "V", false, "")
	f.BoolVar(&c.quiet, "quiet", false, "")
	f.BoolVar(&c.json, "json", false, "")
	f.BoolVarP(&c.verbose, "verbose", "v", false, "")
	f.BoolVarP(&c.dryRun, "dry-run", "n", false, "")
	f.BoolVar(&c.diff, "diff", false, "")
	f.StringVar(&c.failOn, "fail-on", failOn, "")
	f.BoolVar(&c.findingsOnly, "findings-only", false, "")
	f.StringVarP(&c.output, "output", "o", "", "")
	f.StringArrayVar(&c.reports, "report", nil, "")
	f.StringVar(&c.format, "format", "", "")
	f.StringVar(&c.title, "title", "", "")
	f.StringVar(&c.audience, "audience", "owner", "")
	f.StringVar(&c.baseline, "baseline", "", "")
	f.IntVar(&c.mostNoindex, "max-newly-noindex", -1, "")
	f.IntVar(&c.mostIndexable, "max-newly-indexable", -1, "")
	f.BoolVar(&c.noindex, "noindex", false, "")
	f.BoolVar(&c.indexable, "indexable", false, "")
	f.BoolVar(&c.restricted, "restricted", false, "")
	f.StringVar(&c.section, "section", "", "")
	f.BoolVar(&c.why, "why", false, "")
	f.BoolVar(&c.ignoreEnvironment, "ignore-environment", false, "")
	f.StringVar(&c.against, "against", against, "")
	f.StringVar(&c.robots, "robots", "", "")
	f.StringVar(&c.since, "since", "", "")
	f.StringVar(&c.host, "host", "", "")
	f.BoolVar(&c.requireRead, "require-read", false, "")
	f.BoolVar(&c.dns, "dns", false, "")
	f.StringSliceVar(&c.crawlers, "crawler", nil, "")
	f.BoolVar(&c.allowPrivate, "allow-private", false, "")
	f.StringVar(&c.user, "user", "", "")
	f.StringArrayVar(&c.headers, "header", nil, "")
	f.StringVar(&ask.UserAgent, "user-agent", "", "")
	f.IntVar(&ask.Concurrency, "concurrency", 4, "")
	f.Float64Var(&ask.Rate, "rate", 10, "")
	f.DurationVar(&ask.Timeout, "timeout", 30*time.Second, "")
	f.IntVar(&ask.Retries, "retries", 2, "")
	f.IntVar(&ask.Sample, "sample", 0, "")
	f.Uint64Var(&ask.Seed, "seed", 1, "")
	f.BoolVar(&c.strict, "strict", false, "")
	f.BoolVar(&ask.AllowNoindex, "allow-noindex", false, "")
	return &f
}

// addFlags adds the named flags to a command, with Hugo's where it opens a site, and says what shells offer for them.
func (c *command) addFlags(names string) {
	cmd, flags, name := c.cmd, c.cmd.Flags(), c.cmd.Name()
	all := c.allFlags(name)
	flags.SortFlags = false
	for _, flag := range strings.Fields(names) {
		f := all.Lookup(flag)
		f.Usage = cmp.Or(texts().Commands[name].Flags[flag], texts().Flags[flag])
		if strings.HasPrefix(f.DefValue, "-") {
			f.DefValue = "0" // so that help says what the configuration decides
		}
		flags.AddFlag(f)
	}
	if flags.Lookup("source") != nil {
		builds := name == "build" || name == "metarobots"
		hugo := hugoFlags(builds)
		if !builds && name != "data" {
			hugo.VisitAll(func(f *pflag.Flag) { f.Hidden = true }) // most sites are not Hugo's; build --help lists them
		}
		flags.AddFlagSet(hugo)
	}
	words := map[string][]string{"environment": config.Environments(), "crawler": policy.KnownCrawlers().Names()}
	for _, f := range report.Formats {
		words["format"] = append(words["format"], string(f))
	}
	flags.VisitAll(func(f *pflag.Flag) {
		var err error
		if list := words[f.Name]; list != nil {
			err = cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp))
		} else if kind, _ := pflag.UnquoteUsage(f); kind == "folder" {
			err = cmd.MarkFlagDirname(f.Name)
		}
		if err != nil {
			panic(err) // the flag is there, and has nothing yet
		}
	})
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

// passedOn returns the values of the flags that were given for Hugo, by their names.
func (c *command) passedOn() map[string]any {
	flags, values := c.cmd.Flags(), map[string]any{}
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

// listFlags is the part of a command's help that lists its flags, its own first and Hugo's last.
func listFlags(all *pflag.FlagSet) string {
	headings := []string{"Flags", "Site", "Output", "Hugo's own"}
	groups := make([]pflag.FlagSet, len(headings))
	all.VisitAll(func(f *pflag.Flag) {
		i := 0
		switch {
		case isHugos(f):
			i = 3
		case is(f, "quiet json verbose diff report"):
			i = 2
		case is(f, siteFlags):
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

// is reports whether a flag is one of those named.
func is(f *pflag.Flag, names string) bool { return slices.Contains(strings.Fields(names), f.Name) }

// wrongFlags says what is wrong with the flags that are given, whatever the command does with them.
func (c *command) wrongFlags() error {
	name := c.cmd.Name()
	files := (name == "list" || name == "diff") && !slices.ContainsFunc(c.args, isURL)
	c.cmd.Flags().Visit(func(f *pflag.Flag) {
		switch value := f.Value.String(); {
		case isHugos(f):
		case strings.Trim(value, `[]"`) == "": // it would pass for a check that nobody asked for
			c.wrongf("--%s is empty (a variable without a value?)", f.Name)
		case value[0] == '-' && f.Value.Type() != "string":
			c.wrongf("--%s is negative", f.Name)
		case files && f.Name != "crawler" && is(f, askFlags+"against"):
			c.wrongf("--%s is for deployed sites: name the URL of one", f.Name)
		case c.baseline == "" && is(f, maxFlags):
			c.wrongf("--%s goes with --baseline: without one nothing is compared", f.Name)
		case f.Name == "diff" && !c.dryRun && name != "check":
			c.wrongf("--diff goes with --dry-run")
		case f.Name == "fail-on" && !slices.Contains([]string{failError, failWarning, failNever}, value):
			c.wrongf("--fail-on: %q is none of error, warning and never", value)
		}
	})
	if c.quiet && c.verbose {
		c.wrongf("--quiet and --verbose exclude each other")
	}
	return errors.Join(c.errs...)
}

// choices are the words that a command takes for its only argument, empty for any: those of "schema policy|hugo".
func choices(use string) []string {
	if _, words, ok := strings.Cut(use, " "); ok && words[0] != '[' && strings.Contains(words, "|") {
		return strings.Split(words, "|")
	}
	return nil
}

// arguments checks the arguments against how the command is used: "diff OLD NEW", "apply [DIR]", "logs ACCESS.LOG …".
func arguments(cmd *cobra.Command, args []string) error {
	words := strings.Fields(cmd.Use)[1:]
	least, most := 0, len(words)
	for _, word := range words {
		if word == "…" {
			most = math.MaxInt
		} else if word[0] != '[' {
			least++
		}
	}
	n, known := len(args), choices(cmd.Use)
	switch {
	case n > 0 && cmd.HasSubCommands():
		return unknownCommand(cmd, args[0])
	case n < least || n > most:
		return fmt.Errorf("usage: %s", strings.Join(append([]string{cmd.CommandPath()}, words...), " "))
	case known != nil && !slices.Contains(known, args[0]):
		return fmt.Errorf("%s: %q is none of %s%s", cmd.Name(), args[0], strings.Join(known, ", "),
			policy.DidYouMean(args[0], known))
	case cmd.Name() != "resolve" && slices.Contains(args, ""):
		return errors.New("an argument is empty (a variable without a value?)")
	}
	return nil
}

// arg is the only argument of a command that takes one or none; empty for none.
func (c *command) arg() string { return cmp.Or(c.args...) }

func unknownCommand(above *cobra.Command, name string) error {
	suggestion := ""
	if near := above.SuggestionsFor(name); len(near) > 0 {
		suggestion = fmt.Sprintf(" (did you mean %q?)", near[0])
	}
	return fmt.Errorf("unknown command %q%s", name, suggestion)
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
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := policy.Near(unknown.GetSpecifiedName(), names); near != "" {
			err = fmt.Errorf("%w (did you mean --%s?)", err, near)
		}
	}
	return usageError(cmd, err)
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
