package project

import (
	"fmt"
	"net"
	"slices"
	"strings"

	"metarobots/internal/config"
	"metarobots/internal/hosts"
	"metarobots/policy"
)

// OwnHosts returns the names of the site's own hosts, if the policy keeps every other host out of
// the index (robots.headers.hosts, N11); nil if it does not. They are those of the key own. Without
// that they are those of the base URLs, each with its other name (WithWWW): for
// https://example.com/ that is example.com and www.example.com.
//
// An [*InvalidError] says that
//
//   - no name is known;
//   - own leaves out the host of a base URL: the site itself would leave the index there;
//   - the key also, which lists other hosts, names one of them (checkOtherHosts);
//   - a name is that of one deployment on Cloudflare Pages (isPreviewOfPages), which the rule is to
//     keep out.
//
// If this environment is noindex at every host (Policy.Hides), no host needs a rule. Then only a
// preview's name in the key own is an error: a fault of a base URL, which may be that of a preview,
// is none, and no name need be known.
func (p *Project) OwnHosts() ([]string, error) {
	c := &p.Config.Robots.Headers.Hosts
	if !c.KeepsOthersOut {
		return nil, nil
	}
	if i := slices.IndexFunc(c.Own, isPreviewOfPages); i >= 0 {
		return nil, p.invalidHosts("own", fmt.Sprintf("%s is the name of one deployment or "+
			"branch, and the rule that keeps those out of the index would be for it too: leave it "+
			"out", c.Own[i]))
	}
	own := slices.Clone(c.Own)
	isListed := len(own) > 0
	if !isListed {
		own = p.hostsOfBaseURLs()
	}
	if p.Policy.Hides() {
		return own, nil
	}
	if err := p.checkOwnHosts(own, isListed); err != nil {
		return nil, err
	}
	if err := p.checkOtherHosts(own, isListed); err != nil {
		return nil, err
	}
	return own, nil
}

// baseHosts are the names of the hosts of the base URLs. One that names no host is left out.
func (p *Project) baseHosts() (names []string) {
	for _, h := range p.Hosts.All {
		if name, err := config.HostName(h.URL.Hostname()); err == nil {
			names = append(names, name)
		}
	}
	return names
}

// hostsOfBaseURLs are the site's own hosts if the owner lists none: those of the base URLs, each
// with its other name behind it (WithWWW), and each once.
func (p *Project) hostsOfBaseURLs() (own []string) {
	for _, name := range p.baseHosts() {
		if slices.Contains(own, name) {
			continue
		}
		own = append(own, name)
		if other, ok := WithWWW(name); ok && !slices.Contains(own, other) {
			own = append(own, other)
		}
	}
	return own
}

// checkOwnHosts returns an error if a base URL's host cannot be the site's own, or is not among
// them, or if none of them is known. isListed says that own is the owner's list.
func (p *Project) checkOwnHosts(own []string, isListed bool) error {
	for _, name := range p.baseHosts() {
		if isPreviewOfPages(name) {
			return p.invalidHosts("others", fmt.Sprintf("the site is at %s, by baseURL, which is "+
				"the name of one deployment or branch: set baseURL to the site's own host", name))
		}
		if isListed && !slices.Contains(own, name) {
			return p.invalidHosts("own", fmt.Sprintf("the site is at %s, by baseURL, which this "+
				"list leaves out: all of it would be noindex there", name))
		}
	}
	if len(own) == 0 {
		return p.invalidHosts("others", "nobody knows which host is the site's own: name it, "+
			`own = ["example.com", "www.example.com"], or say where the site is with [site] `+
			`baseURL`)
	}
	return nil
}

// checkOtherHosts returns an error if the key also, which lists hosts to keep out of the index,
// names one of the site's own: as its own it would stay in the index without a word. isListed says
// that the owner lists the own hosts.
func (p *Project) checkOtherHosts(own []string, isListed bool) error {
	isOwn := func(other string) bool { return slices.Contains(own, other) }
	also := p.Config.Robots.Headers.Hosts.Also
	i := slices.IndexFunc(also, isOwn)
	switch {
	case i < 0:
		return nil
	case isListed:
		return p.invalidHosts("also", also[i]+" is in own too: it can be the site's own host, or "+
			"another one")
	}
	only := slices.DeleteFunc(slices.Clone(own),
		func(name string) bool { return slices.Contains(also, name) })
	text := also[i] + " is one of the site's own hosts, by baseURL"
	if len(only) > 0 {
		text += fmt.Sprintf(`; if it is not, list those that are, own = ["%s"]`,
			strings.Join(only, `", "`))
	}
	return p.invalidHosts("also", text)
}

