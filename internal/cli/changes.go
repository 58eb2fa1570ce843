package cli

import (
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/state"
)

// changes lists the files of a dry run that would change, and how: some of them, or with --verbose all.
func (c *command) changes(site *plan.Plan) error {
	pages := slices.DeleteFunc(slices.Clone(site.Pages), func(pg *plan.Page) bool { return !pg.Changes })
	some, more := shown(pages, c.most())
	for _, pg := range some {
		before, after, err := []byte(nil), []byte(nil), error(nil)
		if c.diff {
			before, after, err = site.NewBytes(pg)
		}
		if err != nil {
			return err
		}
		c.change(site.Project.Published(pg.File.Name), before, after)
	}
	if more != "" {
		c.stdout.printf("%s\n", more)
	}
	others := slices.DeleteFunc(site.Outputs(), func(o *state.Output) bool { return !o.Differs() })
	first, more := shown(others, c.most())
	for _, o := range first {
		c.change(o.File, o.Old, o.New)
	}
	if more != "" {
		c.stdout.printf("%s\n", more)
	}
	return nil
}

// change prints whole lines of a diff, however long: what changes in a page of one line is seen.
func (c *command) change(name string, before, after []byte) {
	c.stdout.printf("%s\n", name)
	if !c.diff {
		return
	}
	name = printable.Line(name)
	for line := range strings.Lines(string(diff.Diff(name, before, name+" (planned)", after))) {
		color := map[byte]string{'+': green, '-': red}[line[0]]
		c.stdout.printf("%s\n", c.stdout.paint(color, styled(printable.Whole(strings.TrimRight(line, "\r\n")))))
	}
}
