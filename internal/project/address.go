package project

import (
	"cmp"
	"net/url"
	"strings"

	"metarobots/internal/site"
)

// A Host serves what lies below one folder of the publish folder, at the address and below the path of its base URL. A
// site has one, whose folder is the publish folder, or several.
type Host struct {
	Root string   // the folder, with a slash at its end; empty for the publish folder
	URL  *url.URL // the base URL; an empty one where it is not known
	Base string   // its path, encoded and without a slash at its end
}

// findHosts sets the hosts of the site.
func (p *Project) findHosts() {
	read := func(root, text string) Host {
		u, err := url.Parse(text)
		if err != nil {
			u = &url.URL{}
		}
		return Host{Root: root, URL: u, Base: strings.TrimSuffix(u.EscapedPath(), "/")}
	}
	p.Main, p.Hosts = read("", p.Settings.BaseURL), nil
	for _, root := range p.Settings.Hosts {
		p.Hosts = append(p.Hosts, read(root+"/", cmp.Or(p.Settings.HostURLs[root], p.Settings.BaseURL)))
	}
	if len(p.Hosts) == 0 {
		p.Hosts = []Host{p.Main}
	}
}

// HostOf returns the host that serves a published file; for one that none serves, that of the base URL.
func (p *Project) HostOf(name string) Host {
	if h, ok := site.Serving(p.Hosts, name, func(h Host) string { return h.Root }); ok {
		return h
	}
	return p.Main
}

// Serves returns the name of a published file from the root of the host, if the host serves it.
func (h *Host) Serves(name string) (string, bool) { return strings.CutPrefix(name, h.Root) }

// At is the encoded path at which the host serves a file, named from its root.
func (h *Host) At(name string) string { return h.Base + site.URL(name) }

// HostURLs are the base URLs of the site, by the folder that each serves as URLs name it: "/", or "/de/" of one host
// among several. One that names no host, as "/" does, is left out.
func (p *Project) HostURLs() map[string]string {
	all := map[string]string{}
	for _, h := range p.Hosts {
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

// Leads returns the encoded path from the publish root to which an address on a published file leads; false where that
// is on no host of the site. Where no host is known, trusting takes the one that the address names for the site's.
//
// Nearly all addresses of pages are plain, and are not parsed: that took a seventh of the time of check.
func (p *Project) Leads(from, href string, trusting bool) (string, bool) {
	href = strings.TrimSpace(href)
	host, path, isPlain := plainAddress(href)
	if !isPlain {
		to, err := url.Parse(href)
		if err != nil || to.Opaque != "" {
			return "", false
		}
		if to.Scheme == "" || to.Host == "" || strings.Contains(to.Path, "/.") { // else it is whole
			to = p.Address(from).ResolveReference(to)
		}
		host, path = to.Host, to.EscapedPath()
	}
	own := p.HostOf(from)
	if isPlain && host == "" {
		host = own.URL.Host
	}
	if at, ok := own.below(host, path, trusting); ok {
		return at, true
	}
	for i := range p.Hosts {
		if at, ok := p.Hosts[i].below(host, path, trusting); ok {
			return at, true
		}
	}
	return "", false
}

// below is the path from the publish root of an encoded path on a host, if that is this one and the site is there. Where
// it is not known which host this is, trusting takes any for it.
func (h *Host) below(host, path string, trusting bool) (at string, ok bool) {
	if !strings.EqualFold(host, h.URL.Host) && !(h.URL.Host == "" && trusting) {
		return "", false
	}
	rest, ok := strings.CutPrefix(path, h.Base)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return "/" + h.Root + strings.TrimPrefix(rest, "/"), true
}

// plainAddress splits an address that says what it means byte for byte: "https://example.org/a/b.html", or "/a/b.html",
// whose host is empty. No encoding, query, fragment, port or user is in it, and no dot segment to resolve.
func plainAddress(href string) (host, path string, ok bool) {
	rest, isWhole := strings.CutPrefix(href, "https://")
	if !isWhole {
		rest, isWhole = strings.CutPrefix(href, "http://")
	}
	host, path = "", href
	if isWhole {
		slash := strings.IndexByte(rest, '/')
		if slash < 0 {
			slash = len(rest)
		}
		host, path = rest[:slash], rest[slash:]
	}
	isRooted := strings.HasPrefix(path, "/")
	if isWhole && host == "" || !isWhole && !isRooted || strings.Contains(path, "//") || strings.Contains(path, "/.") {
		return "", "", false
	}
	isPlain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.'
	}
	for _, c := range host {
		if !isPlain(c) {
			return "", "", false
		}
	}
	for _, c := range path {
		if !isPlain(c) && c != '/' && c != '_' {
			return "", "", false
		}
	}
	return host, path, true
}
