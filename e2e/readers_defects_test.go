//go:build e2e

package e2e

import (
	"regexp"
	"slices"
	"strings"
)

// A readersDefect is a reason why readers may say otherwise than the standard, with the files it
// can concern. One that no longer shows fails TestReaders_ReadWhatExplainSays.
type readersDefect struct {
	readers  []string
	concerns func(v visit, d *document) bool
}

func bodyHas(pattern string) func(v visit, _ *document) bool {
	re := regexp.MustCompile(pattern)
	return func(v visit, _ *document) bool { return v.html && re.MatchString(v.body) }
}

// laterName finds what is a crawler's name, or a directive with a value, that does not begin an
// X-Robots-Tag line.
var laterName = regexp.MustCompile(`, *([-a-z_.]+):`)

// namesLater reports whether a line names a crawler after its beginning.
func namesLater(_ visit, d *document) bool {
	for _, name := range laterName.FindAllStringSubmatch(strings.Join(d.Header, "\n"), -1) {
		if !strings.HasPrefix(name[1], "max-") && name[1] != "unavailable_after" {
			return true
		}
	}
	return false
}

var readersDefects = map[string]readersDefect{
	// https://github.com/whatwg/html/pull/10557
	"drops what stands in a select, as the standard did until 2025": {[]string{"parse5", "html5lib"},
		bodyHas(`(?i)<select`)},
	// https://html.spec.whatwg.org/multipage/parsing.html#markup-declaration-open-state
	"takes CDATA in an integration point for a comment": {[]string{"parse5"}, bodyHas(`(?is)<(svg|math).*<!\[CDATA\[`)},
	// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intemplate: after col only what columns take is
	// read.
	"reads the text of a style that is ignored": {[]string{"html5lib"}, bodyHas(`(?is)<template>.*<col>.*<style`)},
	// Its scopes do not end at a template.
	// https://html.spec.whatwg.org/multipage/parsing.html#has-an-element-in-scope
	"closes a template by the end tag of a list around it": {[]string{"html5lib"},
		bodyHas(`(?is)<ol>.*<template>.*</ol>`)},
	// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inforeign
	"stays in math or svg at an end tag of br": {[]string{"html5lib"}, bodyHas(`(?is)<(svg|math)>.*</br>`)},
	// The name of a tag is an attribute's value: ASCII white space alone may be taken off.
	"takes a no-break space off a tag's name": {[]string{"robot-directives"}, func(_ visit, d *document) bool {
		return slices.ContainsFunc(d.Metas, func(m meta) bool { return strings.HasPrefix(m.Name, "\u00a0") })
	}},
	// Several lines of a name are the same as one with commas (RFC 9110, section 5.3), and a name
	// may come after a rule
	// (https://developer.mozilla.org/en-US/docs/Web/HTTP/Headers/X-Robots-Tag, Syntax). Netlify and Cloudflare join
	// them; where each crawler has a line of its own, as on Apache, all is read.
	"takes a crawler's name only where a line begins": {[]string{"robot-directives", lighthouseAudit}, namesLater},
	// They are crawlers of their own
	// (https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers#googlebot-news).
	"takes googlebot-news and googlebot-image for googlebot in headers": {[]string{"robot-directives"},
		func(_ visit, d *document) bool {
			return slices.ContainsFunc(d.Header, func(l string) bool { return strings.HasPrefix(l, "googlebot-") })
		}},
	"throws an error at a line break in a tag": {[]string{"robot-directives"}, func(_ visit, d *document) bool {
		return strings.ContainsAny(described(d.Metas), "\r\n")
	}},
	// They are two things at Bing
	// (https://www.bing.com/webmasters/help/which-robots-metatags-does-bing-support-5198d240).
	"takes nocache for noarchive": {[]string{"robot-directives"}, func(v visit, d *document) bool {
		return strings.Contains(described(d.Metas)+strings.Join(d.Header, "\n"), "nocache")
	}},
	// The name counts in any case
	// (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag).
	"looks for Googlebot, with a capital letter, in headers": {[]string{lighthouseAudit},
		func(_ visit, d *document) bool {
			return strings.Contains(strings.Join(d.Header, "\n"), "googlebot:")
		}},
	// https://html.spec.whatwg.org/multipage/scripting.html#the-noscript-element
	"reads noscript": {[]string{"Chromium without scripting"}, bodyHas(`(?i)<noscript`)},
}

// mistakenTag finds a robots tag in an attribute that no crawler reads.
var mistakenTag = regexp.MustCompile(
	`(?i)<meta[^>]*\b((property|http-equiv)\s*=\s*["']?(robots|x-robots-tag)|value\s*=)`)

// readersLimits are what metarobots knows not to read, as its documentation says.
var readersLimits = map[string]func(v visit, reader string) bool{
	// No reader obeys such a tag, and its author meant it (docs/findings.md, mistaken-tag):
	// stricter, until it is rewritten.
	"reads a tag with property, http-equiv or value as it was meant": func(v visit, _ string) bool {
		return v.html && mistakenTag.MatchString(v.body)
	},
	// M2: what the HTML holds counts.
	"runs no scripts": func(v visit, reader string) bool {
		return (reader == "Chromium" || reader == lighthouseAudit) && strings.Contains(v.body, "document.write")
	},
}

// unservedPages are pages that an engine cuts off or does not serve, by what stands in them.
var unservedPages = map[string]struct {
	engine string
	pages  *regexp.Regexp
}{
	// Pages look for links to announce early, with a rewriter that gives up where without a tree it
	// cannot know whether a tag is read (https://github.com/cloudflare/lol-html, strict mode).
	"breaks off text that a frameset may ignore": {"pages",
		regexp.MustCompile(`(?is)<frameset.*<(style|noembed|plaintext)`)},
}