// isPreviewOfPages reports whether a name is that of a deployment or a branch on Cloudflare Pages,
// such as main.project.pages.dev: Cloudflare keeps these out of the index, and so does one rule for
// all.
// https://developers.cloudflare.com/pages/configuration/preview-deployments/
func isPreviewOfPages(name string) bool {
	project, isOnPages := strings.CutSuffix(name, ".pages.dev")
	return isOnPages && strings.Contains(project, ".")
}

// Home is where other names redirect every path of a host of the site's, its scheme and its host:
// "https://example.com". It is empty if that is not asked for, or if this environment keeps
// everything out of the index (N11l).
func (p *Project) Home(h Host) string {
	if !p.Config.Robots.Headers.Hosts.SendsOthersHome || p.Policy.Hides() || h.URL.Host == "" {
		return ""
	}
	return h.URL.Scheme + "://" + h.URL.Host
}

// A NameFilter reports whether a name, in the form of [config.HostName], is wanted.
type NameFilter func(name string) bool

// OtherNames are names at which the site is served beside its own: those that the configuration
// states (also), and those that the owner's files tell, if told wants them. Each is there once. A
// file that cannot be read is reported by the reader of its host.
func (p *Project) OtherNames(own []string, told NameFilter) (others []string) {
	add := func(name string) {
		if !slices.Contains(own, name) && !slices.Contains(others, name) {
			others = append(others, name)
		}
	}
	for _, name := range p.Config.Robots.Headers.Hosts.Also {
		add(name)
	}
	names, _ := hosts.Names(p.Root, p.Folders(), p.Short)
	for _, name := range names {
		host, err := config.HostName(name.Host)
		if isWhole := err == nil && name.Unknown == ""; isWhole && told(host) {
			add(host)
		}
	}
	return others
}

// NamesBelow are the domains below which the owner's files serve the site at every name, such as
// "example.org" by the route "*.example.org/*" of a Worker, with the lines that say so.
func (p *Project) NamesBelow() map[string]policy.Origin {
	below := map[string]policy.Origin{}
	names, _ := hosts.Names(p.Root, p.Folders(), p.Short)
	for _, name := range names {
		if domain := name.Below(); domain != "" {
			below[domain] = name.By
		}
	}
	return below
}

// RedirectedNames are the names that the file of a host of this kind redirects home: those that the
// configuration states (also), and that which the host itself gives the site, if it is known. Names
// that files tell of other hosts are not among them.
func (p *Project) RedirectedNames(kind *hosts.Host, own []string) []string {
	names := p.OtherNames(own, func(name string) bool { return hosts.OfName(name) == kind })
	if name, err := config.HostName(kind.OwnName(p.Options.Getenv)); err == nil &&
		!slices.Contains(names, name) &&
		!slices.Contains(own, name) {
		names = append(names, name)
	}
	return names
}

// invalidHosts is an [*InvalidError] at a key of robots.hosts.
func (p *Project) invalidHosts(key, message string) error {
	file, line := p.Config.Locate("hosts", key)
	return Invalid(&policy.Finding{File: file, Line: line, Message: "robots.hosts." + key + ": " +
		message})
}

// WithWWW is the other name that a domain usually has: with www. in front, or without. A host's own
// name, such as project.pages.dev, has none.
func WithWWW(name string) (other string, ok bool) {
	isHosts := slices.ContainsFunc(hosts.Table, func(h *hosts.Host) bool { return h.Serves(name) })
	if isHosts || !strings.Contains(name, ".") || net.ParseIP(name) != nil {
		return "", false
	}
	if bare, hasWWW := strings.CutPrefix(name, "www."); hasWWW {
		return bare, true
	}
	return "www." + name, true
}
