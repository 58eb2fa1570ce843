package crawlers

import (
	"regexp"
	"slices"
	"strings"

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

// Identify returns the crawler that a User-Agent header names, nil where it names none. The first token that stands
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

// word is a word that stands behind no slash.
var word = regexp.MustCompile(`(?:^|[^-\w./])([-\w.]+)`)
