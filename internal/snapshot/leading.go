package snapshot

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"sort"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/internal/plan"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// Where a URL leads search engines decides which one is listed. By its canonical links, or as a
// redirect, before and now:
//
//	before      now         the URL
//	itself      /b/         has left the index (X17k)
//	itself      a redirect  has left the index
//	/b/         /c/         leads elsewhere, though it was not in the index
//	/b/         a redirect  was not in the index: no news
//	a redirect  /b/         the same
//	/b/         itself      may be listed beside /b/
//	nobody knows            is not compared
//
// There are redirects of two kinds: a page that is one has that as its role, and where the owner
// redirects every address of a page, the entry still has the page's decision. One of a deployed
// site has no target here, so that the URL counts as changed alone.

// leading is the change of a URL that was indexable, and now leads search engines to another URL
// than before: if it led nowhere, it leaves the index although its page is published. A canonical
// link or an owner's redirect counts only if both snapshots say where their URLs lead; a page that
// is a redirect always counts, as its role says that.
func (p entryPair) leading() (change Change, is bool) {
	wasIndexable := p.old.Told.Role == "" && !p.old.Told.Robots.NoIndex()
	isNoindex := p.new.Told.Robots.NoIndex() // then it has left the index by that
	lead := p.new.Leads                      // nil if it leads nowhere
	if !wasIndexable || isNoindex || lead == nil {
		return Change{}, false
	}
	isRedirectPage := p.new.Told.Role != ""
	if !isRedirectPage && !p.knowLeads {
		return Change{}, false
	}
	change = Change{URL: p.new.URL, Was: p.old.Told.String(), Is: textOf(lead), To: lead.To}
	if p.old.Leads != nil { // it led elsewhere before: another target of a canonical link counts
		before, now := p.old.canonical(), p.new.canonical()
		if before == nil || now == nil || isSameTarget(before, now) {
			return Change{}, false
		}
		change.Was, change.LedTo = textOf(before), cmp.Or(before.To, otherSite)
	}
	return change.withReason(reasonOf(lead), lead.File, lead.Line), true
}

// noLongerLeads reports whether the canonical link of a URL named another one, and the URL itself
// may be listed now.
func (p entryPair) noLongerLeads() bool {
	isListed := p.new.Told.Role == "" && !p.new.Told.Robots.NoIndex() && p.new.Leads == nil && !p.new.hasCanonical()
	return p.knowLeads && p.old.canonical() != nil && !p.old.Told.Robots.NoIndex() && isListed
}

// canonical is where the canonical link of an entry leads; nil if it leads to no other URL.
func (e *Entry) canonical() *plan.Lead {
	if e.Told.Role == "" && e.Leads != nil && e.Leads.By == plan.ByCanonicalLink {
		return e.Leads
	}
	return nil
}

// others are what both entries say beside their decisions, as it is shown. Where canonical links
// lead is among that if both snapshots know it and the two differ.
func (p entryPair) others() (was, is []string) {
	was, is = p.old.others(), p.new.others()
	before, now := p.old.canonical(), p.new.canonical()
	areRead := p.old.Told.Role == "" && p.new.Told.Role == ""
	if !p.knowLeads || !areRead || before != nil && now != nil && isSameTarget(before, now) {
		return was, is
	}
	if before != nil {
		was = append(was, textOf(before))
	}
	if now != nil {
		is = append(is, textOf(now))
	}
	return was, is
}

// otherSite is what a text names if a canonical link leads to another site and nobody knows the URL
// there.
const otherSite = "another site"

// textOf says where a lead leads: "canonical link to /b/".
func textOf(lead *plan.Lead) string { return lead.By + " to " + cmp.Or(lead.To, otherSite) }

// reasonOf is what URLs have in common that lead to one URL, or each to a URL of its own on another
// site.
func reasonOf(lead *plan.Lead) seen.Reason {
	if lead.By == plan.ByCanonicalLink && !isOnSite(lead) {
		return seen.Reason{Text: lead.By + " to " + otherSite}
	}
	return seen.Reason{Text: textOf(lead)}
}

// isOnSite reports whether a lead stays on the site.
func isOnSite(lead *plan.Lead) bool { return strings.HasPrefix(lead.To, "/") }

