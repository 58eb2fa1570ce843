// Package hosting reads how the hosts of a site serve it: in which of its modes each finds files,
// and which rewrites and redirects their owner's files state. The answer is an [address.Site] for
// each host of the site.
//
// A path at which a host serves a file and which nobody finds here is a path where a restriction
// may be lost. So in doubt a rewrite counts, as one that may serve its destination anywhere; and in
// doubt a redirect does not count, since it would say that a published file is not served at its
// path.
//
// # Words of this package
//
//   - A target is a host as robots.headers.targets names it: "vercel". A host of the site is a
//     folder of the publish folder with its own domain ([project.Host]); most sites have one, whose
//     Root is "".
//   - A [address.Handling] is one mode in which a host finds files, such as Vercel with cleanUrls.
//     Several mean that nobody knows which of them is on; [distinct] drops those that answer alike.
//   - A [address.Route] is one rule of the owner's. Rewrites: it serves what is at its destination
//     (else it redirects there). BeforeFiles: it goes before a published file of its path.
//     IsUncertain: it may not apply, so it hides no file, and what it serves counts as served, too.
//     Finder: how the file at the destination is found; [address.Exact] takes the destination for a
//     file's name, [address.Every] tries every way in which hosts find pages.
//   - Three methods of a Route set which paths it takes. SetMapping: those of a pattern that we
//     read, with its named parts. SetMatcher: those for which a function says so. SetUnread: nobody
//     knows, and if it rewrites it may lead to its destination from anywhere.
//   - A source is the pattern of a rule, a destination (to) where it leads. A pattern is read if
//     nothing in it is unknown to us.
//   - A [file] is a configuration that was parsed: [member] gets a value by its keys, [elements]
//     those of a list, [text] and [number] convert them; nil, "" and 0 mean that there is none.
//     f.origin(path…) is the line of the value at a path of keys, elementPath(path, i) the path of
//     the i-th element of a list: {"hosting", "redirects", "0"}.
package hosting

import (
	"slices"

	"metarobots/emit/headers"
	"metarobots/emit/redirects"
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
	// SentHome are other names of the site at which rules for Netlify redirect every path to the
	// site's own host.
	SentHome []string
	// Findings are about the files that were read.
	Findings []policy.Finding

	project   *project.Project
	pages     site.Map
	from      project.Source
	handlings []*address.Handling
	routes    map[string][]*address.Route // by the Root of the site's host that they are for
	// unreadRedirects are the places of redirects in the target's file that hide no file, because
	// they are not read.
	unreadRedirects []policy.Origin
	// uploadsAssets says that wrangler's file is about static assets of a Worker.
	uploadsAssets bool
	// firebaseIgnores are the patterns of folders, ending in "/**", that Firebase does not upload;
	// nil if no firebase.json tells them, or if it is about several sites.
	firebaseIgnores []string
	// netlifyRules are the owner's redirects and rewrites on Netlify, in its order.
	netlifyRules []redirects.Redirect
}

// Read reads the files of the site's owner that say how its hosts serve it.
func Read(p *project.Project, pages site.Map, from project.Source) (*Hosting, error) {
	h := &Hosting{Targets: Targets(p), project: p, pages: pages, from: from, routes: map[string][]*address.Route{}}
	for _, target := range h.Targets {
		if err := h.readTarget(target); err != nil {
			return nil, err
		}
		h.reportUnreadRedirects()
		h.unreadRedirects = nil
	}
	if len(h.handlings) == 0 { // nobody knows how that host finds files: as others do
		h.handlings = append(slices.Clone(hosts.Lookup(headers.TargetPortable).Handlings), address.Apache)
	}
	return h, nil
}

// readTarget reads what the owner's files say of a target: its cases add handlings, if any are
// known, and the routes that they read, from the files that the host reads. For a host without such
// files it adds the handlings of the table alone. It fails if a file is there and cannot be read,
// since what it says would be lost. Two kinds of files are no failure: a _redirects, or a server's
// own, is a finding, and what is wrong with one in which the host reads headers may be left to
// whoever reads these.
func (h *Hosting) readTarget(target string) error {
	switch target {
	case headers.TargetPortable: // one _headers for both of these hosts
		if err := h.readCloudflare(); err != nil {
			return err
		}
		return h.readNetlify()
	case headers.TargetCloudflare:
		return h.readCloudflare()
	case headers.TargetNetlify:
		return h.readNetlify()
	case "vercel":
		return h.readVercel()
	case "firebase":
		return h.readFirebase()
	case "azure":
		return h.readAzure()
	case headers.TargetNone: // a host that sends no headers of a site's own, such as GitHub Pages
		h.readHeaderless()
		return nil
	case "apache", "nginx", "caddy":
		h.readServerFile(target)
		return nil
	default:
		h.handlings = append(h.handlings, hosts.Lookup(target).Handlings...)
		return nil
	}
}

// addRoutes adds routes at each host of the site.
func (h *Hosting) addRoutes(routes ...*address.Route) {
	for _, host := range h.project.Hosts.All {
		h.routes[host.Root] = append(h.routes[host.Root], routes...)
	}
}

// readRedirects adds the routes of the _redirects of each host of the site. One that cannot be read
// is a finding.
func (h *Hosting) readRedirects(read func(data []byte, name string) []*address.Route) {
	for _, host := range h.project.Hosts.All {
		data, name, err := h.readPublished(host.Root + "_redirects")
		if err != nil {
			h.reportUnreadable(name, err)
			continue
		}
		h.routes[host.Root] = append(h.routes[host.Root], read(data, name)...)
	}
}

// reportUnreadable reports a file that is there and cannot be read, once.
func (h *Hosting) reportUnreadable(name string, err error) {
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
			targets[i] = hosts.Auto(p.Options.Getenv, p.Source, p.Settings.Publish)
		}
	}
	return targets
}

// Sites returns the addresses of each of the site's hosts, by the folder of the publish folder that
// it serves. names are the published files, sorted; nil if the site is not built yet.
func (h *Hosting) Sites(names []string) map[string]*address.Site {
	sites := map[string]*address.Site{}
	for _, host := range h.project.Hosts.All {
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
