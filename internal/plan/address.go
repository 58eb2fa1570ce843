package plan

import (
	"strings"

	"metarobots/internal/address"
	"metarobots/internal/project"
)

// Site returns the host that serves a published file, the addresses of its files, and the file's name from its root. The
// addresses are nil if no host of the site serves the file.
func (s *Plan) Site(name string) (host project.Host, site *address.Site, file string) {
	host = s.Project.HostOf(name)
	return host, s.Sites[host.Root], strings.TrimPrefix(name, host.Root)
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
	host, site, _ := s.Site(strings.TrimPrefix(at, "/"))
	if site == nil {
		return nil
	}
	for _, file := range site.Leads("/" + strings.TrimPrefix(at[1:], host.Root)) {
		if pg := s.Page(host.Root + file); pg != nil {
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
