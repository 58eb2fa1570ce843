package cli

import (
	"github.com/spf13/cobra"

	"metarobots/internal/schema"
)

// schema prints one of the schemas.
func (c *command) schema(_ *cobra.Command, args []string) error {
	text, err := schema.Document(args[0], reference)
	if err == nil {
		_, err = c.stdout.w.Write(text)
	}
	return err
}
