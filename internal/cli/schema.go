package cli

import (
	"github.com/spf13/cobra"

	"metarobots/internal/schema"
)

// schema prints one of the schemas.
func (c *command) schema(_ *cobra.Command, args []string) (err error) {
	text := schema.FrontMatter()
	switch args[0] {
	case "policy":
		text, err = schema.Policy(reference)
	case "hugo":
		text, err = schema.Hugo(reference)
	}
	if err == nil {
		_, err = c.stdout.w.Write(text)
	}
	return err
}
