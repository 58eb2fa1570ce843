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
	if f == nil { // there is none, or err says why it cannot be read
		h.handlings = append(h.handlings, address.Firebase(false, address.SlashUnset))
		return err
	}
	sites, isSure := h.firebaseSites(f)
	var handlings []*address.Handling
	for _, path := range sites { // ["hosting"], or ["hosting", "1"] of several
		site := member(f.root, "hosting")
		if len(path) > 1 {
			site = elements(site)[number(path[1])]
		}
		handlings = append(handlings, address.Firebase(member(site, "cleanUrls") == true, slashOf(site)))
		if root := member(site, "i18n", "root"); root != nil {
			h.servedElsewhere(f.origin(append(slices.Clone(path), "i18n", "root")...),
				fmt.Sprintf("files below %v are served at other paths by language and country", root))
		}
		for _, kind := range []ruleKind{redirectRule, rewriteRule} {
			list := append(slices.Clone(path), string(kind))
			for i, rule := range elements(member(site, string(kind))) {
				at := f.origin(place(list, i)...)
				if r := firebaseRule(rule, kind, at, isSure); r != nil {
					h.route(r)
				} else if kind == redirectRule {
					h.unreadRedirects = append(h.unreadRedirects, at)
				}
			}
		}
	}
	h.handlings = append(h.handlings, distinct(handlings)...)
	return nil
}

// A ruleKind is what a rule of firebase.json or vercel.json is, by the key of its list.
type ruleKind string

const (
	redirectRule ruleKind = "redirects"
	rewriteRule  ruleKind = "rewrites"
)

// firebaseSites are the paths of the file's sites that may be this one; isSure says that there is
// one, and no other can be meant.
func (h *Hosting) firebaseSites(f *file) (places [][]string, isSure bool) {
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
	if len(all) == 0 {
		h.reportFolder(f, "hosting", "public")
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

// firebaseRule returns the route of a rule that is written at a place; nil for none: a rule that
// says too little, or a redirect that we do not read, which then hides no file. isSure says that
// the rule is about this site, not about another one of the file.
func firebaseRule(rule any, kind ruleKind, at policy.Origin, isSure bool) *address.Route {
	key := "source" // the one of these keys that has the pattern; each has its own syntax
	for _, k := range []string{"glob", "regex"} {
		if member(rule, k) != nil {
			key = k
		}
	}
	source, to := text(member(rule, key)), text(member(rule, "destination"))
	rewrites := kind == rewriteRule
	if source == "" || to == "" && !rewrites {
		return nil
	}
	r := &address.Route{Host: "firebase", Origin: at, Source: source, Destination: to,
		Rewrites: rewrites && to != "", First: !rewrites && isSure, May: !isSure,
		Finds: address.Exact}
	if to == "" { // a rewrite to a function or a service, by other keys, serves no file of ours
		to = "service"
	}
	if r.Rewrites && to[0] != '/' { // the emulator finds no file by it, the host may
		to, r.May = "/"+to, true
	}
	if !setFirebasePaths(r, key, source, to, rewrites) {
		return nil
	}
	return r
}

// setFirebasePaths makes a route take the paths of a pattern, which is in the syntax of its key,
// and lead to a destination. It returns false for a redirect whose pattern is not read.
func setFirebasePaths(r *address.Route, key, source, to string, isRewrite bool) bool {
	destination := []address.Part{{Text: to}}
	hasNames := strings.HasPrefix(to, ":") || strings.Contains(to, "/:") // of parts of the source
	// Whether the pattern takes a decoded path, and whether we understand the pattern at all.
	matches, isRead := servers.Firebase.Match(key, source)
	switch {
	case hasNames && isRewrite: // which has no such names: nobody knows what is served
		r.Unread(destination)
	case hasNames:
		mapping, hasNamesOnly := pathMapping(slashed(source), to)
		if !hasNamesOnly || key == "regex" {
			return false
		}
		r.Follow(mapping)
	case key != "regex" && !strings.ContainsAny(source, `*?[]{}()!+@|^$\`): // one path
		// The emulator takes no path by a source without a slash, and compares paths as they were
		// sent, so that one with several spellings (plainPath has one) may be missed. Whether the
		// host does so is not known.
		r.May = r.May || isRewrite && source[0] != '/' || !plainPath.MatchString(source)
		r.First = r.First && !r.May
		r.Follow(address.Mapping{From: []address.Part{{Text: policy.Decoded(slashed(source))}},
			To: destination, Decodes: true, Loose: !strings.HasSuffix(source, "/")})
	case isRead:
		r.Match(matches, destination)
	case isRewrite:
		r.Unread(destination)
	default:
		return false
	}
	return true
}

// slashed is a path with a slash at its beginning, whether it had one or not.
func slashed(path string) string { return "/" + strings.TrimPrefix(path, "/") }
