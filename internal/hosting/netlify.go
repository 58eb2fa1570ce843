package hosting

import (
	"slices"

	"metarobots/emit/headers"
	"metarobots/emit/redirects"
	"metarobots/internal/address"
	"metarobots/internal/hosts"
	"metarobots/policy"
)

// readNetlify reads _redirects, and then [[redirects]] of netlify.toml, in the order in which
// Netlify carries them out. Whether its pretty URLs are on changes where it redirects, and not what
// it may serve.
// https://docs.netlify.com/build/configure-builds/file-based-configuration/#redirects
func (h *Hosting) readNetlify() error {
	h.handlings = append(h.handlings, address.Netlify)
	h.readRedirects(func(data []byte, name string) []*address.Route {
		return h.netlifyRoutes(redirects.Netlify(data, name))
	})
	f, err := h.readFirst("netlify.toml")
	if f != nil {
		h.addRoutes(h.netlifyRoutes(netlifyTOML(f))...)
	}
	h.SentHome = redirects.SentHome(h.netlifyRules, h.project.Hosts.Main.URL.Hostname())
	return err
}

func (h *Hosting) netlifyRoutes(rules []redirects.Redirect) (routes []*address.Route) {
	h.netlifyRules = append(h.netlifyRules, rules...)
	for _, rule := range rules {
		if r := rule.Route(h.project.Hosts.Main.URL.Hostname()); r != nil {
			routes = append(routes, r)
		}
	}
	return routes
}

// NamesToSendHome are the names of the site that our block of _redirects is to send home, on
// Netlify: those that are known, without those for which the owner has rules. own are the site's
// own. left are the others that the owner's rules do not send home on every path, each with the
// place of the first of these rules.
func (h *Hosting) NamesToSendHome(own []string) (names []string, left map[string]policy.Origin) {
	left = map[string]policy.Origin{}
	for _, name := range h.project.RedirectedNames(hosts.Lookup(headers.TargetNetlify), own) {
		i := slices.IndexFunc(h.netlifyRules, func(r redirects.Redirect) bool { return r.Name() == name })
		switch {
		case i < 0:
			names = append(names, name)
		case !slices.Contains(h.SentHome, name):
			left[name] = h.netlifyRules[i].Origin
		}
	}
	return names, left
}

// netlifyTOML are the rules of [[redirects]]. Older names of their keys are still read.
// https://github.com/netlify/build packages/redirect-parser/src/normalize.ts
func netlifyTOML(f *file) (rules []redirects.Redirect) {
	for i, table := range elements(member(f.root, "redirects")) {
		first := func(keys ...string) any {
			for _, key := range keys {
				if value := member(table, key); value != nil {
					return value
				}
			}
			return nil
		}
		isConditional := false
		for _, key := range []string{"query", "params", "parameters", "conditions"} {
			isConditional = isConditional || isSet(member(table, key))
		}
		at := f.origin(elementPath([]string{"redirects"}, i)...)
		rules = append(rules, redirects.Redirect{
			From: text(first("from", "origin")), To: text(first("to", "destination")),
			Status: number(member(table, "status")), IsForced: member(table, "force") == true,
			IsConditional: isConditional,
			Origin:        policy.Origin{File: at.File, Line: at.Line}})
	}
	return rules
}
