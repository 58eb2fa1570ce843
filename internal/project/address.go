package project

import (
	"cmp"
	"net/url"
	"strings"

	"metarobots/internal/site"
)

// A Host serves what lies below one folder of the publish folder, at the address and below the path
// of its base URL. A site has one, whose folder is the publish folder, or several.
type Host struct {
	Root string   // the folder, with a slash at its end; empty for the publish folder
	URL  *url.URL // the base URL; an empty one where it is not known
	Base string   // its path, encoded and without a slash at its end
}

// Hosts are the hosts of a site.
type Hosts struct {
	Main Host   // of the base URL
	All  []Host // that serve the site; Main alone, unless each of several serves a folder
}

// hostsOf are the hosts of a site by what its generator says.
func hostsOf(s *site.Settings) (hosts Hosts) {
	read := func(root, text string) Host {
		u, err := url.Parse(text)
		if err != nil {
			u = &url.URL{}
		}
		return Host{Root: root, URL: u, Base: strings.TrimSuffix(u.EscapedPath(), "/")}
	}
	hosts.Main = read("", s.BaseURL)
	for _, root := range s.Hosts {
		hosts.All = append(hosts.All, read(root+"/", cmp.Or(s.HostURLs[root], s.BaseURL)))
	}
	if len(hosts.All) == 0 {
		hosts.All = []Host{hosts.Main}
	}
	return hosts
}

// HostOf returns the host that serves a published file; for one that none serves, that of the base
// URL.
func (p *Project) HostOf(name string) Host {
	if h, ok := site.Serving(p.Hosts.All, name, func(h Host) string { return h.Root }); ok {
		return h
	}
	return p.Hosts.Main
}

// Serves returns the name of a published file from the root of the host, if the host serves it.
func (h *Host) Serves(name string) (string, bool) { return strings.CutPrefix(name, h.Root) }

// At is the encoded path at which the host serves a file, named from its root.
func (h *Host) At(name string) string { return h.Base + site.URL(name) }

// HostURLs are the base URLs of the site, by the folder that each serves as URLs name it: "/", or
// "/de/" of one host among several. One that names no host, as "/" does, is left out.
func (p *Project) HostURLs() map[string]string {
	all := map[string]string{}
	for _, h := range p.Hosts.All {
		if h.URL.Scheme != "http" && h.URL.Scheme != "https" || h.URL.Hostname() == "" {
			continue
		}
		// What else may stand in it is no place, or a secret.
		all[site.URL(h.Root)] = h.URL.Scheme + "://" + h.URL.Host + h.Base + "/"
	}
	return all
}

// Address is where a published file is served. Scheme and host are empty where they are not known.
func (p *Project) Address(name string) *url.URL {
	h := p.HostOf(name)
	u, err := url.Parse(h.At(strings.TrimPrefix(name, h.Root)))
	if err != nil {
		return &url.URL{}
	}
	u.Scheme, u.Host = h.URL.Scheme, h.URL.Host
	return u
}

// An UnknownHost says whose a host is that an address names while the site's own host is not known.
// If that is known, hosts are compared, and it says nothing.
type UnknownHost bool

const (
	UnknownIsForeign UnknownHost = false // the address is of another site
	UnknownIsOurs    UnknownHost = true  // it is the site's: a sitemap of the site lists no other
)

// ResolveLink returns where an address leads that a published file has, in a link, a canonical or a
// sitemap: the encoded path of the target from the publish root. With the base URL
// https://a.example/docs/, that is "/a/" for https://a.example/docs/a/; at the host of the folder
// de, "/de/a/". ok is false if the address is on no host of the site, or is no URL. from is the
// name of the file with the address, which a relative one is resolved against; href is the address
// as written. unknown says whose a host is that the address names if the base URL names none.
func (p *Project) ResolveLink(from, href string, unknown UnknownHost) (path string, ok bool) {
	own := p.HostOf(from)
	host, path, isURL := p.splitAddress(from, own.URL.Host, strings.TrimSpace(href))
	if !isURL {
		return "", false
	}
	// Several hosts may have the same name, with other base paths: the file's own goes before them.
	if at, ok := own.below(host, path, unknown); ok {
		return at, true
	}
	for i := range p.Hosts.All {
		if at, ok := p.Hosts.All[i].below(host, path, unknown); ok {
			return at, true
		}
	}
	return "", false
}

