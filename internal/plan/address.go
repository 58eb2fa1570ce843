package plan

import (
	"net/url"
	"strings"

	"metarobots/internal/site"
)

// Addresses: a published file is named from the publish root; a host serves what is below its root, which is the
// publish root or, with several hosts, one of its folders, at the address and below the path of its baseURL.

// roots are the folders that are the root of a host: the publish folder, or one for each host.
func (p *Project) roots() []string {
	if hosts := p.settings.Hosts; len(hosts) > 0 {
		return hosts
	}
	return []string{""}
}

// rootOf returns the root of the host that serves a published file.
func (p *Project) rootOf(name string) string {
	for _, root := range p.roots() {
		if strings.HasPrefix(name, withSlash(root)) {
			return root
		}
	}
	return ""
}

// withSlash is the beginning of the names below a folder; empty for the root.
func withSlash(root string) string {
	if root == "" {
		return ""
	}
	return root + "/"
}

// parseBases parses the base URLs of all hosts once: every address on every page asks for one.
func (p *Project) parseBases() {
	p.bases = map[string]*url.URL{}
	for _, root := range append([]string{""}, p.roots()...) {
		text, ok := p.settings.HostURLs[root]
		if !ok {
			text = p.settings.BaseURL
		}
		u, err := url.Parse(text)
		if err != nil {
			u = &url.URL{}
		}
		p.bases[root] = u
	}
}

// baseURL is that of a host; an empty one where it is not known. It is shared, and not to be changed.
func (p *Project) baseURL(root string) *url.URL {
	if u, ok := p.bases[root]; ok {
		return u
	}
	return &url.URL{}
}

// host is the name of a host, without its port; empty where it is not known.
func (p *Project) host(root string) string { return p.baseURL(root).Hostname() }

// hosts are the base URLs of the site, by the folder that each serves as URLs name it: "/", or "/de/" of one host among
// several. One that names no host, as "/" does, is left out.
func (p *Project) hosts() map[string]string {
	hosts := map[string]string{}
	for _, root := range p.roots() {
		u := p.baseURL(root)
		if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
			continue
		}
		// What else may stand in it is no place, or a secret.
		hosts[site.URL(withSlash(root))] = u.Scheme + "://" + u.Host + p.base(root) + "/"
	}
	return hosts
}

// base is the path below which a host serves the site, encoded and without a slash at its end; empty for its root.
func (p *Project) base(root string) string {
	return strings.TrimSuffix(p.baseURL(root).EscapedPath(), "/")
}

// address is where a published file is served. Scheme and host are empty where they are not known.
func (p *Project) address(name string) *url.URL {
	root := p.rootOf(name)
	base := p.baseURL(root)
	u, err := url.Parse(p.base(root) + site.URL(strings.TrimPrefix(name, withSlash(root))))
	if err != nil {
		return &url.URL{}
	}
	u.Scheme, u.Host = base.Scheme, base.Host
	return u
}

// leads returns the encoded path from the publish root to which an address on a published file leads; false where that
// is on no host of the site. Where no host is known, trusting takes the one that the address names for the site's.
func (p *Project) leads(from, href string, trusting bool) (string, bool) {
	to, err := url.Parse(strings.TrimSpace(href))
	if err != nil || to.Opaque != "" {
		return "", false
	}
	if to.Scheme == "" || to.Host == "" || strings.Contains(to.Path, "/.") { // else it is whole
		to = p.address(from).ResolveReference(to)
	}
	for _, root := range append([]string{p.rootOf(from)}, p.roots()...) {
		base := p.baseURL(root)
		if !strings.EqualFold(to.Host, base.Host) && !(base.Host == "" && trusting) {
			continue
		}
		rest, ok := strings.CutPrefix(to.EscapedPath(), p.base(root))
		switch {
		case !ok || rest != "" && rest[0] != '/':
			continue
		case rest == "":
			rest = "/"
		}
		if root != "" {
			rest = "/" + root + rest
		}
		return rest, true
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
