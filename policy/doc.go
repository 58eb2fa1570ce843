// Package policy holds what crawlers may be told and how several tellings become one: the directives of a robots
// meta tag or an X-Robots-Tag header as a value, statements with their origin, rules, and the decision for one
// published file. It uses the standard library alone and does no input or output.
//
// # The value
//
// [Directives] is a product of chains: on every axis the order goes from nothing stated to the most restrictive,
// and [MostRestrictive] is the pointwise maximum. So combining is commutative, associative and idempotent, nothing
// stated changes nothing, and adding a statement never loosens anything.
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
