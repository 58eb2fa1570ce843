package check

import (
	"fmt"
	"slices"

	"metarobots/emit/robotstag"
	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/project"
	"metarobots/internal/published"
	"metarobots/internal/versions"
	"metarobots/policy"
)

// oldVersions says what the owner's choice for old versions does to each documentation of the site
// (L10); nothing if the owner has made none. If old versions are to leave the index, it says which
// version stays there, and which pages are in no newer version, since they leave it altogether. If
// they are to name the newest as canonical instead, it counts the pages that do. A list of versions
// that cannot be read is a warning.
func oldVersions(site *plan.Plan) (all []policy.Finding) {
	isAboutVersions := func(v policy.Visible) bool { return v.Group == "versions" }
	if !slices.ContainsFunc(site.Project.Policy.Visibility, isAboutVersions) {
		return nil // the owner does not ask for anything
	}
	for _, list := range site.Versions.Unread {
		all = append(all, list.At.Finding("old-versions", policy.Warning,
			"this list of versions cannot be read, so every version that it names stays in the "+
				"index: %v", list.Err))
	}
	areToNameNewest := site.Project.Config.Robots.Versions.Canonical != nil // else to be noindex
	for i := range site.Versions.Groups {
		g := &site.Versions.Groups[i] // one documentation
		switch old := oldNames(g); {
		case len(old) == 0:
		case areToNameNewest:
			all = append(all, namingsOf(site, g, old))
		default:
			all = append(all, oldVersionsOf(site, g, old))
		}
	}
	return all
}

// oldNames are the names of the old versions of a documentation.
func oldNames(g *versions.Group) (names []string) {
	for _, v := range g.Versions {
		if g.IsOld(v) {
			names = append(names, v.Name)
		}
	}
	return names
}

// oldVersionsOf is the note about one documentation whose old versions, of some names, leave the
// index.
func oldVersionsOf(site *plan.Plan, g *versions.Group, old []string) policy.Finding {
	pages := 0
	var missing []string // the URLs of pages that are in no newer version
	for _, pg := range site.Pages {
		newest, group := site.Versions.InNewest(pg.File.Name) // nil for files of no old version
		if group != g || !pg.File.HTML || !pg.File.Role.Policed() {
			continue
		}
		pages++
		if site.Page(newest) == nil {
			missing = append(missing, pg.URL)
		}
	}
	f := g.At.Finding("old-versions", policy.Note, "%s is the newest version: %s noindex, of %s",
		g.Newest,
		robotstag.Count(pages, "page is", "pages are"), listed(old))
	if len(missing) > 0 {
		f.Message += fmt.Sprintf("; %s not in it, the first is %s",
			robotstag.Count(len(missing), "of these is", "of these are"), missing[0])
	}
	return warnIfDoubtful(f, g)
}

// disallowedNewest reports pages of the newest version that robots.txt keeps a usual crawler from,
// and that pages of old versions, which that crawler may read, name as canonical because the key
// versions asks for it (L10p): once for each rule. In a preview nothing is to be listed, so it
// reports nothing.
func disallowedNewest(site *plan.Plan) []policy.Finding {
	if site.Project.Config.Robots.Versions.Canonical == nil || site.Project.Policy.Hides() {
		return nil
	}
	rules := tallies{}
	for _, pg := range site.Pages {
		newest := namedNewest(site, pg)
		if newest == nil {
			continue
		}
		aboutOld := published.QuestionAbout(site, pg)
		aboutNewest := published.QuestionAbout(site, newest)
		for _, crawler := range policy.UsualCrawlers {
			const noQuery = ""
			if mayRead, _ := aboutOld.Ask(noQuery, crawler); mayRead.Allowed {
				rules.addIfDisallowed(newest, aboutNewest, crawler, noStatement)
			}
		}
	}
	return rules.ruleFindings(site, "old-versions", policy.Warning,
		"{pages}, which old versions name as canonical: allow crawling, or search engines may "+
			"list neither of the two")
}

