package hosting

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/emit/servers"
	"metarobots/internal/address"
	"metarobots/internal/hosts"
	"metarobots/internal/project"
	"metarobots/policy"
)

// readVercel reads vercel.json, or the file that its owner has in place of it. Redirects go before
// published files, and these before rewrites.
// https://vercel.com/docs/project-configuration/vercel-json
// https://github.com/vercel/vercel packages/routing-utils/src/superstatic.ts
func (h *Hosting) readVercel() error {
	f, err := h.readFirst("vercel.json", "vercel.toml", "now.json")
	if f == nil {
		h.handlings = append(h.handlings, address.Vercel(false, address.SlashUnset))
		h.vercelProgram()
		return err
	}
	h.reportFolder(f, "outputDirectory")
	h.handlings = append(h.handlings, address.Vercel(member(f.root, "cleanUrls") == true, slashOf(f.root)))
	for _, kind := range []ruleKind{redirectRule, rewriteRule} {
		for i, rule := range elements(member(f.root, string(kind))) {
			h.vercelRule(rule, kind, f.origin(elementPath([]string{string(kind)}, i)...))
		}
	}
	h.vercelRoutes(f)
	return nil
}

// vercelProgram reports a configuration that is a program: what it states is not known. Pages may
// have clean URLs.
func (h *Hosting) vercelProgram() {
	for _, config := range hosts.Lookup("vercel").Configs {
		for _, folder := range slices.Compact([]string{h.project.Source, h.project.Options.WorkDir}) {
			path := filepath.Join(folder, config.Name)
			if config.Format == nil && project.Exists(path) {
				h.handlings = append(h.handlings, address.Vercel(true, address.SlashUnset))
				h.reportServedElsewhere(policy.Origin{File: h.project.Short(path)},
					"what Vercel does by this program is not known: it may serve files at other paths than their own")
				return
			}
		}
	}
}

// noFileOfSite is taken for the destination of a rewrite to a function or a service, which other
// keys name: it serves no file of the site. No file is published at it, since it has no slash.
const noFileOfSite = "service"

// vercelRule adds the route of an element of "redirects" or "rewrites", by its kind, which is
// written at a place; of one that says too little, and of our own redirect, it adds none. A rewrite
// whose source is not read may serve its destination anywhere. A redirect whose source is not read
// is noted in unreadRedirects and left out, so that it hides no file. A rewrite leads to one of
//
//	{"destination": "/b.html"}              a file of the site
//	{"destination": "https://…/b.html"}     the same, if that is the site's own host; else no file
//	{"service": …}                          a program, by another key: no file of the site
func (h *Hosting) vercelRule(rule any, kind ruleKind, at policy.Origin) {
	source := text(member(rule, "source"))
	to := h.withoutOwnHost(text(member(rule, "destination")))
	isRewrite := kind == rewriteRule
	leadsNowhere := to == "" && !isRewrite
	if source == "" || leadsNowhere || servers.IsRedirectOfOurs(source) {
		return
	}
	servesFile := isRewrite && strings.HasPrefix(to, "/")
	r := &address.Route{Host: "vercel", Origin: at, Source: source, Destination: to,
		Rewrites: servesFile, Finder: address.Every, IsUncertain: hasVercelConditions(rule)}
	mapping, isRead := pathMapping(source, cmp.Or(to, noFileOfSite))
	switch {
	case isRead:
		setVercelMapping(r, mapping, kind)
	case isRewrite:
		r.SetUnread(mapping.To)
	default:
		h.unreadRedirects = append(h.unreadRedirects, at)
		return
	}
	h.addRoutes(r)
}

// setVercelMapping makes the route of an element of "redirects" or "rewrites" take the paths of a
// mapping. pathMapping decodes a source that can be spelled in several ways, such as "/a%20b" or
// "/a b": with which of them Vercel compares a path is not documented, so the route is uncertain.
// Redirects go before published files, but what may not apply hides no file.
func setVercelMapping(r *address.Route, mapping address.Mapping, kind ruleKind) {
	hasSpellings := mapping.DecodesPath
	r.IsUncertain = r.IsUncertain || hasSpellings
	r.BeforeFiles = kind == redirectRule && !r.IsUncertain
	r.SetMapping(mapping)
}

// withoutOwnHost returns a destination at the site's own host as a path, "/a" for
// "https://example.com/a"; any other, as one at https://example.com.au, as it is.
func (h *Hosting) withoutOwnHost(destination string) string {
	own := h.project.Hosts.Main.URL
	path, isAtOwn := strings.CutPrefix(destination, own.Scheme+"://"+own.Host)
	switch {
	case own.Host == "" || !isAtOwn:
		return destination
	case path == "":
		return "/"
	case path[0] != '/': // the host's name, or its port, goes on
		return destination
	}
	return path
}

