package robotstxt

import (
	"regexp"
	"strings"

	"metarobots/policy"
)

// star is the name of the group for crawlers without one.
const star = "*"

// productToken returns the letters, hyphens and underscores that a name begins with.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.2.1
func productToken(name string) string { return token.FindString(name) }

var token = regexp.MustCompile(`^[-_A-Za-z]*`)

// tokensOf returns the names, in lower case, that a User-agent value means.
func tokensOf(value string) []string {
	word := strings.ToLower(value)
	if i := strings.IndexAny(word, " \t\v\f"); i >= 0 {
		word = word[:i]
	}
	if token := productToken(word); word != token && word != star {
		return []string{token, word}
	}
	return []string{word}
}

// ignoresDelay reports whether a crawler is known not to read Crawl-delay: Google's do not.
// https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec
func ignoresDelay(token string) bool {
	c := policy.LookupCrawler(token)
	return c != nil && c.Operator == "Google"
}
