package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

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
	network networkFlags
	output  string // the file to write; empty for the usual one, - for stdout
}

func (c *snapshotCommand) addFlags(flags *pflag.FlagSet) {
	c.addFolder(flags)
	flags.StringVarP(&c.output, "output", "o", "", "")
	c.network.addURLs(flags)
	c.network.addAsking(flags)
}

func (c *snapshotCommand) wrongFlag(f *pflag.Flag) error { return c.network.wrongFlag(f, c.args) }

// run writes the snapshot of a folder, or of a deployed site if the argument is a URL.
func (c *snapshotCommand) run() error {
	if isURL(c.arg()) {
		return c.snapshotDeployed()
	}
	c.options.Audit = true
	file := cmp.Or(c.output, c.lock())
	isMissing := false // from the snapshot, which is published itself
	take := func(site *plan.Plan) error {
		isMissing = isPublishedLater(site, file)
		return c.keep(snapshot.OfPlan(site), file, site.Project.Policy.Now)
	}
	err := c.plan(c.arg(), plan.New, func(site *plan.Plan) error {
		c.unread(site)
		return take(site)
	})
	if err == nil && isMissing {
		c.quiet = true // all is said
		return c.plan(c.arg(), plan.New, take)
	}
	return err
}

// isPublishedLater reports whether a file that is still to be written is published once it is
// there, as a snapshot of pages at the root of a repository is. It is then in the next snapshot,
// which has to be equal if nothing else changes.
func isPublishedLater(site *plan.Plan, file string) bool {
	p := site.Project
	name, err := filepath.Rel(p.Settings.Publish, project.Absolute(p.Options.WorkDir, file))
	return file != "-" && err == nil && filepath.IsLocal(name) && !site.Folder.Has(filepath.ToSlash(name))
}

// snapshotDeployed writes what a deployed site answers. A site that lets crawlers read nothing has
// no snapshot: it would pass for one that has lost all of its restrictions.
func (c *snapshotCommand) snapshotDeployed() error {
	r, err := c.network.auditSite(&c.command)
	if err != nil {
		return err
	}
	if r.Shut != "" {
		return fmt.Errorf("%s: %s, so crawlers read nothing: no snapshot is written", r.Summary.Base, r.Shut)
	}
	c.noteAsked(r)
	s := r.Snapshot()
	s.Hosts = map[string]string{"/": r.Summary.Base}
	return c.keep(s, cmp.Or(c.output, fileOfHost(r.Summary.Base)), time.Now().UTC())
}

// fileOfHost is the usual name of the snapshot of a deployed site. The usual one of a built site is
// for the repository of that, and is not replaced.
func fileOfHost(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return lockFile
	}
	return strings.ReplaceAll(u.Host, ":", "-") + ".json"
}

// keep writes a snapshot to a file, or to stdout if file is "-". If the file has an older one of
// the same kind, the days since when pages are noindex come from there, and those that were not
// have the day of now. Without an older one no page has a day.
func (c *snapshotCommand) keep(s *snapshot.Snapshot, file string, now time.Time) error {
	switch old, err := readSnapshot(file); {
	case err == nil:
		if err := checkReplaced(old, s, file); err != nil {
			return err
		}
		s.Date(old, now)
	case file != "-" && !errors.Is(err, os.ErrNotExist): // a file that is none of ours
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
}

// checkReplaced refuses to replace a file's snapshot by one of another environment, or of a
// deployed site by one of a built site and the other way round: whoever compares with that file
// would compare two things.
func checkReplaced(old, by *snapshot.Snapshot, file string) error {
	isOtherEnvironment := old.Environment != "" && !strings.EqualFold(old.Environment, by.Environment)
	switch {
	case isOtherEnvironment && !by.Answered: // answers do not tell their environment
		return invalidf("%s: a snapshot of environment %s, and this is %s: it is not replaced "+
			"(--output names another file)", file, old.Environment, by.Environment)
	case old.Answered != by.Answered:
		return invalidf("%s: a snapshot of %s, and this is one of %s: it is not replaced "+
			"(--output names another file)", file, kindOf(old), kindOf(by))
	}
	return nil
}

// kindOf says what a snapshot is of.
func kindOf(s *snapshot.Snapshot) string {
	if s.Answered {
		return "a deployed site"
	}
	return "a built site"
}
