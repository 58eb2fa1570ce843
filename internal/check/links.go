package check

import (
	"cmp"
	"slices"
	"strings"

	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/policy"
)

// Planning found the canonical and hreflang links in each page that has a policy. The checks here
// go by its pg.Links.Related, which has them without the page's links to itself.

// unknownLine is the line of an hreflang link: planning keeps none for it.
const unknownLine = 0

// contradictedCanonicals reports canonical links from and to noindex pages, as one of two findings:
//
//	canonical-and-noindex   a noindex page names another as canonical: once for each place that makes
//	                        pages noindex, since a cascade may hide all pages of an old version
//	canonical-to-noindex    an indexable page names a noindex one as canonical: for each page
//
// A link of a noindex page to a noindex one, or to another site, is the first. Links that
// isUsualBesideNoindex are neither.
// https://developers.google.com/search/docs/crawling-indexing/canonicalization-troubleshooting
func contradictedCanonicals(site *plan.Plan) []policy.Finding {
	var toNoindex []policy.Finding
	andNoindex := tallies{}
	for _, pg := range site.Pages {
		if pg.Links.Related == nil || !pg.File.Role.Policed() || isUsualBesideNoindex(site, pg) {
			continue
		}
		hasCanonical := pg.Links.Related.Line > 0 // on this site or on another one
		switch {
		case pg.Hidden() && hasCanonical:
			addCanonicalAndNoindex(andNoindex, site, pg)
		case !pg.Hidden() && hiddenPageAt(site, pg.Links.Related.Canonical) != nil:
			toNoindex = append(toNoindex, site.About(pg, "canonical-to-noindex", policy.Warning,
				pg.Links.Related.Line, "its canonical link names %s, which is noindex: both may leave "+
					"the index",
				pg.Links.Related.Canonical))
		}
	}
	return append(andNoindex.findings(site, "canonical-and-noindex", policy.Warning,
		"the page is noindex, and its canonical link names {at}: noindex says to forget the page, "+
			"canonical to count it as that one{more}"), toNoindex...)
}

// isUsualBesideNoindex reports whether the canonical link of a page is no contradiction, whichever
// of the two pages is noindex: that of a print page or a pager, which names the page that it is one
// of and is often noindex as well; and that of a noindex page to a symlink to it, since the
// generator mike names a version by its alias, a symlink, and both have the same tags.
func isUsualBesideNoindex(site *plan.Plan, pg *plan.Page) bool {
	canonical := pg.Links.Related.Canonical // "" if there is none, or on another site
	return namesItsPage(site, pg) ||
		canonical != "" && pg.Hidden() && isSymlinkTo(site, site.Served(canonical), pg)
}

// hiddenAlternates reports hreflang links of indexable pages to noindex ones: once for each
// language of the latter, since every page may name its translation. Sitemaps may have such links
// too, which [contradictedSitemaps] reports.
func hiddenAlternates(site *plan.Plan) []policy.Finding {
	byLanguage := tallies{}
	hidden := map[string]*plan.Page{} // by path: all pages may name the same translations
	for _, pg := range site.Pages {
		if pg.Links.Related == nil || !pg.File.Role.Policed() || pg.Hidden() {
			continue
		}
		for _, alternate := range pg.Links.Related.Alternates {
			to, isKnown := hidden[alternate]
			if !isKnown {
				to = hiddenPageAt(site, alternate)
				hidden[alternate] = to
			}
			if to == nil { // the link is as it should be
				continue
			}
			ofLanguage := "" // it is not known
			if name := to.File.Facts.Language; name != "" {
				ofLanguage = " of the language " + name
			}
			byLanguage.add(ofLanguage, pg, linkAt(unknownLine, alternate)).common = ofLanguage
		}
	}
	return byLanguage.findings(site, "hreflang-to-noindex", policy.Warning,
		"its hreflang link names {at}, which is noindex: crawlers ignore it{more}")
}

// addCanonicalAndNoindex counts a noindex page with a canonical link to another page, by what makes
// it noindex.
func addCanonicalAndNoindex(all tallies, site *plan.Plan, pg *plan.Page) {
	at := causeOf(site, pg)
	target := pg.Links.Related.Canonical
	if pg.Links.Related.Elsewhere {
		target = "another site"
	}
	by := " by " + policy.Placed(at.File, at.Line, at.Key)
	all.add(by, pg, linkAt(pg.Links.Related.Line, target)).common = by
}

// isSymlinkTo reports whether a page, nil for none, is there through a symlink to another page.
func isSymlinkTo(site *plan.Plan, link, pg *plan.Page) bool {
	return link != nil && site.Folder.Symlinks[link.File.Name].Target == pg.File.Name
}

// hiddenPageAt is the noindex page that is served at an encoded path from the publish root, or to
// which hosts redirect from there; nil if another page is, or none, and for no path, "".
func hiddenPageAt(site *plan.Plan, at string) *plan.Page {
	if at == "" {
		return nil
	}
	if pg := site.Served(at); pg != nil && pg.Hidden() {
		return pg
	}
	return nil
}

