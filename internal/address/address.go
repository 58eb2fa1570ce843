// Package address knows at which request paths a host answers with each published file.
//
// Crawlers ask for addresses, and a site is made of files. Between the two is the host: it may
// serve p.html at /p, redirect /p.html there, serve q/index.html at /q/, and serve s.pdf at /o.pdf
// because a line of _redirects says so. What is decided for a file has to hold at every address at
// which a host answers with it, and what is stated for an address holds for the file that the host
// serves there.
//
// A [Handling] is how one host finds the file for a request path. A [Site] is what is published,
// with the handlings of the hosts that may serve it and the [Route]s of its owner. It answers two
// questions: what is at an address ([Site.At]), and which are the addresses of a file ([Site.Of]).
// The second asks the first about each path that could be one, so the two never differ.
//
// # Words of this package
//
//   - A file is a name from the host's root, decoded and without a slash at its beginning:
//     "q/a b.html".
//   - A path, or request path, begins with a slash, is percent-encoded and has no query:
//     "/q/a%20b". A decoded path is the same without encodings: "/q/a b". A path is
//     encoded unless it is called decoded; a Handling's functions take decoded ones.
//   - A page is a file that ends in .html, or in .htm on some hosts. Its stem is the name without
//     that ending; an asset, such as x.pdf, has no ending to lose, so its stem is the whole name.
//     An index is index.html, the page of its folder.
//   - A spelling of a path is one way to encode it: /a:b and /a%3Ab.
//   - The bare characters ([bareSet]) are those that an encoding leaves as they are; the bare form
//     of a path is the path without the slash at its end.
//   - A [fileSet] is the published files: has(file) asks for one, at(path) returns the file that a
//     decoded path names, or "".
//   - alone, in functions of Site, is the one published file of a site whose files are not known
//     ([New] with nil): "what would the host answer if there were only this file?" A site that
//     knows its files ignores it.
//   - others collects what the host may answer besides, where more than the path decides; nil if
//     nobody asks.
//   - A shape is how a file's name ends: hosts treat q/index.html as r/index.html. So the addresses
//     of one file tell those of every other file of its shape. An odd file has no shape.
//   - The base of a file is its name without all that hosts may leave away: "a" of a.html,
//     a/index.html and a. A base is crowded if several published files have it, since they may take
//     each other's paths.
//   - A Route takes a path if it is for it, and leads to another: its sources are the paths that it
//     takes, its destination is where it leads. It is literal if it takes one path alone: decoded
//     if the host decodes a path before it compares it, loose if a slash at the end is no
//     difference. It is open if the paths that it takes cannot be listed ([Open]).
//
// Of a Handling, answer is the host's function from a decoded path to the file that it serves, or
// to the decoded path to which it redirects; extensions are the endings that it leaves away (none
// on a host without clean URLs); below is the folder's path under which all files are published
// ("" or "/docs").
package address

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"

	"metarobots/internal/lazyregexp"
	"metarobots/policy"
)

// An Address is a request path with what the host answers there.
type Address struct {
	// Path is the request path.
	Path string
	// File is what the host serves with status 200; empty where it serves nothing.
	File string
	// To is the request path, or the whole URL, to which the host redirects; empty where it does
	// not.
	To string
	// By is how the host came from the path to the file; of an address that redirects, how the path
	// names the file, where that is known.
	By By
	// Route is the owner's line that decided; nil where none did.
	Route *Route
}

// Serves reports whether the host answers with a published file.
func (a *Address) Serves() bool { return a.File != "" }

// Nothing reports whether the host has no answer but an error.
func (a *Address) Nothing() bool { return a.File == "" && a.To == "" }

// By is how a host comes from a request path to a file.
type By string

const (
	// Asset is the path of the file itself: /p.html.
	Asset By = "asset"
	// Index is a folder's path, with or without a slash, or /q/index: q/index.html.
	Index By = "index"
	// CleanURL is the path of a page without its ending, with or without a slash: p.html at /p.
	CleanURL By = "clean URL"
	// Rewritten is the source of an owner's rule with status 200.
	Rewritten By = "rewrite"
	// Fallback is any path at which nothing is published.
	Fallback By = "fallback"
)

