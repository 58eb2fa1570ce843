package cli

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"metarobots/internal/address"
	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/result"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// served says in a line where hosts serve a page: "served at /p; /p.html redirects there". With
// --verbose the line names all addresses. Otherwise it leaves out what the page's URL tells, and is
// empty if that is all.
func (c *explainCommand) served(site *plan.Plan, q question) string {
	if q.page.File.Role == policy.RoleControl {
		return ""
	}
	p := placementOf(site, q)
	switch {
	case len(p.served) == 0:
		return unserved(site, q.page)
	case c.verbose:
		return p.line(len(p.served))
	case p.isToldByURL():
		return ""
	}
	return p.withoutTold().line(mostAddresses)
}

// mostAddresses is how many addresses of a page a line names without --verbose.
const mostAddresses = 4

// A placement is where hosts serve a page, and from where they redirect to it.
type placement struct {
	// named are the paths by which the owner knows the page, the most telling first: the address
	// that represents it, the path by which it was asked for, and its URL.
	named      []string
	served     []result.Address // where it is served, in one spelling each and in the order of named
	redirected []result.Address
	unknown    string // the path by which it was asked for, if nothing is known to be there
}

func placementOf(site *plan.Plan, q question) (p placement) {
	p.named = []string{site.Sites.Preferred(q.page), cmp.Or(q.path, q.page.URL), q.page.URL}
	for _, a := range result.AddressesOf(site, q.page, q.path) {
		if a.RedirectsTo != "" {
			p.redirected = append(p.redirected, a)
		} else if !p.servesSpelling(a.Path) {
			p.served = append(p.served, a)
		}
	}
	rank := func(a result.Address) int {
		if i := slices.Index(p.named[:2], a.Path); i >= 0 {
			return i
		}
		return 2
	}
	sort.SliceStable(p.served, func(i, j int) bool { return rank(p.served[i]) < rank(p.served[j]) })
	if q.path != "" && !isKnown(site, q.path) && site.Sites.Names(q.path, q.page.File.Name) {
		p.unknown = q.path
	}
	return p
}

// servesSpelling reports whether a path is in the placement, in whatever spelling.
func (p *placement) servesSpelling(path string) bool {
	isSame := func(a result.Address) bool { return policy.Decoded(a.Path) == policy.Decoded(path) }
	return slices.ContainsFunc(p.served, isSame)
}

// isKnown reports whether a host is known to answer at a path.
func isKnown(site *plan.Plan, path string) bool {
	return slices.ContainsFunc(site.Sites.At(path), func(a address.Address) bool { return !a.Nothing() })
}

// isNamed reports whether the owner knows the page by an address.
func (p *placement) isNamed(a result.Address) bool { return slices.Contains(p.named, a.Path) }

// isOfFile reports whether a page's URL tells an address: that of the file itself, or of a folder's
// index.
func isOfFile(a result.Address) bool { return a.By == address.Asset || a.By == address.Index }

// isToldByURL reports whether the page's URL tells all that matters: it is served as a file or a
// folder's index and nowhere else, and no path by which the owner knows it redirects or is unknown.
func (p *placement) isToldByURL() bool {
	isUntold := func(a result.Address) bool { return !isOfFile(a) }
	return p.unknown == "" && !slices.ContainsFunc(p.served, isUntold) && !slices.ContainsFunc(p.redirected, p.isNamed)
}

// withoutTold leaves out what the page's URL tells, and redirects from paths by which nobody knows
// the page.
func (p placement) withoutTold() *placement {
	p.served = slices.DeleteFunc(p.served, func(a result.Address) bool { return isOfFile(a) && !p.isNamed(a) })
	p.redirected = slices.DeleteFunc(p.redirected, func(a result.Address) bool { return !p.isNamed(a) })
	return &p
}

// line names so many addresses at most.
func (p *placement) line(most int) string {
	text := "served at " + addressList(p.served, most) + redirections(p.redirected, p.served)
	if p.unknown != "" {
		text += "; nothing is known to serve " + p.unknown
	}
	return text
}

// addressList names addresses, so many at most: "/p, /p/ and /p.html; /o (rewritten by
// _redirects:3)".
func addressList(all []result.Address, most int) string {
	rule := func(a result.Address) (by result.HeaderRule) {
		if a.Rule != nil {
			by = *a.Rule
		}
		return by
	}
	var texts []string
	for _, alike := range snapshot.Group(all[:min(most, len(all))], rule) {
		text := joinPaths(alike)
		if by := rule(alike[0]); by.File != "" {
			text += " (rewritten by " + policy.Place(by.File, by.Line) + ")"
		}
		texts = append(texts, text)
	}
	if more := len(all) - most; more > 0 {
		texts = append(texts, fmt.Sprintf("%d more (-v)", more))
	}
	return strings.Join(texts, "; ")
}

// redirections say which addresses redirect where: "; /p.html redirects there", if a page is served
// at one address alone.
func redirections(redirected, served []result.Address) (text string) {
	target := func(a result.Address) string { return redirectTarget(a, served) }
	for _, alike := range snapshot.Group(redirected, target) {
		verb := "redirects"
		if len(alike) > 1 {
			verb = "redirect"
		}
		text += fmt.Sprintf("; %s %s %s", joinPaths(alike), verb, target(alike[0]))
	}
	return text
}

// redirectTarget says where an address redirects, and by which rule of the owner's: "to /p
// (_redirects:3)", or "there" if the target is the one address at which the page is served, which
// the line has named.
func redirectTarget(a result.Address, served []result.Address) string {
	text := "to " + a.RedirectsTo
	if len(served) == 1 && served[0].Path == a.RedirectsTo {
		text = "there"
	}
	if a.Rule != nil {
		text += " (" + policy.Place(a.Rule.File, a.Rule.Line) + ")"
	}
	return text
}

// unserved says what hosts answer at the URL of a page that has no address:
// "served at no address; /o.pdf is s.pdf". It is empty if nothing is known of the hosts.
func unserved(site *plan.Plan, pg *plan.Page) string {
	answers := site.Sites.At(pg.URL)
	if len(answers) == 0 {
		return ""
	}
	text := "served at no address"
	for _, a := range answers {
		switch {
		case a.Serves() && a.Route != nil:
			rule := policy.Place(a.Route.Origin.File, a.Route.Origin.Line)
			return fmt.Sprintf("%s: %s serves %s there", text, rule, a.File)
		case a.Serves():
			return fmt.Sprintf("%s: %s serves %s", text, a.Path, a.File)
		case a.To != "":
			return text + redirections([]result.Address{result.AddressOf(a)}, nil)
		}
	}
	return text
}

// joinPaths names the paths of addresses: "/a, /b and /c".
func joinPaths(all []result.Address) string {
	var paths []string
	for _, a := range all {
		paths = append(paths, a.Path)
	}
	return printable.JoinAnd(paths)
}
