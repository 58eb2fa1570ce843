// Package policy holds directives for crawlers and how statements combine: the directives of a
// robots meta tag or an X-Robots-Tag header as a value, statements with their origin, rules, and
// the decision for one published file. It uses the standard library alone and does no input or
// output.
//
// # The value
//
// [Directives] is a product of chains: on every axis a rank goes from nothing stated to the most
// restrictive, and [MostRestrictive] is the maximum of each. So combining is commutative,
// associative and idempotent, nothing stated changes nothing, and adding a statement never loosens
// anything.
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
// # Words of this package
//
//   - A chain is one axis of that product; an [Axis] is its name ("index"), or that of a flag. A
//     rank is a place on a chain: 0 is nothing stated, 1 (permissive) is stated and restricts
//     nothing, and each greater rank restricts more. d.rank[index] is the rank of d on the chain
//     index.
//   - Flags are the directives that are stated or not, as one sorted text joined by commas
//     ("noai,notranslate"); split, join, has and only read it as a set. A directive of no known
//     name is a flag; so is a date of unavailable_after that cannot be read, which is kept as it is
//     (isUnreadDate).
//   - A row of the table of directives ([Directive]) is a word. It has a Form if a value belongs to
//     it (max-snippet), whose chain is axis; else states are its ranks or its flag. The flag is
//     what a flag is about: ofUse, ofResults, ofThePast; noFlag of a word that is none.
//   - A text is read by comma items and words. A fault is what is wrong in it: an error in our own
//     text. A name is near a word if it is spelled nearly so ([Near]); [Everyone] knows the names
//     for everyone (robots, *), [Inert] says why directives for a crawler have no effect, [IsToken]
//     reports a product token's form.
//   - indexifembedded is no rank on its own: a [Statement] has it as Embed, and [At] makes noindex
//     beside it the rank embeddable.
//   - A [Statement] is what one place says to one crawler; Crawler "" is everyone.
//   - A [Text] says whose words are read: Own (ours: a fault is an error), Found (another
//     program's: what can be read restricts), Documented (Found, as engines document it).
//   - A [Subject] is a published file, with what is known of it. Its Role says whether it is a
//     page, another output, a resource (a file of a page's bundle) …; Policed says whether the role
//     gets a policy. Of is the page that it is a pager or another HTML output of; Owners are the
//     pages in whose bundles it is; Claimed is the file as its own metadata describes it, Copied
//     the page whose content it publishes again.
//   - A [Rule] selects files by globs on paths and by [Facts] (its Narrowing: kinds, types,
//     sections, languages, formats). A selection is one path by which it may select a file: the
//     file's own, or that of its page or of an owner.
//   - A [Visible] is an entry of visibility, such as kinds.taxonomy: what is stated of a part of
//     the site.
//   - noCrawler obeys what is stated for everyone and nothing else; forEveryone is what that is.
//
// # From a text to a decision
//
// [Parse], [ParseMeta] and [ParseHeader] read a text word by word, each word by the table in
// directive.go, into statements, which get their origin by [At]. [Policy.Decide] collects those
// that apply to a [Subject], and [Policy.Resolve] combines them into a [Decision], which prints
// itself as metas and header lines in a [Style] and says why. How the most restrictive one counts
// is in [MostRestrictive], [Policy.Statements] and [Policy.Resolve].
//
// # The sources of the rules
//
// Google's robots meta tag and X-Robots-Tag specification
// (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag), Bing's robots metatags page
// (https://www.bing.com/webmasters/help/which-robots-metatags-does-bing-support-5198d240), Yandex's page
// (https://yandex.com/support/webmaster/controlling-robot/meta-robots.html), Yoast's "Meta robots: functional
// specification"
// (https://developer.yoast.com/features/seo-tags/meta-robots/functional-specification/). A letter
// and a number in a comment (D3, P5, …) cite docs/semantics.md.
package policy
