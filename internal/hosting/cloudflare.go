package hosting

import (
	"fmt"
	"maps"
	"slices"

	"metarobots/emit/redirects"
	"metarobots/internal/address"
	"metarobots/policy"
)

// readCloudflare reads wrangler's file: whether Pages or Workers serve the site, and how. Which
// environment is deployed is not known, so each mode of any of them counts.
// https://developers.cloudflare.com/workers/wrangler/configuration/#assets
// https://github.com/cloudflare/workers-sdk packages/workers-utils/src/config: config-helpers.ts, findWranglerConfig;
// validation.ts, normalizeAndValidateAssets
func (h *Hosting) readCloudflare() error {
	f, err := h.readFirst("wrangler.json", "wrangler.jsonc", "wrangler.toml")
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
			h.uploadsAssets = true
		}
	}
	if len(handlings) == 0 {
		handlings = []*address.Handling{address.CloudflarePages, address.Workers("")}
	}
	h.handlings = append(h.handlings, distinct(handlings)...)
	h.readRedirects(func(data []byte, name string) []*address.Route {
		return cloudflareRoutes(data, name, handlings)
	})
	return nil
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

// cloudflareRoutes are the rules of _redirects, sorted by line; data and name are the file's. The
// host ignores some rules in the modes that leave .html away from paths, and obeys them if
// html_handling is "none". handlings are the modes in which it may be: one at least. If they are of
// both kinds, then
//
//	a rule that both kinds obey   is one route, whose Handling is nil, which means all
//	a rule that one kind obeys    is a route for each Handling of that kind
//
// Rules of the two kinds are the same if they are on the same line.
func cloudflareRoutes(data []byte, name string, handlings []*address.Handling) (routes []*address.Route) {
	var cleaning, keeping []*address.Handling // those that leave .html away, and those of "none"
	for _, h := range handlings {
		if h.CleansHTML() {
			cleaning = append(cleaning, h)
		} else {
			keeping = append(keeping, h)
		}
	}
	const cleansHTML = true
	switch {
	case len(keeping) == 0:
		routes = redirects.Cloudflare(data, name, cleansHTML)
	case len(cleaning) == 0:
		routes = redirects.Cloudflare(data, name, !cleansHTML)
	default:
		ifCleaning := redirects.Cloudflare(data, name, cleansHTML)
		ifKeeping := redirects.Cloudflare(data, name, !cleansHTML)
		inBoth, ifCleaningAlone := splitByLine(ifCleaning, ifKeeping)
		_, ifKeepingAlone := splitByLine(ifKeeping, ifCleaning)
		routes = slices.Concat(inBoth, forEach(keeping, ifKeepingAlone), forEach(cleaning, ifCleaningAlone))
	}
	slices.SortStableFunc(routes, func(a, b *address.Route) int { return a.Origin.Line - b.Origin.Line })
	return routes
}

// splitByLine parts routes into those of lines that other routes are on too, and the rest.
func splitByLine(routes, others []*address.Route) (shared, alone []*address.Route) {
	for _, r := range routes {
		isSame := func(o *address.Route) bool { return o.Origin == r.Origin }
		if slices.ContainsFunc(others, isSame) {
			shared = append(shared, r)
		} else {
			alone = append(alone, r)
		}
	}
	return shared, alone
}

// forEach returns each of some routes once for each handling.
func forEach(handlings []*address.Handling, routes []*address.Route) (all []*address.Route) {
	for _, r := range routes {
		for _, h := range handlings {
			own := *r
			own.Handling = h
			all = append(all, &own)
		}
	}
	return all
}