// A Route is a line of an owner's that takes request paths: it serves something else there, or
// sends on.
type Route struct {
	// Host is the Host of the handlings that carry it out. Handling is the one of them that does;
	// nil for all.
	Host     string
	Handling *Handling
	// Origin is where it is written.
	Origin policy.Origin
	// Source and Destination are as they are written, for messages.
	Source, Destination string
	// Rewrites says that the rule serves what is at its destination, with status 200. One that does
	// not redirects there, or answers with an error where Destination is empty.
	Rewrites bool
	// BeforeFiles says that it goes before a published file of the path that was asked for.
	BeforeFiles bool
	// IsUncertain says that nobody knows by the path alone whether the rule is carried out: it
	// depends on a country, a query or a cookie, or on what the host does not document. The rule
	// hides nothing, and what it serves is an answer beside that of the host.
	IsUncertain bool
	// Finder is how the host finds the file at the destination; nil if as at any path that is asked
	// for.
	Finder *Handling
	// Takes returns the path, or the URL, to which the rule leads from an encoded request path; ok
	// is false where the rule is not for that path.
	Takes func(path string) (to string, ok bool)
	// Sources returns the request paths from which the rule leads to an encoded path. They are
	// exact where listed is true. It is false where the rule takes paths that cannot be listed and
	// may lead there. Sources is nil for a rule that redirects.
	Sources func(to string) (from []string, listed bool)

	literal *literal // what it takes, if that is one path
	end     *string  // where it leads, decoded, if that is one path

	// head is what each path begins with that it takes, and leadsBelow each to which it leads, if
	// that is known.
	head, leadsBelow string
}

// A Site is the published files of one host with what decides about their addresses.
type Site struct {
	handlings []*Handling
	routes    []*Route
	indexes   map[string]*index // of the routes, by their Host
	published func(file string) bool
	// byShape are the addresses of a file of each shape: their paths are what follows the stem.
	// Those that are served come first; servedByShape is how many those are. nil means that the
	// hosts have to be asked for each file of the shape.
	byShape       [shapes][]Address
	servedByShape [shapes]int
	// crowded are the bases that several published files have, to which byShape does not apply; nil
	// if the names of the files are not known.
	crowded map[string]bool
	// near is what follows the stem of a file of each shape in every path that some host may give
	// it. If a route is about one of these, byShape does not apply to the file.
	near [shapes][]string
	// byHandling returns the site as each of its handlings alone serves it; it is made once.
	byHandling func() []*Site
}

// New makes a site of the handlings of every host that may serve it. published reports whether a
// file is published, named from the host's root; nil means a site that is not known yet, where each
// file is taken to be alone.
func New(published func(file string) bool, routes []*Route, handlings ...*Handling) *Site {
	s := &Site{handlings: handlings, routes: routes, indexes: indexRoutes(routes), published: published}
	if published == nil {
		s.learnShapes()
	}
	s.byHandling = sync.OnceValue(s.parts)
	return s
}

// parts are the site as each of its handlings alone serves it.
func (s *Site) parts() (all []*Site) {
	for _, h := range s.handlings {
		part := s.servedBy(h)
		if part.crowded = s.crowded; s.published == nil || s.crowded != nil {
			part.learnShapes()
		}
		all = append(all, part)
	}
	return all
}

// servedBy is the site with one handling, and without what is known of shapes.
func (s *Site) servedBy(h *Handling) *Site {
	part := s.withoutRoutes(h)
	part.routes, part.indexes = s.routes, s.indexes
	return part
}

// withoutRoutes is the site with other handlings, no routes, and without what is known of shapes:
// hosts are asked for each file.
func (s *Site) withoutRoutes(handlings ...*Handling) *Site {
	return &Site{handlings: handlings, published: s.published}
}

// On returns the site as one host alone serves it, by the Host of its handlings.
func (s *Site) On(host string) *Site {
	var handlings []*Handling
	var routes []*Route
	for _, h := range s.handlings {
		if h.Host == host {
			handlings = append(handlings, h)
		}
	}
	for _, r := range s.routes {
		if r.Host == host {
			routes = append(routes, r)
		}
	}
	part := New(nil, routes, handlings...)
	part.published, part.crowded = s.published, s.crowded
	if s.published != nil && s.crowded == nil {
		part.byShape = [shapes][]Address{}
	}
	return part
}

