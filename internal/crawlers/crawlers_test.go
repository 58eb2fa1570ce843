package crawlers

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"metarobots/policy"
)

// User agents as their operators document them, and such as only look like it.
func TestIdentify(t *testing.T) {
	for userAgent, want := range map[string]string{
		"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)": "googlebot",
		"Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) " +
			"Chrome/128.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; " +
			"+http://www.google.com/bot.html)": "googlebot",
		"Googlebot/2.1 (+http://www.google.com/bot.html)":      "googlebot",
		"Googlebot-Image/1.0":                                  "googlebot-image",
		"Googlebot-Video/1.0":                                  "googlebot-video",
		"Mozilla/5.0 (compatible; Google-InspectionTool/1.0;)": "google-inspectiontool",
		"GoogleOther": "googleother",
		"AdsBot-Google " +
			"(+http://www.google.com/adsbot.html)": "adsbot-google",
		"Mozilla/5.0 (iPhone) (compatible; AdsBot-Google-Mobile; " +
			"+http://www.google.com/mobile/adsbot.html)": "adsbot-google-mobile",
		"Mediapartners-Google": "mediapartners-google",
		"APIs-Google " +
			"(+https://developers.google.com/webmasters/APIs-Google.html)": "apis-google",
		"FeedFetcher-Google; " +
			"(+http://www.google.com/feedfetcher.html)": "feedfetcher-google",
		"Mozilla/5.0 (compatible; " +
			"Google-Site-Verification/1.0)": "google-site-verification",
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; " +
			"+http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36": "bingbot",
		"Mozilla/5.0 (compatible; YandexBot/3.0; " +
			"+http://yandex.com/bots)": "yandexbot",
		"DuckDuckBot/1.1; " +
			"(+http://duckduckgo.com/duckduckbot.html)": "duckduckbot",
		"Mozilla/5.0 (compatible; Baiduspider/2.0; " +
			"+http://www.baidu.com/search/spider.html)": "baiduspider",
		"Baiduspider+(+http://www.baidu.com/search/spider.htm)": "baiduspider",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 " +
			"Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)": "applebot",
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; " +
			"+https://openai.com/gptbot)": "gptbot",
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; " +
			"+https://openai.com/bot)": "chatgpt-user",
		"Mozilla/5.0 (Macintosh) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36; compatible; " +
			"OAI-SearchBot/1.0; +https://openai.com/searchbot": "oai-searchbot",
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; " +
			"+https://perplexity.ai/perplexitybot)": "perplexitybot",
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; " +
			"+claudebot@anthropic.com)": "claudebot",
		"CCBot/2.0 " +
			"(https://commoncrawl.org/faq/)": "ccbot",
		"Mozilla/5.0 (compatible; archive.org_bot " +
			"+http://archive.org/details/archive.org_bot)": "archive.org_bot",
		"Mozilla/5.0 (compatible; Yahoo! Slurp; " +
			"http://help.yahoo.com/help/us/ysearch/slurp)": "slurp",
		"meta-externalagent/1.1 " +
			"(+https://developers.facebook.com/docs/sharing/webmasters/crawler)": "meta-externalagent",
		"GOOGLEBOT":       "googlebot",
		"I am Googlebot.": "googlebot",

		"":                               "",
		"-":                              "",
		"Mozilla/5.0":                    "",
		"Googlebotany/1.0":               "",
		"MyGooglebot/1.0":                "",
		"Googlebot-Imaginary":            "",
		"x/Googlebot":                    "",
		"x (+http://example.org/GPTBot)": "",
		"Google-Extended":                "", // a word of robots.txt; nobody fetches by that name
		"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0": "",
		strings.Repeat("a", 10000): "",
	} {
		got := ""
		if c := Identify(userAgent); c != nil {
			got = c.Name
		}
		if got != want {
			t.Errorf("%q: %q, want %q", userAgent, got, want)
		}
	}
}

// Every crawler is found by the user agent that is its token alone, and is documented.
func TestHouse_Table(t *testing.T) {
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
