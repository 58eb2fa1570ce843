package check

import (
	"cmp"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/plan"
	"metarobots/internal/published"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// guard reports a production site that is about to leave the index, whoever says so (S3).
func guard(site *plan.Plan) []policy.Finding {
	c := &site.Project.Config.Robots
	if site.Project.Environment.Preview {
		return nil
	}
	share := hiddenShare(site, c.Guard.Noindex)
	homes := slices.DeleteFunc(hiddenHomes(site), func(f policy.Finding) bool { // said with the others
		return len(share) > 0 && f.File == share[0].File && f.Line == share[0].Line
	})
	all := slices.Concat(homes, closedHomes(site), share)
	switch {
	case !c.Guard.Allow:
		return all
	case len(all) > 0:
		return nil
	}
	f := policy.Finding{ID: "guard", Severity: policy.Warning, Message: "robots.guard.allow: no page needs it: take it " +
		"out, so that the guard is there when one does"}
	f.File, f.Line = site.Project.Config.Locate("guard", "allow")
	return []policy.Finding{f}
}

// leavesIndex reports whether a page is noindex for everyone, or for the one crawler that most
// sites live on.
func leavesIndex(pg *plan.Page) bool {
	google, _ := pg.Decision.Agent(policy.UsualCrawlers[0])
	return pg.Decision.NoIndex() || google.NoIndex()
}

// causeOf is the place of what keeps a page out of the index, or the page's file if nobody knows
// the place.
func causeOf(site *plan.Plan, pg *plan.Page) policy.Origin {
	o := pg.Decision.DecidedAt(site.Project.Policy.Style)
	if o.File == "" {
		o.File, o.Line = site.Project.Published(pg.File.Name), 0
	}
	return o
}

// guardFinding is a finding of the guard at the place of its cause. key is what an owner sets who
// means it.
func guardFinding(at policy.Origin, url, key, format string, args ...any) policy.Finding {
	undo := "change that line"
	if at.Key != "" {
		undo = seen.ReasonOf(at).Undo()
	}
	f := at.Finding("guard", policy.Error, format, args...).Advise(". To undo it, %s. If this is intended, "+
		"set robots.guard.%s", undo, key)
	f.URL = url
	return f
}

// noindexForOne reports files that one of the usual crawlers leaves out of its index and others do
// not, once for each place: in lists and counts they are among those that are restricted, beside
// max-snippet and its kind.
func noindexForOne(site *plan.Plan) (all []policy.Finding) {
	for _, name := range policy.UsualCrawlers {
		crawler := policy.LookupCrawler(name)
		all = append(all, tallied(site, "noindex-for-one", policy.Warning, "{at}: only {key} reads noindex: {pages} "+
			"stays in the index of the others", func(places tallies, pg *plan.Page) {
			if at, reader, ok := noindexFor(crawler, pg.Decision); ok {
				places.add(causeKey(at), pg, at).key = reader
			}
		})...)
	}
	return all
}

// noindexFor reports whether a decision is noindex for a crawler and not for everyone. at is where
// that is stated, and reader names the crawler.
func noindexFor(crawler *policy.Crawler, d *policy.Decision) (at policy.Origin, reader string, ok bool) {
	i := slices.IndexFunc(d.Statements, func(s policy.Statement) bool {
		return s.Crawler != "" && s.Concerns(crawler) && s.Directives.NoIndex()
	})
	// indexifembedded of another statement may loosen what one says alone.
	if i < 0 || d.NoIndex() || !d.Obeyed(crawler).NoIndex() {
		return at, "", false
	}
	reader = crawler.Name
	if by := d.Statements[i].Crawler; by != crawler.Name {
		reader += ", which also obeys " + by + ","
	}
	return d.Statements[i].Origin, reader, true
}

// causeKey is the key of the tally for what a statement causes: its place. A tag that a template
// writes into each page is at another place in each, and is one cause, so its key is the tag.
func causeKey(at policy.Origin) string {
	if at.Layer == policy.LayerFound {
		return at.Key
	}
	return policy.Placed(at.File, at.Line, at.Key)
}

// hiddenHomes reports home pages that are noindex, except those of languages that visibility hides
// and of old versions: Hugo makes a home page for each version.
func hiddenHomes(site *plan.Plan) (all []policy.Finding) {
	for _, pg := range site.Pages {
		isHidden := pg.IsMain() && isHome(pg) && leavesIndex(pg)
		if !isHidden || pg.Decision.NoIndex() && languageHidden(pg) || plan.IsOldVersion(site, pg) {
			continue
		}
		crawler := ""
		if !pg.Decision.NoIndex() {
			crawler = " for " + policy.UsualCrawlers[0]
		}
		all = append(all, guardFinding(causeOf(site, pg), pg.URL, plan.GuardAllows,
			"the home page is noindex%s in %s", crawler, site.Project.Environment.Name))
	}
	return all
}

// languageHidden reports whether a page is noindex for its language alone, which visibility hides
// on purpose.
func languageHidden(pg *plan.Page) bool {
	return hiddenOnlyBy(pg, func(o policy.Origin) bool {
		return o.Layer == policy.LayerVisibility && strings.Contains(o.Key, "visibility.languages.")
	})
}

// hiddenOnlyBy reports whether all that makes a page noindex for everyone is of a kind.
func hiddenOnlyBy(pg *plan.Page, kind func(policy.Origin) bool) bool {
	_, otherwise := pg.Decision.NoIndexBy(func(o policy.Origin) bool { return !kind(o) })
	return !otherwise
}

// closedHomes reports home pages that robots.txt keeps crawlers from.
func closedHomes(site *plan.Plan) (all []policy.Finding) {
	for _, r := range site.HostFiles.Robots {
		home, crawler := site.Page(r.Host.Root+"index.html"), policy.UsualCrawlers[0]
		f, _ := seen.Host{Robots: r.File}.Fetch(crawler, "/")
		if home != nil {
			f = published.Fetch(site, home, "", crawler)
		}
		if r.Host.Base == "" && !f.Allowed {
			at := policy.Origin{File: f.File, Line: f.Line}
			all = append(all, guardFinding(at, "/", plan.GuardAllows,
				"%q keeps %s from the home page in %s", f.Rule, crawler, site.Project.Environment.Name))
		}
	}
	return all
}

// hiddenShare reports that too many pages are noindex, at the place that causes most of it.
func hiddenShare(site *plan.Plan, limit float64) []policy.Finding {
	hidden, counted := plan.Leaving(site, leavesIndex)
	if float64(hidden) <= limit*float64(counted) {
		return nil
	}
	causes := tallies{}
	for _, pg := range site.Pages {
		if plan.IsGuarded(site, pg) && leavesIndex(pg) {
			at := causeOf(site, pg)
			causes.add(causeKey(at), pg, at)
		}
	}
	most := slices.MaxFunc(slices.Collect(maps.Values(causes)), func(a, b *tally) int {
		return cmp.Or(a.count-b.count, strings.Compare(b.first.File.Name, a.first.File.Name))
	})
	part := ""
	if most.count < hidden {
		part = fmt.Sprintf("; the largest cause is this one, with %d", most.count)
	}
	f := guardFinding(most.at, "", plan.GuardKey(hidden, counted),
		"%s noindex in %s, and robots.guard.noindex = %v allows %d", hiddenInWords(hidden, counted),
		site.Project.Environment.Name, limit, int(limit*float64(counted)))
	return []policy.Finding{f.Explain("%s", part)}
}

// hiddenInWords says how many of the pages that the guard counts are noindex.
func hiddenInWords(hidden, counted int) string {
	of := fmt.Sprintf("of %d home, section and ordinary pages ", counted)
	return robotstag.Count(hidden, of+"is", of+"are")
}

func isHome(pg *plan.Page) bool {
	return pg.File.Facts.Kind == "home" || pg.File.Facts.Kind == "" && pg.File.Name == "index.html"
}

// NewlyNoindex lists the addresses of the pages that an earlier run left in the index and this one
// takes out. An environment that hides everything says nothing of single pages.
func NewlyNoindex(site *plan.Plan) []string {
	addresses := []string{}
	for _, pg := range site.Pages {
		if isNewlyNoindex(site, pg) {
			addresses = append(addresses, site.Project.Address(pg.File.Name).String())
		}
	}
	return addresses
}

func isNewlyNoindex(site *plan.Plan, pg *plan.Page) bool {
	return !site.Project.Environment.Preview && pg.Earlier.WasIndexable && pg.File.Role == policy.RolePage &&
		pg.Decision.NoIndex()
}

// newlyNoindex counts those pages by what made them so, for the removal tools of search engines.
// https://support.google.com/webmasters/answer/9689846
func newlyNoindex(site *plan.Plan) []policy.Finding {
	return tallied(site, "newly-noindex", policy.Note, "newly noindex: {pages}, because of {key}",
		func(all tallies, pg *plan.Page) {
			if !isNewlyNoindex(site, pg) {
				return
			}
			at := causeOf(site, pg)
			if at.Layer == policy.LayerPage {
				at.Key = "its front matter, " + at.Key
			}
			all.add(at.Key, pg, at)
		})
}

// nowhere matches host names that no crawler can reach. example.org and its like, which are for
// documentation, are not among them.
// https://www.rfc-editor.org/rfc/rfc6761#section-6
var nowhere = lazyregexp.New(`(?i)(?:^|\.)(?:localhost|local|test|invalid)$`)

// unreachable reports each base URL that no crawler can reach, such as http://localhost:1313/, if
// the site's pages are to be indexed and something names its addresses to crawlers: a sitemap, or
// the canonical link of a page. In a preview nothing is to be found, so it reports nothing.
func unreachable(site *plan.Plan) (all []policy.Finding) {
	p := site.Project
	namesCanonical := func(pg *plan.Page) bool { // the page's own URL, or its newest version's
		return pg.Links.Self != "" || pg.TagsNewest() != ""
	}
	areAddressesNamed := len(site.Sitemaps) > 0 || slices.ContainsFunc(site.Pages, namesCanonical)
	isToBeFound := !p.Environment.Preview && !p.Policy.Hides() // by a noindex for every page
	if !areAddressesNamed || !isToBeFound {
		return nil
	}
	for _, h := range p.Hosts.All {
		if !isUnreachable(h.URL.Hostname()) {
			continue
		}
		all = append(all, policy.Finding{ID: "base-url", Severity: policy.Warning, Message: "baseURL is " +
			h.URL.String() + ", which no crawler can reach, and canonical links or sitemaps lead there: set the address of " +
			p.Environment.Name})
	}
	return all
}

// isUnreachable reports whether no crawler can reach a host, by its name or its IP address alone:
// "localhost", "10.0.0.7". A host that nobody knows, "", is not among them.
func isUnreachable(host string) bool {
	address, err := netip.ParseAddr(host)
	isNotPublic := err == nil &&
		(address.IsLoopback() || address.IsPrivate() || address.IsUnspecified())
	return isNotPublic || nowhere.MatchString(host)
}
