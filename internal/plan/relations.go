package plan

import "metarobots/emit/head"

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

// relate sets what the links of a page say of other pages, and by which path a canonical link names the page itself.
// Where the site's address is not known, whole addresses may be its own or another site's, and nothing is said of them.
func (mk *Maker) relate(pg *Page, links []head.Relation) {
	p, file := mk.project, pg.File.Name
	for _, link := range links {
		to, ok := p.Leads(file, link.Href, false)
		if ok && mk.sites.Names(to, file) {
			if link.Canonical && pg.Self == "" {
				pg.Self, pg.SelfLine = to, int32(link.Line)
			}
			continue
		} else if !ok && p.HostOf(file).URL.Host == "" {
			if pg.Unplaced == nil {
				pg.Unplaced = &link
			}
			continue // nobody has said which host is the site's own
		}
		if pg.Related == nil {
			pg.Related = &Related{}
		}
		switch r := pg.Related; {
		case link.Canonical && r.Line == 0:
			r.Canonical, r.Elsewhere, r.Line = to, !ok, link.Line
		case !link.Canonical && ok:
			r.Alternates = append(r.Alternates, to)
		}
	}
}
