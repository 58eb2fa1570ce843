package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"metarobots/internal/config"
	"metarobots/internal/report"
	"metarobots/policy"
)

// complete gives shells the words that the flags of all commands take, and folders where a folder is wanted.
func complete(cmd *cobra.Command) {
	words := map[string][]string{"environment": config.Environments(), "crawler": policy.KnownCrawlers().Names()}
	for _, f := range report.Formats {
		words["format"] = append(words["format"], string(f))
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		kind, _ := pflag.UnquoteUsage(f)
		var err error
		if list := words[f.Name]; list != nil {
			err = cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp))
		} else if kind == "folder" {
			err = cmd.MarkFlagDirname(f.Name)
		}
		if err != nil {
			panic(err) // the flag is there, and has nothing yet
		}
	})
	if strings.HasSuffix(cmd.Use, " [DIR]") {
		cmd.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	}
	for _, sub := range cmd.Commands() {
		complete(sub)
	}
}