// namesItsPage reports whether the canonical link of a pager, or of another output of a page, names
// that page, the one that it is a part or an output of. It is false for the page itself.
func namesItsPage(site *plan.Plan, pg *plan.Page) bool {
	return pg.File.Of != nil && pg.Links.Related != nil && pg.Links.Related.Canonical != "" &&
		site.Sites.Names(pg.Links.Related.Canonical, strings.TrimPrefix(pg.File.Of.Path.File, "/"))
}

// redirectedLinks reports canonical and hreflang links of indexable pages that name addresses which
// hosts only redirect: each kind of link once, at the first, with a count of the others. A
// canonical link of a page to itself counts too: it may name the page by an address that is
// redirected to it. It does not count if this run replaces it.
// https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
func redirectedLinks(site *plan.Plan) []policy.Finding {
	isRedirected := redirectedPaths(site)
	canonical := redirectedKind{name: "its canonical link", isRedirected: isRedirected}
	hreflang := redirectedKind{name: "its hreflang link", isRedirected: isRedirected}
	for _, pg := range site.Pages {
		if !pg.File.Role.Policed() || pg.Hidden() {
			continue
		}
		// A page of an old version gets a link to the newest one in place of that to itself.
		isSelfReplaced := pg.TagsNewest() != ""
		if pg.Links.Self != "" && !isSelfReplaced {
			canonical.addIfRedirected(pg, int(pg.Links.SelfLine), pg.Links.Self)
		}
		if pg.Links.Related == nil { // it has no links to other pages
			continue
		}
		if isOnSite := pg.Links.Related.Canonical != ""; isOnSite {
			canonical.addIfRedirected(pg, pg.Links.Related.Line, pg.Links.Related.Canonical)
		}
		for _, address := range pg.Links.Related.Alternates {
			hreflang.addIfRedirected(pg, unknownLine, address)
		}
	}
	return append(canonical.findings(site), hreflang.findings(site)...)
}

// A redirectedKind is what [redirectedLinks] finds of one kind of link.
type redirectedKind struct {
	name         string // of the kind, for the message
	isRedirected func(address string) bool
	first        *plan.Page // the first page with such a link to a redirected address; nil for none
	line         int        // of the link there, 0 if it is not known
	address      string     // the encoded path from the publish root that it names
	more         int        // how many such links there are beside it
}

// addIfRedirected counts a link of a page, if hosts only redirect the address that it names.
func (k *redirectedKind) addIfRedirected(pg *plan.Page, line int, address string) {
	switch {
	case !k.isRedirected(address):
	case k.first == nil:
		k.first, k.line, k.address = pg, line, address
	default:
		k.more++
	}
}

// findings is the one about the first link; none if there is no such link.
func (k *redirectedKind) findings(site *plan.Plan) []policy.Finding {
	if k.first == nil {
		return nil
	}
	at := policy.Origin{File: site.Project.Published(k.first.File.Name), Line: k.line}
	f := redirectedAddress(site, at, k.name, k.address, k.more)
	f.URL = k.first.URL
	return []policy.Finding{f}
}

// redirectedPaths returns a function that reports whether hosts only redirect a path, and serve
// nothing there. It keeps what it has found.
func redirectedPaths(site *plan.Plan) func(at string) bool {
	known := map[string]bool{}
	return func(at string) bool {
		isRedirected, isKnown := known[at]
		if !isKnown {
			_, isRedirected = site.Sites.Redirects(at)
			known[at] = isRedirected
		}
		return isRedirected
	}
}

// canonicalHeaders reports files whose headers, by a rule or a line of the owner's, name a URL as
// canonical, where something else contradicts that: the link in the head of the page, if the two
// name different pages, or noindex, if the header names another URL than the page's. Each line is
// reported once. Two links to other sites are not compared.
// https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
func canonicalHeaders(site *plan.Plan) []policy.Finding {
	differs, hidden := tallies{}, tallies{}
	for _, pg := range site.Pages {
		header := pg.CanonicalHeader()
		if header == nil {
			continue
		}
		at := policy.Placed(header.Origin.File, header.Origin.Line, header.Origin.Key)
		if differsInHead(site, pg, header.Canonical()) {
			differs.add(at, pg, header.Origin)
		}
		if pg.Hidden() && site.IsCopy(pg) {
			hidden.add(at, pg, header.Origin)
		}
	}
	return append(
		differs.findings(site, "canonical-differs", policy.Warning,
			"{at}: its canonical link and the one in the head of the page differ, on {pages}: "+
				"search engines may use neither"),
		hidden.findings(site, "canonical-and-noindex", policy.Warning,
			"{at}: it names another URL as canonical for {pages}, which is noindex: the link says "+
				"that it is a copy of that URL, and noindex that it is to be forgotten")...)
}

