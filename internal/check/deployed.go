package check

import (
	"fmt"
	"slices"

	"metarobots/emit/robotstxt"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// DeployedKinds are the kinds of findings that [Deployed] and [DeployedRobots] look for, and those
// of robots tags and header lines that [seen.Remarks] has. Each is one that a folder has too.
func DeployedKinds() []string {
	return slices.Concat(deployedKinds, robotsKinds)
}

// deployedKinds are about what is read at a URL.
var deployedKinds = []string{"bad-value", "deprecated", "expired", "indexifembedded", "inert-crawler", "long-content",
	"meta-in-body", "mistaken-tag", "no-content", "noindex-for-one", "prefix", "robotstxt-hides-directives",
	"robotstxt-hides-noindex", "separator", "tags-at-odds", "unknown-crawler", "unknown-directive", "value-for-content"}

// robotsKinds are about robots.txt, as [robotstxt.File.Check] looks for them without a policy.
var robotsKinds = []string{"robotstxt-agent", "robotstxt-bom", "robotstxt-content-signal", "robotstxt-content-usage",
	"robotstxt-contradiction", "robotstxt-crawl-delay", "robotstxt-encoding", "robotstxt-former-crawler",
	"robotstxt-group-voids-star", "robotstxt-license", "robotstxt-long-line", "robotstxt-noindex-line", "robotstxt-path",
	"robotstxt-path-case", "robotstxt-rule-before-group", "robotstxt-sitemap", "robotstxt-spelling", "robotstxt-typo",
	"robotstxt-unknown-line", "robotstxt-unread-line"}

// Deployed are the findings about what one URL of a deployed site says to crawlers, those that need
// nothing but its answer and what robots.txt says of it. fetch asks the latter for a crawler.
func Deployed(url string, d *policy.Decision, fetch func(crawler string) seen.Fetch) (all []policy.Finding) {
	for _, s := range d.Expired {
		all = append(all, s.Expired())
	}
	for _, name := range policy.UsualCrawlers {
		crawler := policy.LookupCrawler(name)
		if at, reader, ok := noindexFor(crawler, d); ok { // maybe for others too
			all = append(all, policy.Finding{ID: "noindex-for-one", Severity: policy.Warning, Message: fmt.Sprintf(
				"%s: only %s reads noindex: %s stays in the index of the others", at.Key, reader, url)})
		}
		all = append(all, unreadableBy(crawler, d, fetch(name))...)
	}
	var reported []string
	for _, s := range d.Statements {
		for _, word := range s.Directives.Deprecated() {
			if !slices.Contains(reported, word) {
				reported = append(reported, word)
				all = append(all, policy.Finding{ID: "deprecated", Severity: policy.Note,
					Message: "no crawler reads " + word + " any more"})
			}
		}
	}
	for i := range all {
		all[i].URL, all[i].Line = url, 0 // a line of what is served is in no file
	}
	return all
}

// unreadableBy is the finding that robots.txt keeps a crawler from what a URL says to it (S2); none
// if it does not.
func unreadableBy(crawler *policy.Crawler, d *policy.Decision, fetch seen.Fetch) []policy.Finding {
	told := d.Obeyed(crawler)
	switch {
	case fetch.Allowed || !told.Restricts():
		return nil
	case told.NoIndex():
		return []policy.Finding{{ID: "robotstxt-hides-noindex", Severity: policy.Error, Message: fmt.Sprintf(
			"%q keeps %s from reading the noindex: such a page may be indexed by its links alone", fetch.Rule, crawler.Name),
			Fix: "; allow crawling, or drop the noindex"}}
	}
	return []policy.Finding{{ID: "robotstxt-hides-directives", Severity: policy.Warning, Message: fmt.Sprintf(
		"%q keeps %s from reading %q: it cannot obey it", fetch.Rule, crawler.Name,
		restrictionsOf(told)), Fix: "; allow crawling, or drop it"}}
}

// DeployedRobots are the findings about the text of a deployed robots.txt. urls are the paths that
// are known there.
func DeployedRobots(file *robotstxt.File, urls []string) []policy.Finding {
	if file == nil {
		return nil
	}
	all := file.Check(robotstxt.Place{URLs: urls})
	for i := range all {
		all[i].File = "robots.txt"
	}
	return all
}
