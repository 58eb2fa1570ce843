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
		if len(l.Files)+len(l.Hosts) == 0 || len(l.prefixes) > 0 && len(l.Files) == 0 {
			t.Errorf("%s: neither the publisher's file nor a domain", name)
		}
		for _, h := range l.Hosts {
			if h != strings.ToLower(h) || strings.HasPrefix(h, ".") || strings.Count(h, ".") == 0 ||
				h == "googleusercontent.com" || h == "amazonaws.com" {
				t.Errorf("%s: anybody can have a name in %q", name, h)
			}
		}
	}
}

func FuzzIdentify(f *testing.F) {
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

func BenchmarkIdentify(b *testing.B) {
	for name, userAgent := range map[string]string{
		"crawler": "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) " +
			"Chrome/128.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
		"visitor": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 " +
			"Safari/537.36",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Identify(userAgent)
			}
		})
	}
}
