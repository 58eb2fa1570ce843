package crawlers

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"metarobots/internal/tables"
	"metarobots/policy"
)

// User agents as their operators document them, and such as only look like it.
func TestHouse_UserAgentsNameTheirCrawlers(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/useragents.txt") {
		got := ""
		if crawler := Identify(c["user agent"]); crawler != nil {
			got = crawler.Name
		}
		if got != c["crawler"] {
			t.Errorf("%q: %q, want %q", c["user agent"], got, c["crawler"])
		}
	}
	if c := Identify(strings.Repeat("a", 10000)); c != nil {
		t.Errorf("a long word is %s", c.Name)
	}
}

// Every crawler is found by the user agent that is its token alone, and is documented.
func TestHouse_CrawlersAreFoundByTheirTokens(t *testing.T) {
	lists := NewVerifier().lists
	for _, c := range All() {
		if got := Identify("Mozilla/5.0 (compatible; " + c.Token + "/1.0)"); got != c ||
			Lookup(strings.ToUpper(c.Token)) != c {
			t.Errorf("%s is not found by its token", c.Token)
		}
		if c.Addresses != "" && lists[c.Addresses] == nil {
			t.Errorf("%s: of its addresses %q nothing is known", c.Token, c.Addresses)
		}
	}
	for name, l := range lists {
		if !slices.ContainsFunc(All(), func(c *policy.Crawler) bool { return c.Addresses == name }) {
			t.Errorf("the addresses %s are nobody's", name)
		}
		for _, h := range l.Hosts {
			if h != strings.ToLower(h) || strings.HasPrefix(h, ".") || strings.Count(h, ".") == 0 ||
				h == "googleusercontent.com" || h == "amazonaws.com" {
				t.Errorf("%s: anybody can have a name in %q", name, h)
			}
		}
	}
}

// A1b: whoever a statement can name is a crawler of this table, and reads under that name what is
// stated for it.
func TestHouse_WhoIsToldSomethingIsKnown(t *testing.T) {
	gone := []string{"otherbot", "teoma"} // Google's example, and a search engine that has closed
	var read []string
	for _, c := range All() {
		read = append(read, c.Reads...)
	}
	for _, name := range (policy.Crawlers{}).Names() {
		if slices.Contains(read, name) == slices.Contains(gone, name) {
			t.Errorf("%s: read by a crawler of the table: %v", name, slices.Contains(read, name))
		}
	}
	for _, name := range policy.InertNames() {
		// which has been Googlebot since 2014
		if policy.LookupCrawler(name).Purpose == "" && name != "googlebot-mobile" {
			t.Errorf("%s is said to be a token of robots.txt, and is none of those listed", name)
		}
	}
}

func FuzzHouse_WhoIsNamedStandsInTheUserAgent(f *testing.F) {
	f.Add("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)")
	f.Fuzz(func(t *testing.T, userAgent string) {
		c := Identify(userAgent)
		if c == nil {
			return
		}
		if !strings.Contains(strings.ToLower(userAgent), c.Name) {
			t.Errorf("%q is taken for %s", userAgent, c.Name)
		}
		if capitals := strings.ToUpper(userAgent); len(capitals) == len(userAgent) &&
			utf8.RuneCountInString(capitals) == len(capitals) && Identify(capitals) != c {
			t.Errorf("%q is another in capitals", userAgent)
		}
	})
}
