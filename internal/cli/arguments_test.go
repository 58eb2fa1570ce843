package cli

import "testing"

// Every command shows in its help how it is called.
func TestHelp_EveryCommandHasAnExample(t *testing.T) {
	root := (&command{}).root()
	for _, cmd := range append(root.Commands(), root) {
		if cmd.Example == "" && cmd.Name() != "help" {
			t.Errorf("%s has no example", cmd.Name())
		}
	}
}
