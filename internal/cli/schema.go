package cli

import (
	"metarobots/internal/schema"
)

// schema prints one of the schemas.
func (c *command) schema() error {
	text, err := schema.Document(c.args[0], reference)
	if err == nil {
		_, err = c.stdout.w.Write(text)
	}
	return err
}
