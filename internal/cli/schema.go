package cli

import (
	"metarobots/internal/schema"
)

type schemaCommand struct{ command }

// run prints one of the schemas.
func (c *schemaCommand) run() error {
	text, err := schema.Document(c.args[0], reference)
	if err == nil {
		_, err = c.stdout.w.Write(text)
	}
	return err
}
