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
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			errs = append(errs, fmt.Errorf("--%s is empty (a variable without a value?)", name))
		}
	}
	return errors.Join(errs...)
}

// siteFlags adds the flags that say which site; their names are Hugo's where Hugo has them.
func (c *command) siteFlags(cmd *cobra.Command) {
	f, o, name := cmd.Flags(), &c.options, cmd.Name()
	builds := name == "build" || name == "metarobots"
	f.StringVarP(&o.Source, "source", "s", "",
		"the site's `folder` (default: the working folder, or the one named in the policy)")
	f.StringVarP(&o.Destination, "destination", "d", "",
		"the publish `folder`, relative to the site's folder (default: the generator's own)")
	f.StringVarP(&o.Environment, "environment", "e", "", "the `name` of the environment, for Hugo and the policy")
	f.StringVarP(&o.BaseURL, "baseURL", "b", "", "the `URL` of the site's root")
	f.StringVar(&o.Policy, "policy", "",
		"the policy `file` (default: metarobots.toml or config.toml in the site's folder)")
	nowFlag(f, &o.Now)
	f.StringVar(&o.State, "state", "", "the `folder` for the record of what metarobots has changed")
	if !builds && name != "data" {
		f.BoolVar(&o.AssumeOurs, "assume-ours", false,
			"without that record, treat tags that metarobots could have written as its own")
		f.BoolVar(&o.NoIndex, "no-index", false, "read every page, even those that have not changed since the last run")
	}
	f.BoolVar(&c.quiet, "quiet", false, "print only errors")
	switch name {
	case "data":
		f.StringVarP(&c.output, "output", "o", "",
			"the `file` to write (default: metarobots.json in the site's data folder)")
	case "report", "snapshot":
	default:
		f.BoolVar(&c.json, "json", false, "print the result as JSON")
		f.BoolVarP(&c.verbose, "verbose", "v", false, "print every finding, and the decision for each page")
	}
	if name == "apply" || builds {
		f.BoolVarP(&c.dryRun, "dry-run", "n", false, "write nothing, show what would change")
		f.BoolVar(&o.Force, "force", false, "write into a folder that shows no sign of a published site")
		f.BoolVar(&o.Sync, "sync", false, "flush each page to disk (fsync)")
	}
	if name == "explain" {
		f.StringSliceVar(&c.crawlers, "crawler", nil,
			"show whether robots.txt allows these crawlers, by `names` (default: googlebot, bingbot)")
		f.StringVar(&c.as, "as", "", "also show how this search `engine` reads the page: google, bing, yandex …, or a "+
			"crawler's name")
	}
	if name == "apply" || name == "check" || builds {
		usage := "show the changes as a diff"
		if name != "check" {
			usage = "with --dry-run, " + usage
		}
		f.BoolVar(&c.diff, "diff", false, usage)
		c.reportFlags(cmd)
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

func nowFlag(f *pflag.FlagSet, now *string) {
	f.StringVar(now, "now", "", "the `date` to use as now (default: SOURCE_DATE_EPOCH or the clock)")
}

// passedToHugo is the annotation of a flag that is passed on to Hugo.
const passedToHugo = "hugo"

// hugoFlags are Hugo's own, those of its build included. What it does with them, its documentation says:
// https://gohugo.io/commands/hugo/.
func hugoFlags(builds bool) *pflag.FlagSet {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.SortFlags = false
	f.BoolP("buildDrafts", "D", false, "include content marked as draft")
	f.BoolP("buildFuture", "F", false, "include content with publishdate in the future")
	f.BoolP("buildExpired", "E", false, "include expired content")
	f.String("config", "", "config `file`")
	f.String("configDir", "", "config `folder`")
	f.StringP("contentDir", "c", "", "content `folder`")
	f.StringP("layoutDir", "l", "", "layout `folder`")
	f.StringSliceP("theme", "t", nil, "`themes` to use")
	f.String("themesDir", "", "themes `folder`")
	f.String("cacheDir", "", "cache `folder`")
	f.String("clock", "", "the `time` to use as now, such as 2021-11-06T22:30:00+09:00")
	f.StringSlice("disableKinds", nil, "`kinds` of pages to leave out")
	f.StringSlice("renderSegments", nil, "`segments` to render")
	f.String("ignoreVendorPaths", "", "ignore _vendor for module paths matching the `glob`")
	f.String("logLevel", "", "log `level` (debug, info, warn, error)")
	f.Bool("enableGitInfo", false, "add Git information to the pages")
	if builds {
		f.Bool("minify", false, "minify any supported output format")
		f.Bool("gc", false, "remove unused cache files after the build")
		f.Bool("cleanDestinationDir", false, "remove files from the publish folder that are not part of this build")
		f.Bool("ignoreCache", false, "ignore the file caches")
		f.Bool("noBuildLock", false, "don't create .hugo_build.lock")
		f.Bool("noChmod", false, "don't sync permission modes")
		f.Bool("noTimes", false, "don't sync modification times")
		f.Bool("panicOnWarning", false, "fail on the first warning")
		f.Bool("printI18nWarnings", false, "print missing translations")
		f.Bool("printPathWarnings", false, "print warnings on duplicate target paths")
		f.Bool("printUnusedTemplates", false, "print warnings on unused templates")
		f.Bool("templateMetrics", false, "display metrics about template executions")
		f.Bool("templateMetricsHints", false, "and hints, with --templateMetrics")
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
