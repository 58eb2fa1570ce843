package policy

import (
	"strings"
	"testing"
)

// A1g: a name that HTML, a network or front matter gives to something else is no crawler's, in any
// case.
func TestHouse_NamesOfOtherThingsAreNoCrawlers(t *testing.T) {
	for _, name := range strings.Fields(`viewport description keywords author generator theme-color color-scheme referrer
		application-name format-detection google google-site-verification msvalidate.01 twitter:card twitter.card og:title
		og.image fb:app_id p:domain_verify pinterest apple-mobile-web-app-capable msapplication-TileColor yandex-verification
		baidu-site-verification facebook-domain-verification y_key csrf-token DC.title dcterms.title citation_author rating
		revisit-after copyright geo.position metarobots article:author next-head-count google-translate-customization
		title date draft tags weight params seo meta sitemap slug url layout noindex nofollow unlisted robotsNoIndex
		no_index index robots * google-extended max-snippet unavailable_after`) {
		for _, spelled := range []string{name, strings.ToUpper(name)} {
			if NoCrawler(spelled) == "" {
				t.Errorf("%s may be a crawler", spelled)
			}
		}
	}
	for _, name := range strings.Fields(`florabot FacebookBot facebookexternalhit Twitterbot LinkedInBot Pinterestbot AhrefsBot
		SemrushBot Qwantify GoogleOther YandexBot Applebot-Lite Msnbot-Media DataForSeoBot TitleBot a ok`) {
		if reason := NoCrawler(name); reason != "" {
			t.Error(reason)
		}
	}
	for _, name := range (Crawlers{}).Names() {
		if reason := NoCrawler(name); reason != "" {
			t.Error(reason)
		}
	}
}