// differsInHead reports whether the canonical link in the head of a page names another page than
// inHeader, the URL that its header names. It does not if the head has none, nor if both name
// another site.
func differsInHead(site *plan.Plan, pg *plan.Page, inHeader string) bool {
	to, isOnSite := site.Project.ResolveLink(pg.File.Name, inHeader, project.UnknownIsForeign)
	inHead := pg.Links.Related // nil if the head names no other page
	switch {
	case pg.Links.Self != "" && site.IsCopy(pg): // the head names the page, the header does not
		return true
	case inHead == nil:
		return false
	case inHead.Canonical != "":
		return !isOnSite || !site.Sites.SamePage(to, inHead.Canonical)
	}
	return inHead.Elsewhere && isOnSite
}

// listedCopies reports sitemaps and hreflang links that name copies: files whose headers name
// another URL as canonical ([plan.Plan.IsCopy]), such as a PDF of a page. Search engines expect
// canonical URLs there. Each sitemap is reported once, and all hreflang links of indexable pages
// together, at the first page with one. Files of old versions that name the newest are not: their
// owner asks for it.
// https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
func listedCopies(site *plan.Plan) (all []policy.Finding) {
	if !slices.ContainsFunc(site.Pages, site.IsCopy) {
		return nil // as on most sites: the links need not be followed
	}
	for _, sitemap := range site.Sitemaps {
		all = append(all, copiesInSitemap(site, sitemap)...)
	}
	return append(all, copiesInAlternates(site)...)
}

const copyListed = " names {pages}, whose headers name another URL as canonical: list that one"

// copiesInSitemap reports the unwanted copies among the entries of a sitemap. It leaves out what
// should be in no sitemap at all: noindex pages, which are another finding, redirects and error
// pages.
func copiesInSitemap(site *plan.Plan, sitemap *plan.SitemapFile) []policy.Finding {
	copies := tallies{}
	for _, pg := range sitemap.Listed {
		isForNoSitemap := pg.LeavesSitemaps()
		if !isForNoSitemap && isUnwantedCopy(site, pg) {
			copies.add(oneTally, pg, policy.Origin{File: sitemap.Change.File})
		}
	}
	return copies.findings(site, "copy-listed", policy.Warning, "the sitemap"+copyListed)
}

// copiesInAlternates reports the unwanted copies that hreflang links of indexable pages name. The
// tally counts the copies, and the finding is about the first page with such a link.
func copiesInAlternates(site *plan.Plan) []policy.Finding {
	copies := tallies{}
	for _, pg := range site.Pages {
		if pg.Links.Related == nil || !pg.File.Role.Policed() || pg.Hidden() {
			continue
		}
		for _, alternate := range pg.Links.Related.Alternates {
			if to := site.Served(alternate); to != nil && isUnwantedCopy(site, to) {
				t := copies.add(oneTally, to, policy.Origin{})
				t.about = cmp.Or(t.about, pg)
			}
		}
	}
	return copies.findings(site, "copy-listed", policy.Warning, "an hreflang link"+copyListed)
}

// isUnwantedCopy reports whether the headers of a file name another URL as canonical, for another
// reason than that its version is old.
func isUnwantedCopy(site *plan.Plan, pg *plan.Page) bool {
	return site.IsCopy(pg) && !isAskedFor(site, pg)
}

// isAskedFor reports whether a file names another as canonical because its version is old (L10j).
func isAskedFor(site *plan.Plan, pg *plan.Page) bool {
	return plan.NamingOf(site, pg) == plan.NamesNewest
}

// LeavesLinks reports whether canonical or hreflang links are not checked, because nobody knows the
// site's host.
func LeavesLinks(site *plan.Plan) bool { return slices.ContainsFunc(site.Pages, hasUnplacedLink) }

func hasUnplacedLink(pg *plan.Page) bool { return pg.Links.Unplaced != nil && pg.File.Role.Policed() }

// unplacedLinks reports canonical and hreflang links that are not checked, because nobody knows the
// site's host.
func unplacedLinks(site *plan.Plan) []policy.Finding {
	set := "set baseURL, or add -b https://…"
	if home := site.Page("index.html"); home != nil && home.Links.Unplaced != nil &&
		home.Links.Unplaced.Canonical {
		set = "the home page's canonical link names " + home.Links.Unplaced.Href +
			": if that is the site, add -b " +
			home.Links.Unplaced.Href + ", or set baseURL"
	}
	return tallied(site, "no-base-url", policy.Note, "canonical and hreflang links of {pages} "+
		"name hosts, and the site's own is not known, so they are not checked: "+
		set, func(all tallies, pg *plan.Page) {
		if hasUnplacedLink(pg) {
			all.add(oneTally, pg, policy.Origin{Line: pg.Links.Unplaced.Line})
		}
	})
}
