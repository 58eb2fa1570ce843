package seen

import (
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/policy"
)

// A Host is what the files beside the pages of one host say, of a plan, of a snapshot, or of a deployed site.
type Host struct {
	// Folder of the publish root is what the host serves: "/", or "/de/" of one host among several.
	Folder string
	// Root is the path on the host at which a deployed site serves the folder, without its last slash: empty for the root
	// of the host.
	Root   string
	Robots *robotstxt.File // nil if there is none, and everything may be fetched
	// Shut is why the robots.txt of a deployed site cannot be read, so that crawlers fetch nothing; empty if it can.
	Shut string
	// AIFiles are the rules of the files that say what AI may do; none of a file that is not there.
	AIFiles map[robotstxt.AIFile]robotstxt.Rules
}

// A Fetch says whether a crawler may fetch a page, by which line of robots.txt, and whose that line is.
type Fetch struct {
	Crawler string `json:"crawler"`
	Allowed bool   `json:"allowed"`
	// File and Line are where the rule that decides is stated: in the owner's robots.txt, or, of a line of ours, in the
	// configuration. They are empty if no rule matches, or if nobody knows the place.
	File string `json:"file"`
	Line int    `json:"line"`
	Rule string `json:"rule"` // such as "Disallow: /x"; empty if none matches
	// Read is the line of robots.txt where crawlers read the rule; 0 if none matches, or if a host's block has it.
	Read int `json:"-"`
	// Source has what more is known of the line.
	Source robotstxt.Source `json:"-"`
}

// Fetch asks robots.txt about a page, by the request paths on the host that represent it: a crawler may not fetch the page
// if one of them is disallowed. at is the one that decides, as a path from the publish root.
func (h Host) Fetch(crawler string, paths ...string) (f Fetch, at string) {
	f = Fetch{Crawler: crawler, Allowed: true}
	if h.Robots == nil {
		return f, ""
	}
	for i, path := range paths {
		is := h.Robots.Ask(crawler, path)
		if i == 0 || !is.Allowed {
			f.Allowed, f.Rule, f.Read, f.Source = is.Allowed, is.Rule, is.Line, is.Source
			f.File, f.Line = is.Source.Origin.File, is.Source.Origin.Line
			at = h.Folder + strings.TrimPrefix(strings.TrimPrefix(path, h.Root), "/")
		}
		if !is.Allowed {
			break
		}
	}
	return f, at
}

// Below is a path of the publish root as a path on the host.
func (h Host) Below(path string) string { return h.Root + "/" + strings.TrimPrefix(path, h.Folder) }

// read is the robots.txt that some crawlers obey: one that disallows everything to each of them if they fetch nothing.
func (h Host) read(crawlers []string) *robotstxt.File {
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

// hasRobots reports whether the site has a robots.txt of its own: the block of a host is none.
func (h Host) hasRobots() bool {
	isOwn := func(l robotstxt.Line) bool { return l.Source.Managed == "" }
	return h.Robots != nil && (len(h.Robots.Lines) == 0 || slices.ContainsFunc(h.Robots.Lines, isOwn))
}

// Lost says what was denied to AI at a path on the host and is denied no more, now that it is served at another; "" for
// nothing.
func (h Host) Lost(path string, now Host, at string) string {
	return h.lost(path, now, at, h.Robots.Lost(path, now.Robots, at))
}

// LostSignals is Lost without what robots.txt says to crawlers, which [CompareFetches] compares.
func (h Host) LostSignals(path string, now Host, at string) string {
	return h.lost(path, now, at, h.Robots.LostSignals(path, now.Robots, at))
}

func (h Host) lost(path string, now Host, at, text string) string {
	var all []string
	if text != "" {
		all = append(all, "robots.txt: "+text)
	}
	for _, kind := range robotstxt.AIFiles {
		for _, u := range policy.Uses {
			rule := kind.Reader(h.AIFiles[kind], u)(path)
			if rule != "" && kind.Reader(now.AIFiles[kind], u)(at) == "" {
				all = append(all, kind.Carrier()+": "+rule)
			}
		}
	}
	return strings.Join(all, "; ")
}
