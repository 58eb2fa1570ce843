package cli

import (
	"github.com/spf13/cobra"

	"metarobots/internal/config"
	"metarobots/internal/plan"
)

// resolveCommand resolves statements without a site.
func (c *command) resolveCommand() *cobra.Command {
	cmd := newCommand("resolve", takes(1, unlimited, "%[1]s: name one statement or more, each in quotes"), c.resolve)
	cmd.Flags().BoolVar(&c.json, "json", false, "")
	cmd.Flags().StringVar(&c.options.Now, "now", "", "")
	return cmd
}

func (c *command) resolve(cmd *cobra.Command, args []string) error {
	now, err := config.Now(c.options.Now, c.getenv)
	if err != nil {
		return invalid(err)
	}
	tags, findings, err := plan.Resolve(args, now)
	if err != nil {
		return err
	}
	c.stderr.findings(findings, false, true)
	if c.json {
		object := map[string]string{}
		for _, t := range tags {
			object[t.Name] = t.Content
		}
		return c.printJSON(object)
	}
	for _, t := range tags {
		c.stdout.printf("%s: %s\n", t.Name, t.Content)
	}
	return nil
}
