package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"metarobots/internal/config"
	"metarobots/internal/report"
	"metarobots/policy"
)

// flagValues are the values that a shell offers for a flag; of what takes a list, it offers them after each comma.
func flagValues(name string) []string {
	switch name {
	case "environment":
		return config.Environments()
	case "format":
		var names []string
		for _, f := range report.Formats {
			names = append(names, string(f))
		}
		return names
	case "crawler":
		return policy.KnownCrawlers().Names()
	case "logLevel":
		return []string{"debug", "info", "warn", "error"}
	case "disableKinds": // https://gohugo.io/configuration/all/#disablekinds
		return []string{"404", "home", "page", "robotstxt", "rss", "section", "sitemap", "taxonomy", "term"}
	}
	return nil
}

// flagFiles are the endings of the files that a flag takes; those of a command's own go before them.
var flagFiles = map[string][]string{
	"policy":        {"toml"},
	"config":        {"toml", "yaml", "yml", "json"},
	"baseline":      {"json"},
	"against":       {"json"},
	"report":        {"html", "md", "json", "sarif", "csv"},
	"verify report": {"html", "md", "json", "csv"},
}

// complete gives shells the values of all commands' flags. A DIR is completed as a folder.
func complete(cmd *cobra.Command) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.NoOptDefVal != "" {
			return
		}
		kind, _ := pflag.UnquoteUsage(f)
		files := flagFiles[f.Name]
		if own, ok := flagFiles[cmd.Name()+" "+f.Name]; ok {
			files = own
		}
		var err error
		switch values := flagValues(f.Name); {
		case len(values) > 0:
			list := strings.HasSuffix(f.Value.Type(), "Slice")
			err = cmd.RegisterFlagCompletionFunc(f.Name,
				func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
					return offer(values, list, typed)
				})
		case files != nil:
			err = cmd.MarkFlagFilename(f.Name, files...)
		case kind == "folder":
			err = cmd.MarkFlagDirname(f.Name)
		case !strings.Contains(kind, "file"):
			err = cmd.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions) // a URL, a date, a number
		}
		if err != nil {
			panic(err) // the flag is there, and has nothing yet
		}
	})
	if strings.HasSuffix(cmd.Use, " [DIR]") {
		cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
	}
	for _, sub := range cmd.Commands() {
		complete(sub)
	}
}

// offer returns the values that go on with what is typed; of a list, with what stands after the last comma.
func offer(values []string, list bool, typed string) (offers []string, directive cobra.ShellCompDirective) {
	before := ""
	directive = cobra.ShellCompDirectiveNoFileComp
	if list {
		before = typed[:strings.LastIndexByte(typed, ',')+1]
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	for _, v := range values {
		if strings.HasPrefix(before+v, typed) && !slices.Contains(strings.Split(before, ","), v) {
			offers = append(offers, before+v)
		}
	}
	return offers, directive
}
