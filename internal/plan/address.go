package plan

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"metarobots/internal/address"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// Sites are the addresses of a site's files on each of its hosts. Paths are encoded, from the
// publish root.
type Sites struct {
	project *project.Project
	byRoot  map[string]*address.Site // by the folder that the host serves
}

// of returns the host that serves a published file, the addresses of its files, and the file's name
// from its root. The addresses are nil if no host of the site serves the file.
func (s Sites) of(name string) (host project.Host, site *address.Site, file string) {
	host = s.project.HostOf(name)
	return host, s.byRoot[host.Root], strings.TrimPrefix(name, host.Root)
}

// at returns the host of a path, the addresses of its files, and the request path from the host's
// root.
func (s Sites) at(path string) (host project.Host, site *address.Site, request string) {
	host, site, _ = s.of(path[1:])
	return host, site, fromRoot(host, path)
}

// fromRoot is the request path, from the root of a host, of a path from the publish root.
func fromRoot(host project.Host, path string) string {
	return "/" + strings.TrimPrefix(path[1:], host.Root)
}

// At returns what hosts answer at a path, each different answer once. Files are named from the
// publish root.
func (s Sites) At(path string) []address.Address {
	host, site, request := s.at(path)
	if site == nil {
		return nil
	}
	return fromPublish(host, site.At(request))
}

// Of returns the addresses of a published file, as [address.Site.Of] does.
func (s Sites) Of(name string) []address.Address {
	host, site, file := s.of(name)
	if site == nil {
		return nil
	}
	return fromPublish(host, site.Of(file))
}

// fromPublish names paths and files from the publish root.
func fromPublish(host project.Host, all []address.Address) []address.Address {
	for i := range all {
		a := &all[i]
		if a.Path = "/" + host.Root + a.Path[1:]; strings.HasPrefix(a.To, "/") {
			a.To = "/" + host.Root + a.To[1:]
		}
		if a.File != "" {
			a.File = host.Root + a.File
		}
	}
	return all
}

// FilesReached are the published files to which a path leads, by a redirect too: several if hosts
// differ, and then one may be there twice. Where nothing is known to be, they are guesses, if the
// site's owner configures the server.
func (s Sites) FilesReached(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		host, site, request := s.at(path)
		if site == nil {
			return
		}
		known := false
		for file := range site.Leads(request) {
			if known = true; !yield(host.Root + file) {
				return
			}
		}
		guess := site.Guess()
		if known || guess == nil {
			return
		}
		for file := range guess.Leads(request) {
			if !yield(host.Root + file) {
				return
			}
		}
	}
}

// Redirects returns where a path leads if every host that may serve the site redirects it: such a
// path too, or a whole URL. Where one of them serves something there, or nothing, ok is false.
func (s Sites) Redirects(path string) (to string, ok bool) {
	host, site, request := s.at(path)
	if site == nil {
		return "", false
	}
	if to = site.Redirects(request); strings.HasPrefix(to, "/") {
		to = "/" + host.Root + to[1:]
	}
	return to, to != ""
}

// Names reports whether a path names a published file: whether a host serves the file there, or
// redirects to it. Of a path at which nothing is known to be, that is a guess if the site's owner
// configures the server.
func (s Sites) Names(path, name string) bool {
	if path == site.URL(name) { // as nearly always
		return true
	}
	host, addresses, file := s.of(name)
	if s.project.HostOf(path[1:]).Root != host.Root {
		return false
	}
	if addresses == nil {
		return false
	}
	request := fromRoot(host, path)
	guess := addresses.Guess()
	return addresses.Reaches(request, file) ||
		guess != nil && !addresses.Knows(request) && guess.Reaches(request, file)
}

// SamePage reports whether two paths are one, or lead to the same file.
func (s Sites) SamePage(a, b string) bool {
	if a == b {
		return true
	}
	others := slices.Collect(s.FilesReached(b))
	for name := range s.FilesReached(a) {
		if slices.Contains(others, name) {
			return true
		}
	}
	return false
}

// Preferred is the path that stands for a page: the one of its addresses to which hosts redirect
// the others; where they serve all, the one by which its own canonical link names the page, else
// its URL. It is spelled as that is, if a host serves that spelling. What its own link names and
// nothing is known to serve is its owner's word about the host.
func (s Sites) Preferred(pg *Page) string {
	linked := cmp.Or(pg.Links.Self, pg.URL)
	host, addresses, file := s.of(pg.File.Name)
	if addresses == nil {
		return linked
	}
	request := fromRoot(host, linked)
	if pg.Links.Self != "" && !addresses.Knows(request) {
		return linked
	}
	best := addresses.Preferred(file, request)
	if policy.Decoded(best) == policy.Decoded(request) && slices.Contains(addresses.Served(request), file) {
		return linked
	}
	return "/" + host.Root + best[1:]
}

