package cli

import (
	"cmp"

	"metarobots/internal/plan"
	"metarobots/internal/published"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// printAbsent says of a URL at which nothing is published what robots.txt and the policy's rules by
// path say of it: a page there would get the same. at is its path from the publish root, encoded.
func (c *explainCommand) printAbsent(site *plan.Plan, at, query string) {
	crawlers := c.network.crawlers
	if len(crawlers) == 0 {
		crawlers = policy.UsualCrawlers
	}
	var fetches []seen.Fetch
	for _, crawler := range crawlers {
		fetches = append(fetches, published.FetchAt(site, at+query, crawler))
	}
	c.stdout.show("explain absent", struct {
		URL       string
		RobotsTxt []seen.Fetch
		All       bool // also what robots.txt allows
	}{at, fetches, true})
	rules, path := &site.Project.Policy.Rules, policy.Decoded(at)
	var rows [][]cell
	for _, i := range rules.Selecting(&policy.Subject{Path: policy.Path{File: path, URL: path}}) {
		for _, s := range rules.All[i].Statements {
			says := cmp.Or(s.States(), s.AI.String())
			if s.Crawler != "" {
				says = s.Crawler + ": " + says
			}
			rows = append(rows, []cell{{green, says}, {"", place(s.Origin)}, {faint, "rule, " + s.Origin.Key}})
		}
	}
	c.stdout.table("    ", widest/2, rows)
}
