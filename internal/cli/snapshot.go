package cli

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"metarobots/internal/disk"
	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/project"
	"metarobots/internal/snapshot"
)

// lockFile is where snapshot writes, and what it is usually compared with.
const lockFile = "metarobots.lock.json"

// maxSnapshot is how much is read of a snapshot, in bytes; one of a million pages has 56 MB.
const maxSnapshot = 1 << 30

// readSnapshot reads a snapshot that the user names. It may be a pipe, as of diff <(git show
// main:metarobots.lock.json) …; the site's own snapshot may not.
func readSnapshot(file string) (*snapshot.Snapshot, error) {
	open := os.Open
	if filepath.Base(file) == lockFile {
		open = disk.Open
	}
	f, err := open(file)
	if errors.Is(err, os.ErrNotExist) {
		err = &printable.Help{Err: ofFile(err), Lines: []string{"to write it: metarobots snapshot -o " + file}}
	}
	if err != nil {
		return nil, project.Invalid(ofFile(err))
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, invalidf("%s is a folder: metarobots snapshot %s -o FILE makes a snapshot of it", file, file)
	}
	s, err := snapshot.Read(io.LimitReader(f, maxSnapshot))
	if err != nil {
		return nil, invalidf("%s: %w", file, err)
	}
	return s, nil
}

type snapshotCommand struct {
	siteCommand
	output string // the file to write; empty for the usual one, - for stdout
}

func (c *snapshotCommand) addFlags(flags *pflag.FlagSet) {
	c.addFolder(flags)
	flags.StringVarP(&c.output, "output", "o", "", "")
}

func (c *snapshotCommand) run() error {
	file := cmp.Or(c.output, c.lock())
	c.options.Audit = true
	return c.plan(c.arg(), plan.New, func(site *plan.Plan) error {
		c.unread(site)
		s := snapshot.Of(site)
		switch old, err := readSnapshot(file); {
		case err == nil && old.Environment != "" && !strings.EqualFold(old.Environment, s.Environment):
			// nothing would be compared with it
			return invalidf("%s: a snapshot of environment %s, and this is %s: it is not replaced (--output names "+
				"another file)", file, old.Environment, s.Environment)
		case err == nil:
			s.Date(old, site.Project.Policy.Now)
		case file != "-" && !errors.Is(err, os.ErrNotExist):
			return invalidf("%w: it is not replaced", err)
		}
		if file == "-" {
			return s.Write(c.stdout.w)
		}
		var b bytes.Buffer
		if err := s.Write(&b); err != nil {
			return err
		}
		changed, err := save(file, b.Bytes())
		if changed && err == nil && !c.quiet {
			c.stderr.printf("%s written\n", file)
		}
		return err
	})
}
