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

// readFirebase reads firebase.json: how Firebase Hosting finds files, and the routes of the owner.
// Without that file it finds them by its defaults. One that cannot be read is an error.
//
// The file may be about several sites: those count whose folder is published, or all if none is.
// Redirects go before published files, and these before rewrites, whose destination is a file and
// nothing else.
// https://firebase.google.com/docs/hosting/full-config#hosting_priority_order
// https://github.com/firebase/superstatic src/superstatic.js, src/middleware/rewrites.ts, redirects.js
func (h *Hosting) readFirebase() error {
	f, err := h.readFirst("firebase.json")
	if f == nil { // there is none, or err says why it cannot be read
		h.handlings = append(h.handlings, address.Firebase(false, address.SlashUnset))
		return err
	}
	sites, isThisSite := h.firebaseSites(f)
	var handlings []*address.Handling
	for _, path := range sites {
		site := firebaseSite(f, path)
		if len(sites) == 1 { // of several, each may leave out others
			h.firebaseIgnores = foldersIn(member(site, "ignore"))
		}
		hasCleanURLs := member(site, "cleanUrls") == true
		handlings = append(handlings, address.Firebase(hasCleanURLs, slashOf(site)))
		if root := member(site, "i18n", "root"); root != nil {
			h.reportServedElsewhere(f.origin(append(slices.Clone(path), "i18n", "root")...),
				fmt.Sprintf("files below %v are served at other paths by language and country", root))
		}
		h.firebaseRules(f, site, path, isThisSite)
	}
	h.handlings = append(h.handlings, distinct(handlings)...)
	return nil
}

