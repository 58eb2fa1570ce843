package plan

import (
	"metarobots/emit/head"
	"metarobots/internal/project"
	"metarobots/policy"
)

// Related is what a page says of others: its canonical address and its translations, without those
// that are the page itself.
type Related struct {
	// Canonical is the encoded path from the publish root, of the first canonical link that names
	// another page; empty for none and for another site's. Line is that link's; 0 for none.
	Canonical string
	Line      int
	// Elsewhere: the canonical address is on another site. OtherSite is its URL.
	Elsewhere bool
	OtherSite string
	// Newest is the absolute URL of its page in the newest version, if the page names that as
	// canonical because the key versions asks for it (L10j). ByHeader: it does so by a header, else
	// by the link in its head.
	Newest   string
	ByHeader bool
	// Alternates are encoded paths from the publish root.
	Alternates []string
	// Redirect is where the page sends readers, an encoded path from the publish root or the URL of
	// another site; empty for nowhere.
	Redirect string
}

// noteRedirect sets where a page sends readers, if that is all it does.
func (mk *Maker) noteRedirect(pg *Page, refresh *head.Refresh) {
	if pg.File.Role != policy.RoleRedirect || refresh == nil {
		return
	}
	r := pg.Links.toOthers()
	r.Redirect = refresh.URL
	to, isOnSite := mk.project.ResolveLink(pg.File.Name, refresh.URL, project.UnknownIsForeign)
	if isOnSite {
		r.Redirect = to
	}
}

// relate sets pg.Links by the canonical and alternate links of a page, which are in the order of the
// page. Of several links that set one field the first counts, except that all alternates are kept.
// Later checks read them: a canonical link to a noindex page, for example.
//
//	                                    canonical            alternate
//	https://own.example/a/ on /a/       Self                 nothing: translations name themselves
//	https://own.example/b/, or ../b/    Related.Canonical    Related.Alternates
//	https://other.example/              Related.Elsewhere    nothing
//	mailto:x, or what is no URL         Related.Elsewhere    nothing
//
// If the host of the site is not known, all of these except ../b/ set Unplaced in place of that: they
// may be of the site or of another one.
//
// [Maker.rebase] has resolved the links against the page's base element.
func (mk *Maker) relate(pg *Page, links []head.Relation) {
	p, file := mk.project, pg.File.Name
	isHostKnown := p.HostOf(file).URL.Host != ""
	for i := range links {
		link := &links[i]
		to, isOnSite := p.ResolveLink(file, link.Href, project.UnknownIsForeign)
		isItself := isOnSite && mk.sites.Names(to, file)
		switch isUnplaced := !isOnSite && !isHostKnown; {
		case isItself && link.Canonical && pg.Links.Self == "":
			pg.Links.Self, pg.Links.SelfLine = to, int32(link.Line)
		case isUnplaced && pg.Links.Unplaced == nil:
			copied := *link // not a pointer into links, which would keep all of them in memory
			pg.Links.Unplaced = &copied
		case isItself, isUnplaced: // nothing more to note
		case link.Canonical && !isOnSite:
			pg.Links.relateTo(*link, mk.wholeURL(file, link.Href), isOnSite)
		default:
			pg.Links.relateTo(*link, to, isOnSite)
		}
	}
}

// wholeURL is an address on a published file as a URL with its host. What cannot be read stays as
// it is written.
func (mk *Maker) wholeURL(file, href string) string {
	if to, err := mk.project.Address(file).Parse(href); err == nil {
		return to.String()
	}
	return href
}

// rebase resolves the links of a page against the address that its base element says, as browsers
// and crawlers do. What cannot be read stays as it is written.
func (mk *Maker) rebase(pg *Page, facts *head.Facts) {
	if facts.Base == "" {
		return
	}
	base, err := mk.project.Address(pg.File.Name).Parse(facts.Base)
	if err != nil || base.Opaque != "" {
		return
	}
	for i := range facts.Relations {
		if to, err := base.Parse(facts.Relations[i].Href); err == nil {
			facts.Relations[i].Href = to.String()
		}
	}
}

// toOthers is Related, which is made if it is nil.
func (l *Links) toOthers() *Related {
	if l.Related == nil {
		l.Related = &Related{}
	}
	return l.Related
}

// relateTo notes a link to another page in l.Related. to is its encoded path from the publish root
// if it is on this site, and the URL of a canonical one on another site; an alternate there is not
// noted. Of canonical links the first counts.
func (l *Links) relateTo(link head.Relation, to string, isOnSite bool) {
	r := l.toOthers() // also for an alternate on another site, which leaves it empty
	hasCanonical := r.Line != 0
	if link.Canonical && !hasCanonical {
		r.Elsewhere, r.Line = !isOnSite, link.Line
		if isOnSite {
			r.Canonical = to
		} else {
			r.OtherSite = to
		}
	} else if !link.Canonical && isOnSite {
		r.Alternates = append(r.Alternates, to)
	}
}