// Handlings are those of the hosts that may serve the site.
func (s *Site) Handlings() []*Handling { return s.handlings }

// Routes are the owner's, in the order in which hosts carry them out.
func (s *Site) Routes() []*Route { return s.routes }

// At returns what is answered at an encoded request path, each different answer once: one where all
// hosts that may serve the site agree and no rule depends on more than the path.
func (s *Site) At(path string) (answers []Address) {
	for _, h := range s.handlings {
		for _, a := range s.answers(h, normalize(path), "") {
			if a.Path = path; !slices.Contains(answers, a) {
				answers = append(answers, a)
			}
		}
	}
	return answers
}

// Served returns the files that are served at an encoded request path: none, one, or several if
// hosts differ.
func (s *Site) Served(path string) (files []string) {
	for _, a := range s.At(path) {
		if a.Serves() && !slices.Contains(files, a.File) {
			files = append(files, a.File)
		}
	}
	return files
}

// Leads are the files to which a request path leads at last: those that are served there, or where
// the host redirects to. A file may be there twice. One that is served wherever nothing is
// published does not count: nobody means it by a path.
func (s *Site) Leads(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if file, _, ok := s.atShape(path); ok {
			yield(file)
			return
		}
		for _, h := range s.handlings {
			for _, a := range s.answers(h, normalize(path), "") {
				for hops := 0; a.To != "" && a.To[0] == '/' && hops < MostHops; hops++ {
					a = s.at(h, a.To, "", nil)
				}
				if a.Serves() && a.By != Fallback && !yield(a.File) {
					return
				}
			}
		}
	}
}

// Knows reports whether a request path is known to lead to any file.
func (s *Site) Knows(path string) bool {
	for range s.Leads(path) {
		return true
	}
	return false
}

// Redirects returns where a request path leads if every host that may serve the site redirects it:
// such a path, or a whole URL. Where one of them serves something there, or nothing, it is empty.
func (s *Site) Redirects(path string) (to string) {
	if _, served, ok := s.atShape(path); ok && served {
		return ""
	}
	for _, h := range s.handlings {
		for _, a := range s.answers(h, normalize(path), "") {
			if a.To == "" {
				return ""
			}
			to = cmp.Or(to, a.To)
		}
	}
	return to
}

// Reaches reports whether a request path leads to a file at last, on a host that may serve the
// site: whether the file is served there, or where the host redirects to, as for [Site.Leads].
// While the site is not known, the file is taken to be alone.
func (s *Site) Reaches(path, file string) bool {
	path = normalize(path)
	if !s.mayLead(path, file) { // as nearly always, of pages that link others
		return false
	}
	for _, h := range s.handlings {
		leads := func(a Address) bool { return a.File == file && a.By != Fallback || s.endsAt(h, a.To, file) }
		if slices.ContainsFunc(s.answers(h, path, file), leads) {
			return true
		}
	}
	return false
}

// mayLead reports whether a path looks as if it led to a file, or a route is about it, or about
// where a host may redirect it.
func (s *Site) mayLead(path, file string) bool {
	decoded := strings.TrimPrefix(decode(path), "/")
	for _, h := range s.handlings {
		decoded = strings.TrimPrefix(decoded, strings.TrimPrefix(h.below+"/", "/"))
	}
	stem := base(decoded)
	return stem == base(file) || s.isRouted(path) || s.isRouted(encode("/"+stem, bareInComponent)) ||
		s.isRouted(encode("/"+stem+"/", bareInComponent))
}

// Serves reports whether a host that may serve the site answers with a file at a request path.
// While the site is not known, the file is taken to be alone.
func (s *Site) Serves(path, file string) bool {
	return slices.ContainsFunc(s.handlings, func(h *Handling) bool {
		return slices.ContainsFunc(s.answers(h, normalize(path), file), func(a Address) bool { return a.File == file })
	})
}

// Guess is the site with each path at which some host would serve a page, for links to a path at
// which nothing is known to be: the owner of a server may give pages other paths, where nobody
// reads it. It is nil on hosts that are known.
func (s *Site) Guess() *Site {
	if len(s.handlings) > 0 && !slices.ContainsFunc(s.handlings, func(h *Handling) bool { return h.ownServer }) {
		return nil
	}
	return s.withoutRoutes(Every)
}

