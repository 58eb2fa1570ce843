package cli

import (
	"testing"

	"github.com/spf13/pflag"
)

// Every command shows in its help how it is called, and what each of its flags does.
func TestHelp_EveryCommandHasAnExample(t *testing.T) {
	root := (&command{}).root()
	for _, cmd := range append(root.Commands(), root) {
		if cmd.Example == "" && cmd.Name() != "help" {
			t.Errorf("%s has no example", cmd.Name())
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s: nothing says what --%s does", cmd.Name(), f.Name)
			}
		})
	}
}
