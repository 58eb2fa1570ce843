package policy

import (
	"fmt"
	"slices"
	"strings"
)

// metaNames are names that HTML, its registry of extensions, or a vendor gives to a meta that is no
// robots meta. A crawler of such a name would have viewports and descriptions read as policy, and
// removed.
// https://html.spec.whatwg.org/multipage/semantics.html#standard-metadata-names
// https://wiki.whatwg.org/wiki/MetaExtensions
var metaNames = strings.Fields(`
application-name author color-scheme description generator keywords referrer theme-color viewport abstract audience
category charset classification client content-language content-type copyright coverage creator date designer
directory distribution expires format-detection google google-adsense-account google-play-app
google-signin-client_id google-translate-customization slack-app-id handheldfriendly host icbm identifier-url
language last-modified lastmod license me mobileoptimized monetization mssmarttagspreventparsing name news_keywords
original-source owner page-topic pinterest pragma progid publisher rating referrer-policy refresh reply-to revisit
revisit-after robot skype_toolbar source standout subject summary supported-color-schemes syndication-source
thumbnail title topic url verify-v1 web_author wt.mc_id y_key alexaverifyid version view-transition metarobots
facebook twitter`)

// metaPrefixes begin the names of families, such as msapplication-TileColor, twitter:card,
// DC.title.
var metaPrefixes = strings.Fields(`
al. al: apple- article. article: astro- baidu-site- book: citation_ csrf- darkreader- dc. dc: dcterms. dcterms:
docsearch: docsearch. docusaurus_ eprints. fb. fb: fediverse: flattr: format- geo. go-import go-source hcsdk: htdig-
ia: ms. msapplication msvalidate music: next- norton- og. og: p: parsely- place: product: profile: prism. sailthru.
shareaholic: swift: theme- turbo- twitter. twitter: video: vk: vr: x5- zd-`)

// metaEndings end the names by which owners prove to a service that a site is theirs.
var metaEndings = []string{"-verification", "_verification", "-verify", "_verify"}

// pageKeys are keys that front matter has for other things: a crawler's name there holds directives
// for that crawler.
var pageKeys = strings.Fields(`
alias aliases archetype archives authors banner body build cascade categories comments content cover data
description draft eleventycomputed eleventyexcludefromcollections eleventynavigation excerpt expirydate
featured_image forms head headless heading hero hidden id image images index iscjklanguage keywords kind lang layout
link linktitle locale markup menu menus meta noindex nofollow norobots order outputs pagination params path
permalink private protected publishdate published pubdate redirect redirect_from redirect_to related resources
searchhidden section seo series sidebar sitemap sites slug status style subtitle tag tags taxonomies template
templatekey toc translationkey type types unavailableafter unlisted updated updateddate videos weight robotsnoindex
no_index block_indexing`)

// NoCrawler says why no crawler may have that name; "" if one may. The name is no token, or it
// belongs to everyone, a directive, a meta of another meaning, or another key of front matter.
func NoCrawler(name string) string {
	lower := strings.ToLower(name)
	_, known := Crawlers{}.Lookup(lower)
	switch {
	case !IsToken(name) && !reserved(lower) || Everyone(name):
		return fmt.Sprintf("%q is not a crawler's name: letters, digits, hyphens, underscores and dots", name)
	case known:
	case isDirective(lower):
		return fmt.Sprintf("%q is a directive", name)
	case Inert(lower) != "":
		return fmt.Sprintf("%s %s, so this has no effect", name, Inert(lower))
	case reserved(lower):
		return fmt.Sprintf("%q is not a crawler's name: a meta of that name means something else", name)
	case slices.Contains(pageKeys, lower):
		return fmt.Sprintf("%q is not a crawler's name: it is another key of front matter", name)
	}
	return ""
}

// reserved reports whether a name, in lower case, is that of a meta that is no robots meta.
func reserved(lower string) bool {
	return slices.Contains(metaNames, lower) ||
		slices.ContainsFunc(metaPrefixes, func(p string) bool { return strings.HasPrefix(lower, p) }) ||
		slices.ContainsFunc(metaEndings, func(e string) bool { return strings.HasSuffix(lower, e) })
}