// isSameTarget reports whether two leads lead to one URL, by http or https. One to another site
// whose URL nobody knows may be any there.
func isSameTarget(a, b *plan.Lead) bool {
	if !isOnSite(a) && !isOnSite(b) && (a.To == "" || b.To == "") {
		return true
	}
	return withoutScheme(a.To) == withoutScheme(b.To)
}

// withoutScheme is a URL without the scheme of the web, and any other text as it is.
func withoutScheme(text string) string {
	return strings.TrimPrefix(strings.TrimPrefix(text, "https:"), "http:")
}

// A place is where a folder of the publish root is served.
type place struct{ base, folder string }

// placesOf are the places that hosts of snapshots serve, by folders, and bases that are taken for
// the publish root.
func placesOf(bases []string, hosts ...map[string]string) (places []place) {
	for _, byFolder := range hosts {
		for folder, base := range byFolder {
			places = append(places, place{base, folder})
		}
	}
	for _, base := range bases {
		places = append(places, place{base, "/"})
	}
	sort.SliceStable(places, func(i, j int) bool { // the deepest folder first
		a, b := &places[i], &places[j]
		return cmp.Or(len(b.base)-len(a.base), len(b.folder)-len(a.folder),
			strings.Compare(a.base+a.folder, b.base+b.folder)) < 0
	})
	return places
}

// leadOnSite is where an entry leads, as a path if that is on the site. It is nil if its canonical
// link names the page itself at another of the site's hosts, as pages of a preview name those of
// production.
func (e *Entry) leadOnSite(places []place) *plan.Lead {
	if e.Leads == nil || isOnSite(e.Leads) {
		return e.Leads
	}
	lead := *e.Leads
	for _, at := range places {
		base := strings.TrimSuffix(withoutScheme(at.base), "/") + "/"
		if path, isBelow := strings.CutPrefix(withoutScheme(lead.To), base); isBelow {
			lead.To = at.folder + path
			break
		}
	}
	isItself := isOnSite(&lead) && slices.ContainsFunc(append([]string{e.URL}, e.Addresses()...), func(own string) bool {
		return address.Folded(decoded(own)) == address.Folded(decoded(lead.To))
	})
	if isItself && lead.By == plan.ByCanonicalLink {
		return nil
	}
	return &lead
}

// decoded is a path without its encoding.
func decoded(path string) string {
	if u, err := url.Parse(path); err == nil && u.RawQuery == "" {
		return u.Path
	}
	return path
}

// leavingFindings are about URLs that leave the index: because they are noindex, or because they
// lead to another URL. Both count against one limit, most. A page that moved, because it leads to a
// URL that is new since the snapshot, keeps its place in the index there: that is a note.
func (b *Baseline) leavingFindings(rest Changes, added map[string]bool, most int) []policy.Finding {
	var moved, left, led []Change
	for _, change := range rest.NewlyLeading {
		switch {
		case added[change.To]:
			moved = append(moved, change)
		case change.LedTo != "":
			led = append(led, change)
		default:
			left = append(left, change)
		}
	}
	hidden := rest.NewlyNoindex
	all := b.findingsByCause(hidden, "%s became noindex since the snapshot (%s)",
		terms{most: most, others: len(left) + len(led)})
	all = append(all, b.findingsByCause(left, "%s left the index since the snapshot (%s)",
		terms{most: most, others: len(hidden) + len(led), undo: "take that out there"})...)
	all = append(all, b.findingsByCause(led, "%s with another canonical link than in the snapshot (%s)",
		terms{most: most, others: len(hidden) + len(left), undo: "name that page again"})...)
	if len(moved) == 0 {
		return all
	}
	return append(all, policy.Finding{ID: "baseline", Severity: policy.Note, File: b.File, URL: moved[0].URL,
		Message: fmt.Sprintf("%s to pages that are new since the snapshot: %s",
			robotstag.Count(len(moved), "URL leads", "URLs lead"), FirstURLs(urlsOf(moved)))})
}

// addedURLs are the URLs that are new since a snapshot.
func addedURLs(changes *Changes) map[string]bool {
	added := map[string]bool{}
	for _, change := range changes.Added {
		added[change.URL] = true
	}
	return added
}

// LeadsUnknown reports whether s does not know where canonical links lead, and another snapshot has
// some that lead to another page: then the two cannot be compared there.
func (s *Snapshot) LeadsUnknown(other *Snapshot) bool {
	isLeading := func(e Entry) bool { return e.canonical() != nil }
	return s.leadsUnknown && slices.ContainsFunc(other.Entries, isLeading)
}