// foldersIn are those of "ignore" that leave out what is in a folder. "**/.*" is for files of such
// names alone: with it, what is in .git is uploaded.
// https://github.com/firebase/firebase-tools src/listFiles.ts, issues/435
func foldersIn(ignore any) []string {
	folders := []string{}
	for _, value := range elements(ignore) {
		if pattern := text(value); strings.HasSuffix(pattern, "/**") {
			folders = append(folders, pattern)
		}
	}
	return folders
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

// firebaseRules adds the routes of a site of the file, which is at a path of keys. isThisSite says
// that the site is certainly the one that is published. A redirect that is not read is noted.
func (h *Hosting) firebaseRules(f *file, site any, path []string, isThisSite bool) {
	for _, kind := range []ruleKind{redirectRule, rewriteRule} {
		list := append(slices.Clone(path), string(kind))
		for i, rule := range elements(member(site, string(kind))) {
			at := f.origin(elementPath(list, i)...)
			if r := firebaseRule(rule, kind, at, isThisSite); r != nil {
				h.addRoutes(r)
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

// firebaseSites are the paths of keys of the file's sites that may be the published one;
// isThisSite says that there is one such site, and no other can be meant.
func (h *Hosting) firebaseSites(f *file) (places [][]string, isThisSite bool) {
	var all [][]string
	for i, site := range elements(member(f.root, "hosting")) {
		at := elementPath([]string{"hosting"}, i)
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

// A sourceKey is the key of a rule of firebase.json that has its source. It says how the source is
// written. "glob" means the same as "source".
//
//	{"source": "/a/**", "destination": "/b.html"}       a rewrite; the source is a glob
//	{"source": "/a/:id", "destination": "/b/:id"}       a redirect; it is read as path-to-regexp,
//	                                                    because the destination has names
//	{"regex": "^/a/.*", "destination": "/b.html"}       an expression of RE2
type sourceKey string

const (
	keySource sourceKey = "source"
	keyGlob   sourceKey = "glob"
	keyRegex  sourceKey = "regex"
)

// sourceKeyOf is the key under which a rule has its source. Of several "regex" goes before "glob",
// and that before "source", which it is for a rule without a source, too.
func sourceKeyOf(rule any) sourceKey {
	for _, key := range []sourceKey{keyRegex, keyGlob} {
		if member(rule, string(key)) != nil {
			return key
		}
	}
	return keySource
}

// firebaseRule returns the route of a rule that is written at a place. It is nil if the rule says
// too little, and for a redirect that we do not read, which then hides no file. isThisSite says
// that the rule is certainly about the published site, not about another one of the file; if it is
// not, the route is uncertain. A rewrite leads to one of
//
//	{"destination": "/b.html"}               a file of the site
//	{"function": "x"}, {"run": {…}}, …       a program, which serves no file of the site
func firebaseRule(rule any, kind ruleKind, at policy.Origin, isThisSite bool) *address.Route {
	key := sourceKeyOf(rule)
	source, to := text(member(rule, string(key))), text(member(rule, "destination"))
	isRewrite := kind == rewriteRule
	leadsNowhere := to == "" && !isRewrite // a rewrite may name a function or a service by other keys
	if source == "" || leadsNowhere {
		return nil
	}
	r := &address.Route{Host: "firebase", Origin: at, Source: source, Destination: to,
		Rewrites: isRewrite && to != "", BeforeFiles: !isRewrite && isThisSite, IsUncertain: !isThisSite,
		Finder: address.Exact}
	if to == "" { // a rewrite to a function or a service serves no file of the site
		to = noFileOfSite
	}
	if r.Rewrites && to[0] != '/' { // the emulator finds no file by it, the host may
		to, r.IsUncertain = "/"+to, true
	}
	if isRead := setFirebasePaths(r, key, to, kind); !isRead {
		return nil
	}
	return r
}

// setFirebasePaths makes a route of firebase.json take the paths of its Source, which is written
// under a key, and lead to a destination, which is not empty. isRead is false for a redirect whose
// source is not read: then the route is of no use. The first of these cases that fits decides:
//
//	rewrite   /a/:id  →  /b/:id    may lead to the file b/:id from anywhere: names are not filled in
//	redirect  /a/:id  →  /b/:id    a mapping: /a/1 leads to /b/1
//	either    /a, /a/:id           one path, in which a name is text like any other
//	either    /a/**, /a/[bc]       a glob or an expression: whether it matches a path is asked
//	rewrite   anything else        may lead to its destination from anywhere
//	redirect  anything else        is not read
func setFirebasePaths(r *address.Route, key sourceKey, to string, kind ruleKind) (isRead bool) {
	source, isRewrite := r.Source, kind == rewriteRule
	destination := []address.Part{{Text: to}}                            // a text without names
	hasNames := strings.HasPrefix(to, ":") || strings.Contains(to, "/:") // of parts of the source
	isOnePath := key != keyRegex && !strings.ContainsAny(source, `*?[]{}()!+@|^$\`)
	// matches is a function of a decoded path.
	matches, isPatternRead := servers.Firebase.Match(string(key), source)
	switch {
	case hasNames && isRewrite: // the host fills in no names there, so nobody knows what it serves
		r.SetUnread(destination)
	case hasNames:
		return setFirebaseMapping(r, key, to)
	case isOnePath:
		setFirebasePath(r, to, kind)
	case isPatternRead:
		r.SetMatcher(matches, destination)
	case isRewrite:
		r.SetUnread(destination)
	default:
		return false
	}
	return true
}

// setFirebaseMapping is [setFirebasePaths] for a redirect whose destination has names. The emulator
// then takes "source" and "glob" alike for path-to-regexp. Names of groups of an expression,
// (?P<id>…), are not read.
func setFirebaseMapping(r *address.Route, key sourceKey, to string) (isRead bool) {
	if key == keyRegex {
		return false
	}
	mapping, isRead := pathMapping(slashed(r.Source), to)
	if isRead {
		r.SetMapping(mapping)
	}
	return isRead
}

// setFirebasePath is [setFirebasePaths] for a source that is one path, perhaps percent-encoded. The
// emulator compares it with the path as that was sent, so it may miss another spelling of the path:
// only what plainPath matches has no other. It adds a slash before the source of a redirect, and
// not before that of a rewrite, which then takes no path. Whether the host does the same is not
// known.
func setFirebasePath(r *address.Route, to string, kind ruleKind) {
	source := r.Source
	isRewriteWithoutSlash := kind == rewriteRule && source[0] != '/'
	mayBeMissed := isRewriteWithoutSlash || !plainPath.MatchString(source)
	r.IsUncertain = r.IsUncertain || mayBeMissed
	r.BeforeFiles = r.BeforeFiles && !r.IsUncertain // what may not apply hides no file
	r.SetMapping(address.Mapping{
		From:            []address.Part{{Text: policy.Decoded(slashed(source))}},
		To:              []address.Part{{Text: to}},
		DecodesPath:     true,
		IgnoresEndSlash: !strings.HasSuffix(source, "/"), // as a glob: /a takes /a/, and /a/ not /a
	})
}

// slashed is a path with a slash at its beginning, whether it had one or not.
func slashed(path string) string { return "/" + strings.TrimPrefix(path, "/") }
