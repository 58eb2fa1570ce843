// Package check says of a planned site what no single page or file shows: findings about the whole.
//
// A check is a function of the plan alone and changes nothing in it. A new one is a function in the
// file of its family and a row in the list below; package findings explains its id. The last, which
// looks for what no reader accounts for, reads files around the site and takes the findings of all
// others.
//
// Words of this package:
//
//	path         at, to: an encoded URL path from the publish root, "/docs/a/". Project.ResolveLink makes one
//	             of a link; site.Served is the page at it (or behind a redirect), nil for none.
//	hidden       said of a page that is noindex by anything but the environment: in a preview all are
//	policed      said of pages and their other outputs, which have a policy (File.Role.Policed)
//	copy         a file whose headers name another URL as canonical (site.IsCopy)
//	twin         a file that publishes a page again as text, a.md for a.html
//	Related      the links of a page to others: its Canonical ("" for none; Elsewhere if that is on
//	             another site) and its Alternates, which hreflang names. Self is a canonical link to itself.
//	cause        the place of what decides on a page: the file and line of a rule, of front matter …
//	tally        one finding for many pages, at the first, with their number: a page that is
//	             added several times in a row counts once. tallies are tallies by a key; findings
//	             makes the findings of them, with {pages}, {at} … in a text filled in. The first line
//	             of the text is the message, the second the detail, the third the fix. {more} becomes
//	             " (and 2 more" with what these have in common, ")", or nothing.
//	reader       a host or a server that reads a file of some name: Netlify reads netlify.toml
//	receipt      what of a file of headers was read, and which lines were not
//	unaccounted  said of a line that sets a header for crawlers and that no receipt covers
package check

import (
	"slices"
	"sync"

	"metarobots/internal/plan"
	"metarobots/policy"
)

// checks are in the order in which their findings are reported.
var checks = []func(*plan.Plan) []policy.Finding{
	headerless,
	contradictedTargets,
	leftToTags,
	misplacedRobots,
	missingSitemaps,
	outdatedCrawlers,
	unusedCrawlerLists,
	vendorsDiffer,
	unreadable,
	contradictedSitemaps,
	disallowedSitemaps,
	redirectedEntries,
	relativeEntries,
	noHTML,
	unknownFiles,
	openFiles,
	openFeeds,
	taggedRedirects,
	untaggedErrors,
	uncarried,
	overriddenAI,
	contradictedAI,
	contradictedCanonicals,
	hiddenAlternates,
	redirectedLinks,
	strayCanonicals,
	unplacedLinks,
	canonicalHeaders,
	listedCopies,
	deprecated,
	nofollowAlone,
	noindexForOne,
	foundTags,
	leftOutTags,
	looksPrivate,
	newlyNoindex,
	unusedPolicy,
	missedByCase,
	unusedHeaderRules,
	unusedErrorPaths,
	unusedSitemapExceptions,
	unusedGuardExceptions,
	unusedVersionPatterns,
	oldVersions,
	disallowedNewest,
	unusedLinks,
	guard,
	unreachable,
	notPublished,
	twoFiles,
	precompressed,
	twins,
	llmsLists,
	repeatedTexts,
	deniedTexts,
	unreadKeys,
}

// All is what planning has to say of a site, and what every check has. The checks run side by side.
func All(site *plan.Plan) []policy.Finding {
	byCheck := make([][]policy.Finding, len(checks))
	var running sync.WaitGroup
	for i, check := range checks {
		running.Go(func() { byCheck[i] = check(site) })
	}
	running.Wait()
	all := slices.Clone(site.Findings)
	for _, found := range byCheck {
		all = append(all, found...)
	}
	return append(all, mentions(site, all)...)
}
