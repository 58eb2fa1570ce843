// Package plan decides on every file of a site, and says which bytes change.
//
//	maker                   takes the files through the stages
//	found, pagemeta         what a page holds as its generator left it, what the page says itself
//	page, editor            what is decided on a file, and what becomes of its bytes
//	newest                  what pages of old versions name as canonical, by a tag or a header
//	symlink                 what is decided on a file that is there through a symlink
//	robotstxt, sitemap      the files beside the pages; package headerfile has those of headers
//	plan                    all of that, as a value: a Plan
//
// Package robotsmeta reads robots tags for it. Package write writes the changes.
//
// Words of this package:
//
//	name             of a published file: from the publish folder, with slashes, "docs/a/index.html"
//	path from the    an encoded URL path, "/docs/a/", as if one host served the whole publish folder. A
//	publish root     site of several hosts has a folder for each: "/de/a/" is /a/ of the host of de.
//	request path     the same from the root of its host, as the host sees it
//	Host.Root, Base  the folder that a host serves, "de/" or "", and the path of its base URL, "/x" or ""
//	address.Site     the addresses of one host's files. Of(file) are those of a file, At(path) what each
//	                 Handling answers there; an Address has File if it serves that, and By says why.
//	Handling         how one host finds files; a site may have several, and they may answer differently
//	Preferred        the address of a page that its canonical link names, or the shortest
//	own              as the site's generator or owner made it; ours is what an earlier run put there
//	State            what earlier runs left (Left), by files; a page remembers which of it is in its file now
//	fresh            said of bytes that the generator makes in this run, so that nothing in them is ours
//	Unknown          said of an HTML file whose page the generator does not know
//	Role.Policed     said of pages and their other outputs and files, and of static files, which have a
//	                 policy; redirects, error pages and control files have none
//	Hidden           said of a page that is noindex, by anything but the environment
//	twin             a file that publishes a page again as text, a.md for a.html
//	Others           the lines of a page's headers beside X-Robots-Tag
package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/internal/headerfile"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/internal/versions"
	"metarobots/policy"
)

// A Plan is what is to become of a site: a decision on every published file, and which bytes
// change. Nobody modifies it once it is made.
type Plan struct {
	// Project is the site with its policy, Map what its generator knows of published files, Source
	// where their bytes come from.
	Project *project.Project
	Map     site.Map
	Source  project.Source
	// Versions are the versions of documentations.
	Versions *versions.Set
	// Folder is the publish folder as it was listed.
	Folder project.Listing
	// Sites are the addresses of the site's files on each host.
	Sites Sites
	// Pages are the published files, by name.
	Pages []*Page
	// Headers are the header files, one for each host of the site and each target.
	Headers []*headerfile.File
	// Sitemaps are those that are published.
	Sitemaps []*SitemapFile
	// HostFiles are what each host has for crawlers at its root.
	HostFiles HostFiles
	// Findings are what planning itself has to say, of pages in the order of files: see package
	// check for those about the whole.
	Findings []policy.Finding
	// Links says what of the links' policy found something to do.
	Links LinkUsage
}

// HostFiles are files at the roots of hosts that speak to crawlers, and carry no headers.
type HostFiles struct {
	// Robots are the robots.txt files that are there or are to be made, one for each host.
	Robots []*RobotsFile
	// Redirects are the _redirects in which other names are sent home, or were.
	Redirects []*RedirectsFile
	// AI are the files about AI that are ours, or were, one of each kind for each host.
	AI []*AIFile
}

// Overflow is set if the header rules that are needed do not fit a host's limit (N2).
func (s *Plan) Overflow() (err error) {
	for _, h := range s.Headers {
		err = errors.Join(err, h.Overflow)
	}
	return err
}

// IsWithheld reports whether nothing is to be written: rules do not fit a host's limit (N2), or a
// file beside the pages does not say what is decided (N3, S7).
func (s *Plan) IsWithheld() bool { return s.Overflow() != nil || len(Unproven(s.Files())) > 0 }

// LinkUsage says of each rule of the links' policy, and of each of its classes, whether it found
// something to do.
type LinkUsage struct{ Rules, Classes []bool }

// Page returns the page of a published file, named from the publish root; nil if there is none.
func (s *Plan) Page(name string) *Page {
	i, ok := slices.BinarySearchFunc(s.Pages, name,
		func(pg *Page, name string) int { return strings.Compare(pg.File.Name, name) })
	if !ok {
		return nil
	}
	return s.Pages[i]
}

// About is a finding about a page's file.
func (s *Plan) About(pg *Page, id string, severity policy.Severity, line int, format string,
	args ...any) policy.Finding {
	return policy.Finding{ID: id, Severity: severity, URL: pg.URL, File: s.Project.Published(pg.File.Name), Line: line,
		Message: fmt.Sprintf(format, args...)}
}

// Headerless reports whether the host serves no headers of the site's own, so that tags alone reach
// anyone (N1).
func (s *Plan) Headerless() bool {
	return slices.Contains(s.Project.Config.Robots.Headers.Targets, headers.TargetNone)
}

// LeftToTag reports whether a header file leaves a page to its meta tag.
func (s *Plan) LeftToTag(pg *Page) bool {
	return pg.File.HTML && slices.ContainsFunc(s.Headers, func(h *headerfile.File) bool {
		name, ok := h.Host.Serves(pg.File.Name)
		_, left := slices.BinarySearch(h.Result.GivenUp, name)
		return ok && left
	})
}

// Changes are what a run makes of the pages that hold something of ours, before the run or after
// it.
func (s *Plan) Changes() (all []state.Change) {
	for _, pg := range s.Pages {
		if c := pg.change(); c.Left != nil || c.Stands != nil {
			all = append(all, c)
		}
	}
	return all
}

// Differing are the published files that are not as the policy wants them, pages first.
func (s *Plan) Differing() (pages, others []string) {
	for _, pg := range s.Pages {
		if pg.Bytes.Change {
			pages = append(pages, s.Project.Published(pg.File.Name))
		}
	}
	for _, f := range s.Files() {
		o := f.Output()
		if o.Differs() {
			others = append(others, o.File)
		}
	}
	return pages, others
}

// NewBytes returns the bytes of a page before and after, for a page that changes.
func (s *Plan) NewBytes(pg *Page) (before, after []byte, err error) {
	if before, err = s.Project.Read(s.Project.Path(pg.File.Name), project.MaxPage); err != nil {
		return nil, nil, err
	}
	src, ok := s.Source.Generated(pg.File.Name, nil)
	if !ok {
		src = before
	}
	change := pg.change()
	if after, err = new(state.Patcher).Apply(src, &change); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.Project.Published(pg.File.Name), err)
	}
	return before, after, nil
}
