package initpolicy

import "strings"

// names are the last parts of addresses, by what the page is there for: pages that are rarely meant to be found by a
// search engine, in the languages in which sites often have them. Whether they are, the owner decides.
var names = map[string][]string{
	legal: {
		"imprint", "impressum", "legal", "legalnotice", "legalnotices", "mentionslegales", "avisolegal", "notelegali",
		"disclaimer",
		"privacy", "privacypolicy", "privacynotice", "datenschutz", "datenschutzerklaerung", "datenschutzerklärung",
		"confidentialite",
		"politiquedeconfidentialite", "politicadeprivacidad", "privacidad", "privacyverklaring",
		"terms", "termsofservice", "termsofuse", "termsandconditions", "tos", "agb", "nutzungsbedingungen", "cgu",
		"cgv",
		"cookies", "cookiepolicy", "cookierichtlinie",
	},
	service: {
		"search", "searchresults", "suche", "recherche", "buscar", "busqueda", "cerca", "zoeken",
		"thankyou", "thanks", "danke", "vielendank", "merci", "gracias", "grazie", "bedankt", "success", "confirmation",
		"unsubscribe",
		"login", "signin", "logout", "signout", "account", "myaccount", "cart", "warenkorb", "checkout", "offline",
		"styleguide",
	},
}

// The groups of names.
const (
	legal   = "legal"
	service = "service"
)

// groupOf tells which group the last part of an address is of; empty for none.
func groupOf(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
	for group, all := range names {
		for _, n := range all {
			if n == name {
				return group
			}
		}
	}
	return ""
}

// closed are sections that are hardly meant for the public.
var closed = []string{"draft", "drafts", "private", "internal", "intern", "staging", "sandbox", "unpublished", "wip"}

// searchData are files that a site's own search reads, by the end of their path: the words of all pages. They are what
// themes and plugins of Hugo (index.json), MkDocs (search/search_index.json), Just the Docs (search-data.json) and Hexo
// (search.xml, content.json) write, and other usual names.
var searchData = []string{"/index.json", "/search.json", "/search.xml", "/search-index.json", "/searchindex.json",
	"/search_index.json", "/search-data.json",
	"/searchindex.en.json", "/lunr-index.json", "/lunr.json", "/content.json", "/fuse.json"}

// documents are the extensions of files that search engines list beside pages.
// https://developers.google.com/search/docs/crawling-indexing/indexable-file-types
var documents = []string{"pdf", "doc", "docx", "odt", "rtf", "xls", "xlsx", "ods", "ppt", "pptx", "odp", "ps"}

// keys are keys of front matter that themes and plugins know and that metarobots does not count by itself: they keep a
// page from a list, a search or a sitemap.
var keys = []string{"hidden", "private", "internal", "secret", "hide", "searchHidden", "search_hidden",
	"hideFromSearch", "hide_from_search",
	"excludeFromSearch", "exclude_from_search", "search_exclude", "noSearch", "search.exclude", "search.hidden",
	"sitemap_exclude", "exclude_from_sitemap", "excludeFromSitemap", "sitemap.disable", "sitemap.exclude",
	"sitemap_ignore",
	"no-index", "no_robots", "disallow", "disableIndexing", "hideFromRobots", "seo_noindex", "meta_noindex",
	"yoast_wpseo_meta-robots-noindex", "_yoast_wpseo_meta-robots-noindex"}
