package crawlers

import (
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
)

// A Crawler is a user agent that fetches pages for its operator.
type Crawler struct {
	// Token is its product token, in the operator's spelling.
	Token string
	// Operator is who runs it.
	Operator string
	// Reads are the names, lower case, under which it looks for statements of its own in robots metas and X-Robots-Tag;
	// the first that is addressed counts, and without one what everyone is told.
	Reads []string
	// MayIgnore: its operator says that it may not obey robots.txt, as where somebody asked for the page.
	MayIgnore bool
	// List names the published address ranges; empty where the operator publishes none.
	List string
	// Hosts are the domains that the names of its addresses end in; empty where the operator documents none.
	Hosts []string
	// Source is where this is documented.
	Source string
}

// Name is the token in lower case, by which the crawler is asked for.
func (c *Crawler) Name() string { return strings.ToLower(c.Token) }

// AsOf is the day on which the table was last compared with its sources.
const AsOf = "2026-11-21"

const (
	googleCommon  = "https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers"
	googleSpecial = "https://developers.google.com/crawling/docs/crawlers-fetchers/google-special-case-crawlers"
	googleUser    = "https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers"
	bing          = "https://www.bing.com/webmasters/help/how-to-verify-bingbot-3905dc26"
	yandex        = "https://yandex.com/support/webmaster/robot-workings/check-yandex-robots.html"
)

// Domains of crawlers' addresses. Google names three for all its clients; here each kind has those of its own, because
// anybody's program may run behind the others (App Engine, proxies).
var (
	googlebotHosts = []string{"googlebot.com"}
	googleHosts    = []string{"google.com"}
	fetcherHosts   = []string{"google.com", "gae.googleusercontent.com"}
	bingHosts      = []string{"search.msn.com"}
	yandexHosts    = []string{"yandex.ru", "yandex.net", "yandex.com"}
)

// others are the crawlers that emit/robotstxt does not list, by operator.
var others = []Crawler{
	{Token: "Applebot", Operator: "Apple", List: "applebot", Hosts: []string{"applebot.apple.com"}, Source: "https://support.apple.com/119829"},
	{Token: "archive.org_bot", Operator: "Internet Archive", Source: "https://archive.org/details/archive.org_bot"},
	{Token: "Baiduspider", Operator: "Baidu", Hosts: []string{"crawl.baidu.com", "crawl.baidu.jp"}, Source: "https://help.baidu.com/question?prod_id=99&class=476"},
	{Token: "bingbot", Operator: "Microsoft", List: "bingbot", Hosts: bingHosts, Source: bing},
	{Token: "adidxbot", Operator: "Microsoft", List: "bingbot", Hosts: bingHosts, Source: bing},
	{Token: "BingPreview", Operator: "Microsoft", Reads: []string{"bingbot"}, List: "bingbot", Hosts: bingHosts, Source: bing},
	{Token: "MicrosoftPreview", Operator: "Microsoft", List: "bingbot", Hosts: bingHosts, Source: bing},
	{Token: "msnbot", Operator: "Microsoft", List: "bingbot", Hosts: bingHosts, Source: bing},
	{Token: "DuckDuckBot", Operator: "DuckDuckGo", List: "duckduckbot", Source: "https://duckduckgo.com/duckduckgo-help-pages/results/duckduckbot"},
	{Token: "Googlebot", Operator: "Google", List: "google-common", Hosts: googlebotHosts, Source: googleCommon},
	{Token: "Googlebot-Image", Operator: "Google", List: "google-common", Hosts: googlebotHosts, Source: googleCommon},
	{Token: "Googlebot-News", Operator: "Google", Reads: []string{"googlebot-news", "googlebot"}, List: "google-common", Hosts: googlebotHosts, Source: googleCommon},
	{Token: "Googlebot-Video", Operator: "Google", List: "google-common", Hosts: googlebotHosts, Source: googleCommon},
	{Token: "Google-CloudVertexBot", Operator: "Google", List: "google-common", Hosts: googlebotHosts, Source: googleCommon},
	{Token: "Google-InspectionTool", Operator: "Google", Reads: []string{"googlebot"}, List: "google-common", Hosts: googlebotHosts, Source: googleCommon},
	{Token: "GoogleOther", Operator: "Google", List: "google-common", Hosts: googlebotHosts, Source: googleCommon},
	{Token: "GoogleOther-Image", Operator: "Google", List: "google-common", Hosts: googlebotHosts, Source: googleCommon},
	{Token: "GoogleOther-Video", Operator: "Google", List: "google-common", Hosts: googlebotHosts, Source: googleCommon},
	{Token: "Storebot-Google", Operator: "Google", List: "google-common", Hosts: googlebotHosts, Source: googleCommon},
	{Token: "AdsBot-Google", Operator: "Google", List: "google-special", Hosts: googleHosts, Source: googleSpecial},
	{Token: "AdsBot-Google-Mobile", Operator: "Google", Reads: []string{"adsbot-google"}, List: "google-special", Hosts: googleHosts, Source: googleSpecial},
	{Token: "APIs-Google", Operator: "Google", List: "google-special", Hosts: googleHosts, Source: googleSpecial},
	{Token: "Google-Safety", Operator: "Google", MayIgnore: true, List: "google-special", Hosts: googleHosts, Source: googleSpecial},
	{Token: "Mediapartners-Google", Operator: "Google", List: "google-special", Hosts: googleHosts, Source: googleSpecial},
	{Token: "FeedFetcher-Google", Operator: "Google", MayIgnore: true, List: "google-user", Hosts: fetcherHosts, Source: googleUser},
	{Token: "Google-Agent", Operator: "Google", MayIgnore: true, List: "google-user", Hosts: fetcherHosts, Source: googleUser},
	{Token: "Google-GeminiNotebook", Operator: "Google", MayIgnore: true, List: "google-user", Hosts: fetcherHosts, Source: googleUser},
	{Token: "Google-NotebookLM", Operator: "Google", MayIgnore: true, List: "google-user", Hosts: fetcherHosts, Source: googleUser},
	{Token: "Google-Read-Aloud", Operator: "Google", MayIgnore: true, List: "google-user", Hosts: fetcherHosts, Source: googleUser},
	{Token: "Google-Site-Verification", Operator: "Google", MayIgnore: true, List: "google-user", Hosts: fetcherHosts, Source: googleUser},
	{Token: "GoogleProducer", Operator: "Google", MayIgnore: true, List: "google-user", Hosts: fetcherHosts, Source: googleUser},
	{Token: "MojeekBot", Operator: "Mojeek", Source: "https://www.mojeek.com/bot.html"},
	{Token: "SeznamBot", Operator: "Seznam", List: "seznambot", Hosts: []string{"seznam.cz"}, Source: "https://napoveda.seznam.cz/en/full-text-search/crawling-control/"},
	{Token: "Slurp", Operator: "Yahoo", Hosts: []string{"crawl.yahoo.net"}, Source: "https://help.yahoo.com/kb/SLN22600.html"},
	{Token: "YandexBot", Operator: "Yandex", Reads: []string{"yandex"}, Hosts: yandexHosts, Source: yandex},
	{Token: "YandexImages", Operator: "Yandex", Reads: []string{"yandex"}, Hosts: yandexHosts, Source: yandex},
	{Token: "YandexMobileBot", Operator: "Yandex", Reads: []string{"yandex"}, Hosts: yandexHosts, Source: yandex},
	{Token: "Yeti", Operator: "Naver", Source: "https://searchadvisor.naver.com/guide/markup-structure"},
}

