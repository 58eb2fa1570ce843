package seen

import (
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/policy"
)

// A Host is what the files beside the pages of one host say, of a plan, of a snapshot, or of a
// deployed site.
type Host struct {
	// Folder of the publish root is what the host serves: "/", or "/de/" of one host among several.
	Folder string
	// Root is the path on the host at which a deployed site serves the folder, without its last
	// slash: empty for the root of the host.
	Root   string
	Robots *robotstxt.File // nil if there is none, and everything may be fetched
	// Shut is why the robots.txt of a deployed site cannot be read, so that crawlers fetch nothing;
	// empty if it can.
	Shut string
	// AIFiles are the rules of the files that say what AI may do; none of a file that is not there.
	AIFiles map[robotstxt.AIFile]robotstxt.Rules
}

// A Fetch says whether a crawler may fetch a page, by which line of robots.txt, and whose that line
// is.
type Fetch struct {
	Crawler string `json:"crawler"`
	Allowed bool   `json:"allowed"`
	// File and Line are where the rule that decides is stated: in the owner's robots.txt, or, of a
	// line of ours, in the configuration. They are empty if no rule matches, or if nobody knows the
	// place.
	File string `json:"file"`
	Line int    `json:"line"`
	Rule string `json:"rule"` // such as "Disallow: /x"; empty if none matches
	// Read is the line of robots.txt where crawlers read the rule; 0 if none matches, or if a
	// host's block has it.
	Read int `json:"-"`
	// Source has what more is known of the line.
	Source robotstxt.Source `json:"-"`
}

// Fetch asks robots.txt whether a crawler may fetch a page, by the request paths on the host that
// represent the page. It may not if one of them is disallowed. at is the path that decides, from
// the publish root: the first disallowed one, or else the first. It is "" if the host has no
// robots.txt.
func (h Host) Fetch(crawler string, paths ...string) (f Fetch, at string) {
	f = Fetch{Crawler: crawler, Allowed: true}
	if h.Robots == nil {
		return f, ""
	}
	for i, path := range paths {
		access := h.Robots.Ask(crawler, path)
		if i == 0 || !access.Allowed {
			f.Allowed, f.Rule, f.Read, f.Source = access.Allowed, access.Rule, access.Line, access.Source
			f.File, f.Line = access.Source.Origin.File, access.Source.Origin.Line
			at = h.Folder + strings.TrimPrefix(strings.TrimPrefix(path, h.Root), "/")
		}
		if !access.Allowed {
			break
		}
	}
	return f, at
}

// PathAtHost is a path of the publish root as a path on the host.
func (h Host) PathAtHost(path string) string {
	return h.Root + "/" + strings.TrimPrefix(path, h.Folder)
}

// robotsFor is the robots.txt that some crawlers obey. If the host is Shut, so that they fetch
// nothing, it is one that disallows everything to each of them.
func (h Host) robotsFor(crawlers []string) *robotstxt.File {
	if h.Shut == "" {
		return h.Robots
	}
	var text strings.Builder
	for _, name := range crawlers {
		text.WriteString("User-agent: " + name + "\n")
	}
	text.WriteString("Disallow: /\n")
	return robotstxt.Parse([]byte(text.String()))
}

// HasRobots reports whether the site has a robots.txt of its own: the block of a host is none.
func (h Host) HasRobots() bool {
	isOwn := func(l robotstxt.Line) bool { return l.Source.Managed == "" }
	return h.Robots != nil && (len(h.Robots.Lines) == 0 || slices.ContainsFunc(h.Robots.Lines, isOwn))
}

// Lost says what the files of h deny to AI at a path on that host, and those of the host now do not
// deny at the path there at which the page is served now. It is "" if nothing is lost: else each
// carrier with its rule.
func (h Host) Lost(path string, now Host, at string) string {
	return h.lost(path, now, at, h.Robots.Lost(path, now.Robots, at))
}

// LostSignals is Lost without what robots.txt says to crawlers, which [CompareFetches] compares.
func (h Host) LostSignals(path string, now Host, at string) string {
	return h.lost(path, now, at, h.Robots.LostSignals(path, now.Robots, at))
}

// lost is what robots.txt has lost, which inRobots says, and what the files about AI have lost.
func (h Host) lost(path string, now Host, at, inRobots string) string {
	var all []string
	if inRobots != "" {
		all = append(all, "robots.txt: "+inRobots)
	}
	for _, kind := range robotstxt.AIFiles {
		for _, use := range policy.Uses {
			denying := kind.Reader(h.AIFiles[kind], use)(path)
			if denying != "" && kind.Reader(now.AIFiles[kind], use)(at) == "" {
				all = append(all, kind.Carrier()+": "+denying)
			}
		}
	}
	return strings.Join(all, "; ")
}
