package hosting

import (
	"slices"

	"metarobots/emit/redirects"
	"metarobots/internal/address"
	"metarobots/policy"
)

// netlify reads _redirects, and then [[redirects]] of netlify.toml, in the order in which Netlify
// carries them out. Whether its pretty URLs are on changes where it redirects, and not what it may
// serve.
// https://docs.netlify.com/build/configure-builds/file-based-configuration/#redirects
func (h *Hosting) netlify() error {
	h.handlings = append(h.handlings, address.Netlify)
	err := h.readRedirects(func(data []byte, name string) []*address.Route {
		return h.netlifyRoutes(redirects.Netlify(data, name))
	})
	if err != nil {
		return err
	}
	f, err := h.find("netlify.toml")
	if f != nil {
		h.route(h.netlifyRoutes(netlifyTOML(f))...)
	}
	return err
}

func (h *Hosting) netlifyRoutes(rules []redirects.Redirect) (routes []*address.Route) {
	for _, rule := range rules {
		if name := rule.SentHome(h.project.Main.URL.Hostname()); name != "" && !slices.Contains(h.SentHome, name) {
			h.SentHome = append(h.SentHome, name)
		}
		if r := rule.Route(h.project.Main.URL.Hostname()); r != nil {
			routes = append(routes, r)
		}
	}
	return routes
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
		depends := false
		for _, key := range []string{"query", "params", "parameters", "conditions"} {
			depends = depends || isSet(member(table, key))
		}
		at := f.origin(place([]string{"redirects"}, i)...)
		rules = append(rules, redirects.Redirect{
			From: text(first("from", "origin")), To: text(first("to", "destination")),
			Status: number(member(table, "status")), Force: member(table, "force") == true, Depends: depends,
			Origin: policy.Origin{File: at.File, Line: at.Line}})
	}
	return rules
}
