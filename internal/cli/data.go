package cli

import (
	"github.com/spf13/cobra"

	"metarobots/internal/plan"
)

// data writes what templates print in a live preview. The partial that reads it stands in the folder hugo.
func (c *command) data(cmd *cobra.Command, _ []string) error {
	p, err := c.open(cmd, "")
	if err != nil {
		return err
	}
	defer p.Close()
	d, err := plan.NewData(cmd.Context(), p)
	if err != nil {
		return err
	}
	file, changed, err := plan.WriteData(p, d, c.output)
	if err != nil {
		return err
	}
	if !c.quiet {
		state := "unchanged"
		if changed {
			state = "written"
		}
		pages := 0
		for _, links := range d.Pages {
			pages += len(links)
		}
		c.stderr.printf("%s %s: the tags of %s in environment %s\n",
			c.stderr.paint(bold, file), state, count(pages, "page"), d.Environment)
	}
	return nil
}
