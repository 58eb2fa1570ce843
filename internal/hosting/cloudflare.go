package hosting

import (
	"fmt"
	"maps"
	"slices"

	"metarobots/emit/redirects"
	"metarobots/internal/address"
	"metarobots/policy"
)

// cloudflare reads wrangler's file: whether Pages or Workers serve the site, and how. Which
// environment is deployed is not known, so each mode of any of them counts.
// https://developers.cloudflare.com/workers/wrangler/configuration/#assets
// https://github.com/cloudflare/workers-sdk packages/workers-utils/src/config: config-helpers.ts, findWranglerConfig;
// validation.ts, normalizeAndValidateAssets
func (h *Hosting) cloudflare() error {
	f, err := h.find("wrangler.json", "wrangler.jsonc", "wrangler.toml")
	if err != nil {
		return err
	}
	var handlings []*address.Handling
	if f != nil && text(member(f.root, "pages_build_output_dir")) != "" {
		handlings = append(handlings, address.CloudflarePages)
	}
	if f != nil {
		for _, path := range assets(f) {
			handlings = append(handlings, h.workers(f, path)...)
		}
	}
	if len(handlings) == 0 {
		handlings = []*address.Handling{address.CloudflarePages, address.Workers("")}
	}
	h.handlings = append(h.handlings, distinct(handlings)...)
	return h.readRedirects(func(data []byte, name string) []*address.Route {
		return cloudflareRoutes(data, name, handlings)
	})
}

// assets are the tables about static assets, of the file and of its environments. One that has none
// inherits the file's.
func assets(f *file) (all [][]string) {
	paths := [][]string{{"assets"}}
	environments, _ := member(f.root, "env").(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(environments)) {
		paths = append(paths, []string{"env", name, "assets"})
	}
	for _, path := range paths {
		if _, ok := member(f.root, path...).(map[string]any); ok {
			all = append(all, path)
		}
	}
	return all
}

// htmlHandlings are the modes of assets.html_handling.
var htmlHandlings = []string{"auto-trailing-slash", "force-trailing-slash", "drop-trailing-slash", "none"}

// workers are the handlings of a table about static assets: one, or each where its mode is not
// known.
func (h *Hosting) workers(f *file, path []string) (all []*address.Handling) {
	table := member(f.root, path...)
	unknown := func(key string, known []string) bool {
		value := member(table, key)
		if value == nil || slices.Contains(known, text(value)) {
			return false
		}
		at := f.origin(append(slices.Clone(path), key)...)
		h.Findings = append(h.Findings, policy.Finding{ID: "host-setting", Severity: policy.Warning,
			File: at.File, Line: at.Line, Message: fmt.Sprintf("%s = %q is no value that Cloudflare knows: each of "+
				"them is allowed for", at.Key, fmt.Sprint(value))})
		return true
	}
	modes := []string{text(member(table, "html_handling"))}
	if unknown("html_handling", htmlHandlings) {
		modes = htmlHandlings
	}
	falls := unknown("not_found_handling", []string{"single-page-application", "404-page", "none"}) ||
		text(member(table, "not_found_handling")) == "single-page-application"
	for _, mode := range modes {
		handling := address.Workers(mode)
		if falls {
			handling = handling.WithFallback("index.html")
		}
		all = append(all, handling.Below(text(member(table, "base_path"))))
	}
	return all
}

// distinct leaves out handlings that answer alike.
func distinct(all []*address.Handling) (kept []*address.Handling) {
	for _, h := range all {
		if !slices.ContainsFunc(kept, h.Same) {
			kept = append(kept, h)
		}
	}
	return kept
}

// cloudflareRoutes are the rules of _redirects, sorted by line. data and name are the file's, and
// handlings the modes in which the host may be: one at least. In a mode that leaves .html away the
// host ignores rules that it obeys where html_handling is "none". If it may be in both, a rule that
// one of them alone obeys becomes a route for each Handling of that mode; any other rule becomes
// one route, whose Handling is nil, for all. The line of a rule tells which rules are the same.
func cloudflareRoutes(data []byte, name string, handlings []*address.Handling) (routes []*address.Route) {
	const keeps, cleans = 0, 1 // html_handling "none", and every other mode
	var byMode [2][]*address.Route
	var modes [2][]*address.Handling
	for _, handling := range handlings {
		i := keeps
		if handling.CleansHTML() {
			i = cleans
		}
		modes[i] = append(modes[i], handling)
	}
	for i := range byMode {
		if len(modes[i]) > 0 {
			cleansHTML := i == cleans
			byMode[i] = redirects.Cloudflare(data, name, cleansHTML)
		}
	}
	for i, all := range byMode {
		other := 1 - i
		for _, r := range all {
			isSame := func(o *address.Route) bool { return o.Origin == r.Origin }
			isInBoth := slices.ContainsFunc(byMode[other], isSame)
			switch {
			case len(modes[other]) == 0, isInBoth && i == cleans:
				routes = append(routes, r)
			case isInBoth: // the rule of the mode that cleans is added, once
			default:
				for _, handling := range modes[i] {
					own := *r
					own.Handling = handling
					routes = append(routes, &own)
				}
			}
		}
	}
	slices.SortStableFunc(routes, func(a, b *address.Route) int { return a.Origin.Line - b.Origin.Line })
	return routes
}
