package robotstxt

import (
	"regexp"
	"strings"
)

// star is the name of the group for crawlers without one.
const star = "*"

// productToken returns the letters, hyphens and underscores that a name begins with.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.2.1
func productToken(name string) string { return token.FindString(name) }

var token = regexp.MustCompile(`^[-_A-Za-z]*`)

// tokensOf returns the names, in lower case, that a User-agent value means.
func tokensOf(value string) []string {
	word := value
	if i := strings.IndexAny(value, " \t\v\f"); i >= 0 {
		word = value[:i]
	}
	if word == star {
		return []string{star}
	}
	token := strings.ToLower(productToken(word))
	if word = strings.ToLower(word); word != token {
		return []string{token, word}
	}
	return []string{token}
}
