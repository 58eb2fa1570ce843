package hosting

import (
	"slices"
	"strings"

	"metarobots/internal/address"
	"metarobots/internal/disk"
	"metarobots/internal/lazyregexp"
	"metarobots/policy"
)

// readAzure reads staticwebapp.config.json. Its trailingSlash redirects pages to one of their
// paths, which may be another than without it where that is "always". Of its routes the first that
// matches counts, before published files, and no other; navigationFallback serves a file where none
// is published.
// https://learn.microsoft.com/azure/static-web-apps/configuration
func (h *Hosting) readAzure() error {
	handlings := []*address.Handling{address.Azure}
	defer func() { h.handlings = append(h.handlings, distinct(handlings)...) }()
	for _, host := range h.project.Hosts.All {
		data, name, err := h.readPublished(host.Root + "staticwebapp.config.json")
		if disk.Refused(err) || data == nil && err == nil {
			continue // whoever reads the headers of that file reports it
		} else if err != nil {
			return notRead(name, err)
		}
		f, err := parse(name, "", data)
		if err != nil {
			continue // likewise reported there
		}
		h.routes[host.Root] = append(h.routes[host.Root], azureRoutes(f)...)
		if text(member(f.root, "trailingSlash")) == "always" {
			handlings = []*address.Handling{address.AzureSlashes}
		}
	}
	return nil
}

// The routes around those of ours, which set headers alone: see package servers.
const (
	oursBegin = "/.metarobots/begin"
	oursEnd   = "/.metarobots/end"
)

// azureRoutes are the routes of staticwebapp.config.json in their order, then its fallbacks. The
// first route that matches a path is the only one. Many lead nowhere: they set headers or ask for a
// role, and the host then serves the published file. These become no Route, but the ones after them
// take no path of theirs. Of
//
//	{"route": "/a/x", "headers": …}, {"route": "/a/*", "rewrite": "/b.html"}
//
// the second alone is returned, and takes /a/y but not /a/x. Where an earlier pattern may take a
// path, and nobody knows whether it does, a rewrite is uncertain, and a redirect does not take it.
func azureRoutes(f *file) (routes []*address.Route) {
	var leadingNowhere []azureRoute // the patterns so far whose route leads nowhere
	rules := elements(member(f.root, "routes"))
	for _, i := range numbersOfRules(rules) {
		pattern := readAzurePattern(text(member(rules[i], "route")))
		r := azureRouteOf(rules[i], pattern, f.origin(elementPath([]string{"routes"}, i)...))
		if r == nil {
			leadingNowhere = append(leadingNowhere, pattern)
			continue
		}
		if r.Rewrites && slices.ContainsFunc(leadingNowhere, azureRoute.isUncertain) {
			r.IsUncertain = true
		}
		pattern.setPaths(r, leadingNowhere)
		// A redirect that may not apply hides no file, and serves none: nothing is lost without it.
		isOfUse := r.Rewrites || !r.IsUncertain
		if isOfUse {
			routes = append(routes, r)
		}
		if folderRoute := routeOfStarsFolder(r, leadingNowhere); folderRoute != nil {
			routes = append(routes, folderRoute)
		}
	}
	return append(routes, azureFallbacks(f)...)
}

