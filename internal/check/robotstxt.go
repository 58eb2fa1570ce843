package check

import (
	"fmt"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"

	"metarobots/internal/address"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/published"
	"metarobots/policy"
)

// misplacedRobots reports each robots.txt that no crawler looks for (S2). baseURL's own path is a
// matter of package robotstxt.
func misplacedRobots(site *plan.Plan) (all []policy.Finding) {
	for _, pg := range site.Pages {
		read := func(h project.Host) bool { return pg.File.Name == h.Root+"robots.txt" }
		if path.Base(pg.File.Name) == "robots.txt" && !slices.ContainsFunc(site.Project.Hosts.All, read) {
			all = append(all, site.About(pg, "robotstxt-place", policy.Warning, 0,
				"no crawler reads it: a robots.txt counts at the root of its host alone"))
		}
	}
	return all
}

// missingSitemaps reports each Sitemap line for a file that is not published, where nothing else is
// known to be served there.
func missingSitemaps(site *plan.Plan) (all []policy.Finding) {
	for _, r := range site.HostFiles.Robots {
		for _, l := range r.File.Sitemaps() {
			to, ok := site.Project.ResolveLink(r.Change.Name, l.Value, project.UnknownIsForeign)
			answers := func(a address.Address) bool { return a.By != address.Fallback && !a.Nothing() || a.Route != nil }
			if !ok || site.Served(to) != nil { // on another site, or published
				continue
			}
			if slices.ContainsFunc(site.Sites.At(to), answers) || hasRedirectLine(site, to) {
				continue
			}
			all = append(all, l.Source.Origin.Finding("robotstxt-sitemap", policy.Warning, "%s: no such file is published",
				l.String()))
		}
	}
	return all
}

// outdatedCrawlers reports that the crawlers to block, or those of a use by AI, are those of an old
// list.
func outdatedCrawlers(site *plan.Plan) []policy.Finding {
	p := site.Project
	if !policy.CrawlersOutdated(p.Policy.Now) {
		return nil
	}
	file, line := p.Config.Locate("txt", "block")
	if len(p.Config.Robots.Txt.Policy.Block) == 0 {
		pg := firstAboutAI(site)
		if pg == nil {
			return nil
		}
		d := pg.Decision
		first := slices.IndexFunc(d.Statements, func(s policy.Statement) bool { return !s.AI.IsZero() })
		file, line = d.Statements[first].Origin.File, d.Statements[first].Origin.Line
	}
	return []policy.Finding{{ID: "robotstxt-old-crawlers", Severity: policy.Note, File: file, Line: line,
		Message: "the list of crawlers is of " + policy.CrawlersAsOf() + ": the policy does not reach those that came since",
		Fix:     "; a newer release of metarobots knows them"}}
}

// firstAboutAI is the first page about whose use by AI something is stated; nil if there is none.
func firstAboutAI(site *plan.Plan) *plan.Page {
	i := slices.IndexFunc(site.Pages, func(pg *plan.Page) bool { return !pg.Decision.AI.IsZero() })
	if i < 0 {
		return nil
	}
	return site.Pages[i]
}

// unusedCrawlerLists reports lists of crawlers that nothing is stated for (S9e).
func unusedCrawlerLists(site *plan.Plan) []policy.Finding {
	txt := &site.Project.Config.Robots.Txt
	if len(txt.Lists) == 0 || len(txt.Policy.Block) > 0 || firstAboutAI(site) != nil {
		return nil
	}
	return []policy.Finding{txt.Lists[0].Source.Origin.Finding("crawler-list", policy.Warning, "%s: the list has "+
		"no effect, because nothing is blocked or stated about AI: block = [\"ai-training\"] in [robots.txt], or [robots.ai]",
		txt.Lists[0].Text)}
}

