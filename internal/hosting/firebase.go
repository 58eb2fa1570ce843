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

// firebase reads firebase.json: how Firebase Hosting finds files, and the routes of the owner.
// Without that file it finds them by its defaults. One that cannot be read is an error.
//
// The file may be about several sites: those count whose folder is published, or all if none is.
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
	for _, path := range sites {
		site := firebaseSite(f, path)
		hasCleanURLs := member(site, "cleanUrls") == true
		handlings = append(handlings, address.Firebase(hasCleanURLs, slashOf(site)))
		if root := member(site, "i18n", "root"); root != nil {
			h.servedElsewhere(f.origin(append(slices.Clone(path), "i18n", "root")...),
				fmt.Sprintf("files below %v are served at other paths by language and country", root))
		}
		h.firebaseRules(f, site, path, isSure)
	}
	h.handlings = append(h.handlings, distinct(handlings)...)
	return nil
}

// firebaseSite returns the table of a site that is at a path of keys: ["hosting"], or ["hosting",
// "1"] if the file has a list of sites.
func firebaseSite(f *file, path []string) (site any) {
	site = member(f.root, "hosting")
	if len(path) > 1 {
		site = elements(site)[number(path[1])]
	}
	return site
}

// firebaseRules adds the routes of a site, which is at a path of keys. isSure says that it is this
// site.
func (h *Hosting) firebaseRules(f *file, site any, path []string, isSure bool) {
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

// A sourceSyntax is how the pattern of a rule of firebase.json is written: the key that has it.
type sourceSyntax string

const (
	sourceSyntaxGlob  sourceSyntax = "glob"   // "/a/**"
	sourceSyntaxRegex sourceSyntax = "regex"  // RE2, "^/a/.*"
	sourceSyntaxBoth  sourceSyntax = "source" // a glob, or path-to-regexp if the destination has names
)

// firebaseRule returns the route of a rule that is written at a place; nil for none: a rule that
// says too little, or a redirect that we do not read, which then hides no file. isSure says that
// the rule is about this site, not about another one of the file. A rule has its source under one
// of three keys, which says how it is written: "source", "glob" or "regex".
func firebaseRule(rule any, kind ruleKind, at policy.Origin, isSure bool) *address.Route {
	syntax := sourceSyntaxBoth
	for _, s := range []sourceSyntax{sourceSyntaxGlob, sourceSyntaxRegex} {
		if member(rule, string(s)) != nil {
			syntax = s
		}
	}
	source, to := text(member(rule, string(syntax))), text(member(rule, "destination"))
	isRewrite := kind == rewriteRule
	leadsNowhere := to == "" && !isRewrite // a rewrite may name a function or a service by other keys
	if source == "" || leadsNowhere {
		return nil
	}
	r := &address.Route{Host: "firebase", Origin: at, Source: source, Destination: to,
		Rewrites: isRewrite && to != "", First: !isRewrite && isSure, May: !isSure,
		Finds: address.Exact}
	if to == "" { // a rewrite to a function or a service serves no file of ours
		to = aService
	}
	if r.Rewrites && to[0] != '/' { // the emulator finds no file by it, the host may
		to, r.May = "/"+to, true
	}
	if !setFirebasePaths(r, syntax, to, kind) {
		return nil
	}
	return r
}

// setFirebasePaths makes a route of firebase.json take the paths of its Source, and lead to a
// destination, which is not empty. It returns false for a redirect whose source is not read; then
// the route says nothing. These are the cases:
//
//	/a/:id  →  /b/:id   named parts, in a redirect alone: the mapping is read as path-to-regexp
//	/a                  one path
//	/a/**, /a/[bc]      a glob or an expression: whether it matches a path is asked
//	anything else       is not read: a rewrite may lead to its destination from anywhere
func setFirebasePaths(r *address.Route, syntax sourceSyntax, to string, kind ruleKind) (isRead bool) {
	source, isRewrite := r.Source, kind == rewriteRule
	destination := []address.Part{{Text: to}}
	hasNames := strings.HasPrefix(to, ":") || strings.Contains(to, "/:") // of parts of the source
	isOnePath := syntax != sourceSyntaxRegex && !strings.ContainsAny(source, `*?[]{}()!+@|^$\`)
	matches, isKnown := servers.Firebase.Match(string(syntax), source) // whether it takes a decoded path
	switch {
	case hasNames && isRewrite: // the host fills in no names there, so nobody knows what is served
		r.Unread(destination)
	case hasNames:
		mapping, isMappingRead := pathMapping(slashed(source), to)
		if !isMappingRead || syntax == sourceSyntaxRegex {
			return false
		}
		r.Follow(mapping)
	case isOnePath:
		// The emulator takes no path by a source without a slash, and compares paths as they were
		// sent, so that one with several spellings (plainPath has one) may be missed. Whether the
		// host does so is not known.
		lacksSlash := isRewrite && source[0] != '/'
		mayBeMissed := lacksSlash || !plainPath.MatchString(source)
		r.May = r.May || mayBeMissed
		r.First = r.First && !r.May // what may not apply hides no file
		r.Follow(address.Mapping{From: []address.Part{{Text: policy.Decoded(slashed(source))}},
			To: destination, Decodes: true, Loose: !strings.HasSuffix(source, "/")})
	case isKnown:
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
