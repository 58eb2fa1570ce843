package cli

import (
	"cmp"
	_ "embed"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

//go:embed help.toml
var helpTOML string

// texts are what help says of each command, by its name, as help.toml has it.
var texts = sync.OnceValue(func() (all struct {
	Published string // the help of commands that do not build
	Hugo      []struct {
		Name, Short, Type, Usage string
		Builds                   bool
	}
	Commands map[string]struct {
		Use, Short, Long, Example string
		Published                 bool
		Flags                     map[string]string
	}
	Flags map[string]string // of several commands
}) {
	if _, err := toml.Decode(helpTOML, &all); err != nil {
		panic("help.toml: " + err.Error()) // every run of the program reads it
	}
	return all
})

// giveUsage gives the flags of a command and of those below it their texts.
func giveUsage(cmd *cobra.Command) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Usage == "" {
			f.Usage = cmp.Or(texts().Commands[cmd.Name()].Flags[f.Name], texts().Flags[f.Name])
		}
	})
	for _, sub := range cmd.Commands() {
		giveUsage(sub)
	}
}

type runs = func(cmd *cobra.Command, args []string) error

// newCommand makes a command with its texts.
func newCommand(name string, args cobra.PositionalArgs, run runs) *cobra.Command {
	t := texts().Commands[name]
	if t.Published {
		t.Long = t.Short + ".\n\n" + texts().Published
	}
	if t.Example != "" {
		t.Example = "  " + strings.ReplaceAll(t.Example, "\n", "\n  ")
	}
	cmd := &cobra.Command{Use: t.Use, Short: t.Short, Long: t.Long, Example: t.Example, Args: args, RunE: run}
	cmd.Flags().SortFlags = false
	return cmd
}
