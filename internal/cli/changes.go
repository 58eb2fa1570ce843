package cli

import (
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"metarobots/internal/plan"
	"metarobots/internal/printable"
)

// A changedFile is one that a dry run would write; contents has what stands in it and what would.
type changedFile struct {
	name     string
	contents func() (before, after []byte, err error)
}

// printChanges lists the files of a dry run that would change, and how: some of the pages and as
// many of the other files, or with --verbose all.
func (c *resultCommand) printChanges(site *plan.Plan) error {
	var pages, others []changedFile
	for _, pg := range site.Pages {
		if pg.Bytes.Change {
			pages = append(pages, changedFile{site.Project.Published(pg.File.Name),
				func() (before, after []byte, err error) { return site.NewBytes(pg) }})
		}
	}
	for _, f := range site.Files() {
		o := f.Output()
		if o.Differs() {
			others = append(others, changedFile{o.File,
				func() (before, after []byte, err error) { return o.Old, o.New, nil }})
		}
	}
	for _, files := range [][]changedFile{pages, others} {
		first, more := firstOf(files, c.mostLines())
		for _, f := range first {
			if err := c.change(f); err != nil {
				return err
			}
		}
		c.stdout.printMore(more)
	}
	return nil
}

// change names a file and, with --diff, prints whole lines, however long: what changes in a page of
// one line is seen.
func (c *resultCommand) change(f changedFile) error {
	c.stdout.printf("%s\n", f.name)
	if !c.diff {
		return nil
	}
	before, after, err := f.contents()
	if err != nil {
		return err
	}
	name := printable.Line(f.name)
	for line := range strings.Lines(string(diff.Diff(name, before, name+" (planned)", after))) {
		color := map[byte]string{'+': green, '-': red}[line[0]]
		c.stdout.printf("%s\n", c.stdout.paint(color, styled(printable.Whole(strings.TrimRight(line, "\r\n")))))
	}
	return nil
}
