package plan

import (
	"cmp"
	"slices"
	"strings"

	"metarobots/internal/address"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// Site returns the host that serves a published file, the addresses of its files, and the file's name from its root. The
// addresses are nil if no host of the site serves the file.
func (s *Plan) Site(name string) (host project.Host, site *address.Site, file string) {
	return siteOf(s.Project, s.Sites, name)
}

func siteOf(p *project.Project, sites map[string]*address.Site, name string) (project.Host, *address.Site, string) {
	host := p.HostOf(name)
	return host, sites[host.Root], strings.TrimPrefix(name, host.Root)
}

// Addresses are the request paths at which its host answers with a page's file, and those that it redirects there. They
// are paths of the host, without the path of its base URL.
func (s *Plan) Addresses(pg *Page) []address.Address {
	_, site, file := s.Site(pg.File.Name)
	if site == nil {
		return nil
	}
	return site.Of(file)
}

// Served is the page that hosts serve at an encoded path from the publish root, or to which they redirect from there;
// nil if there is none.
func (s *Plan) Served(at string) *Page {
	for _, name := range s.leads(at) {
		if pg := s.Page(name); pg != nil {
			return pg
		}
	}
	return nil
}

// Redirects returns where an encoded path from the publish root leads if every host that may serve the site redirects
// it: such a path too, or a whole URL. Where one of them serves something there, or nothing, ok is false.
func (s *Plan) Redirects(at string) (to string, ok bool) {
	host, site, _ := s.Site(strings.TrimPrefix(at, "/"))
	if site == nil {
		return "", false
	}
	answers := site.At("/" + strings.TrimPrefix(at[1:], host.Root))
	for i := range answers {
		if answers[i].To == "" {
			return "", false
		}
	}
	if to = answers[0].To; to[0] == '/' {
		to = "/" + host.Root + to[1:]
	}
	return to, true
}

// leads are the published files to which an encoded path from the publish root leads: several if hosts differ.
func (s *Plan) leads(at string) (names []string) {
	host, site, _ := s.Site(strings.TrimPrefix(at, "/"))
	if site == nil {
		return nil
	}
	for _, file := range site.Leads(fromRoot(host, at)) {
		names = append(names, host.Root+file)
	}
	return names
}

// fromRoot is the request path, from the root of a host, of an encoded path from the publish root.
func fromRoot(host project.Host, at string) string {
	return "/" + strings.TrimPrefix(at[1:], host.Root)
}

// Names reports whether an encoded path from the publish root names a published file: a host serves the file there, or
// redirects to it from there.
func (s *Plan) Names(at, name string) bool { return names(s.Project, s.Sites, at, name) }

// names is Names, of a site that may not be built yet. A path at which nothing is known to be is taken for a form of the
// file's own URL, if it looks like one: a server may serve more than the files that we read tell.
func names(p *project.Project, sites map[string]*address.Site, at, name string) bool {
	if at == site.URL(name) { // as nearly always
		return true
	}
	host, addresses, file := siteOf(p, sites, name)
	if p.HostOf(at[1:]).Root != host.Root {
		return false
	}
	looksSo := func() bool { return folded(at) == folded(site.URL(name)) }
	if addresses == nil {
		return looksSo()
	}
	path := fromRoot(host, at)
	return addresses.Reaches(path, file) || len(addresses.Leads(path)) == 0 && looksSo()
}

func folded(at string) string { return address.Folded(policy.Decoded(at)) }

// SamePage reports whether two encoded paths from the publish root lead to the same file.
func (s *Plan) SamePage(a, b string) bool {
	if a == b {
		return true
	}
	of, others := s.leads(a), s.leads(b)
	if len(of) == 0 && len(others) == 0 { // as in names
		return folded(a) == folded(b)
	}
	return slices.ContainsFunc(of, func(name string) bool { return slices.Contains(others, name) })
}

// Preferred is the encoded path from the publish root that stands for a page: the one of its addresses to which hosts
// redirect the others; where they serve all, the one by which its own canonical link names the page, else its URL. What
// its own link names and nothing is known to serve is its owner's word about the host.
func (s *Plan) Preferred(pg *Page) string {
	linked := cmp.Or(pg.Self, pg.URL)
	host, addresses, file := s.Site(pg.File.Name)
	if addresses == nil {
		return linked
	}
	path := fromRoot(host, linked)
	if pg.Self != "" && len(addresses.Leads(path)) == 0 {
		return linked
	}
	return "/" + host.Root + addresses.Preferred(file, path)[1:]
}

// ServedAt are the encoded paths from the publish root at which hosts serve a page's file, for those who ask a deployed
// site: its URL, or the preferred address if hosts redirect the URL there, and then the sources of rewrites. Each is one
// at which every host that may serve the site answers with the file; the URL alone may be another. It is empty if the
// file has no address, since another one or a redirect takes each.
func (s *Plan) ServedAt(pg *Page) []string {
	host, addresses, file := s.Site(pg.File.Name)
	if addresses == nil {
		return []string{pg.URL}
	}
	every := func(path string) bool {
		return !slices.ContainsFunc(addresses.At(path), func(a address.Address) bool { return a.File != file })
	}
	all, list := addresses.Of(file), []string{pg.URL}
	if !slices.Contains(addresses.Served(fromRoot(host, pg.URL)), file) {
		if !slices.ContainsFunc(all, func(a address.Address) bool { return a.Serves() }) {
			return nil
		} else if best := s.Preferred(pg); every(fromRoot(host, best)) {
			list[0] = best
		}
	}
	for _, a := range all {
		if at := "/" + host.Root + a.Path[1:]; a.By == address.Rewritten && every(a.Path) && at != list[0] {
			list = append(list, at)
		}
	}
	return list
}