// splitAddress returns the host of an address in a file, and the encoded path at that host. An
// address that names no host is at the file's own, ownHost, which is "" if the base URL names none.
// isURL is false for what is none, and for what leads to no place, such as mailto:a@example.org.
//
// Nearly all addresses of pages are plain, and are not parsed: that took a seventh of the time of
// check.
func (p *Project) splitAddress(from, ownHost, href string) (host, path string, isURL bool) {
	if host, path, isPlain := splitPlain(href); isPlain {
		return cmp.Or(host, ownHost), path, true
	}
	to, err := url.Parse(href)
	if err != nil || to.Opaque != "" { // mailto:a@example.org
		return "", "", false
	}
	hasDotSegment := strings.Contains(to.Path, "/.") // such as /../, or a name that begins so
	isWhole := to.Scheme != "" && to.Host != "" && !hasDotSegment
	if !isWhole {
		to = p.Address(from).ResolveReference(to)
	}
	return to.Host, to.EscapedPath(), true
}

// below returns the path from the publish root of an encoded path on a host. ok is false if that
// host is another one than this, or the path is not below the site's base path there: at the base
// /docs, /docs/a is, and /docsa is not. unknown counts if the site's host is not known.
func (h *Host) below(host, path string, unknown UnknownHost) (at string, ok bool) {
	if !strings.EqualFold(host, h.URL.Host) && !(h.URL.Host == "" && unknown == UnknownIsOurs) {
		return "", false
	}
	rest, ok := strings.CutPrefix(path, h.Base)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return "/" + h.Root + strings.TrimPrefix(rest, "/"), true
}

// splitPlain splits an address that is plain, so that [Project.ResolveLink] need not parse it: its
// host and its path are in it byte for byte. isPlain is false for any other, for which [url.Parse]
// is asked. The host is empty if the address has none, and the path if nothing is behind the host.
//
//	https://example.org/a/b.html   "example.org", "/a/b.html"
//	https://example.org            "example.org", ""
//	/a/b.html                      "", "/a/b.html"
//	b.html                         not plain: it is relative to its page
//	//example.org/a                not plain: it has a host behind two slashes
//	/a/../b                        not plain: it has a dot segment to resolve
//	/a%20b, /a?q, /a#b, /ä         not plain: they have an encoding, a query, a fragment
//	http://u@example.org:80/       not plain: it has a user and a port
func splitPlain(href string) (host, path string, isPlain bool) {
	path = href
	if rest, hasScheme := cutScheme(href); hasScheme {
		slash := strings.IndexByte(rest, '/')
		if slash < 0 {
			slash = len(rest)
		}
		if host, path = rest[:slash], rest[slash:]; host == "" {
			return "", "", false
		}
	} else if !strings.HasPrefix(href, "/") {
		return "", "", false
	}
	isOddInHost := func(c rune) bool { return !meansItself(c) }
	isOddInPath := func(c rune) bool { return !meansItself(c) && c != '/' && c != '_' }
	// "//" may begin a host, and is one slash to most servers; "/." may begin a dot segment.
	mayMeanAnother := strings.Contains(path, "//") || strings.Contains(path, "/.")
	if mayMeanAnother || strings.ContainsFunc(host, isOddInHost) ||
		strings.ContainsFunc(path, isOddInPath) {
		return "", "", false
	}
	return host, path, true
}

// cutScheme takes the scheme off an address that begins with https:// or http://, in small letters.
func cutScheme(href string) (rest string, hasScheme bool) {
	if rest, ok := strings.CutPrefix(href, "https://"); ok {
		return rest, true
	}
	return strings.CutPrefix(href, "http://")
}

// meansItself reports whether a character needs no decoding, both in a host and in a path.
func meansItself(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' ||
		c == '.'
}
