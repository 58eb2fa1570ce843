package hosting

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/servers"
	"metarobots/internal/address"
	"metarobots/internal/project"
	"metarobots/policy"
)

// firebase reads firebase.json: of several sites those whose folder is published, or all if none
// is.
//
// Redirects go before published files, and these before rewrites, whose destination is a file and
// nothing else.
// https://firebase.google.com/docs/hosting/full-config#hosting_priority_order
// https://github.com/firebase/superstatic src/superstatic.js, src/middleware/rewrites.ts, redirects.js
func (h *Hosting) firebase() error {
	f, err := h.find("firebase.json")
	if f == nil {
		h.handlings = append(h.handlings, address.Firebase(false, address.SlashUnset))
		return err
	}
	sites, sure := h.firebaseSites(f)
	var handlings []*address.Handling
	for _, path := range sites {
		site := member(f.root, "hosting")
		if len(path) > 1 {
			site = elements(site)[number(path[1])]
		}
		handlings = append(handlings, address.Firebase(member(site, "cleanUrls") == true, slashOf(site)))
		if root := member(site, "i18n", "root"); root != nil {
			h.servedElsewhere(f.origin(append(slices.Clone(path), "i18n", "root")...),
				fmt.Sprintf("files below %v are served at other paths by language and country", root))
		}
		for i, rule := range elements(member(site, "redirects")) {
			h.firebaseRule(rule, false, sure, f.origin(place(append(slices.Clone(path), "redirects"), i)...))
		}
		for i, rule := range elements(member(site, "rewrites")) {
			h.firebaseRule(rule, true, sure, f.origin(place(append(slices.Clone(path), "rewrites"), i)...))
		}
	}
	h.handlings = append(h.handlings, distinct(handlings)...)
	return nil
}

// firebaseSites are the places of the sites that may be this one. sure: it is the one.
func (h *Hosting) firebaseSites(f *file) (places [][]string, sure bool) {
	var all [][]string
	for i, site := range elements(member(f.root, "hosting")) {
		at := place([]string{"hosting"}, i)
		all = append(all, at)
		if folder := text(member(site, "public")); folder != "" {
			published := project.Absolute(f.folder, folder)
			if published == h.project.Settings.Publish {
				places = append(places, at)
			}
		}
	}
	switch {
	case len(all) == 0:
		return [][]string{{"hosting"}}, true
	case len(places) == 0:
		return all, len(all) == 1
	}
	return places, len(places) == 1
}

// slashOf is what "trailingSlash" of vercel.json or firebase.json says.
func slashOf(settings any) address.Slash {
	switch member(settings, "trailingSlash") {
	case true:
		return address.SlashAdded
	case false:
		return address.SlashCut
	}
	return address.SlashUnset
}

// firebaseRule adds the route of a redirect or a rewrite.
func (h *Hosting) firebaseRule(rule any, rewrites, sure bool, at policy.Origin) {
	key := "source"
	for _, k := range []string{"glob", "regex"} {
		if member(rule, k) != nil {
			key = k
		}
	}
	source, to := text(member(rule, key)), text(member(rule, "destination"))
	r := &address.Route{Host: "firebase", Origin: at, Source: source, Destination: to, Rewrites: rewrites && to != "",
		First: !rewrites && sure, May: !sure, Finds: address.Exact}
	if source == "" || to == "" && !rewrites {
		return
	}
	if to == "" { // a function or a service
		to = "service"
	}
	if rewrites && r.Rewrites && to[0] != '/' { // the emulator finds no file by it
		to, r.May = "/"+to, true
	}
	destination := []address.Part{{Text: to}}
	matches, read := servers.Firebase.Match(key, source)
	switch {
	case strings.HasPrefix(to, ":") || strings.Contains(to, "/:"): // parts of a redirect's source
		if rewrites {
			r.Unread(destination)
		} else if m, ok := pathMapping(slashed(source), to); ok && key != "regex" {
			r.Follow(m)
		} else {
			return // it may hide nothing
		}
	case key != "regex" && !strings.ContainsAny(source, `*?[]{}()!+@|^$\`):
		// The emulator takes no path by a source without a slash, and compares paths as they were
		// sent.
		r.May = r.May || rewrites && source[0] != '/' || !plainPath.MatchString(source)
		r.First = r.First && !r.May
		loose := !strings.HasSuffix(source, "/")
		r.Follow(address.Mapping{From: []address.Part{{Text: policy.Decoded(slashed(source))}}, To: destination,
			Decodes: true, Loose: loose})
	case read:
		r.Match(matches, destination)
	case rewrites:
		r.Unread(destination)
	default:
		return
	}
	h.route(r)
}

// slashed begins with a slash.
func slashed(path string) string { return "/" + strings.TrimPrefix(path, "/") }
