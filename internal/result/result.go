// Package result is the public form of a run: what --json prints, what reports show, and what
// snapshots keep and compare.
//
// It is the one form of a page beside the plan. It keeps what crawlers read, and why, as
// it is printed, since a file from disk has nothing else.
//
//	result, page    the forms: a Result, its Summary, a Page
//	plan            makes them of a plan
//	vendors         counts what vendors of AI do with the files
//	write           writes them as JSON, page by page
//
// # Words of this package
//
//   - Each exported field of a form is a member of the JSON, so a form has a field for each thing that it says.
//   - A page is here any published file, also robots.txt. Only a [Summary] counts as pages what has the role page.
//   - A path from the publish root is encoded, and begins as if one host served the whole folder: "/de/a/".
//   - [Why] is one statement that applied, Deciding are those that restrict, and the Cause is the
//     place of the first.
//   - A tally is a number of files with which all vendors do the same.
package result

import (
	"metarobots/emit/robotstxt"
	"metarobots/policy"
)

// Version is that of all forms of --json, in which it comes first: it rises where a member goes or
// means something else.
const Version = 1

// A Result is a run in the form of --json (X).
type Result struct {
	Pages    []Page           `json:"pages"`
	Findings []policy.Finding `json:"findings"`
	Summary  Summary          `json:"summary"`
}

// A Summary is what a run did, in numbers, and under which settings.
type Summary struct {
	Settings
	Counts
	Changes

	Headers []HeaderFile `json:"headers"`
	// Sitemaps are the files that entries are taken out of; SitemapEntries how many.
	Sitemaps       int          `json:"sitemaps"`
	SitemapEntries int          `json:"sitemapEntries"`
	Robots         []RobotsFile `json:"robots"`
	HostFiles      HostFiles    `json:"hostFiles"`

	// NewlyNoindex are the URLs of pages that an earlier run left in the index and this one takes
	// out. What differs from a baseline is beside the summary, in "changes".
	NewlyNoindex []string                `json:"newlyNoindex"`
	Findings     map[policy.Severity]int `json:"findings"`
	Suppressed   int                     `json:"suppressed"` // findings that the owner accepts (robots.suppress)
}

// Settings are what a run went by.
type Settings struct {
	Environment string `json:"environment"`
	ChosenBy    string `json:"chosenBy"` // what chose the environment
	// Private: the environment says noindex, so that the site is no public one.
	Private bool `json:"private"`
	// Policy is the policy file, or says where else the policy is; empty for defaults alone.
	Policy string `json:"policy"`
	// Hosts are the base URLs of the site by the folder that each serves, as in a snapshot; empty
	// if none is known.
	Hosts   map[string]string `json:"hosts"`
	Publish string            `json:"publish"` // the publish folder
}

// Counts are the published files, by what they are and what is decided on them.
type Counts struct {
	// Files are all published files. Pages are the HTML files of the generator that have a policy;
	// Indexable and Noindex are those by what everyone reads.
	Files     int `json:"files"`
	Pages     int `json:"pages"`
	Indexable int `json:"indexable"`
	Noindex   int `json:"noindex"`
	// OtherRestricted are files that are no such pages and whose decision restricts something.
	OtherRestricted int `json:"otherRestricted"`
	Redirects       int `json:"redirects"`
	Errors          int `json:"errorPages"`
}

// Changes are what a run changes in files, and what pages carry then.
type Changes struct {
	// Changed are the HTML files that change, or were written; Unchanged the others.
	Changed   int `json:"changed"`
	Unchanged int `json:"unchanged"`
	// ChangedFiles are all files that change or were written, also those beside the pages.
	ChangedFiles []string `json:"changedFiles"`
	Tags         int      `json:"tags"` // robots metas that the pages carry in the end
	// Links are the links and snippets that carry a value of ours, on LinkPages pages.
	Links     int `json:"links"`
	LinkPages int `json:"linkPages"`
}

// A Delivery says which files carry headers to crawlers, and what they say of other hosts.
type Delivery struct {
	// Files are the names of these files, by targets: "_headers" for "cloudflare".
	Files map[string]string `json:"files"`
	// OthersNoindex are the targets whose files keep hosts other than the site's own out of the
	// index.
	OthersNoindex []string `json:"othersNoindex,omitempty"`
	// OwnHosts are the site's own hosts, if others are kept out.
	OwnHosts []string `json:"ownHosts,omitempty"`
	// OthersNamed are other hosts that a file keeps out by their names.
	OthersNamed []string `json:"othersNamed,omitempty"`
	// Redirected are other names of the site that _redirects sends home, and that every run knows.
	Redirected []string `json:"redirected,omitempty"`
}

// HostFiles are what the files beside the pages say of each host, by folders as in the hosts of a
// [Summary].
type HostFiles struct {
	// RobotsTxt are the lines of each robots.txt that crawlers read, in the form of snapshots; none
	// for a host without one. A host whose robots.txt lies beyond the site is left out.
	RobotsTxt robotstxt.PerHost `json:"robotsTxt,omitempty"`
	// Managed is the host whose block is before each robots.txt, if the configuration names one.
	Managed string `json:"managed,omitempty"`
	// Own are the names of the site's own hosts, if the configuration names them.
	Own []string `json:"own,omitempty"`
	// TDMRep are the rules of each tdmrep.json that is ours: "1 /closed/".
	TDMRep map[string]robotstxt.Rules `json:"tdmrep,omitempty"`
	// Delivery are the files that carry headers; nil of a run that did not say so.
	Delivery *Delivery `json:"delivery,omitempty"`
}

// A HeaderFile says what became of one header file.
type HeaderFile struct {
	File    string `json:"file"`
	Target  string `json:"target"`
	Rules   int    `json:"rules"`   // ours
	Total   int    `json:"total"`   // with the site's own
	Limit   int    `json:"limit"`   // how many the host reads, 0 for any number
	GivenUp int    `json:"givenUp"` // pages that were left to their tags because rules did not fit
	Changed bool   `json:"changed"`
	Removed bool   `json:"removed"`
}

// A RobotsFile says what became of one robots.txt.
type RobotsFile struct {
	File    string `json:"file"`
	Changed bool   `json:"changed"`
	Removed bool   `json:"removed"`
}
