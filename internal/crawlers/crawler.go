// Package crawlers identifies crawlers: which one of the table in package policy a user agent
// names, and whether the address that it came from is one of its operator's. Who only says so is
// never taken for it.
//
// A [Verifier] knows the address ranges that operators publish. They are built in, as data/*.json
// (the file that a crawler's addresses are named by in the table), each with its source and the day
// on which it was last seen to be the published one. They age: an address outside them is
// [Claimed], which says that the request is probably somebody else's. Where an operator documents
// host names instead, or as well, DNS is asked, if the caller wants that: the name of the address
// must end in the operator's domain, and lead back to the address
// (https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests).
//
// The built-in ranges were collected from public mirrors of the publishers' files, since this
// package asks nobody; where two mirrors were at hand they were compared. Not built in, and so
// verified by DNS alone: Google's user-triggered fetchers and Amazonbot (2,000 and more addresses
// that change weekly).
//
// # Words of this package
//
//   - A crawler is one of the table of package policy. One that is a token only is a name for
//     robots.txt, under which nobody fetches: it is none here.
//   - A [List] is what an operator documents about the addresses of some of its crawlers: prefixes,
//     which are ranges of addresses, and hosts, which are domains.
//   - A question is asked of DNS: is this address one of that list's? It is unanswered if DNS gives no answer.
package crawlers

import (
	"slices"
	"strings"

	"metarobots/internal/lazyregexp"
	"metarobots/policy"
)

// All returns every crawler that fetches under its name, by name.
func All() []*policy.Crawler {
	return slices.DeleteFunc(slices.Clone(policy.AllCrawlers()), func(c *policy.Crawler) bool { return c.TokenOnly })
}

// Lookup returns the crawler that fetches under that name, in upper or lower case; nil if none
// does.
func Lookup(name string) *policy.Crawler {
	if c := policy.LookupCrawler(name); c != nil && !c.TokenOnly {
		return c
	}
	return nil
}

// Identify returns the crawler that a User-Agent header names, nil if it names none. The first of
// its words that is the name of a crawler counts, in upper or lower case: Googlebot-Image is not
// Googlebot, and the name in a URL behind it ("+http://www.bing.com/bingbot.htm") is none.
func Identify(userAgent string) *policy.Crawler {
	for _, match := range agentWord.FindAllStringSubmatch(userAgent, -1) {
		if c := Lookup(strings.TrimRight(match[1], ".")); c != nil {
			return c
		}
	}
	return nil
}

// agentWord matches a word of a User-Agent header that no slash precedes.
var agentWord = lazyregexp.New(`(?:^|[^-\w./])([-\w.]+)`)