// MostHops is how many redirects are followed, as crawlers do
// (https://developers.google.com/crawling/docs/troubleshooting/http-status-codes).
const MostHops = 10

// answers are what a host may answer at a request path: first what it answers if nothing but the
// path counts.
func (s *Site) answers(h *Handling, path, alone string) []Address {
	var others []Address
	return append([]Address{s.at(h, path, alone, &others)}, others...)
}

// at returns what a host answers at an encoded request path. The first of these that has an answer
// decides:
//
//  1. a route that goes before published files ([Route.BeforeFiles])
//  2. a published file, as the host finds it: the file, or a redirect to its one path
//  3. any other route
//  4. the host's fallback
//
// Outside of the folder below which the host has all files, and where none of them answers, the
// address is empty. So CloudflarePages, with p.html published and the route "/old /p 301":
//
//	/p       File p.html, By CleanURL       (2)
//	/p.html  To /p                          (2)
//	/old     To /p, Route that line         (3)
//	/x       File index.html, By Fallback   (4), if index.html is published and 404.html is not
//
// What the host may answer besides is added to others: what a route that [Route.IsUncertain] leads
// to, and the second file of a host that may prefer either. With others nil nobody asks for that.
// alone is the one published file of a site whose files are not known; a site that knows its files
// ignores it.
func (s *Site) at(h *Handling, path, alone string, others *[]Address) Address {
	decoded := decode(path)
	if h.below != "" && decoded != h.below && !strings.HasPrefix(decoded, h.below+"/") {
		return Address{Path: path}
	}
	routes := s.indexes[h.Host].taking(path, decoded)
	if a, ok := s.byRoute(h, routes, beforeFiles, path, alone, others); ok {
		return a
	}
	if a, ok := s.byFile(h, path, alone, others); ok {
		return a
	}
	if a, ok := s.byRoute(h, routes, afterFiles, path, alone, others); ok {
		return a
	}
	return s.byFallback(h, path, alone)
}

// isPublished returns what reports whether a file is published. Of a site whose files are not
// known, alone is the only one.
func (s *Site) isPublished(alone string) fileSet {
	if s.published != nil {
		return s.published
	}
	return func(file string) bool { return file == alone }
}

// byFile returns how a host answers at a path with a published file that it finds there, or where
// it redirects to reach one; ok is false where it finds none.
func (s *Site) byFile(h *Handling, path, alone string, others *[]Address) (a Address, ok bool) {
	files, decoded := s.isPublished(alone), decode(path)
	file, to := h.answer(decoded, files)
	if others != nil && file != "" {
		if also := h.alternative(decoded, files); also != "" && also != file {
			*others = append(*others, Address{Path: path, File: also, By: h.wayTo(decoded, also)})
		}
	}
	switch {
	case file != "":
		return h.inItsSpelling(Address{Path: path, File: file, By: h.wayTo(decoded, file)}), true
	case to != "":
		return Address{Path: path, To: encode(to, bareInComponent)}, true
	}
	return Address{}, false
}

// byFallback returns what a host answers where nothing is published and no route takes the path.
func (s *Site) byFallback(h *Handling, path, alone string) Address {
	file := h.notFound(decode(path), s.isPublished(alone))
	// A published error page goes before the fallback, and of this site nobody knows whether it is.
	isErrorPossible := s.published == nil && h.ErrorPage != ""
	if file == "" || isErrorPossible {
		return Address{Path: path}
	}
	return h.inItsSpelling(Address{Path: path, File: file, By: Fallback})
}

// inItsSpelling is an address with a file as the host answers at its path: a host that serves one
// spelling alone redirects each other one there.
func (h *Handling) inItsSpelling(a Address) Address {
	if !h.encodes {
		return a
	}
	if encoded := encode(decode(a.Path), bareInComponent); encoded != a.Path {
		return Address{Path: a.Path, To: encoded, By: a.By}
	}
	return a
}

// turn is when a host carries out a route: before it looks for a published file, or after that.
type turn bool

const (
	beforeFiles turn = true
	afterFiles  turn = false
)