// addIfDisallowed counts a page if robots.txt keeps a crawler from it: in the tally of the rule
// that does. The same rule in several groups has one tally, at the first of its lines. states is
// what the crawler would read on the page, noStatement if the finding does not show that. The
// findings are made by [tallies.ruleFindings].
func (all tallies) addIfDisallowed(
	pg *plan.Page, question published.Question, crawler, states string,
) {
	const noQuery = ""
	f, address := question.Ask(noQuery, crawler)
	if f.Allowed {
		return
	}
	at := policy.Origin{File: f.File, Line: f.Line}
	t := all.add(question.Robots.Change.File+"\x00"+f.Rule, pg, at)
	if t.first == pg {
		t.states = append(t.states, crawlerStates{crawler, states})
		t.at.Key = quoted(t.states)
		if address != pg.URL {
			t.address = address
		}
	}
	if at.File == t.at.File {
		t.at.Line = min(t.at.Line, at.Line)
	}
	if !slices.Contains(t.crawlers, crawler) {
		t.crawlers = append(t.crawlers, crawler)
	}
}

// crawlerStates is what restricts a crawler on a page.
type crawlerStates struct{ crawler, states string }

// quoted is what restricts crawlers on a page: "nosnippet" if it is the same for all of them, else
// "googlebot: nosnippet; bingbot: noarchive".
func quoted(all []crawlerStates) string {
	isOther := func(s crawlerStates) bool { return s.states != all[0].states }
	if !slices.ContainsFunc(all, isOther) {
		return all[0].states
	}
	var texts []string
	for _, s := range all {
		texts = append(texts, s.crawler+": "+s.states)
	}
	return strings.Join(texts, "; ")
}

// restrictionsOf are the words of directives that restrict.
func restrictionsOf(d policy.Directives) string {
	var words []string
	for _, w := range d.Words(policy.Style{KeepRedundant: true}) {
		if !w.Implied && d.On(w.Axis).Restricts() {
			words = append(words, w.Text)
		}
	}
	return strings.Join(words, ", ")
}

// noStatement is for findings about whole pages, whatever they state.
const noStatement = ""

// ruleFindings are one finding for each rule that addIfDisallowed has counted pages for, in the
// order of their files and lines: `"/a/" keeps googlebot from ` and the text.
func (all tallies) ruleFindings(
	site *plan.Plan, id string, s policy.Severity, text string,
) []policy.Finding {
	byRule := tallies{} // with keys that sort by file and line
	for key, t := range all {
		_, rule, _ := strings.Cut(key, "\x00")
		t.key = strconv.Quote(rule)
		byRule[fmt.Sprintf("%s\x00%08d%s", t.at.File, t.at.Line, key)] = t
	}
	return byRule.findings(site, id, s, "{key} keeps {crawlers} from "+text)
}

// unreadable reports what robots.txt keeps crawlers from reading: a noindex, or an
// unavailable_after, which is one to come, and other restrictions (S2). Each is said once for each
// rule.
// https://developers.google.com/search/docs/crawling-indexing/block-indexing
func unreadable(site *plan.Plan) []policy.Finding {
	if site.Project.Policy.Hides() {
		return unreadablePreview(site)
	}
	noindex, others := tallies{}, tallies{}
	for _, pg := range site.Pages {
		if !pg.File.Role.Policed() || !pg.Decision.Restricts() {
			continue
		}
		question := published.QuestionAbout(site, pg)
		for crawler, obeys := range restrictedCrawlers(pg) {
			if obeys.NoIndex() {
				noindex.addIfDisallowed(pg, question, crawler, noStatement)
			} else {
				others.addIfDisallowed(pg, question, crawler, restrictionsOf(obeys))
			}
		}
	}
	return append(
		noindex.ruleFindings(site, "robotstxt-hides-noindex", policy.Error, "reading the noindex of {pages}: such a "+
			"page may be indexed by its links alone\n; allow crawling, or drop the noindex"),
		others.ruleFindings(site, "robotstxt-hides-directives", policy.Warning, "reading what {pages} says to crawlers "+
			"({at}): they cannot obey it\n; allow crawling, or drop it")...)
}