// namedNewest is the page of the newest version that a page of an old one names as canonical, by a
// tag or by a header, because the key versions asks for it. It is nil for any other page, and if
// what is named is no page of the site.
func namedNewest(site *plan.Plan, pg *plan.Page) *plan.Page {
	url := pg.TagsNewest() // empty for none
	if header := pg.CanonicalHeader(); header != nil && isAskedFor(site, pg) {
		url = header.Canonical()
	}
	if url == "" {
		return nil
	}
	at, isOnSite := site.Project.ResolveLink(pg.File.Name, url, project.UnknownIsForeign)
	if !isOnSite {
		return nil
	}
	return site.Served(at)
}

// warnIfDoubtful is a note about a documentation, made a warning if the newest version has hardly a
// page of the old ones: then the two may be no versions of one documentation.
func warnIfDoubtful(f policy.Finding, g *versions.Group) policy.Finding {
	if g.IsDoubtful {
		f.Severity = policy.Warning
		f = f.Advise(`: if %s does not replace them, let robots.versions.match name fewer `+
			`folders, or set robots.visibility.versions = "all"`, g.Newest)
	}
	return f
}

// listed are the names of versions, as many as a message has room for.
func listed(names []string) string {
	const most = 5
	return printable.JoinFirst(names, most)
}

// unnamed are the reasons for which a page of an old version does not name the newest as canonical,
// in the order and the words of the note.
var unnamed = []struct {
	naming       plan.Naming
	one, several string
}{
	{plan.OnlyOld, "is in old versions only", "are in old versions only"},
	{plan.Unfit, "stays as it is, since the page there is noindex, a redirect, a copy, in " +
		"another language or no page",
		"stay as they are, since the page there is noindex, a redirect, a copy, in another " +
			"language or no page"},
	{plan.NamesOther, "names another page already, which stays",
		"name other pages already, which stay"},
	{plan.NamesNone, "stays as it is, since it is noindex or cannot name another page",
		"stay as they are, since they are noindex or cannot name another page"},
}

// namingsOf is the note about one documentation, g, whose old versions are to name the newest as
// canonical: how many of their pages do, and how many do not, with the first of them, for each
// reason (L10p). old are the names of the old versions. It is a warning if nobody knows the address
// of the site, since then no link can be written, or if the newest version has hardly a page of the
// old ones.
func namingsOf(site *plan.Plan, g *versions.Group, old []string) policy.Finding {
	urls, isHostKnown := urlsByNaming(site, g)
	askedAt := site.Project.Config.Robots.Versions.Canonical // the place of the key versions
	f := askedAt.Finding("old-versions", policy.Note, "%s is the newest "+
		"version: %s its page as canonical, of %s", g.Newest,
		robotstag.Count(len(urls[plan.NamesNewest]), "page names", "pages name"), listed(old))
	if !isHostKnown {
		f.Severity = policy.Warning
		f.Message += "; links are absolute, and the address of the site is not known: set " +
			"baseURL in [site]"
		return f
	}
	for _, why := range unnamed {
		if of := urls[why.naming]; len(of) > 0 {
			f.Message += fmt.Sprintf("; %s, the first is %s",
				robotstag.Count(len(of), why.one, why.several), of[0])
		}
	}
	return warnIfDoubtful(f, g)
}

// urlsByNaming are the URLs of the pages in old versions of a documentation, by whether they name
// the newest, and why not. Pages that nothing is asked of are left out, such as those of the newest
// version. isHostKnown reports whether the host of each of these pages is known: links need it.
func urlsByNaming(
	site *plan.Plan, g *versions.Group,
) (urls map[plan.Naming][]string, isHostKnown bool) {
	urls, isHostKnown = map[plan.Naming][]string{}, true
	for _, pg := range site.Pages {
		if _, group := site.Versions.InNewest(pg.File.Name); group != g {
			continue
		}
		naming := plan.NamingOf(site, pg)
		if naming == plan.NotAsked {
			continue
		}
		isHostKnown = isHostKnown && site.Project.HostOf(pg.File.Name).URL.Host != ""
		urls[naming] = append(urls[naming], pg.URL)
	}
	return urls, isHostKnown
}
