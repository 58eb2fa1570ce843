package hosting

import (
	"path/filepath"
	"slices"
	"strings"

	"metarobots/internal/address"
	"metarobots/internal/hosts"
	"metarobots/internal/project"
	"metarobots/policy"
)

// vercel reads vercel.json, or the file that its owner has in place of it. Redirects go before
// published files, and these before rewrites.
// https://vercel.com/docs/project-configuration/vercel-json
// https://github.com/vercel/vercel packages/routing-utils/src/superstatic.ts
func (h *Hosting) vercel() error {
	f, err := h.find("vercel.json", "vercel.toml", "now.json")
	if f == nil {
		h.handlings = append(h.handlings, address.Vercel(false, address.SlashUnset))
		h.vercelProgram()
		return err
	}
	h.handlings = append(h.handlings, address.Vercel(member(f.root, "cleanUrls") == true, slashOf(f.root)))
	for i, rule := range elements(member(f.root, "redirects")) {
		h.vercelRule(f, "redirects", i, rule)
	}
	for i, rule := range elements(member(f.root, "rewrites")) {
		h.vercelRule(f, "rewrites", i, rule)
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
				h.servedElsewhere(policy.Origin{File: h.project.Short(path)},
					"what Vercel does by this program is not known: it may serve files at other paths than their own")
				return
			}
		}
	}
}

// vercelRule adds the route of a redirect or a rewrite.
func (h *Hosting) vercelRule(f *file, list string, i int, rule any) {
	source, to, rewrites := text(member(rule, "source")), text(member(rule, "destination")), list == "rewrites"
	if source == "" || to == "" && !rewrites {
		return
	}
	if own := h.project.Main.URL; own.Host != "" { // a proxy to itself serves what is there
		to = strings.TrimPrefix(to, own.Scheme+"://"+own.Host)
	}
	r := &address.Route{Host: "vercel", Origin: f.origin(place([]string{list}, i)...), Source: source,
		Destination: to, Rewrites: rewrites && strings.HasPrefix(to, "/"), Finds: address.Every,
		May: isSet(member(rule, "has")) || isSet(member(rule, "missing"))}
	r.First = !rewrites && !r.May
	if to == "" { // a service
		to = "service"
	}
	m, read := pathMapping(source, to)
	switch {
	case read:
		r.May = r.May || m.Decodes // how it is compared is not documented
		r.First = r.First && !r.May
		r.Follow(m)
	case rewrites:
		r.Unread(m.To)
	default:
		return // it may hide nothing
	}
	h.route(r)
}

// vercelRoutes adds "routes", an older form of all that vercel.json says of paths. Published
// files win over the routes after {"handle": "filesystem"}.
// https://vercel.com/docs/project-configuration/vercel-json#routes
func (h *Hosting) vercelRoutes(f *file) {
	first := true
	for i, rule := range elements(member(f.root, "routes")) {
		switch text(member(rule, "handle")) {
		case "":
		case "error":
			return // what is served with status 404
		default:
			first = false
			continue
		}
		source, to, status := text(member(rule, "src")), text(member(rule, "dest")), number(member(rule, "status"))
		for key, value := range tableOf(member(rule, "headers")) {
			if strings.EqualFold(key, "Location") && to == "" {
				to = text(value)
			}
		}
		goesOn := member(rule, "continue") == true
		if source == "" || to == "" && (status < 400 || goesOn) || !asksForPages(member(rule, "methods")) {
			continue
		}
		r := &address.Route{Host: "vercel", Origin: f.origin(place([]string{"routes"}, i)...), Source: source,
			Destination: to, Rewrites: status < 300 && strings.HasPrefix(to, "/"), First: first, Finds: address.Every,
			May: isSet(member(rule, "has")) || isSet(member(rule, "missing"))}
		m, read := expressionMapping(source, to)
		switch {
		case read && !goesOn:
			r.First = r.First && !r.May
			r.Follow(m)
		case r.Rewrites:
			r.Unread(m.To)
		default:
			continue // it may hide nothing
		}
		h.route(r)
	}
}

// asksForPages reports whether a rule for methods, or for all, is for one that crawlers use.
func asksForPages(methods any) bool {
	return methods == nil || slices.ContainsFunc(elements(methods), func(m any) bool {
		return strings.EqualFold(text(m), "GET") || strings.EqualFold(text(m), "HEAD")
	})
}

func tableOf(value any) map[string]any {
	table, _ := value.(map[string]any)
	return table
}
