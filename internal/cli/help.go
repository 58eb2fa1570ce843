package cli

import (
	"cmp"
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

// newCommand makes a command with its texts, its flags, and what shells offer for them. Its own copy of c takes the
// flags' values, as a flag may have another default than that of another command. given are the program's arguments.
func (c command) newCommand(name string, run func(*command) error, flags string, given []string) *cobra.Command {
	t := texts().Commands[name]
	if t.Published {
		t.Long = t.Short + ".\n\n" + texts().Published
	}
	if t.Example != "" {
		t.Example = "  " + strings.ReplaceAll(t.Example, "\n", "\n  ")
	}
	cmd := &cobra.Command{Use: t.Use, Short: t.Short, Long: c.stdout.named(t.Long), Example: c.stdout.named(t.Example),
		ValidArgs: choices(t.Use)}
	if strings.HasSuffix(t.Use, " [DIR]") {
		cmd.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	}
	c.cmd = cmd
	c.addFlags(flags)
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		c.args = args
		return usageError(cmd, cmp.Or(oneHyphen(cmd, given), arguments(cmd, args), c.wrongFlags()))
	}
	cmd.RunE = func(*cobra.Command, []string) error {
		err := run(&c)
		if own, ok := err.(*exitError); ok && c.failOn == failNever && !c.unwritten {
			own.code = exitDone
		}
		return err
	}
	return cmd
}
