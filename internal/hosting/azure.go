package hosting

import (
	"regexp"
	"slices"
	"strings"

	"metarobots/internal/address"
	"metarobots/internal/disk"
	"metarobots/policy"
)

// azure reads staticwebapp.config.json. Its trailingSlash redirects pages to one of their paths,
// which may be another than without it where that is "always". Of its routes the first that matches
// counts, before published files, and no other; navigationFallback serves a file where none is
// published.
// https://learn.microsoft.com/azure/static-web-apps/configuration
func (h *Hosting) azure() error {
	handlings := []*address.Handling{address.Azure}
	defer func() { h.handlings = append(h.handlings, distinct(handlings)...) }()
	for _, host := range h.project.Hosts {
		data, name, err := h.published(host.Root + "staticwebapp.config.json")
		if disk.Refused(err) || data == nil && err == nil {
			continue // of one that is not to be read, those who read its headers speak
		} else if err != nil {
			return notRead(name, err)
		}
		f, err := parse(name, "", data)
		if err != nil {
			continue // likewise
		}
		h.routes[host.Root] = append(h.routes[host.Root], azureRoutes(f)...)
		if text(member(f.root, "trailingSlash")) == "always" {
			handlings = []*address.Handling{address.AzureSlashes}
		}
	}
	return nil
}

// ours are the routes around those of ours: see package servers.
const (
	oursBegin = "/.metarobots/begin"
	oursEnd   = "/.metarobots/end"
)

// azureRoutes are the routes of a file.
func azureRoutes(f *file) (routes []*address.Route) {
	var before []azureRoute // which take paths, and lead nowhere
	sure, ours := true, false
	for i, rule := range elements(member(f.root, "routes")) {
		source := text(member(rule, "route"))
		if source == oursBegin || ours {
			ours = source != oursEnd
			continue
		}
		to, rewrites := text(member(rule, "rewrite")), true
		if to == "" {
			to, rewrites = text(member(rule, "redirect")), false
		}
		status := number(member(rule, "statusCode"))
		if source == "" || !asksForPages(member(rule, "methods")) {
			continue
		}
		a := readAzure(source)
		if to == "" && status < 400 {
			before, sure = append(before, a), sure && a.read
			continue
		}
		r := &address.Route{Host: "azure", Origin: f.origin(place([]string{"routes"}, i)...), Source: source,
			Destination: to, Rewrites: rewrites && to != "" && status < 300, First: true, Finds: address.Every,
			// A role decides, or a route before it that is not read.
			May: hasRoles(rule) || !sure || a.doubtful}
		a.lead(r, to, before)
		if !r.May || r.Rewrites {
			routes = append(routes, r)
		}
		// The emulator takes the folder of a star too.
		if folder, ok := strings.CutSuffix(source, "/*"); ok && folder != "" && r.Rewrites {
			own := *r
			own.May = true
			literal := readAzure(folder)
			literal.lead(&own, to, before)
			routes = append(routes, &own)
		}
	}
	return append(routes, azureFallbacks(f)...)
}

// hasRoles reports whether a route is for those alone who are known.
func hasRoles(rule any) bool {
	roles := elements(member(rule, "allowedRoles"))
	return len(roles) > 0 && !slices.Contains(roles, "anonymous")
}

// azureFallbacks are what is served where no file is published.
func azureFallbacks(f *file) (routes []*address.Route) {
	add := func(to string, takes func(path string) bool, path ...string) {
		r := &address.Route{Host: "azure", Origin: f.origin(path...), Source: path[0], Destination: to, Rewrites: true,
			Finds: address.Every}
		r.Match(takes, []address.Part{{Text: to}})
		routes = append(routes, r)
	}
	if to := text(member(f.root, "navigationFallback", "rewrite")); strings.HasPrefix(to, "/") {
		var except []azureRoute
		for _, pattern := range elements(member(f.root, "navigationFallback", "exclude")) {
			except = append(except, readAzure(text(pattern)))
		}
		add(to, func(path string) bool { return !mayTake(except, path) }, "navigationFallback", "rewrite")
	}
	missing := member(f.root, "responseOverrides", "404")
	to, isFound := text(member(missing, "rewrite")), number(member(missing, "statusCode")) == 200
	if isFound && strings.HasPrefix(to, "/") {
		add(to, func(string) bool { return true }, "responseOverrides", "404", "rewrite")
	}
	return routes
}

// An azureRoute is the pattern of a route.
type azureRoute struct {
	// literal is the path that it names; empty for others.
	literal string
	// takes reports whether it takes a decoded path. read is false where it may take others, and
	// doubtful true where the host's documentation and its emulator differ.
	takes          func(path string) bool
	read, doubtful bool
}

// azurePattern is a route with a star at its end, alone or before endings.
var azurePattern = regexp.MustCompile(`^([^*]*)\*(?:\.([^*{}/]+)|\.\{([^*{}/]+)\})?$`)

// readAzure reads a pattern. One that names the index of a folder takes the folder's path too.
// https://learn.microsoft.com/azure/static-web-apps/configuration#routes
func readAzure(pattern string) azureRoute {
	m := azurePattern.FindStringSubmatch(pattern)
	switch {
	case !strings.Contains(pattern, "*"):
		literal := policy.Decoded(pattern)
		return azureRoute{literal: literal, read: true, takes: func(path string) bool {
			folder, isIndex := strings.CutSuffix(literal, "/index.html")
			return path == literal || isIndex && strings.TrimSuffix(path, "/") == folder
		}}
	case m == nil:
		return azureRoute{takes: func(string) bool { return false }}
	}
	head, endings := policy.Decoded(m[1]), strings.Split(m[2]+m[3], ",")
	return azureRoute{read: true, doubtful: m[2]+m[3] == "" && !strings.HasSuffix(head, "/"),
		takes: func(path string) bool {
			rest, ok := strings.CutPrefix(path, head)
			for _, ending := range endings {
				if ok && (ending == "" || strings.HasSuffix(rest, "."+strings.TrimSpace(ending))) {
					return true
				}
			}
			return false
		}}
}

// mayTake reports whether one of some patterns takes a path, or may.
func mayTake(all []azureRoute, path string) bool {
	for _, a := range all {
		if !a.read || a.takes(path) {
			return true
		}
	}
	return false
}

// lead makes a route take the paths of its pattern, but not those that one before it takes.
func (a *azureRoute) lead(r *address.Route, to string, before []azureRoute) {
	destination := []address.Part{{Text: to}}
	if to == "" {
		destination = nil
	}
	takes := func(path string) bool { return a.takes(path) && !mayTake(before, path) }
	if !a.read {
		r.Unread(destination)
		return
	}
	r.Match(takes, destination)
	if a.literal == "" || !r.Rewrites {
		return
	}
	from := []string{a.literal}
	if folder, ok := strings.CutSuffix(a.literal, "/index.html"); ok {
		from = append(from, folder+"/", folder)
	}
	r.List(from...)
}
