package plan

import (
	"net/url"
	"strings"

	"metarobots/internal/site"
)

// A host serves what lies below one folder of the publish folder, at the address and below the path of its base URL. A
// site has one, whose folder is the publish folder, or several.
type host struct {
	root string   // the folder, with a slash at its end; empty for the publish folder
	url  *url.URL // the base URL; an empty one where it is not known
	base string   // its path, encoded and without a slash at its end
	// origin is what whole addresses of the site begin with, before the path; empty where it is not known.
	origin string
}

// findHosts sets the hosts of the site.
func (p *Project) findHosts() {
	read := func(root, text string) host {
		u, err := url.Parse(text)
		if err != nil {
			u = &url.URL{}
		}
		h := host{root: root, url: u, base: strings.TrimSuffix(u.EscapedPath(), "/")}
		if u.Host != "" {
			h.origin = u.Scheme + "://" + u.Host
		}
		return h
	}
	p.main, p.hosts = read("", p.Settings.BaseURL), nil
	for _, root := range p.Settings.Hosts {
		text, ok := p.Settings.HostURLs[root]
		if !ok {
			text = p.Settings.BaseURL
		}
		p.hosts = append(p.hosts, read(root+"/", text))
	}
	if len(p.hosts) == 0 {
		p.hosts = []host{p.main}
	}
}

// hostOf returns the host that serves a published file; for one that none serves, that of the base URL.
func (p *Project) hostOf(name string) host {
	for _, h := range p.hosts {
		if strings.HasPrefix(name, h.root) {
			return h
		}
	}
	return p.main
}

// serves returns the name of a published file from the root of the host, if the host serves it.
func (h *host) serves(name string) (string, bool) { return strings.CutPrefix(name, h.root) }

// at is the encoded path at which the host serves a file, named from its root.
func (h *host) at(name string) string { return h.base + site.URL(name) }

// hostURLs are the base URLs of the site, by the folder that each serves as URLs name it: "/", or "/de/" of one host
// among several. One that names no host, as "/" does, is left out.
func (p *Project) hostURLs() map[string]string {
	all := map[string]string{}
	for _, h := range p.hosts {
		if h.url.Scheme != "http" && h.url.Scheme != "https" || h.url.Hostname() == "" {
			continue
		}
		// What else may stand in it is no place, or a secret.
		all[site.URL(h.root)] = h.url.Scheme + "://" + h.url.Host + h.base + "/"
	}
	return all
}

// address is where a published file is served. Scheme and host are empty where they are not known.
func (p *Project) address(name string) *url.URL {
	h := p.hostOf(name)
	u, err := url.Parse(h.at(strings.TrimPrefix(name, h.root)))
	if err != nil {
		return &url.URL{}
	}
	u.Scheme, u.Host = h.url.Scheme, h.url.Host
	return u
}

// leads returns the encoded path from the publish root to which an address on a published file leads; false where that
// is on no host of the site. Where no host is known, trusting takes the one that the address names for the site's.
func (p *Project) leads(from, href string, trusting bool) (string, bool) {
	own := p.hostOf(from)
	if path, ok := strings.CutPrefix(strings.TrimPrefix(href, own.origin), own.base+"/"); ok && site.Plain(path) {
		return "/" + own.root + path, true // on the same host, with nothing to resolve
	}
	to, err := url.Parse(strings.TrimSpace(href))
	if err != nil || to.Opaque != "" {
		return "", false
	}
	if to.Scheme == "" || to.Host == "" || strings.Contains(to.Path, "/.") { // else it is whole
		to = p.address(from).ResolveReference(to)
	}
	for _, h := range append([]host{own}, p.hosts...) {
		if !strings.EqualFold(to.Host, h.url.Host) && !(h.url.Host == "" && trusting) {
			continue
		}
		if rest, ok := strings.CutPrefix(to.EscapedPath(), h.base); ok && (rest == "" || rest[0] == '/') {
			return "/" + h.root + strings.TrimPrefix(rest, "/"), true
		}
	}
	return "", false
}

// decoded is a path without its encoding, or as it is where that cannot be read.
func decoded(path string) string {
	if plain, err := url.PathUnescape(path); err == nil {
		return plain
	}
	return path
}

// samePath compares two encoded paths as hosts serve them.
func samePath(a, b string) bool { return a == b || ServedAs(a) == ServedAs(b) }

// ServedAs is the path at which hosts serve an encoded path from the publish root, decoded: /x for /x/, /x/index.html
// and /x.html. A site that publishes several of these has them reported (two-files).
func ServedAs(encoded string) string { return servedAs(decoded(encoded)) }

// servedAs is that of a decoded path.
func servedAs(path string) string {
	path = strings.TrimSuffix(path, "/index.html")
	path = strings.TrimSuffix(path, ".html")
	return strings.TrimSuffix(path, "/")
}
