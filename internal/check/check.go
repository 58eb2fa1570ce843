// Package check says of a planned site what no single page or file shows: findings about the whole.
//
// A check is a function of the plan alone and changes nothing in it. A new one is a function in the
// file of its family and a row in the list below; package findings explains its id. The last, which
// looks for what no reader accounts for, reads files around the site and takes the findings of all
// others.
package check

import (
	"slices"

	"metarobots/internal/plan"
	"metarobots/policy"
)

// checks are in the order in which their findings are reported.
var checks = []func(*plan.Plan) []policy.Finding{
	headerless,
	leftToTags,
	misplacedRobots,
	missingSitemaps,
	outdatedCrawlers,
	vendorsDiffer,
	unreadable,
	contradictedSitemaps,
	disallowedSitemaps,
	redirectedEntries,
	noHTML,
	unknownFiles,
	openFiles,
	openFeeds,
	taggedRedirects,
	uncarried,
	overriddenAI,
	contradictedAI,
	relations,
	redirectedLinks,
	unplacedLinks,
	canonicalHeaders,
	listedCopies,
	deprecated,
	nofollowAlone,
	noindexForOne,
	themeAdds,
	looksPrivate,
	newlyNoindex,
	unusedPolicy,
	unusedHeaderRules,
	unusedErrorPaths,
	unusedLinks,
	guard,
	unreachable,
	notPublished,
	twoFiles,
	precompressed,
	twins,
	llmsLists,
	repeatedTexts,
	unreadKeys,
}

// All is what planning has to say of a site, and what every check has.
func All(site *plan.Plan) []policy.Finding {
	all := slices.Clone(site.Findings)
	for _, check := range checks {
		all = append(all, check(site)...)
	}
	return append(all, mentions(site, all)...)
}
