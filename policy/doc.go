// Package policy holds directives for crawlers and how statements combine: the directives of a robots meta tag or an
// X-Robots-Tag header as a value, statements with their origin, rules, and the decision for one published file. It
// uses the standard library alone and does no input or output.
//
// # The value
//
// [Directives] is a product of chains: on every axis a rank goes from nothing stated to the most restrictive, and
// [MostRestrictive] is the maximum of each. So combining is commutative, associative and idempotent, nothing stated
// changes nothing, and adding a statement never loosens anything.
//
//	index    nothing < index < noindex, indexifembedded < noindex
//	follow   nothing < follow < nofollow
//	cache    nothing < archive < nocache < noarchive
//	snippet  nothing < max-snippet:-1 < … < max-snippet:50 < … < nosnippet
//	image    nothing < max-image-preview:large < standard < none
//	video    nothing < max-video-preview:-1 < … < 10 < … < 0
//	expiry   nothing < unavailable_after a later date < an earlier one
//	flags    nothing < noai, notranslate, …: each a chain of its own
//
// # From a text to a decision
//
// [Parse], [ParseMeta] and [ParseHeader] read a text word by word, each word by the table in directive.go, into
// statements, which get their origin by [At]. [Policy.Decide] collects those that apply to a [Subject], and
// [Policy.Resolve] combines them into a [Decision], which prints itself as metas and header lines in a [Style] and
// says why. How the most restrictive one counts is in [MostRestrictive], [Policy.Statements] and [Policy.Resolve].
//
// # The sources of the rules
//
// Google's robots meta tag and X-Robots-Tag specification
// (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag), Bing's robots metatags page
// (https://www.bing.com/webmasters/help/which-robots-metatags-does-bing-support-5198d240), Yandex's page
// (https://yandex.com/support/webmaster/controlling-robot/meta-robots.html), Yoast's "Meta robots: functional
// specification" (https://developer.yoast.com/features/seo-tags/meta-robots/functional-specification/). A letter
// and a number in a comment (D3, P5, …) cite docs/semantics.md.
package policy
