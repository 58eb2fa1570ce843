package build

import (
	"net/url"
	"strings"

	"metarobots/site"
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

// baseURL is that of a host; an empty one where it is not known.
func (p *Project) baseURL(root string) *url.URL {
	text, ok := p.settings.HostURLs[root]
	if !ok {
		text = p.settings.BaseURL
	}
	u, err := url.Parse(text)
	if err != nil {
		return &url.URL{}
	}
	return u
}

// host is the name of a host, without its port; empty where it is not known.
func (p *Project) host(root string) string { return p.baseURL(root).Hostname() }

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
	ref, err := url.Parse(strings.TrimSpace(href))
	if err != nil || ref.Opaque != "" {
		return "", false
	}
	own := p.rootOf(from)
	u := p.address(from).ResolveReference(ref)
	for _, root := range append([]string{own}, p.roots()...) {
		base := p.baseURL(root)
		if !strings.EqualFold(u.Host, base.Host) && !(base.Host == "" && trusting) {
			continue
		}
		rest, ok := strings.CutPrefix(u.EscapedPath(), p.base(root))
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
