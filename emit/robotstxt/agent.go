package robotstxt

import "strings"

// star is the name of the group for crawlers without one.
const star = "*"

// Relative says whose group a crawler obeys where it has none of its own.
type Relative struct {
	// Token is the crawler's product token, lower case.
	Token string
	// Next is the token whose group it obeys next; empty: none before *.
	Next string
	// NoStar: it does not obey the * group.
	NoStar bool
	// Source says where that is documented.
	Source string
}

const (
	googleCommon  = "https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers"
	googleSpecial = "https://developers.google.com/crawling/docs/crawlers-fetchers/google-special-case-crawlers"
)

// relatives is the closed list, by token, compared with its sources on the day of [AICrawlersAsOf].
var relatives = []Relative{
	{Token: "adsbot-google", NoStar: true, Source: googleSpecial},
	{Token: "adsbot-google-mobile", NoStar: true, Source: googleSpecial},
	{Token: "apis-google", NoStar: true, Source: googleSpecial},
	{Token: "applebot", Next: "googlebot", Source: "https://support.apple.com/119829"},
	{Token: "google-inspectiontool", Next: "googlebot", Source: googleCommon},
	{Token: "googlebot-image", Next: "googlebot", Source: googleCommon},
	{Token: "googlebot-news", Next: "googlebot", Source: googleCommon},
	{Token: "googlebot-video", Next: "googlebot", Source: googleCommon},
	{Token: "googleother-image", Next: "googleother", Source: googleCommon},
	{Token: "googleother-video", Next: "googleother", Source: googleCommon},
	{Token: "mediapartners-google", NoStar: true, Source: googleSpecial},
	{Token: "yandexbot", Next: "yandex", Source: "https://yandex.com/support/webmaster/en/robot-workings/user-agent"},
}

var relativeOf = func() map[string]*Relative {
	m := map[string]*Relative{}
	for i := range relatives {
		m[relatives[i].Token] = &relatives[i]
	}
	return m
}()

// productToken returns the letters, hyphens and underscores that a name begins with.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.2.1
func productToken(name string) string {
	for i := range len(name) {
		if c := name[i] | 0x20; (c < 'a' || c > 'z') && name[i] != '-' && name[i] != '_' {
			return name[:i]
		}
	}
	return name
}

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