// byRoute returns what the first of some routes answers that takes a path, of those whose turn it
// is. What routes that are uncertain ([Route.IsUncertain]) answer is added to others.
func (s *Site) byRoute(
	h *Handling, routes []int, now turn, path, alone string, others *[]Address,
) (a Address, ok bool) {
	for _, i := range routes {
		r := s.routes[i]
		isOfAnotherMode := r.Handling != nil && r.Handling != h
		isNotAsked := r.IsUncertain && others == nil
		if turn(r.BeforeFiles) != now || isOfAnotherMode || isNotAsked {
			continue
		}
		to, takes := r.Takes(path)
		switch {
		case !takes:
		case r.IsUncertain:
			*others = append(*others, s.routed(h, r, path, to, alone, others))
		default:
			return s.routed(h, r, path, to, alone, others), true
		}
	}
	return Address{}, false
}

// routed returns what a host answers where a rule takes a path and leads to another one. The host
// looks for a file at the other path, but no second rule applies.
func (s *Site) routed(h *Handling, r *Route, path, to, alone string, others *[]Address) Address {
	if !r.Rewrites || to == "" || to[0] != '/' {
		return Address{Path: path, To: to, Route: r}
	}
	var more []Address
	a := s.withoutRoutes().at(cmp.Or(r.Finder, h), normalize(to), alone, &more)
	for _, other := range more {
		if others != nil {
			*others = append(*others, Address{Path: path, File: other.File, By: Rewritten, Route: r})
		}
	}
	if a.Path, a.Route = path, r; !a.Serves() {
		return a
	}
	if normalize(to) == path { // the rule changes nothing: what is stated for the path is the file's own
		a.Route = nil
		return a
	}
	a.By = Rewritten
	return a
}

// Of returns the addresses of a file: those at which a host that may serve the site answers with
// it, then those from which one redirects to these. Each path is there once; one that a host serves
// counts as served. What a route of the owner's redirects is no address.
func (s *Site) Of(file string) []Address {
	shape, stem, isKnown := s.knownShape(file)
	if !isKnown {
		return s.ask(file)
	}
	all := make([]Address, len(s.byShape[shape]))
	for i, a := range s.byShape[shape] {
		all[i] = addressLike(a, file, stem)
	}
	return all
}

// Serving yields the addresses of a file at which a host that may serve the site answers with it.
func (s *Site) Serving(file string) iter.Seq[Address] {
	return func(yield func(Address) bool) {
		shape, stem, isKnown := s.knownShape(file)
		if !isKnown {
			for _, a := range s.ask(file) {
				if a.Serves() && !yield(a) {
					return
				}
			}
			return
		}
		for _, a := range s.byShape[shape][:s.servedByShape[shape]] { // which come first
			if !yield(addressLike(a, file, stem)) {
				return
			}
		}
	}
}

// ServesByShape reports whether it is known by the shape of a file, without asking the hosts, that
// one of them answers with the file at a request path. Then no route leads to the file.
func (s *Site) ServesByShape(path, file string) bool {
	shape, stem, isKnown := s.knownShape(file)
	ending, isOfStem := strings.CutPrefix(path[1:], stem)
	return isKnown && isOfStem && slices.ContainsFunc(s.byShape[shape][:s.servedByShape[shape]],
		func(a Address) bool { return a.Path == ending })
}

// ask finds the addresses of a file by asking hosts what they answer at each path that could be
// one. Each path is there once: of hosts that differ, one that serves the file there counts.
func (s *Site) ask(file string) []Address {
	all := make([]Address, 0, 4)
	for _, h := range s.handlings {
		for _, form := range h.forms(file) {
			for _, path := range spellings(form) {
				all = s.addIfLeading(all, h, path, file)
			}
		}
	}
	if len(s.routes) > 0 {
		all = s.addRewritten(all, file)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Serves() && !all[j].Serves() }) // redirects last
	return all
}

// addIfLeading adds what a host answers at a path to the addresses of a file, if it may serve the
// file there, if only as its fallback, or if it redirects to the file by itself: then the path is
// another name of the file, which the source of an owner's redirect is not. An address that serves
// takes the place of one of the same path that redirects.
func (s *Site) addIfLeading(all []Address, h *Handling, path, file string) []Address {
	var others []Address
	a := s.at(h, path, file, &others)
	if a.File != file {
		i := slices.IndexFunc(others, func(o Address) bool { return o.File == file })
		redirectsThere := a.To != "" && a.Route == nil && s.endsAt(h, a.To, file)
		switch {
		case i >= 0: // what may be served counts for more than a redirect
			a = others[i]
		case !redirectsThere:
			return all
		}
	}
	if a.To != "" {
		a.By = h.wayTo(decode(path), file)
	}
	i := slices.IndexFunc(all, func(o Address) bool { return o.Path == path })
	switch {
	case i < 0:
		return append(all, a)
	case a.Serves() && !all[i].Serves():
		all[i] = a
	}
	return all
}

