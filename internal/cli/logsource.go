package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"metarobots/emit/robotstxt"
	"metarobots/internal/disk"
	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/project"
	"metarobots/internal/snapshot"
)

// maxRobots is how long a robots.txt may be, in bytes. Of one that is longer than crawlers read, they read the
// beginning.
const maxRobots = 16 << 20

// logDecisions finds the decisions, the robots.txt that goes with them, and where on its host the site is.
func (c *command) logDecisions(cmd *cobra.Command, l *logs) error {
	o, base, file := &l.options, c.options.BaseURL, cmp.Or(l.against, c.lock())
	var site *plan.Plan
	s, err := readSnapshot(file)
	switch {
	case err == nil:
		l.decisions = file
	case l.against != "" || !errors.Is(err, os.ErrNotExist):
		return invalid(err)
	default:
		err := c.plan(cmd, "", func(planned *plan.Plan) error {
			site, s = planned, snapshot.Of(planned)
			return nil
		})
		if err != nil {
			code, err := exit(err)
			return &exitError{code, &printable.Help{Err: err, Lines: []string{"without a snapshot (" + lockFile +
				", or --against FILE) the decisions are the site's, which cannot be planned"}}}
		}
		l.decisions, l.now = "the site as it is now", site.Project.Policy.Now
	}
	l.decisions += ", environment " + s.Environment
	part, root, err := ofOneHost(s, o.Hosts, base)
	if err != nil {
		if site == nil {
			err = fmt.Errorf("%s: %w", file, err)
		}
		return invalid(err)
	}
	o.Snapshot, base = part, cmp.Or(base, s.Hosts[root])
	if site == nil {
		c.publishedRobots(root, l)
	} else {
		base = cmp.Or(base, site.Project.Settings.BaseURL)
		for _, r := range site.Robots {
			if strings.Trim(r.Host.Root, "/") == strings.Trim(root, "/") && r.Change.New != nil {
				o.Robots, l.robotsFrom = r.File, r.Change.File
			}
		}
	}
	u, err := url.Parse(base)
	if err != nil {
		return invalidf("--baseURL: %w", err)
	}
	if o.Base = strings.TrimSuffix(u.EscapedPath(), "/"); o.Base != "" {
		o.Robots, l.robotsFrom = nil, "" // crawlers do not read that of a folder: the host's has to be given
	}
	if len(o.Hosts) == 0 && c.options.BaseURL != "" && u.Hostname() != "" {
		o.Hosts = []string{u.Hostname()}
	}
	return nil
}

// publishedRobots reads the robots.txt that is published beside a snapshot.
func (c *command) publishedRobots(root string, l *logs) {
	folders := project.PublishFolders
	if c.options.Destination != "" {
		folders = []string{c.options.Destination}
	}
	for _, name := range folders {
		if !filepath.IsAbs(name) {
			name = filepath.Join(c.options.Source, name)
		}
		name = filepath.Join(name, filepath.FromSlash(root), "robots.txt")
		if data, err := disk.ReadFile(name, maxRobots); err == nil {
			l.options.Robots, l.robotsFrom = robotstxt.Parse(data), name
			return
		}
	}
}

// ofOneHost is the part of a snapshot that one host serves, by the paths at which it does, and the folder of the
// publish root that this is. Of several hosts --host or --baseURL names one: a log's /imprint/ is the page of one of
// them, and would be counted as read of another.
func ofOneHost(s *snapshot.Snapshot, names []string, base string) (*snapshot.Snapshot, string, error) {
	if len(s.Hosts) == 0 {
		return s, "/", nil
	}
	named, err := url.Parse(base)
	if base == "" || err != nil {
		named = &url.URL{}
	}
	at := func(u *url.URL) bool {
		return named.Host != "" && strings.EqualFold(named.Host, u.Host) ||
			base == "" && slices.ContainsFunc(names, func(name string) bool {
				return strings.EqualFold(name, u.Hostname()) || strings.EqualFold(name, u.Host)
			})
	}
	all := slices.Sorted(maps.Keys(s.Hosts))
	for _, folders := range [][]string{s.FoldersAt(named.Path, at), all} {
		if len(folders) == 1 {
			return s.Below(folders[0]), folders[0], nil
		}
	}
	var hosts []string
	for _, folder := range all {
		hosts = append(hosts, s.Hosts[folder])
	}
	return nil, "", fmt.Errorf("the site has several hosts, and a log is held against one at a time: --host or "+
		"--baseURL names it (%s)", strings.Join(hosts, ", "))
}