// unreadablePreview reports pages of a preview whose noindex a rule hides that is not for the whole
// site, as production may have it on purpose (S2o). A rule for the whole site is an error of
// package robotstxt.
func unreadablePreview(site *plan.Plan) []policy.Finding {
	hidden := tallies{}
	for _, pg := range site.Pages {
		if !pg.File.Role.Policed() || !pg.Decision.NoIndex() {
			continue
		}
		question := published.QuestionAbout(site, pg)
		if question.Robots == nil { // there is none, so everything may be read
			continue
		}
		for _, crawler := range policy.UsualCrawlers {
			home := published.FetchAt(site, "/"+question.Robots.Host.Root, crawler)
			const noQuery = ""
			f, _ := question.Ask(noQuery, crawler)
			isForWholeSite := !home.Allowed && f.Rule == home.Rule
			if !isForWholeSite {
				hidden.addIfDisallowed(pg, question, crawler, noStatement)
			}
		}
	}
	return hidden.ruleFindings(site, "robotstxt-hides-noindex", policy.Warning, "reading that this environment is "+
		"noindex on {pages}: such a page may be indexed by its links alone\n; leave the rule out of previews, or ask "+
		"for a password there")
}

// restrictedCrawlers yields the crawlers whose verdict matters for a page, with the directives that
// each obeys there: the usual ones if everyone is restricted, and those that are restricted by
// name.
func restrictedCrawlers(pg *plan.Page) iter.Seq2[string, policy.Directives] {
	d := pg.Decision
	return func(yield func(string, policy.Directives) bool) {
		for _, name := range policy.UsualCrawlers {
			obeys := d.Obeyed(policy.LookupCrawler(name))
			_, isNamed := d.Agent(name) // then it is among those below
			if !isNamed && obeys.Restricts() && !yield(name, obeys) {
				return
			}
		}
		for i := range d.Agents {
			agent := &d.Agents[i]
			if agent.Directives.Restricts() && !yield(agent.Crawler.Name, agent.Directives) {
				return
			}
		}
	}
}

// contradictedSitemaps reports for each sitemap the noindex pages that it lists ([hiddenEntries]),
// and those that its hreflang links name (S1).
func contradictedSitemaps(site *plan.Plan) (all []policy.Finding) {
	// In the text of a finding, the Detail is behind the first end of a line, the Fix behind the
	// second.
	remedy := "\n\n. robots.sitemap.filter = true takes them out"
	if site.Project.Config.Robots.Sitemap.OmitsHidden {
		remedy = ", hidden only by the site's own tags and headers\n\n. metarobots apply takes them out of the " +
			"sitemap. If they are to be indexed, correct the template that prints the tag, or the line of the header file"
	}
	for _, sitemap := range site.Sitemaps {
		listed, alternates := tallies{}, tallies{}
		at := policy.Origin{File: sitemap.Change.File}
		for _, pg := range hiddenEntries(site, sitemap) {
			listed.add(oneTally, pg, at)
		}
		for _, pg := range sitemap.Alternates { // all of them are noindex
			alternates.add(oneTally, pg, at)
		}
		all = slices.Concat(all,
			listed.findings(site, "sitemap-lists-noindex", policy.Warning, "it lists noindex pages, {pages}"+remedy),
			alternates.findings(site, "hreflang-to-noindex", policy.Warning, "its hreflang links name pages that are "+
				"noindex, {pages}: crawlers ignore them"))
	}
	return all
}

// hiddenEntries are the noindex pages of a sitemap that its owner should hear of. There are two
// cases:
//
//   - The owner keeps us from taking noindex pages out, by robots.sitemap.filter = false: they are
//     among the Listed, the entries that stay.
//   - A run that writes takes them out, and this one only says so beforehand: they are among the
//     Leaving. Those count that nothing but the site's own tags and headers hides, since their owner
//     may not know. What leaves because the owner names it, or because robots.txt disallows it, does
//     not.
func hiddenEntries(site *plan.Plan, sitemap *plan.SitemapFile) (all []*plan.Page) {
	for _, pg := range sitemap.Listed {
		if pg.LeavesSitemaps() && pg.Decision.NoIndex() {
			all = append(all, pg)
		}
	}
	takesOut := site.Project.Config.Robots.Sitemap.OmitsHidden
	isWritingRun := site.Source.Builds() || site.Project.Options.Writing.By != "" // "metarobots apply"
	if isWritingRun || !takesOut {
		return all
	}
	for _, pg := range sitemap.Leaving {
		if isHiddenByItsTags(pg) {
			all = append(all, pg)
		}
	}
	return all
}