// numbersOfRules are the numbers of those elements of "routes" that are the owner's and take
// requests of crawlers: not of ours, nor of those without a pattern or for other methods.
func numbersOfRules(rules []any) (numbers []int) {
	isOurs := false // between the two routes around ours
	for i, rule := range rules {
		switch source := text(member(rule, "route")); {
		case source == oursBegin:
			isOurs = true
		case isOurs:
			isOurs = source != oursEnd
		case source != "" && isForCrawlers(member(rule, "methods")):
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// routeOfStarsFolder returns a route that may apply at /a, of a rewrite for "/a/*"; nil for any
// other route. The emulator takes that path too, and whether the host does is not known.
func routeOfStarsFolder(r *address.Route, leadingNowhere []azureRoute) *address.Route {
	folder, hasStar := strings.CutSuffix(r.Source, "/*")
	if !hasStar || folder == "" || !r.Rewrites {
		return nil
	}
	ofFolder := *r
	ofFolder.IsUncertain = true
	pattern := readAzurePattern(folder)
	pattern.setPaths(&ofFolder, leadingNowhere)
	return &ofFolder
}

// azureRouteOf is the route of a rule with a pattern that is written at a place, which takes no
// paths yet; nil if the rule leads nowhere. A status of 400 and more is an answer without a
// destination, since a page that is served with it is an error page; one of 300 with a rewrite is
// no answer that serves a file.
func azureRouteOf(rule any, pattern azureRoute, at policy.Origin) *address.Route {
	to, isRewrite := text(member(rule, "rewrite")), true
	if to == "" {
		to, isRewrite = text(member(rule, "redirect")), false
	}
	status := number(member(rule, "statusCode")) // 0 if there is none
	isError := status >= 400
	if to == "" && !isError {
		return nil
	}
	if isError {
		to = ""
	}
	return &address.Route{Host: "azure", Origin: at, Source: text(member(rule, "route")),
		Destination: to, Rewrites: isRewrite && to != "" && status < 300, BeforeFiles: true,
		Finder: address.Every, IsUncertain: hasRoles(rule) || pattern.isDoubtful}
}

// hasRoles reports whether a route is for those alone who are known.
func hasRoles(rule any) bool {
	roles := elements(member(rule, "allowedRoles"))
	return len(roles) > 0 && !slices.Contains(roles, "anonymous")
}

// azureFallbacks are what is served where no file is published: as routes that go after published
// files.
func azureFallbacks(f *file) (routes []*address.Route) {
	// path is where the destination is written: its keys.
	add := func(to string, takes func(path string) bool, path ...string) {
		r := &address.Route{Host: "azure", Origin: f.origin(path...), Source: path[0], Destination: to, Rewrites: true,
			Finder: address.Every}
		r.SetMatcher(takes, []address.Part{{Text: to}})
		routes = append(routes, r)
	}
	if to := text(member(f.root, "navigationFallback", "rewrite")); strings.HasPrefix(to, "/") {
		var except []azureRoute
		for _, pattern := range elements(member(f.root, "navigationFallback", "exclude")) {
			except = append(except, readAzurePattern(text(pattern)))
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
	// literal is the one decoded path that a pattern without a star names, else "".
	literal string
	// takes reports whether it takes a decoded path.
	takes func(path string) bool
	// isRead is false for a pattern that we do not understand: it may take any path.
	isRead bool
	// isDoubtful says that the host's documentation and its emulator differ on what it takes.
	isDoubtful bool
}

// azurePattern is a route with a star at its end, alone or before endings.
var azurePattern = lazyregexp.New(`^([^*]*)\*(?:\.([^*{}/]+)|\.\{([^*{}/]+)\})?$`)

// readAzurePattern reads the pattern of a route. It is not read if it has a star elsewhere.
//
//	/a/index.html        the path, and /a/ and /a, since the index is the folder's
//	/a/b                 the path
//	/a/*                 all that begins with /a/
//	/images/*.{png,gif}  all that begins with /images/ and has one of the endings
//	/a*                  all that begins with /a, doubtful: documentation and emulator differ
//
// https://learn.microsoft.com/azure/static-web-apps/configuration#routes
func readAzurePattern(pattern string) azureRoute {
	if isOnePath := !strings.Contains(pattern, "*"); isOnePath {
		literal := policy.Decoded(pattern)
		folder, isIndex := strings.CutSuffix(literal, "/index.html")
		return azureRoute{literal: literal, isRead: true, takes: func(path string) bool {
			return path == literal || isIndex && strings.TrimSuffix(path, "/") == folder
		}}
	}
	m := azurePattern.FindStringSubmatch(pattern)
	if m == nil {
		return azureRoute{takes: func(string) bool { return false }}
	}
	head, endings := policy.Decoded(m[1]), m[2]+m[3] // one ending, or several with commas, or ""
	isDoubtful := endings == "" && !strings.HasSuffix(head, "/")
	return azureRoute{isRead: true, isDoubtful: isDoubtful, takes: func(path string) bool {
		rest, isBelow := strings.CutPrefix(path, head)
		return isBelow && hasEnding(rest, strings.Split(endings, ","))
	}}
}

// hasEnding reports whether a path ends with a dot and one of some endings, which may have blanks
// around them. Every path has the ending "".
func hasEnding(path string, endings []string) bool {
	return slices.ContainsFunc(endings, func(ending string) bool {
		return ending == "" || strings.HasSuffix(path, "."+strings.TrimSpace(ending))
	})
}

// isUncertain reports whether nobody knows which paths the pattern takes.
func (a azureRoute) isUncertain() bool { return !a.isRead || a.isDoubtful }

// surelyTakes reports whether one of some patterns takes a path for certain.
func surelyTakes(all []azureRoute, path string) bool {
	return slices.ContainsFunc(all, func(a azureRoute) bool { return !a.isUncertain() && a.takes(path) })
}

// mayTake reports whether one of some patterns takes a path, or may.
func mayTake(all []azureRoute, path string) bool {
	return slices.ContainsFunc(all, func(a azureRoute) bool { return !a.isRead || a.takes(path) })
}

// setPaths makes a route take the paths of its pattern, without those that one of some earlier
// patterns takes; a redirect also without those that one of them may take, since in doubt it does
// not count. If the route's own pattern is not read it takes none for certain (SetUnread). A literal
// pattern also says which these paths are, so that they can be listed.
func (a *azureRoute) setPaths(r *address.Route, before []azureRoute) {
	var destination []address.Part // none of a route that answers with an error
	if r.Destination != "" {
		destination = []address.Part{{Text: r.Destination}}
	}
	isTaken := mayTake
	if r.Rewrites {
		isTaken = surelyTakes
	}
	takes := func(path string) bool { return a.takes(path) && !isTaken(before, path) }
	if !a.isRead {
		r.SetUnread(destination)
		return
	}
	r.SetMatcher(takes, destination)
	if a.literal == "" || !r.Rewrites {
		return
	}
	from := []string{a.literal}
	if folder, ok := strings.CutSuffix(a.literal, "/index.html"); ok {
		from = append(from, folder+"/", folder)
	}
	r.SetSources(from...)
}