// Representatives are the paths that stand for a page as [Sites.Preferred] does, on each host that
// may serve the site. If no host serves the page, its URL is one.
func (s Sites) Representatives(pg *Page) (paths []string) {
	linked := cmp.Or(pg.Links.Self, pg.URL)
	host, addresses, file := s.of(pg.File.Name)
	if addresses == nil {
		return []string{linked}
	}
	request := fromRoot(host, linked)
	if pg.Links.Self != "" && !addresses.Knows(request) {
		return []string{linked}
	}
	for _, path := range addresses.Representatives(file, request) {
		paths = append(paths, "/"+host.Root+path[1:])
	}
	if len(paths) == 0 {
		return []string{pg.URL}
	}
	return paths
}

// ServedAt are the paths at which verify asks a deployed site for a page; snapshots keep them. They
// are encoded, from the publish root.
//
// The first one is the page's URL, if some host serves the page's file there. Else it is the
// preferred address, if every host that may serve the site answers with the file there, and the URL
// if not: it alone may be a path at which a host has another answer. The sources of rewrites follow
// at which every host answers with the file. On Cloudflare Pages that is /p for p.html, since the
// host redirects /p.html there, and /s.pdf and /o for s.pdf with the rule "/o /s.pdf 200".
//
// There is none if no host serves the file at any path, because other files and redirects take them
// all. Nobody asks for control files and error pages: theirs is the URL, as where no host is known.
func (s Sites) ServedAt(pg *Page) []string {
	host, site, file := s.of(pg.File.Name) // file is named from the root of the host
	isAsked := pg.File.Role != policy.RoleControl && pg.File.Role != policy.RoleError
	isHostKnown := site != nil && len(site.Handlings()) > 0
	if !isAsked || !isHostKnown {
		return []string{pg.URL}
	}
	if site.ServesByShape(fromRoot(host, pg.URL), file) { // as nearly always
		return []string{pg.URL}
	}
	addresses := site.Of(file)
	first, isAnywhere := s.firstServed(pg, addresses)
	if !isAnywhere {
		return nil
	}
	paths := []string{first}
	for _, a := range addresses {
		path := "/" + host.Root + a.Path[1:]
		if a.By == address.Rewritten && path != first && everyHostServes(site, a.Path, file) {
			paths = append(paths, path)
		}
	}
	return paths
}

// firstServed is the first of the paths of [Sites.ServedAt]. addresses are all of the page's file.
// isAnywhere is false if no host serves the file at any of them.
func (s Sites) firstServed(pg *Page, addresses []address.Address) (path string, isAnywhere bool) {
	host, site, file := s.of(pg.File.Name)
	isAtURL := slices.Contains(site.Served(fromRoot(host, pg.URL)), file)
	if isAtURL {
		return pg.URL, true
	}
	if !slices.ContainsFunc(addresses, func(a address.Address) bool { return a.Serves() }) {
		return "", false
	}
	if preferred := s.Preferred(pg); everyHostServes(site, fromRoot(host, preferred), file) {
		return preferred, true
	}
	return pg.URL, true
}

// everyHostServes reports whether every host that may serve the site answers a request path with a
// file: At has at least one answer for each of them, and one that redirects has no File.
func everyHostServes(site *address.Site, request, file string) bool {
	isOther := func(a address.Address) bool { return a.File != file }
	return !slices.ContainsFunc(site.At(request), isOther)
}

// Site returns the host that serves a published file, the addresses of its files, and the file's
// name from its root. The addresses are nil if no host of the site serves the file.
func (s *Plan) Site(name string) (host project.Host, site *address.Site, file string) {
	return s.Sites.of(name)
}

// Addresses are the request paths at which its host answers with a page's file, and those that it
// redirects there. They are paths of the host, without the path of its base URL.
func (s *Plan) Addresses(pg *Page) []address.Address {
	_, site, file := s.Sites.of(pg.File.Name)
	if site == nil {
		return nil
	}
	return site.Of(file)
}

// OwnAddress is a path from the publish root at which a host answers with a page's file and status
// 200: the page's URL if it is one. It is empty if no host is known to do so at any path.
func OwnAddress(s *Plan, pg *Page) (path string) {
	for _, a := range s.Sites.Of(pg.File.Name) {
		if a.Serves() && (path == "" || a.Path == pg.URL) {
			path = a.Path
		}
	}
	return path
}

// Served is the page that hosts serve at an encoded path from the publish root, or to which they
// redirect from there; nil if there is none.
func (s *Plan) Served(at string) *Page {
	for name := range s.Sites.FilesReached(at) {
		if pg := s.Page(name); pg != nil {
			return pg
		}
	}
	return nil
}
