// Package published reads a plan as others do once it is published: what each robots.txt says of a URL and where that
// is stated, and what the vendors of AI do with it, whatever was decided.
package published

import (
	"slices"
	"strconv"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/plan"
	"metarobots/policy"
)

// Crawlers are those whose verdict is asked where nobody names one.
var Crawlers = []string{"googlebot", "bingbot"}

// Robots asks the robots.txt that crawlers read for a page, for its URL with a query that begins with a question mark or
// is empty, and returns it; nil where there is none and everything is allowed.
func Robots(s *plan.Plan, pg *plan.Page, query, crawler string) (robotstxt.Access, *plan.RobotsFile) {
	if r, url := readRobots(s, pg, query); r != nil {
		return r.File.Ask(crawler, url), r
	}
	return robotstxt.Access{Allowed: true}, nil
}

// robotsOf is the robots.txt of a file's host, nil where there is none, and the URL that it is asked for.
func robotsOf(s *plan.Plan, pg *plan.Page, query string) (*plan.RobotsFile, string) {
	for _, r := range s.Robots {
		if name, ok := r.Host.Serves(pg.File.Name); ok && r.Change.New != nil {
			return r, r.Host.At(name) + robotstxt.Escape(query)
		}
	}
	return nil, ""
}

// Place is where the rule stands that decided about a page: the line of robots.txt, and of a rule that we put
// there, which may only be planned, the place in the policy.
func Place(s *plan.Plan, r *plan.RobotsFile, v robotstxt.Access, pg *plan.Page) policy.Origin {
	at := policy.Origin{File: r.Change.File, Line: v.Line}
	c := &s.Project.Config.Robots.Txt
	if r.Own(v.Line) {
		return at
	}
	name, pattern, _ := strings.Cut(v.Rule, ": ")
	path := []string{"txt", "block"}
	for i, g := range c.Policy.Groups {
		patterns := map[string][]string{"Allow": g.Allow, "Disallow": g.Disallow}[name]
		if j := slices.IndexFunc(patterns, func(p string) bool { // its weight may have been raised with stars
			return strings.TrimRight(p, "*") == strings.TrimRight(pattern, "*")
		}); j >= 0 {
			path = []string{"txt", "groups", strconv.Itoa(i), strings.ToLower(name), strconv.Itoa(j)}
		}
	}
	if path[1] == "block" && !(slices.Contains(c.Policy.Block, purposeOf(v.Agent)) && v.Rule == "Disallow: /") {
		return statedAI(s, pg, v, at) // or the owner's, said again for a crawler that has a group of its own now
	}
	if file, line := s.Project.Config.Locate(path...); line > 0 {
		at.File, at.Line = file, line
	}
	return at
}

// purposeOf is that of the crawlers of a group.
func purposeOf(agent string) policy.Purpose {
	if crawler := policy.LookupCrawler(agent); crawler != nil {
		return crawler.Purpose
	}
	return ""
}

// statedAI is where it is stated what a verdict says of a use by AI of a page; otherwise the given place.
func statedAI(s *plan.Plan, pg *plan.Page, v robotstxt.Access, otherwise policy.Origin) policy.Origin {
	says := policy.Denied
	if v.Allowed {
		says = policy.Allowed
	}
	u := slices.Index(policy.Purposes, purposeOf(v.Agent))
	if u < 0 || pg == nil || pg.Decision.AI[u] != says ||
		!slices.Contains(s.Project.Config.Robots.AI.Carriers, robotstxt.CrawlerGroups) {
		return otherwise
	}
	return pg.Decision.PreferredAt(policy.Use(u))
}
