// Package crawlers identifies crawlers: which one of the table in package policy a user agent names, and whether the
// address that it came from is one of its operator's. Who only says so is never taken for it.
//
// A [Verifier] knows the address ranges that operators publish. They are built in, as data/*.json (the file that a
// crawler's addresses are named by in the table), each with its source and the day on which it was last seen to be the
// published one. They age: an address outside them is [Claimed], which says that the request is probably somebody
// else's. Where an operator documents host names instead, or as well, DNS is asked, if the caller wants that: the name
// of the address must end in the operator's domain, and lead back to the address
// (https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests).
//
// The built-in ranges were collected from public mirrors of the publishers' files, since this package asks nobody;
// where two mirrors were at hand they were compared. Not built in, and so verified by DNS alone: Google's
// user-triggered fetchers and Amazonbot (2,000 and more addresses that change weekly).
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

// Lookup returns the crawler that fetches under that name, compared without regard to case; nil where none does.
func Lookup(name string) *policy.Crawler {
	if c := policy.LookupCrawler(name); c != nil && !c.TokenOnly {
		return c
	}
	return nil
}

// Identify returns the crawler that a User-Agent header names, nil where it names none. The first token that is
// there as a word of its own counts, without regard to case: Googlebot-Image is not Googlebot, and the name in a URL
// behind it ("+http://www.bing.com/bingbot.htm") is none.
func Identify(userAgent string) *policy.Crawler {
	for _, word := range word.FindAllStringSubmatch(userAgent, -1) {
		if c := Lookup(strings.TrimRight(word[1], ".")); c != nil {
			return c
		}
	}
	return nil
}

// word is a word that no slash precedes.
var word = lazyregexp.New(`(?:^|[^-\w./])([-\w.]+)`)
