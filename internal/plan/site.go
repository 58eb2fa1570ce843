package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"metarobots/emit/headers"
	"metarobots/internal/result"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// A Site is what is to become of a site: a decision for every published file, and which bytes change. Nobody changes
// it.
type Site struct {
	// Project is the site with its policy.
	Project *Project
	// Pages are the published files, by name.
	Pages []*Page
	// Headers are the header files, one for each host of the site and each target.
	Headers []*HeaderFile
	// Sitemaps are those that entries are taken out of, or that change.
	Sitemaps []*SitemapFile
	// Listed are the sitemaps that list pages which may be wrong there.
	Listed []SitemapPages
	// Robots are the robots.txt files that are there or are to be made, one for each host.
	Robots []*RobotsFile
	// Findings are what planning itself has to say: see package check for those about the whole.
	Findings Findings
	// Overflow is set where the rules that are needed do not fit the host's limit (N2).
	Overflow error

	planner *planner // which has the bytes that a build made, and writes
}

// Findings are what a reader should know of a site, by the stage that came upon it.
type Findings struct {
	// Site is about the configuration, the publish folder and the header files; Pages is in the order of files.
	Site, Pages, Robots, Sitemaps []policy.Finding
}

// Page returns the page of a published file, named from the publish root; nil where there is none.
func (s *Site) Page(name string) *Page {
	i, ok := slices.BinarySearchFunc(s.Pages, name,
		func(pg *Page, name string) int { return strings.Compare(pg.Name, name) })
	if !ok {
		return nil
	}
	return s.Pages[i]
}

// Published is the name of a published file for messages; name is from the publish root.
func (s *Site) Published(name string) string { return s.Project.published(name) }

// Now is the clock of the run (L7).
func (s *Site) Now() time.Time { return s.Project.Policy.Now }

// BaseURL is the site's address; empty where that is not known.
func (s *Site) BaseURL() string { return s.Project.settings.BaseURL }

// Address is where a page is served, with scheme and host where they are known.
func (s *Site) Address(pg *Page) string { return s.Project.address(pg.Name).String() }

// Snapshot returns what is decided for every URL, and at which hosts.
func (s *Site) Snapshot() *snapshot.Snapshot {
	summary := s.Summary()
	return snapshot.New(&summary, s.ResultPages())
}

// Missing lists the files of the site's pages that are not in the publish folder. A build has none.
func (s *Site) Missing() []string {
	if s.planner.building {
		return nil
	}
	made := map[string]bool{} // what is about to be made is not published yet
	for _, o := range s.Outputs() {
		made[o.File] = o.Old == nil
	}
	return slices.DeleteFunc(slices.Clone(s.planner.m.Expected()), func(name string) bool {
		return s.Page(name) != nil && !made[s.Published(name)]
	})
}

// Unused lists what of the policy selected nothing.
func (s *Site) Unused() []policy.Unused { return s.planner.usage.Unused() }

// UsedLinks tells of each rule of the links' policy, and of each of its classes, whether it found something to do.
func (s *Site) UsedLinks() (rules, classes []bool) {
	return s.planner.linkUse.rules, s.planner.linkUse.classes
}

// RobotsNames are the files in which crawlers look for robots.txt, from the publish root: one for each host.
func (s *Site) RobotsNames() (names []string) {
	for _, h := range s.Project.hosts {
		names = append(names, h.root+"robots.txt")
	}
	return names
}

// Headerless reports whether the host serves no headers of the site's own, so that tags alone reach anyone (N1).
func (s *Site) Headerless() bool {
	return slices.Contains(s.Project.Config.Robots.Headers.Targets, headers.TargetNone)
}

// ServedPages are the pages of a kind by the path that hosts serve them at: see [ServedAs].
func (s *Site) ServedPages(which func(*Page) bool) map[string]*Page {
	return servedPages(s.Pages, which)
}

// Lookup finds the pages that an argument names: a URL, a path from the publish root, a published file or a content
// file.
func (s *Site) Lookup(name string) ([]*Page, error) {
	paths := s.Project.pathsOf(name)
	var found []*Page
	for _, pg := range s.Pages {
		if slices.ContainsFunc(paths, func(path string) bool {
			return path == pg.URL || path == pg.Path.URL || path == pg.Path.File || pg.Source != "" && path == pg.Source
		}) {
			found = append(found, pg)
		}
	}
	if len(found) > 0 {
		return found, nil
	}
	if why := s.Project.unpublished(name); why != "" {
		return nil, invalid(fmt.Errorf("%s: %s", name, why))
	}
	return nil, invalid(fmt.Errorf("%s: no published file or page has this URL or name%s", name, s.suggest(paths)))
}

// suggest names the published URL closest to one that is not there.
func (s *Site) suggest(paths []string) string {
	urls := make([]string, len(s.Pages))
	for i, pg := range s.Pages {
		urls[i] = pg.URL
	}
	for _, path := range paths {
		if len(path) > 60 {
			continue
		}
		if n := policy.Near(path, urls); n != "" {
			return " (did you mean " + n + "?)"
		}
	}
	return ""
}

// RobotsTxt are the verdicts of robots.txt on a page, for the named crawlers or, without any, for the usual ones.
func (s *Site) RobotsTxt(pg *Page, crawlers []string) (verdicts []result.Verdict) {
	if len(crawlers) == 0 {
		crawlers = RobotsCrawlers
	}
	for _, crawler := range crawlers {
		v, r := s.RobotsFor(pg, crawler)
		verdict := result.Verdict{Crawler: crawler, Allowed: v.Allowed, Line: v.Line, Rule: v.Rule}
		if v.Line > 0 {
			at := s.RobotsPlace(r, v)
			verdict.File, verdict.Line = at.File, at.Line
		}
		verdicts = append(verdicts, verdict)
	}
	return verdicts
}
