package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/internal/address"
	"metarobots/internal/plan"
	"metarobots/internal/result"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// served says in a line where hosts serve a page: "served at /p; /p.html redirects there". asked is the path by which the
// page was asked for; empty for none. Unless all addresses are wanted, the line is empty where the page's URL tells
// enough, and leaves out other paths of a folder's index and what else redirects.
func served(site *plan.Plan, pg *plan.Page, asked string, all bool) string {
	if pg.File.Role == policy.RoleControl {
		return ""
	}
	w := whereaboutsOf(site, pg, asked)
	switch {
	case len(w.there) == 0:
		return unserved(site, pg)
	case all:
		return w.text(len(w.there))
	case w.shorten():
		return w.text(mostAddresses)
	}
	return ""
}

// mostAddresses is how many addresses of a page are named in a line where not all are wanted.
const mostAddresses = 4

// whereabouts are where hosts serve a page, and from where they redirect to it.
type whereabouts struct {
	named      []string         // the address that stands for the page, the path by which it was asked for, and its URL
	there      []result.Address // where it is served, in one spelling, those that are named first
	redirected []result.Address
	guessed    string // the path by which it was asked for, where nothing is known to be there
}

func whereaboutsOf(site *plan.Plan, pg *plan.Page, asked string) (w whereabouts) {
	w.named = []string{site.Sites.Preferred(pg), cmp.Or(asked, pg.URL), pg.URL}
	for _, a := range result.AddressesOf(site, pg, asked) {
		sameSpelling := func(o result.Address) bool { return policy.Decoded(o.Path) == policy.Decoded(a.Path) }
		switch {
		case a.RedirectsTo != "":
			w.redirected = append(w.redirected, a)
		case !slices.ContainsFunc(w.there, sameSpelling):
			w.there = append(w.there, a)
		}
	}
	place := func(a result.Address) int {
		if i := slices.Index(w.named[:2], a.Path); i >= 0 {
			return i
		}
		return 2
	}
	slices.SortStableFunc(w.there, func(a, b result.Address) int { return place(a) - place(b) })
	isThere := func(a address.Address) bool { return !a.Nothing() }
	if asked != "" && site.Sites.Names(asked, pg.File.Name) && !slices.ContainsFunc(site.Sites.At(asked), isThere) {
		w.guessed = asked
	}
	return w
}

// shorten leaves out what the page's URL tells: other paths of its file and its folder, and what redirects and is not
// named. It reports whether anything is left to say.
func (w *whereabouts) shorten() bool {
	isNamed := func(a result.Address) bool { return slices.Contains(w.named, a.Path) }
	isPlain := func(a result.Address) bool { return a.By == address.Asset || a.By == address.Index }
	isEnough := !slices.ContainsFunc(w.there, func(a result.Address) bool { return !isPlain(a) })
	w.there = slices.DeleteFunc(w.there, func(a result.Address) bool { return isPlain(a) && !isNamed(a) })
	w.redirected = slices.DeleteFunc(w.redirected, func(a result.Address) bool { return !isNamed(a) })
	return !isEnough || len(w.redirected) > 0 || w.guessed != ""
}

// text names so many addresses at most.
func (w *whereabouts) text(most int) string {
	text := "served at " + addressList(w.there, most) + redirections(w.redirected, w.there)
	if w.guessed != "" {
		text += "; nothing is known to serve " + w.guessed
	}
	return text
}

// addressList names addresses, so many at most: "/p, /p/ and /p.html; /o (rewritten by _redirects:3)".
func addressList(all []result.Address, most int) string {
	rule := func(a result.Address) (by result.HeaderRule) {
		if a.Rule != nil {
			by = *a.Rule
		}
		return by
	}
	var texts []string
	for _, same := range snapshot.Group(all[:min(most, len(all))], rule) {
		text := inWords(paths(same))
		if by := rule(same[0]); by.File != "" {
			text += " (rewritten by " + policy.Place(by.File, by.Line) + ")"
		}
		texts = append(texts, text)
	}
	if more := len(all) - most; more > 0 {
		texts = append(texts, fmt.Sprintf("%d more (-v)", more))
	}
	return strings.Join(texts, "; ")
}

func paths(all []result.Address) (paths []string) {
	for _, a := range all {
		paths = append(paths, a.Path)
	}
	return paths
}

// redirections say which addresses redirect where: "; /p.html redirects there", if a page is served at one address alone.
func redirections(all, there []result.Address) (text string) {
	for _, same := range snapshot.Group(all, func(a result.Address) string { return where(a, there) }) {
		verb := "redirects"
		if len(same) > 1 {
			verb = "redirect"
		}
		text += fmt.Sprintf("; %s %s %s", inWords(paths(same)), verb, where(same[0], there))
	}
	return text
}

// where says where an address redirects, and by which rule of the owner's.
func where(a result.Address, there []result.Address) string {
	text := "to " + a.RedirectsTo
	if len(there) == 1 && there[0].Path == a.RedirectsTo {
		text = "there"
	}
	if a.Rule != nil {
		text += " (" + policy.Place(a.Rule.File, a.Rule.Line) + ")"
	}
	return text
}

// unserved says what hosts answer at the URL of a page that has no address: "served at no address; /o.pdf is s.pdf". It is
// empty if nothing is known of the hosts.
func unserved(site *plan.Plan, pg *plan.Page) string {
	answers := site.Sites.At(pg.URL)
	if len(answers) == 0 {
		return ""
	}
	text := "served at no address"
	for _, a := range answers {
		switch {
		case a.Serves() && a.Route != nil:
			return fmt.Sprintf("%s: %s serves %s there", text, policy.Place(a.Route.Origin.File, a.Route.Origin.Line), a.File)
		case a.Serves():
			return fmt.Sprintf("%s: %s serves %s", text, a.Path, a.File)
		case a.To != "":
			return text + redirections([]result.Address{result.AddressOf(a)}, nil)
		}
	}
	return text
}

// inWords joins names for a sentence: "a, b and c".
func inWords(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}