// hasVercelConditions reports whether more than the path decides on a rule: a header, a cookie, a
// query, a host.
func hasVercelConditions(rule any) bool {
	return isSet(member(rule, "has")) || isSet(member(rule, "missing"))
}

// vercelRoutes adds "routes", an older form of all that vercel.json says of paths. A member of it
// is a rule, or has a "handle", the phase to which the rules behind it belong: those before
// {"handle": "filesystem"}, the first of them, go before published files, the others after. Rules
// behind {"handle": "error"} are about what is served with status 404, which is no file's address.
// https://vercel.com/docs/project-configuration/vercel-json#routes
func (h *Hosting) vercelRoutes(f *file) {
	isBeforeFiles := true
	for i, rule := range elements(member(f.root, "routes")) {
		switch text(member(rule, "handle")) {
		case "":
			at := f.origin(elementPath([]string{"routes"}, i)...)
			if r := vercelRoute(rule, at, isBeforeFiles); r != nil {
				h.addRoutes(r)
			}
		case "error":
			return
		default:
			isBeforeFiles = false
		}
	}
}

// vercelRoute returns the route of an element of "routes", which is written at a place;
// isBeforeFiles says that it goes before published files. It is nil if the rule leads nowhere, for
// one whose methods no crawler uses, and for a redirect or an error that we do not read, or after
// which a later rule decides: it then hides no file.
func vercelRoute(rule any, at policy.Origin, isBeforeFiles bool) *address.Route {
	source := text(member(rule, "src"))
	does, leadsSomewhere := actionOf(rule)
	if source == "" || !leadsSomewhere || !isForCrawlers(member(rule, "methods")) {
		return nil
	}
	r := &address.Route{Host: "vercel", Origin: at, Source: source, Destination: does.to,
		Rewrites: does.serves, BeforeFiles: isBeforeFiles, Finder: address.Every,
		IsUncertain: hasVercelConditions(rule)}
	mapping, isRead := expressionMapping(source, does.to)
	switch {
	case isRead && !does.goesOn:
		r.BeforeFiles = r.BeforeFiles && !r.IsUncertain // what may not apply hides no file
		r.SetMapping(mapping)
	case does.serves: // nobody knows from where it leads to its destination, if a later rule lets it
		r.SetUnread(mapping.To)
	default: // a redirect or an error: nobody knows which paths it takes in the end
		return nil
	}
	return r
}

// A routeAction is what an element of "routes" does with the paths that it takes.
type routeAction struct {
	to     string // where it leads; "" for an error
	serves bool   // it serves the file there; else it redirects, leads to another site or is an error
	goesOn bool   // the rules after it decide, by the new path
}

// actionOf reads what an element of "routes" does. leadsSomewhere is false if the host serves the
// published file all the same. An element is one of these:
//
//	{"src": "/a", "dest": "/b.html"}                             serves /b.html
//	{"src": "/a", "dest": "/b.html", "continue": true}           the same, but a later rule decides
//	{"src": "/a", "dest": "https://b.example/"}                  leads to another site
//	{"src": "/a", "status": 301, "headers": {"Location": "/b"}}  redirects to /b
//	{"src": "/a", "status": 404, "dest": "/b.html"}              an error, with or without a "dest"
//	{"src": "/a", "headers": {"X": "y"}}                         leads nowhere
//
// What the "dest" of an error names is served with its status, so that no address of it is there.
func actionOf(rule any) (does routeAction, leadsSomewhere bool) {
	goesOn := member(rule, "continue") == true
	status := number(member(rule, "status")) // 0 if there is none
	if isError := status >= 400 && !goesOn; isError {
		return routeAction{}, true
	}
	to := vercelDestination(rule)
	serves := status < 300 && strings.HasPrefix(to, "/")
	return routeAction{to: to, serves: serves, goesOn: goesOn}, to != ""
}

// vercelDestination is where an element of "routes" leads: its "dest", or, with the status of a
// redirect, the Location among its headers. It is "" if it has neither. With another status a
// Location is a header like any other.
func vercelDestination(rule any) string {
	to, status := text(member(rule, "dest")), number(member(rule, "status"))
	isRedirect := 300 <= status && status < 400
	if to != "" || !isRedirect {
		return to
	}
	for name, value := range tableOf(member(rule, "headers")) {
		if strings.EqualFold(name, "Location") {
			return text(value)
		}
	}
	return ""
}

// isForCrawlers reports whether a rule for some methods is for one that crawlers use; nil means a
// rule for all methods.
func isForCrawlers(methods any) bool {
	return methods == nil || slices.ContainsFunc(elements(methods), func(m any) bool {
		return strings.EqualFold(text(m), "GET") || strings.EqualFold(text(m), "HEAD")
	})
}

// tableOf is a value that is a table; nil for any other.
func tableOf(value any) map[string]any {
	table, _ := value.(map[string]any)
	return table
}
