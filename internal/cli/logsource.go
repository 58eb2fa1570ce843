package cli

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"metarobots/emit/robotstxt"
	"metarobots/internal/crawlers/visits"
	"metarobots/internal/disk"
	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/snapshot"
)

// logSource is where decisions and robots.txt came from.
type logSource struct {
	decisions, robots string
	now               time.Time
}

// maxRobots is how long a robots.txt may be, in bytes. Of one that is longer than crawlers read, they read the
// beginning.
const maxRobots = 16 << 20

// publishFolders are where generators publish, for the robots.txt beside a snapshot.
var publishFolders = []string{"public", "dist", "_site", "build", "site", "output"}

// logDecisions finds the decisions, the robots.txt that goes with them, and where on its host the site is.
func (c *command) logDecisions(cmd *cobra.Command, l *logs, source *logSource) error {
	file := l.against
	if file == "" {
		file = c.lock()
	}
	o, base := &l.options, c.options.BaseURL
	s, err := readSnapshot(file)
	switch {
	case err == nil:
		var root string
		if o.Snapshot, root, err = ofOneHost(s, o.Hosts, &base); err != nil {
			return &exitError{exitInvalid, fmt.Errorf("%s: %w", file, err)}
		}
		source.decisions = fmt.Sprintf("%s, environment %s", file, s.Environment)
		c.publishedRobots(root, o, source)
	case l.against != "" || !errors.Is(err, os.ErrNotExist):
		return &exitError{exitInvalid, err}
	default:
		if err := c.plannedDecisions(cmd, o, source, &base); err != nil {
			return err
		}
	}
	u, err := url.Parse(base)
	if err != nil {
		return &exitError{exitInvalid, fmt.Errorf("--baseURL: %w", err)}
	}
	if o.Base = strings.TrimSuffix(u.EscapedPath(), "/"); o.Base != "" {
		o.Robots, source.robots = nil, "" // of a folder, nobody reads it: the host's is to be named
	}
	if len(o.Hosts) == 0 && c.options.BaseURL != "" && u.Hostname() != "" {
		o.Hosts = []string{u.Hostname()}
	}
	return nil
}

// publishedRobots reads the robots.txt that is published beside a snapshot.
func (c *command) publishedRobots(root string, o *visits.Options, source *logSource) {
	folders := []string{c.options.Destination}
	if folders[0] == "" {
		folders = publishFolders
	}
	for _, name := range folders {
		if !filepath.IsAbs(name) {
			name = filepath.Join(c.options.Source, name)
		}
		name = filepath.Join(name, filepath.FromSlash(root), "robots.txt")
		if data, err := disk.ReadFile(name, maxRobots); err == nil {
			o.Robots, source.robots = robotstxt.Parse(data), name
			return
		}
	}
}

// plannedDecisions takes the decisions of the site as it is now.
func (c *command) plannedDecisions(cmd *cobra.Command, o *visits.Options, source *logSource, base *string) error {
	err := c.plan(cmd, "", func(site *plan.Site) error {
		part, root, err := ofOneHost(site.Snapshot(), o.Hosts, base)
		if err != nil {
			return &exitError{exitInvalid, err}
		}
		o.Snapshot, source.now = part, site.Now()
		source.decisions = fmt.Sprintf("the site as it is now, environment %s", part.Environment)
		if *base == "" {
			*base = site.BaseURL()
		}
		for _, r := range site.Robots {
			if r.Root == strings.Trim(root, "/") && r.New != nil {
				o.Robots, source.robots = robotstxt.Parse(r.New), r.File
			}
		}
		return nil
	})
	var exit *exitError
	if errors.As(err, &exit) && exit.err != nil && !errors.Is(exit.err, errSeveralHosts) {
		exit.err = &printable.Help{Err: exit.err, Lines: []string{"without a snapshot (" + lockFile +
			", or --against FILE) the decisions are the site's, which cannot be planned"}}
	}
	return err
}

// errSeveralHosts is returned where nobody says of which host a log is.
var errSeveralHosts = errors.New("the site has several hosts, and a log is held against one at a time")

// ofOneHost is the part of a snapshot that one host serves, by the paths at which it does, and the folder of the
// publish root that this is. Where nothing else says it, base becomes where the host serves it. Of several hosts --host
// or --baseURL names one: a log's /imprint/ is the page of one of them, and would be counted as read of another.
func ofOneHost(s *snapshot.Snapshot, names []string, base *string) (*snapshot.Snapshot, string, error) {
	if len(s.Hosts) == 0 {
		return s, "/", nil
	}
	var exact, near, all, hosts []string // folders; and where they are served
	named, err := url.Parse(*base)
	known := *base != "" && err == nil
	for _, folder := range slices.Sorted(maps.Keys(s.Hosts)) {
		u, err := url.Parse(s.Hosts[folder])
		if err != nil {
			continue
		}
		all, hosts = append(all, folder), append(hosts, s.Hosts[folder])
		is := func(name string) bool {
			return strings.EqualFold(name, u.Hostname()) || strings.EqualFold(name, u.Host)
		}
		switch {
		case known && strings.EqualFold(named.Host, u.Host):
			near = append(near, folder)
			if strings.Trim(named.Path, "/") == strings.Trim(u.Path, "/") {
				exact = append(exact, folder)
			}
		case *base == "" && slices.ContainsFunc(names, is):
			near = append(near, folder)
		}
	}
	for _, folders := range [][]string{exact, near, all} {
		if len(folders) == 1 {
			if *base == "" {
				*base = s.Hosts[folders[0]]
			}
			return below(s, folders[0]), folders[0], nil
		}
	}
	return nil, "", fmt.Errorf("%w: --host or --baseURL names it (%s)", errSeveralHosts, strings.Join(hosts, ", "))
}

// below is the part of a snapshot that is served from a folder of the publish root, by the paths there.
func below(s *snapshot.Snapshot, folder string) *snapshot.Snapshot {
	if folder == "/" && len(s.Hosts) == 1 {
		return s
	}
	part := *s
	part.Hosts, part.Entries = map[string]string{"/": s.Hosts[folder]}, nil
	for _, e := range s.Entries {
		of := ""
		for other := range s.Hosts {
			if strings.HasPrefix(e.URL, other) && len(other) > len(of) {
				of = other
			}
		}
		if of == folder {
			e.URL = "/" + strings.TrimPrefix(e.URL, folder)
			part.Entries = append(part.Entries, e)
		}
	}
	return &part
}
