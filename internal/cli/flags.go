package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
		f.BoolVar(&o.Sync, "sync", false, "")
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
