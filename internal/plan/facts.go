package plan

import (
	"metarobots/emit/head"
	"metarobots/internal/site"
	"metarobots/policy"
)

// maxPage is the size of the largest page that is read, in bytes. Crawlers read far less: Googlebot 15 MB.
// https://developers.google.com/search/docs/crawling-indexing/googlebot#how-googlebot-accesses-your-site
const maxPage = 64 << 20

// metaNames are the names of metas that crawlers read, that of page metadata, and the names that say nothing in a page
// (A4).
func metaNames(crawlers policy.Crawlers) map[string]head.Kind {
	names := map[string]head.Kind{}
	for _, name := range crawlers.Names() {
		names[name] = head.Robots
		if c, _ := crawlers.Lookup(name); c.HeaderOnly() {
			names[name] = head.Inert
		}
	}
	for _, name := range policy.InertNames() {
		names[name] = head.Inert
	}
	names["robots"], names[site.PageMetaName] = head.Robots, head.Robots
	return names
}

// redirects reports whether a page only sends readers on: a real head element http-equiv=refresh, delay 0, to another
// URL (L4).
func (p *Project) redirects(f *site.File, r *head.Refresh) bool {
	if r == nil || r.Delay != 0 || r.URL == "" || f.Role > policy.RoleRedirect {
		return false
	}
	to, ok := p.leads(f.Name, r.URL, false)
	return !ok || !samePath(to, site.URL(f.Name)) // else it reloads itself
}

// Related is what a page says of others: its canonical address and its translations, as far as they are not itself.
type Related struct {
	// Canonical is the encoded path from the publish root; empty for the page itself, for none and for another site's.
	Canonical string
	// Line is that of the canonical link; 0 for none.
	Line int
	// Elsewhere: the canonical address is on another site.
	Elsewhere bool
	// Alternates are encoded paths from the publish root.
	Alternates []string
}

// related returns what a page's links say of other pages; nil for nothing. Where the site's address is not known, whole
// addresses may be its own or another site's, and nothing is said of them.
func (p *Project) related(pg *Page, links []head.Relation) (r *Related) {
	for _, link := range links {
		to, ok := p.leads(pg.Name, link.Href, false)
		if ok && samePath(to, pg.URL) || !ok && p.hostOf(pg.Name).url.Host == "" {
			continue // it names the page itself; or nobody has said which host is the site's own
		}
		if r == nil {
			r = &Related{}
		}
		switch {
		case link.Canonical && r.Line == 0:
			r.Canonical, r.Elsewhere, r.Line = to, !ok, link.Line
		case !link.Canonical && ok:
			r.Alternates = append(r.Alternates, to)
		}
	}
	return r
}
