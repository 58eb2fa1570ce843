package engines

import "metarobots/policy"

const (
	googleMeta = "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag"
	bingMeta   = "https://www.bing.com/webmasters/help/which-robots-metatags-does-bing-support-5198d240"
)

// knows lists directives that are read in tags and headers alike.
func knows(in Reads, names ...string) map[string]Reads {
	m := map[string]Reads{}
	for _, name := range names {
		m[name] = in
	}
	return m
}

// googles is what Google documents; googlebot-news differs in its names alone.
var googles = knows(InBoth, "all", "index", "noindex", "follow", "nofollow", "none", "nosnippet", "indexifembedded",
	"max-snippet", "max-image-preview",
	"max-video-preview", "notranslate", "noimageindex", "unavailable_after")

var googleDead = map[string]string{
	"noarchive":            "Google no longer uses it: there is no cached link any more",
	"nocache":              "Google does not use it",
	"nositelinkssearchbox": "Google no longer uses it: the search box is gone",
	"noodp":                "Google no longer uses it: the Open Directory is closed",
}

const googleRule = "the sum of the negative rules; of two that conflict, the more restrictive"

// engines are those of which documentation was read, as of EnginesAsOf.
var engines = []Engine{
	{
		Name: "google", Title: "Google", Names: []string{"googlebot"},
		Knows: googles, Dead: googleDead, None: policy.NoIndexNoFollow(), Header: true, Own: true, Sum: true,
		Rule:    googleRule,
		Sources: []string{googleMeta},
	},
	{
		Name: "google-news", Title: "Google News", Names: []string{"googlebot", "googlebot-news"},
		Knows: googles, Dead: googleDead, None: policy.NoIndexNoFollow(), Header: true, Own: true, Sum: true,
		Rule:    googleRule,
		Sources: []string{googleMeta},
	},
	{
		Name: "bing", Title: "Bing", Names: []string{"bingbot", "msnbot"},
		Knows: knows(InBoth, "index", "noindex", "follow", "nofollow", "noarchive", "nocache", "noodp", "nosnippet",
			"max-snippet", "max-image-preview", "max-video-preview"),
		None: policy.NoIndexNoFollow(), NocacheWins: true, Header: true, Own: true,
		Rule: "noarchive keeps the page out of answers and training, nocache leaves them address, title and snippet; " +
			"both together are read as nocache",
		Sources: []string{bingMeta,
			"https://blogs.bing.com/webmaster/september-2023/Announcing-new-options-for-webmasters-to-control-usage-of-their-content-in-Bing-Chat"},
	},
	{
		Name: "yandex", Title: "Yandex", Names: []string{"yandex"},
		Knows: map[string]Reads{"noindex": InBoth, "nofollow": InBoth, "none": InBoth, "noarchive": InBoth,
			"noyaca": InMeta,
			"index":  InMeta, "follow": InMeta, "archive": InMeta, "all": InMeta},
		None: policy.NoIndexNoFollow(), AllowWins: true, Header: true, Own: true,
		Rule: "a directive that allows goes before one that prohibits; those that allow are read in tags alone",
		Sources: []string{"https://yandex.com/support/webmaster/controlling-robot/meta-robots.html",
			"https://yandex.com/support/webmaster/en/controlling-robot/metatags"},
	},
	{
		Name: "apple", Title: "Apple", Names: []string{"applebot"},
		Knows:   knows(InBoth, "noindex", "nosnippet", "nofollow", "none", "all"),
		None:    policy.MostRestrictive(policy.NoIndexNoFollow(), stating("nosnippet")),
		Rule:    "several tags, or one list with commas; none is noindex, nosnippet and nofollow",
		Sources: []string{"https://support.apple.com/119829"},
	},
	{
		Name: "duckduckgo", Title: "DuckDuckGo", Through: "bing",
		Crawlers: map[string]string{"duckduckbot": "DuckDuckBot makes no index and reads no robots tags",
			"duckassistbot": "DuckAssistBot reads robots.txt alone"},
		Rule: "DuckDuckGo shows what other engines' indexes hold, Bing's above all: what Bing reads counts",
		Sources: []string{"https://duckduckgo.com/duckduckgo-help-pages/results/sources",
			"https://stackoverflow.com/questions/18079649 (its staff, 2014)"},
	},
	{
		Name: "seznam", Title: "Seznam",
		Crawlers: map[string]string{"seznambot": "Seznam documents a tag named robots, and no other"},
		Knows:    knows(InBoth, "index", "noindex", "follow", "nofollow", "all"),
		Own:      true, Rule: "two words of one tag: index or noindex, follow or nofollow",
		Sources: []string{"https://napoveda.seznam.cz/en/full-text-search/indexing-control/"},
	},
	{
		Name: "baidu", Title: "Baidu", Names: []string{"baiduspider"},
		Knows: knows(InBoth, "nofollow", "noarchive"),
		Own:   true, Rule: "nofollow and noarchive; what must stay out of its index, robots.txt says",
		Sources: []string{"https://help.baidu.com/question?prod_id=99&class=476",
			"https://www.seodajun.com/seowentijieda/863.html (quotes it)"},
	},
	{
		Name: "naver", Title: "Naver", Names: []string{"yeti"},
		Knows: knows(InBoth, "index", "noindex", "follow", "nofollow", "noarchive"),
		Rule:  "the customary words", Secondary: true,
		Sources: []string{"https://searchadvisor.naver.com/guide/markup-structure"},
	},
	{
		Name: "amazon", Title: "Amazon", Names: []string{"amazonbot"},
		Knows: knows(InBoth, "noarchive", "noindex", "none"), None: policy.NoIndexNoFollow(),
		Rule: "since 2026-06-15: noindex and none, and noarchive, which keeps the page out of the training of " +
			"models",
		Sources: []string{"https://developer.amazon.com/amazonbot",
			"https://crawlerpolicy.com/events/amazonbot-doc-rewritten-adds-meta-tag-directives-noarchive-noindex-drops-detaile"},
	},
	{
		Name: "mojeek", Title: "Mojeek", Names: []string{"mojeekbot"},
		Knows:   knows(InBoth, "noindex", "nocache", "nofollow", "noml"),
		Rule:    "noindex, nocache and nofollow; noml is its own proposal",
		Sources: []string{"https://www.mojeek.com/bot.html", "https://noml.info"},
	},
}
