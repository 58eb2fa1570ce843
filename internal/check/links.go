package check

import (
	"cmp"
	"slices"
	"strings"

	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/policy"
)

// relations reports canonical and alternate links that lead to noindex pages, or away from them.
// https://developers.google.com/search/docs/crawling-indexing/canonicalization-troubleshooting
func relations(site *plan.Plan) []policy.Finding {
	var leading []policy.Finding     // to noindex pages
	known := map[string]*plan.Page{} // each page of a language is named by all others
	hidden := func(at string) *plan.Page {
		to, ok := known[at]
		if !ok {
			if to = site.Served(at); to != nil && !to.Hidden() {
				to = nil
			}
			known[at] = to
		}
		return to
	}
	hreflang := tallies{} // by language: one that is hidden makes a link of every page
	both := tallies{}     // by what hides the pages: a cascade hides an old version's, which name those of today
	for _, pg := range site.Pages {
		if pg.Related == nil || !pg.File.Role.Policed() {
			continue
		}
		switch r := pg.Related; {
		case namesOwner(site, pg):
			// A print page or a pager names the page that it is one of, and is often noindex as
			// well.
		case r.Line > 0 && pg.Hidden():
			at := causeOf(site, pg)
			where := r.Canonical
			if r.Elsewhere {
				where = "another site"
			}
			by := " by " + policy.Placed(at.File, at.Line, at.Key)
			both.add(by, pg, policy.Origin{Line: r.Line, Key: where}).of = by
		case r.Canonical != "" && hidden(r.Canonical) != nil:
			leading = append(leading, site.About(pg, "canonical-to-noindex", policy.Warning, r.Line,
				"its canonical link names %s, which is noindex: both may leave the index", r.Canonical))
		}
		if pg.Hidden() {
			continue
		}
		for _, alternate := range pg.Related.Alternates {
			if to := hidden(alternate); to != nil {
				language := ""
				if name := to.File.Facts.Language; name != "" {
					language = " of the language " + name
				}
				hreflang.add(language, pg, policy.Origin{Key: alternate}).of = language
			}
		}
	}
	return slices.Concat(
		both.findings(site, "canonical-and-noindex", policy.Warning, "the page is noindex, and its canonical link names "+
			"{at}: noindex says to forget the page, canonical to count it as that one{more}"),
		leading,
		hreflang.findings(site, "hreflang-to-noindex", policy.Warning, "its hreflang link names {at}, which is noindex: "+
			"crawlers ignore it{more}"))
}

// namesOwner reports whether the canonical link of a pager, or of another output of a page, names
// that page.
func namesOwner(site *plan.Plan, pg *plan.Page) bool {
	return pg.File.Of != nil && pg.Related != nil && pg.Related.Canonical != "" &&
		site.Sites.Names(pg.Related.Canonical, strings.TrimPrefix(pg.File.Of.Path.File, "/"))
}

// redirectedLinks reports canonical and hreflang links of pages that name addresses which hosts
// only redirect: each kind once, at the first.
// https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
func redirectedLinks(site *plan.Plan) (all []policy.Finding) {
	type naming struct {
		by      string
		first   *plan.Page
		line    int
		address string
		more    int
	}
	canonical, hreflang := naming{by: "its canonical link"}, naming{by: "its hreflang link"}
	known := map[string]bool{} // whether an address is only redirected
	count := func(n *naming, pg *plan.Page, line int, address string) {
		only, ok := known[address]
		if !ok {
			_, only = site.Sites.Redirects(address)
			known[address] = only
		}
		switch {
		case !only:
		case n.first == nil:
			n.first, n.line, n.address = pg, line, address
		default:
			n.more++
		}
	}
	for _, pg := range site.Pages {
		if !pg.File.Role.Policed() || pg.Hidden() {
			continue
		}
		if pg.Self != "" {
			count(&canonical, pg, int(pg.SelfLine), pg.Self)
		}
		if r := pg.Related; r != nil {
			if r.Canonical != "" {
				count(&canonical, pg, r.Line, r.Canonical)
			}
			for _, address := range r.Alternates {
				count(&hreflang, pg, 0, address)
			}
		}
	}
	for _, n := range []naming{canonical, hreflang} {
		if n.first != nil {
			at := policy.Origin{File: site.Project.Published(n.first.File.Name), Line: n.line}
			f := redirectedAddress(site, at, n.by, n.address, n.more)
			f.URL = n.first.URL
			all = append(all, f)
		}
	}
	return all
}

