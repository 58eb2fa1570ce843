package verify

import (
	"net/url"
	"sort"
	"strings"

	"metarobots/internal/address"
	"metarobots/internal/seen"
)

// A pageMap finds the target of a snapshot that is at a URL. Without a snapshot it has none.
type pageMap struct {
	exact map[string]*target // by [exactKey]
	rough map[string]*target // by [roughKey]
	homes []root             // below whose bases URLs are of the site's own, whether they are asked or not
}

// fill adds all targets of a snapshot. A page is also found at its own URL, if no other is served
// there.
func (p *pageMap) fill(targets []target) {
	p.exact, p.rough = map[string]*target{}, map[string]*target{}
	for i := range targets {
		t := &targets[i]
		p.exact[exactKey(t.at)], p.rough[roughKey(t.at)] = t, t
	}
	for i := range targets {
		t := &targets[i]
		if at := exactKey(t.root.urlOf(t.page)); p.exact[at] == nil { // else another page is served there
			p.exact[at] = t
		}
	}
}

// addOwnBases adds roots below whose bases URLs are of the site's own. A root that is not asked may
// have no base.
func (p *pageMap) addOwnBases(roots ...root) {
	for _, home := range roots {
		if home.base != nil {
			p.homes = append(p.homes, home)
		}
	}
	depth := func(i int) int { return len(p.homes[i].base.EscapedPath()) }
	sort.SliceStable(p.homes, func(i, j int) bool { return depth(i) > depth(j) })
}

// nameOf is a URL as snapshots name it: the path from the publish root if it is of the site's own,
// else the whole URL.
func (p pageMap) nameOf(u *url.URL) string {
	for _, home := range p.homes {
		if isBelow(home.base, u) {
			path := strings.TrimPrefix(u.RequestURI(), strings.TrimSuffix(home.base.EscapedPath(), "/"))
			return home.folder + strings.TrimPrefix(path, "/")
		}
	}
	return u.String()
}

// exactKey is the same for URLs of one host and one decoded path.
func exactKey(u *url.URL) string { return hostOf(u) + u.Path }

// roughKey is the same for all URLs at which one host or another may serve one page: /x, /x/,
// /x.html and /x/index.html.
func roughKey(u *url.URL) string { return hostOf(u) + address.Folded(u.Path) }

// decision is what was decided for the page at a URL, if a snapshot has one there.
func (p pageMap) decision(u *url.URL) (*seen.Told, bool) {
	t := p.exact[exactKey(u)]
	if t == nil {
		t = p.rough[roughKey(u)]
	}
	if t == nil {
		return nil, false
	}
	return t.decision, true
}

// isOnePage reports whether two URLs are one page to a host, which redirects one to the other: two
// addresses of one page of the snapshot, or, if it does not have both, /x, /x/, /x.html and
// /x/index.html.
func (p pageMap) isOnePage(a, b *url.URL) bool {
	if a.RawQuery != b.RawQuery {
		return false
	}
	if one, other := p.exact[exactKey(a)], p.exact[exactKey(b)]; one != nil && other != nil {
		return one.page == other.page
	}
	return roughKey(a) == roughKey(b)
}
