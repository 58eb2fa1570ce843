package check

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/published"
	"metarobots/policy"
)

// misplacedRobots reports each robots.txt that no crawler looks for (S2). baseURL's own path is a matter of package
// robotstxt.
func misplacedRobots(site *plan.Plan) (all []policy.Finding) {
	for _, pg := range site.Pages {
		read := func(h project.Host) bool { return pg.File.Name == h.Root+"robots.txt" }
		if path.Base(pg.File.Name) == "robots.txt" && !slices.ContainsFunc(site.Project.Hosts, read) {
			all = append(all, site.About(pg, "robotstxt-place", policy.Warning, 0,
				"no crawler reads it: a robots.txt counts at the root of its host alone"))
		}
	}
	return all
}

// outdatedCrawlers reports that the crawlers to block, or those of a use by AI, are those of an old list.
func outdatedCrawlers(site *plan.Plan) []policy.Finding {
	p := site.Project
	if !policy.CrawlersOutdated(p.Policy.Now) {
		return nil
	}
	file, line := p.Config.Locate("txt", "block")
	if len(p.Config.Robots.Txt.Policy.Block) == 0 {
		i := slices.IndexFunc(site.Pages, func(pg *plan.Page) bool { return !pg.Decision.AI.IsZero() })
		if i < 0 {
			return nil
		}
		d := site.Pages[i].Decision
		first := slices.IndexFunc(d.Statements, func(s policy.Statement) bool { return !s.AI.IsZero() })
		file, line = d.Statements[first].Origin.File, d.Statements[first].Origin.Line
	}
	return []policy.Finding{{ID: "robotstxt-old-crawlers", Severity: policy.Note, File: file, Line: line,
		Message: "the list of crawlers is of " + policy.CrawlersAsOf() + ": those that came since are told nothing; " +
			"a newer release of metarobots knows them"}}
}

// A disallowed is what one rule of robots.txt keeps crawlers from.
type disallowed struct {
	on       tally      // the pages
	last     *plan.Page // that was counted
	rule     string
	crawlers []string
	states   string // what the first page's crawler is told
}

// who names the crawlers.
func (d *disallowed) who() string { return strings.Join(d.crawlers, " and ") }

// disallows collects pages by the rule of robots.txt, which may stand in several groups, so that each is said once.
type disallows map[ruleOf]*disallowed

// ruleOf is a rule of one robots.txt.
type ruleOf struct {
	file *plan.RobotsFile
	rule string
}

// add counts a page, once a rule.
func (all disallows) add(site *plan.Plan, pg *plan.Page, crawler string, v robotstxt.Verdict, file *plan.RobotsFile,
	states string) {
	at := published.Place(site, file, v, pg)
	d := all[ruleOf{file, v.Rule}]
	if d == nil {
		d = &disallowed{rule: v.Rule, states: states}
		all[ruleOf{file, v.Rule}] = d
	}
	if d.last != pg {
		d.last = pg
		d.on.add(pg, at)
	}
	if at.File == d.on.at.File {
		d.on.at.Line = min(d.on.at.Line, at.Line)
	}
	if !slices.Contains(d.crawlers, crawler) {
		d.crawlers = append(d.crawlers, crawler)
	}
}

// sorted are the rules by their files and lines.
func (all disallows) sorted() []*disallowed {
	return slices.SortedFunc(maps.Values(all), func(a, b *disallowed) int {
		return cmp.Or(strings.Compare(a.on.at.File, b.on.at.File), a.on.at.Line-b.on.at.Line, strings.Compare(a.rule, b.rule))
	})
}

// unreadable reports what robots.txt keeps crawlers from reading: a noindex, or an unavailable_after, which is one to
// come, and other restrictions (S2). Each is said once for each rule.
// https://developers.google.com/search/docs/crawling-indexing/block-indexing
func unreadable(site *plan.Plan) (all []policy.Finding) {
	if site.Project.Policy.Hides() {
		return nil // package robotstxt says it of the whole site
	}
	noindex, others := disallows{}, disallows{}
	for _, pg := range site.Pages {
		if !pg.File.Role.Policed() || !pg.Decision.Restricts() {
			continue
		}
		for _, told := range restricted(pg) {
			v, file := published.Robots(site, pg, "", told.Crawler.Name)
			switch {
			case v.Allowed:
			case told.Directives.NoIndex():
				noindex.add(site, pg, told.Crawler.Name, v, file, "")
			default:
				others.add(site, pg, told.Crawler.Name, v, file, policy.Statement{Directives: told.Directives}.States())
			}
		}
	}
	for _, d := range noindex.sorted() {
		all = append(all, d.on.findings(site, "robotstxt-hides-noindex", policy.Error, "%q keeps %s from reading the "+
			"noindex of %s: such a page may be indexed by its links alone; allow crawling, or drop the noindex",
			d.rule, d.who(), d.on.pages())...)
	}
	for _, d := range others.sorted() {
		all = append(all, d.on.findings(site, "robotstxt-hides-directives", policy.Warning, "%q keeps %s from reading "+
			"what %s says to crawlers (%s): they cannot obey it; allow crawling, or drop it", d.rule, d.who(),
			d.on.pages(), d.states)...)
	}
	return all
}

// restricted are the crawlers whose verdict matters for a page, with what each is told: those restricted by name,
// and the usual ones where everyone is.
func restricted(pg *plan.Page) []policy.Agent {
	var all []policy.Agent
	for _, a := range pg.Decision.Agents {
		if a.Directives.Restricts() {
			all = append(all, a)
		}
	}
	if !pg.Decision.Generic.Restricts() {
		return all
	}
	usual := make([]policy.Agent, 0, len(published.Crawlers)+len(all))
	for _, name := range published.Crawlers {
		if !slices.ContainsFunc(all, func(a policy.Agent) bool { return a.Crawler.Name == name }) {
			usual = append(usual, policy.Agent{Crawler: &policy.Crawler{Name: name}, Directives: pg.Decision.Generic})
		}
	}
	return append(usual, all...)
}
