package policy

import (
	"maps"
	"slices"
	"strings"
)

// A Crawler is a user agent that reads robots metas or X-Robots-Tag headers under a name of its own.
type Crawler struct {
	// Name as it stands in a meta's name or before the colon of a header value, lower case.
	Name string
	// HeaderOnly: it is told by X-Robots-Tag alone, no tag is written for it.
	HeaderOnly bool
	// AllowWins: where a list or two tags contradict each other, it obeys the allowing one (A5).
	AllowWins bool
	// Takes names a second crawler whose statements this one obeys too (A2).
	Takes string
	// Engine is what its search engine is called, in lower case: authors who write bing mean bingbot. Empty for none.
	Engine string
	// Source says where the name is documented.
	Source string
}

// CrawlersAsOf is the day on which the list of crawlers was last compared with its sources.
const CrawlersAsOf = "2026-11-20"

const (
	googleCrawlers = "https://developers.google.com/search/docs/crawling-indexing/overview-google-crawlers"
	googleMeta     = "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag"
	bingMeta       = "https://www.bing.com/webmasters/help/which-robots-metatags-does-bing-support-5198d240"
)

// crawlers is the closed list (A1), by name.
var crawlers = []Crawler{
	{Name: "adsbot-google", Source: googleCrawlers},
	{Name: "amazonbot", Engine: "amazon", Source: "https://developer.amazon.com/amazonbot"},
	{Name: "applebot", Engine: "apple", Source: "https://support.apple.com/119829"},
	{Name: "archive.org_bot", Source: "https://archive.org/details/archive.org_bot"},
	{Name: "baiduspider", Engine: "baidu", Source: "https://help.baidu.com/question?prod_id=99&class=476"},
	{Name: "bingbot", Engine: "bing", Source: bingMeta},
	{Name: "bytespider", HeaderOnly: true, Source: "https://bytespider.bytedance.com"},
	{Name: "ccbot", HeaderOnly: true, Source: "https://commoncrawl.org/ccbot"},
	{Name: "claudebot", HeaderOnly: true, Source: "https://support.anthropic.com/en/articles/8896518"},
	{Name: "duckduckbot", Engine: "duckduckgo", Source: "https://duckduckgo.com/duckduckgo-help-pages/results/duckduckbot"},
	{Name: "googlebot", Engine: "google", Source: googleMeta},
	{Name: "googlebot-image", HeaderOnly: true, Source: googleCrawlers},
	{Name: "googlebot-news", Takes: "googlebot", Source: googleMeta},
	{Name: "googlebot-video", HeaderOnly: true, Source: googleCrawlers},
	{Name: "gptbot", HeaderOnly: true, Source: "https://platform.openai.com/docs/bots"},
	{Name: "mojeekbot", Engine: "mojeek", Source: "https://www.mojeek.com/bot.html"},
	{Name: "msnbot", Engine: "msn", Source: bingMeta},
	{Name: "oai-searchbot", HeaderOnly: true, Source: "https://platform.openai.com/docs/bots"},
	{Name: "otherbot", Source: googleMeta}, // the example of Google's page
	{Name: "perplexitybot", HeaderOnly: true, Source: "https://docs.perplexity.ai/guides/bots"},
	{Name: "seznambot", Engine: "seznam", Source: "https://napoveda.seznam.cz/en/full-text-search/indexing-control/"},
	{Name: "slurp", Engine: "yahoo", Source: "https://help.yahoo.com/kb/SLN22600.html"},
	{Name: "teoma", Engine: "ask", Source: "http://www.robotstxt.org/db/teoma.html"},
	{Name: "yandex", AllowWins: true, Source: "https://yandex.com/support/webmaster/controlling-robot/meta-robots.html"},
	{Name: "yeti", Engine: "naver", Source: "https://searchadvisor.naver.com/guide/markup-structure"},
}

// inert are names that say nothing in a meta or a header, with what does (A4).
var inert = map[string]string{
	"google-extended":   "is a token of robots.txt alone",
	"applebot-extended": "is a token of robots.txt alone",
	"duckassistbot":     "is a token of robots.txt alone",
}

// Inert returns why a statement for the crawler name would do nothing, or "" where that is not known of it (A4).
func Inert(name string) string { return inert[strings.ToLower(name)] }

// InertNames returns the names of which Inert knows something, sorted.
func InertNames() []string { return slices.Sorted(maps.Keys(inert)) }

// Crawlers is the list of user agents that may be named. The zero value knows the built-in ones.
type Crawlers struct{ further []string }

// KnownCrawlers returns the built-in list and the further names ([robots] crawlers), which must be tokens.
func KnownCrawlers(further ...string) Crawlers {
	lower := make([]string, 0, len(further))
	for _, name := range further {
		lower = append(lower, strings.ToLower(name))
	}
	return Crawlers{lower}
}

// Lookup returns the crawler of that name, compared without regard to case. Names of "everyone", robots and *, are
// no crawlers.
func (c Crawlers) Lookup(name string) (Crawler, bool) {
	name = strings.ToLower(name)
	if i, ok := slices.BinarySearchFunc(crawlers, name, func(c Crawler, name string) int { return strings.Compare(c.Name, name) }); ok {
		return crawlers[i], true
	}
	if slices.Contains(c.further, name) {
		return Crawler{Name: name, Source: "[robots] crawlers"}, true
	}
	return Crawler{}, false
}

// OfEngine returns the crawler of the search engine that is called name, which is no crawler's own name.
func (c Crawlers) OfEngine(name string) (Crawler, bool) {
	if name == "" || slices.Contains(c.further, name) {
		return Crawler{}, false
	}
	i := slices.IndexFunc(crawlers, func(known Crawler) bool { return known.Engine == name })
	if i < 0 {
		return Crawler{}, false
	}
	return crawlers[i], true
}

// Names returns all names, sorted.
func (c Crawlers) Names() []string {
	names := slices.Clone(c.further)
	for _, k := range crawlers {
		names = append(names, k.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// IsToken reports whether name has the form of a user agent's token: letters, digits, hyphen, underscore, dot.
func IsToken(name string) bool {
	for i := range len(name) {
		switch c := name[i] | 0x20; {
		case 'a' <= c && c <= 'z', '0' <= name[i] && name[i] <= '9', name[i] == '-', name[i] == '_', name[i] == '.':
		default:
			return false
		}
	}
	return name != ""
}

// Everyone reports whether name means every crawler: robots or *.
func Everyone(name string) bool { return name == "*" || strings.EqualFold(name, "robots") }
