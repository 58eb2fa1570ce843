package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"metarobots/internal/schema"
	"metarobots/policy"
)

// schemas are the documents that metarobots schema prints, by their names.
var schemas = []string{"policy", "hugo", "front-matter"}

func (c *command) schemaCommand() *cobra.Command {
	cmd := newCommand("schema", oneSchema, c.schema)
	cmd.ValidArgs = schemas
	return cmd
}

// oneSchema asks for the name of a schema.
func oneSchema(_ *cobra.Command, args []string) error {
	switch name := first(args); {
	case name == "":
		return errors.New("schema: name one: policy, hugo or front-matter")
	case !slices.Contains(schemas, name):
		return fmt.Errorf("schema: there is none for %q%s: policy, hugo or front-matter", name,
			policy.DidYouMean(name, schemas))
	}
	if len(args) > 1 {
		return fmt.Errorf("schema: name one, not %d", len(args))
	}
	return nil
}

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