// verifiedBy says how crawlers of emit/robotstxt are verified, by token.
var verifiedBy = map[string]struct {
	list  string
	hosts []string
}{
	"Amazonbot":        {"amazonbot", []string{"crawl.amazonbot.amazon"}}, // https://developer.amazon.com/amazonbot
	"CCBot":            {"ccbot", []string{"crawl.commoncrawl.org"}},      // https://commoncrawl.org/ccbot
	"ChatGPT-User":     {"chatgpt-user", nil},
	"Claude-SearchBot": {"anthropic", nil},
	"Claude-User":      {"anthropic", nil},
	"ClaudeBot":        {"anthropic", nil},
	"DuckAssistBot":    {"duckassistbot", nil},
	"GPTBot":           {"gptbot", nil},
	"MistralAI-Index":  {"mistralai-index", nil},
	"MistralAI-User":   {"mistralai-user", nil},
	"OAI-SearchBot":    {"oai-searchbot", nil},
	"Perplexity-User":  {"perplexity-user", nil},
	"PerplexityBot":    {"perplexitybot", nil},
}

// fetchNothing are tokens of robots.txt under which nobody fetches.
var fetchNothing = []string{"Applebot-Extended", "Google-Extended"}

// table is every crawler by its name.
var table = func() map[string]*Crawler {
	all := slices.Clone(others)
	for _, ai := range robotstxt.AICrawlers() {
		if !slices.Contains(fetchNothing, ai.Token) {
			by := verifiedBy[ai.Token]
			all = append(all, Crawler{Token: ai.Token, Operator: ai.Operator, MayIgnore: ai.MayIgnore, List: by.list, Hosts: by.hosts, Source: ai.Source})
		}
	}
	m := make(map[string]*Crawler, len(all))
	for i := range all {
		c := &all[i]
		if c.Reads == nil {
			c.Reads = []string{c.Name()}
		}
		m[c.Name()] = c
	}
	return m
}()

// All returns every crawler that is known, by name.
func All() []*Crawler {
	all := make([]*Crawler, 0, len(table))
	for _, c := range table {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *Crawler) int { return strings.Compare(a.Name(), b.Name()) })
	return all
}

// Lookup returns the crawler with that token, compared without regard to case; nil where it is not known.
func Lookup(name string) *Crawler { return table[strings.ToLower(name)] }

// longest is the length of the longest token.
var longest = func() (n int) {
	for name := range table {
		n = max(n, len(name))
	}
	return n
}()

// Identify returns the crawler that a User-Agent header names, nil where it names none. The first token that stands there
// as a word of its own counts, without regard to case: Googlebot-Image is not Googlebot, and the name in a URL behind
// it ("+http://www.bing.com/bingbot.htm") is none.
func Identify(userAgent string) *Crawler {
	for i := 0; i < len(userAgent); i++ {
		start := i
		for i < len(userAgent) && isWord(userAgent[i]) {
			i++
		}
		word := strings.TrimRight(userAgent[start:i], ".")
		if len(word) < 4 || len(word) > longest || start > 0 && userAgent[start-1] == '/' {
			continue
		}
		if c := table[strings.ToLower(word)]; c != nil {
			return c
		}
	}
	return nil
}

func isWord(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.'
}