// endsAt reports whether a host serves a file where it redirects to.
func (s *Site) endsAt(h *Handling, to, file string) bool {
	for hops := 0; to != "" && to[0] == '/' && hops < MostHops; hops++ {
		a := s.at(h, to, file, nil)
		if a.Serves() {
			return a.File == file && a.By != Fallback
		}
		to = a.To
	}
	return false
}

// SentOn returns the paths from which redirects of the owner's send on, and which hosts would take
// for a file's without them.
func (s *Site) SentOn(file string) (all []Address) {
	for _, h := range s.handlings {
		if len(s.routes) == 0 {
			return nil
		}
		for _, direct := range s.withoutRoutes(h).Of(file) {
			if a := s.at(h, direct.Path, file, nil); a.To != "" && a.Route != nil {
				all = append(all, a)
			}
		}
	}
	return all
}

// Unserved returns the files that other hosts serve at a request path where none of these hosts
// serves them, has another file, or redirects: q/index.html at /q/, on one that serves no index.
func (s *Site) Unserved(path string) (files []string) {
	answers := s.At(path)
	if slices.ContainsFunc(answers, func(a Address) bool { return !a.Nothing() && a.By != Fallback }) {
		return nil
	}
	for _, file := range s.withoutRoutes(Every).Served(path) {
		isFallback := func(a Address) bool { return a.File == file }
		if len(answers) > 0 && !slices.ContainsFunc(answers, isFallback) {
			files = append(files, file)
		}
	}
	return files
}

// IsEmpty reports whether nothing is published at a request path, on these hosts and on any other,
// and no route of the owner's is about it. A file that is served for want of another one does not
// count, nor does a route that answers with an error, unless it is for this path alone.
func (s *Site) IsEmpty(path string) bool {
	isTaken := func(a Address) bool {
		isByRoute := a.Route != nil && (a.Route.Rewrites || a.Route.literal != nil)
		return isByRoute || !a.Nothing() && a.By != Fallback
	}
	return !slices.ContainsFunc(s.At(path), isTaken) && len(s.withoutRoutes(Every).Served(path)) == 0
}

// addRewritten adds the sources of rules that lead to a file.
func (s *Site) addRewritten(all []Address, file string) []Address {
	for _, h := range s.handlings {
		for r, direct := range s.rewrites(h, file) {
			from, _ := r.Sources(direct.Path)
			for _, path := range from {
				all = s.addIfLeading(all, h, path, file)
			}
		}
	}
	return all
}

// rewrites are the rules of a host that may serve a file, each with the file's addresses to which
// it may lead. Only those count at which the host serves it: a rule that leads to another one
// redirects. Which addresses those are depends on how a rule finds the file at its destination
// ([Route].Finder), so each way is asked, without routes.
func (s *Site) rewrites(h *Handling, file string) iter.Seq2[*Route, Address] {
	return func(yield func(*Route, Address) bool) {
		x := s.indexes[h.Host]
		if hasRewrites := x != nil && len(x.ends)+len(x.leadingToMany) > 0; !hasRewrites {
			return
		}
		asAtAnyPath := (*Handling)(nil) // the Finder of a route that has none
		for _, finder := range append([]*Handling{asAtAnyPath}, x.finders...) {
			for _, direct := range s.withoutRoutes(cmp.Or(finder, h)).Of(file) {
				if !direct.Serves() {
					break // those that serve come first
				}
				for _, i := range x.leading(direct.Path) {
					r := s.routes[i]
					isOfHandling := r.Handling == nil || r.Handling == h
					if r.Finder == finder && isOfHandling && !yield(r, direct) {
						return
					}
				}
			}
		}
	}
}

// An Open is a route that serves a file at addresses that cannot be listed.
type Open struct {
	Route *Route
	// Host is what serves it there.
	Host *Handling
	// Path is the file's address that the route leads to.
	Path string
}

