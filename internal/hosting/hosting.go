// Package hosting reads how the hosts of a site serve it: in which of its modes each finds files,
// and which rewrites and redirects their owner's files state. The answer is an [address.Site] for
// each host of the site.
package hosting

import (
	"slices"

	"metarobots/emit/headers"
	"metarobots/internal/address"
	"metarobots/internal/hosts"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// Hosting is how the hosts of a site serve it.
type Hosting struct {
	// Targets are the hosts that may serve it, as robots.headers.targets calls them.
	Targets []string
	// Findings are about the files that were read.
	Findings []policy.Finding

	project   *project.Project
	pages     site.Map
	from      project.Source
	handlings []*address.Handling
	routes    map[string][]*address.Route // by the folder of the site's host that they are for
}

// Read reads the files of the site's owner that say how its hosts serve it.
func Read(p *project.Project, pages site.Map, from project.Source) (*Hosting, error) {
	h := &Hosting{Targets: Targets(p), project: p, pages: pages, from: from, routes: map[string][]*address.Route{}}
	for _, target := range h.Targets {
		if err := h.read(target); err != nil {
			return nil, err
		}
	}
	if len(h.handlings) == 0 { // nobody knows how that host finds files: as others do
		h.handlings = append(slices.Clone(hosts.Lookup(headers.TargetPortable).Handlings), address.Apache)
	}
	return h, nil
}

// read reads what the owner's files say of a target.
func (h *Hosting) read(target string) error {
	switch target {
	case headers.TargetPortable:
		if err := h.cloudflare(); err != nil {
			return err
		}
		return h.netlify()
	case headers.TargetCloudflare:
		return h.cloudflare()
	case headers.TargetNetlify:
		return h.netlify()
	case "vercel":
		return h.vercel()
	case "firebase":
		return h.firebase()
	case "azure":
		return h.azure()
	case headers.TargetNone:
		return h.none()
	case "apache", "nginx", "caddy":
		h.server(target)
		return nil
	}
	h.handlings = append(h.handlings, hosts.Lookup(target).Handlings...)
	return nil
}

// route adds routes at each host of the site.
func (h *Hosting) route(routes ...*address.Route) {
	for _, host := range h.project.Hosts {
		h.routes[host.Root] = append(h.routes[host.Root], routes...)
	}
}

// readRedirects adds the routes of the _redirects of each host of the site.
func (h *Hosting) readRedirects(read func(data []byte, name string) []*address.Route) error {
	for _, host := range h.project.Hosts {
		data, name, err := h.published(host.Root + "_redirects")
		if err != nil {
			h.unread(name, err)
			continue
		}
		h.routes[host.Root] = append(h.routes[host.Root], read(data, name)...)
	}
	return nil
}

// unread reports a file that is there and cannot be read, once.
func (h *Hosting) unread(name string, err error) {
	f := policy.Finding{ID: "not-read", Severity: policy.Error, File: name,
		Message: "the file is not read: " + project.Reason(err)}
	if !slices.Contains(h.Findings, f) {
		h.Findings = append(h.Findings, f)
	}
}

// Targets are the hosts whose header files are written: what the configuration names, with auto for
// the host on which we run, else for both that read _headers (C).
func Targets(p *project.Project) []string {
	targets := slices.Clone(p.Config.Robots.Headers.Targets)
	if len(targets) == 0 {
		targets = []string{"auto"}
	}
	for i, target := range targets {
		if target == "auto" {
			targets[i] = hosts.Auto(p.Options.Getenv, p.Source)
		}
	}
	return targets
}

// Sites returns the addresses of each of the site's hosts, by the folder of the publish folder that
// it serves. names are the published files, sorted; nil if the site is not built yet.
func (h *Hosting) Sites(names []string) map[string]*address.Site {
	sites := map[string]*address.Site{}
	for _, host := range h.project.Hosts {
		routes := h.routes[host.Root]
		if names == nil {
			sites[host.Root] = address.New(nil, routes, h.handlings...)
			continue
		}
		published := slices.Clone(made)
		for _, name := range names {
			if file, ok := host.Serves(name); ok && !slices.Contains(made, file) {
				published = append(published, file)
			}
		}
		sites[host.Root] = address.NewPublished(published, routes, h.handlings...)
	}
	return sites
}

// made are the files that a run may make, besides those that host's read.
var made = []string{"robots.txt", ".well-known/tdmrep.json"}
