// Package links adds rel values to the links of an HTML page that lead away from the site, and data-nosnippet to parts
// of it, leaving every other byte of the page as it was.
//
// A link is an a or area element of HTML with an href, as the standard's tree construction makes it (see emit/head):
// not one in a comment, a script, a textarea, a template or a noscript, and not the a of an svg, for Google can follow
// only a link of an <a> tag
// (https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links).
// area is among them because the HTML standard gives it the same link types
// (https://html.spec.whatwg.org/multipage/links.html#linkTypes); form is not: what it leads to is no link.
//
// It leads away where its URL, read as a browser reads it, is of http or https and has a host that is not the site's
// own. A mailto:, a javascript:, a fragment, or what no browser can read, does not.
//
// The work is done in two parts, as in emit/head. Every page is searched for a tag that would be edited if it were
// markup; most have none, or have no more once they were edited. Where there is one the whole page is read by the tree
// construction, and only what it makes an element is edited. All edits insert, none removes.
package links
