package plan

import (
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/internal/project"
	"metarobots/policy"
)

// A Site is what is to become of a site: a decision for every published file, and which bytes change. Nobody changes
// it.
type Site struct {
	maker *planner
	// Project is the site with its policy.
	Project *project.Project
	// Pages are the published files, by name.
	Pages []*Page
	// Headers are the header files, one for each host of the site and each target.
	Headers []*HeaderFile
	// Sitemaps are those that are published.
	Sitemaps []*SitemapFile
	// Robots are the robots.txt files that are there or are to be made, one for each host.
	Robots []*RobotsFile
	// Findings are what planning itself has to say, of pages in the order of files: see package check for those about
	// the whole.
	Findings []policy.Finding
	// Overflow is set where the rules that are needed do not fit the host's limit (N2).
	Overflow error
	// LinkUsage tells what of the links' policy found something to do.
	LinkUsage LinkUsage
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

// About is a finding about a page's file.
func (s *Site) About(pg *Page, id string, severity policy.Severity, line int, format string, args ...any) policy.Finding {
	return s.maker.About(pg, id, severity, line, format, args...)
}

// Address is where a page is served, with scheme and host where they are known.
func (s *Site) Address(pg *Page) string { return s.Project.Address(pg.Name).String() }

// Missing lists the files of the site's pages that are not in the publish folder. A build has none.
func (s *Site) Missing() []string {
	if s.maker.building {
		return nil
	}
	made := map[string]bool{} // what is about to be made is not published yet
	for _, o := range s.Outputs() {
		made[o.File] = o.Old == nil && o.New != nil
	}
	return slices.DeleteFunc(slices.Clone(s.maker.m.Expected()), func(name string) bool {
		return s.Page(name) != nil && !made[s.Project.Published(name)]
	})
}

// RobotsNames are the files in which crawlers look for robots.txt, from the publish root: one for each host.
func (s *Site) RobotsNames() (names []string) {
	for _, h := range s.Project.Hosts {
		names = append(names, h.Root+"robots.txt")
	}
	return names
}

// Headerless reports whether the host serves no headers of the site's own, so that tags alone reach anyone (N1).
func (s *Site) Headerless() bool {
	return slices.Contains(s.Project.Config.Robots.Headers.Targets, headers.TargetNone)
}

// LeftToTag reports whether a header file leaves a page to its meta tag.
func (s *Site) LeftToTag(pg *Page) bool {
	return pg.HTML && slices.ContainsFunc(s.Headers, func(h *HeaderFile) bool {
		name, ok := strings.CutPrefix(pg.Name, h.host.Root)
		_, left := slices.BinarySearch(h.Result.GivenUp, name)
		return ok && left
	})
}
