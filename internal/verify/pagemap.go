package verify

import (
	"net/url"

	"metarobots/internal/address"
	"metarobots/internal/seen"
)

// A pageMap is the pages of a snapshot, by the addresses at which hosts serve them. Without a snapshot there is none.
type pageMap struct {
	// exact are they by host and decoded path, folded by what the paths have in common at which hosts serve one page.
	exact, folded map[string]*target
}

func newPageMap(targets []target) pageMap {
	p := pageMap{map[string]*target{}, map[string]*target{}}
	for i := range targets {
		t := &targets[i]
		p.exact[exactly(t.at)], p.folded[roughly(t.at)] = t, t
	}
	for i := range targets {
		t := &targets[i]
		if at := exactly(t.root.urlOf(t.page)); p.exact[at] == nil { // else another page is served there
			p.exact[at] = t
		}
	}
	return p
}

func exactly(u *url.URL) string { return hostOf(u) + u.Path }

// roughly is where a page is by whichever of its paths, as far as its host is not known better.
func roughly(u *url.URL) string { return hostOf(u) + address.Folded(u.Path) }

// decision is what was decided for the page at a URL, if a snapshot has one there.
func (p pageMap) decision(u *url.URL) (*seen.Told, bool) {
	t := p.exact[exactly(u)]
	if t == nil {
		t = p.folded[roughly(u)]
	}
	if t == nil {
		return nil, false
	}
	return t.decision, true
}

// same reports whether two URLs are one page to a host, of which it redirects one to the other: two addresses of one
// page of the snapshot, or, of others, /x, /x/, /x.html and /x/index.html.
func (p pageMap) same(a, b *url.URL) bool {
	if a.RawQuery != b.RawQuery {
		return false
	}
	if one, other := p.exact[exactly(a)], p.exact[exactly(b)]; one != nil && other != nil {
		return one.page == other.page
	}
	return roughly(a) == roughly(b)
}
