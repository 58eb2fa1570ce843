package cli

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
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
	Commands  map[string]struct {
		Use, Short, Long, Example string
		Published                 bool
	}
}) {
	if _, err := toml.Decode(helpTOML, &all); err != nil {
		panic("help.toml: " + err.Error()) // every run of the program reads it
	}
	return all
})

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
