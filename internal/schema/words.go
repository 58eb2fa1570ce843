package schema

// A Word describes a directive to the one who writes it.
type Word struct {
	// Means, in a sentence.
	Means string
	// Source is where it is documented.
	Source string
}

func (w Word) String() string { return w.Means + " " + w.Source }

const (
	google     = "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag"
	bing       = "https://www.bing.com/webmasters/help/which-robots-metatags-does-bing-support-5198d240"
	bingChat   = "https://blogs.bing.com/webmaster/september-2023/Announcing-new-options-for-webmasters-to-control-usage-of-their-content-in-Bing-Chat"
	yandex     = "https://yandex.com/support/webmaster/controlling-robot/meta-robots.html"
	deviantArt = "https://www.deviantart.com/team/journal/UPDATE-All-Deviations-Are-Opted-Out-of-AI-Datasets-934500371"
)

// Directives describes every directive, as of policy.CrawlersAsOf.
var Directives = map[string]Word{
	"all":      {"No restriction: index, follow.", google},
	"none":     {"The same as noindex, nofollow. Some crawlers do not know the word.", google},
	"index":    {"The page may be in the index, which is the default.", bing},
	"noindex":  {"The page stays out of search results. Crawlers must be able to fetch it to read this.", google},
	"follow":   {"The page's links may be followed, which is the default.", bing},
	"nofollow": {"The page's links are not followed.", google},
	"archive":  {"A saved copy may be shown, which is the default.", yandex},
	"noarchive": {"No saved copy is shown; at Bing and Amazon, the page is not used for answers or " +
		"training.", bingChat},
	"nocache": {"Bing: answers and training use no more than address, title and snippet. With noarchive " +
		"beside it, Bing reads this one.", bingChat},
	"nosnippet": {"No text and no video preview in results.", google},
	"indexifembedded": {"Google: with noindex beside it, what is embedded in another page may be indexed there.",
		google},
	"notranslate":  {"No translation is offered in results.", google},
	"noimageindex": {"The images of the page are not indexed.", google},
	"noai":         {"Asks that the page is not used to train models. A proposal: no search engine reads it.", deviantArt},
	"noimageai": {"Asks that the page's images are not used to train models. A proposal: no search engine " +
		"reads it.", deviantArt},
	"noml": {"Asks that the page is not used for machine learning. A proposal of Mojeek's.",
		"https://noml.info"},
	"noodp": {"Nobody reads it any more: the Open Directory is closed.", bing},
	"noydir": {"Nobody reads it any more: Yahoo's directory is closed.",
		"https://help.yahoo.com/kb/SLN2213.html"},
	"noyaca":               {"Yandex: no description that it made itself. Its catalogue is closed.", yandex},
	"nopreview":            {"Nobody reads it any more: nosnippet took its place.", bing},
	"nositelinkssearchbox": {"Nobody reads it any more: the search box is gone from results.", google},
	"max-snippet":          {"The most characters of a snippet: 0 for none, -1 for no limit.", google},
	"max-image-preview":    {"The largest image preview: none, standard or large.", google},
	"max-video-preview":    {"The most seconds of a video preview: 0 for a still image, -1 for no limit.", google},
	"unavailable_after":    {"The page leaves search results after this date.", google},
}