// isHiddenByItsTags reports whether nothing but the site's own tags and headers makes a page
// noindex. The environment may do so as well; alone it does not count.
func isHiddenByItsTags(pg *plan.Page) bool {
	return pg.Hidden() && hiddenOnlyBy(pg, func(o policy.Origin) bool {
		return o.Layer == policy.LayerFound || o.Layer == policy.LayerEnvironment
	})
}

// disallowedSitemaps reports pages that sitemaps list and robots.txt keeps the usual crawlers from:
// once for each rule.
func disallowedSitemaps(site *plan.Plan) []policy.Finding {
	if letsAllIn(site) { // as most sites do
		return nil
	}
	rules := tallies{}
	for _, l := range site.Sitemaps {
		for _, pg := range l.Listed {
			if !pg.File.Role.Policed() || pg.LeavesSitemaps() {
				continue
			}
			question := published.QuestionAbout(site, pg)
			for _, crawler := range policy.UsualCrawlers {
				rules.addIfDisallowed(pg, question, crawler, noStatement)
			}
		}
	}
	return rules.ruleFindings(site, "sitemap-lists-disallowed", policy.Warning, "{pages}, which the sitemap lists: allow "+
		"crawling, or leave it out of the sitemap")
}

// letsAllIn reports whether each robots.txt of a site lets the usual crawlers fetch every page, so
// that no page has to be asked about.
func letsAllIn(site *plan.Plan) bool {
	for _, r := range site.HostFiles.Robots {
		for _, crawler := range policy.UsualCrawlers {
			if !r.File.Alike("/") || !r.File.Ask(crawler, "/").Allowed {
				return false
			}
		}
	}
	return true
}

// redirectedEntries reports entries of sitemaps that name addresses which hosts only redirect (S1):
// once, at the first.
// https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap
func redirectedEntries(site *plan.Plan) []policy.Finding {
	entries, at := entriesOf(site, func(l *plan.SitemapFile) []string { return l.Redirected })
	if len(entries) == 0 {
		return nil
	}
	return []policy.Finding{redirectedAddress(site, at, "the sitemap", entries[0], len(entries)-1)}
}

// entriesOf are entries of all sitemaps, and the file of the first.
func entriesOf(site *plan.Plan, some func(l *plan.SitemapFile) []string) (entries []string, at policy.Origin) {
	for _, l := range site.Sitemaps {
		if len(entries) == 0 {
			at.File = l.Change.File
		}
		entries = append(entries, some(l)...)
	}
	return entries, at
}

// relativeEntries reports entries of sitemaps that are no whole URLs, as a generator writes them
// that knows no address of the site (S1): once, at the first.
// https://www.sitemaps.org/protocol.html#locdef
func relativeEntries(site *plan.Plan) []policy.Finding {
	entries, at := entriesOf(site, func(l *plan.SitemapFile) []string { return l.Relative })
	if len(entries) == 0 {
		return nil
	}
	named := fmt.Sprintf("%q", entries[0])
	if more := len(entries) - 1; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	return []policy.Finding{at.Finding("sitemap-relative", policy.Warning,
		"crawlers accept no entry without scheme and host: %s", named).
		Advise(". Set baseURL (-b https://www.example.com/) and build again")}
}

// redirectedAddress is the note about an address that hosts only redirect. It is at the place that
// names the address; by says what names it, and more counts the others that are named so.
func redirectedAddress(site *plan.Plan, at policy.Origin, by, address string, more int) policy.Finding {
	to, _ := site.Sites.Redirects(address)
	others := ""
	if more > 0 {
		others = fmt.Sprintf(" (and %d more)", more)
	}
	return at.Finding("redirected-address", policy.Note, "%s names %s, which the host redirects to %s: name that "+
		"address%s",
		by, address, to, others)
}