// Sample is a request path that the route takes, if a pattern tells: for a crawler it is one of
// those that cannot be listed.
func (o *Open) Sample() string {
	if o.Route == nil {
		return "/~/~"
	}
	return Sample(o.Route.Source)
}

// Sample is a request path that a host's pattern takes: its wildcards and placeholders become a
// name that nobody uses.
func Sample(pattern string) string { return samples.ReplaceAllString(pattern, "~") }

// samples are the wildcards and placeholders of hosts' patterns.
var samples = lazyregexp.New(`\([^)]*\)[*+?]?|:[A-Za-z]\w*[*+?]?|\*+|\{[^}]*\}`)

// Opens returns the rules that serve a file at addresses which cannot be listed, and the hosts that
// answer with it at any path where nothing is published, whose Route is nil.
func (s *Site) Opens(file string) (all []Open) {
	for _, h := range s.handlings {
		if h.Fallback == file && (h.ErrorPage == "" || s.published != nil && !s.published(h.ErrorPage)) {
			all = append(all, Open{Host: h, Path: encode("/"+file, bareInURL)})
		}
		for r, direct := range s.rewrites(h, file) {
			known := func(o Open) bool { return o.Route == r }
			if slices.ContainsFunc(all, known) {
				continue
			}
			if _, listed := r.Sources(direct.Path); !listed {
				all = append(all, Open{Route: r, Host: h, Path: direct.Path})
			}
		}
	}
	return all
}

// Preferred is the one of a file's addresses that represents it, for whoever prints one URL of the
// file: canonical links, sitemaps. linked is the path to which the generator links. On one host it
// is the address to which the host redirects the others; if it redirects none, linked, if that is
// an address of the file; else the first address. If hosts prefer different addresses, the one that
// most of them serve counts. It is linked if the file has no address. It is spelled as linked is if
// the two differ by their encoding alone, and no fewer hosts serve linked:
//
//	a host that redirects /p.html to /p    linked /p.html     /p
//	a host that serves /p.html and /p      linked /p.html     /p.html
//	a host that serves every spelling      linked /a%28b      /a%28b, and not /a(b
func (s *Site) Preferred(file, linked string) string {
	var choices []string // first those of the first host
	for _, onOne := range s.byHandling() {
		choices = append(choices, onOne.preferred(file, linked)...)
	}
	if len(choices) == 0 {
		return linked
	}
	// No host may surely serve the file at a choice: another file may be served there too. Then
	// the first choice counts.
	best, most := choices[0], 0
	for _, path := range choices {
		if n := s.countServing(file, path); n > most {
			best, most = path, n
		}
	}
	isSamePath := decode(best) == decode(linked)
	if isSamePath && s.countServing(file, linked) >= max(most, 1) { // in the generator's spelling
		return linked
	}
	return best
}

// countServing is how many of the site's handlings surely serve a file at an encoded path.
func (s *Site) countServing(file, path string) (n int) {
	for _, h := range s.handlings {
		if a := s.at(h, path, file, nil); a.File == file {
			n++
		}
	}
	return n
}

// preferred are the addresses of a file that may represent it on one host, the best one first: all
// to which the host redirects others, or else one, the linked one or the first. There are none if
// the host serves the file nowhere.
func (s *Site) preferred(file, linked string) (all []string) {
	addresses := s.Of(file)
	var serving []string // at which the host answers with the file
	for _, a := range addresses {
		if !a.Serves() {
			continue
		}
		serving = append(serving, a.Path)
		redirectsHere := func(o Address) bool { return o.To != "" && decode(o.To) == decode(a.Path) }
		if slices.ContainsFunc(addresses, redirectsHere) {
			all = append(all, a.Path)
		}
	}
	switch {
	case len(all) > 0 || len(serving) == 0:
		return all
	case slices.Contains(serving, linked):
		return []string{linked}
	default:
		return serving[:1]
	}
}

// Representatives are the preferred addresses of a file on each host that may serve the site, each
// once.
func (s *Site) Representatives(file, linked string) (all []string) {
	for _, part := range s.byHandling() {
		for i, path := range part.preferred(file, linked) {
			if i == 0 && !slices.Contains(all, path) {
				all = append(all, path)
			}
		}
	}
	return all
}