// canonicalHeaders reports files whose headers, by a rule or a line of the owner's, name another
// URL as canonical, where something else contradicts that: the page's own link, or noindex. Each
// line is reported once.
// https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
func canonicalHeaders(site *plan.Plan) []policy.Finding {
	differs, hidden := tallies{}, tallies{}
	for _, pg := range site.Pages {
		l := pg.Canonical()
		if l == nil {
			continue
		}
		to, own := site.Project.Leads(pg.File.Name, l.Canonical(), project.IsForeign)
		at := policy.Placed(l.Origin.File, l.Origin.Line, l.Origin.Key)
		switch r := pg.Related; {
		case pg.Self != "" && site.IsCopy(pg), r != nil && r.Canonical != "" && !(own && site.Sites.SamePage(to, r.Canonical)),
			r != nil && r.Elsewhere && own:
			differs.add(at, pg, l.Origin)
		}
		if pg.Hidden() && site.IsCopy(pg) {
			hidden.add(at, pg, l.Origin)
		}
	}
	return append(
		differs.findings(site, "canonical-differs", policy.Warning, "{at}: its canonical link and the one in the head of "+
			"the page differ, on {pages}: search engines may use neither"),
		hidden.findings(site, "canonical-and-noindex", policy.Warning, "{at}: it names another URL as canonical for "+
			"{pages}, which is noindex: the link says that it is a copy of that URL, and noindex that it is to be forgotten")...)
}

// listedCopies reports sitemaps and hreflang links that name files whose headers say that another
// URL is canonical.
func listedCopies(site *plan.Plan) (all []policy.Finding) {
	if !slices.ContainsFunc(site.Pages, site.IsCopy) {
		return nil
	}
	const text = " names {pages}, whose headers name another URL as canonical: list that one"
	for _, l := range site.Sitemaps {
		copies := tallies{}
		for _, pg := range l.Listed {
			if !pg.Leaves() && site.IsCopy(pg) {
				copies.add("", pg, policy.Origin{File: l.Change.File})
			}
		}
		all = append(all, copies.findings(site, "copy-listed", policy.Warning, "the sitemap"+text)...)
	}
	copies := tallies{}
	for _, pg := range site.Pages {
		if pg.Related == nil || !pg.File.Role.Policed() || pg.Hidden() {
			continue
		}
		for _, alternate := range pg.Related.Alternates {
			if to := site.Served(alternate); to != nil && site.IsCopy(to) {
				t := copies.add("", to, policy.Origin{})
				t.about = cmp.Or(t.about, pg)
			}
		}
	}
	return append(all, copies.findings(site, "copy-listed", policy.Warning, "an hreflang link"+text)...)
}

// unplacedLinks reports canonical and hreflang links that are not checked, because nobody knows the
// site's host.
func unplacedLinks(site *plan.Plan) []policy.Finding {
	set := "set baseURL, or add -b https://…"
	if home := site.Page("index.html"); home != nil && home.Unplaced != nil && home.Unplaced.Canonical {
		set = "the home page's canonical link names " + home.Unplaced.Href + ": if that is the site, add -b " +
			home.Unplaced.Href + ", or set baseURL"
	}
	return tallied(site, "no-base-url", policy.Note, "canonical and hreflang links of {pages} name hosts, and the site's own "+
		"is not known, so they are not checked: "+set, func(all tallies, pg *plan.Page) {
		if pg.Unplaced != nil && pg.File.Role.Policed() {
			all.add("", pg, policy.Origin{Line: pg.Unplaced.Line})
		}
	})
}
