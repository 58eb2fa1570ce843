// Package visits finds which crawler has read which decision: of the requests of an access log it counts those of
// verified crawlers, and holds them against a snapshot and a robots.txt.
//
// # What is read
//
// A crawler has read the decision for a URL when it got the page by GET with status 200, at that URL. An answer 304
// says that it keeps the copy it has, with the tags of that time; a redirect, a refusal and an error carry no page.
// HEAD shows headers alone: it counts where the decision is told by a header alone (a PDF), as does a part of such a
// file (206).
//
// # Which URL
//
// Paths are compared with their escapes taken away, letters in their case. A URL with a query is another URL for a
// crawler, although most hosts serve the same file: it is counted beside the path and reads nothing. What a host serves
// under another name with status 200 or 304 is the page: /a/index.html for /a/, /a for /a.html or /a/, /a.html for /a/;
// where that could be either of two, it counts for neither. A URL that the snapshot does not have is counted, and where
// robots.txt disallows it, under the rule that does.
//
// # Privacy
//
// Addresses are looked at and forgotten. Nothing of a request is kept that is not a verified crawler's, but that there
// was one.
//
// Memory grows with the URLs of the snapshot and the crawlers that were seen, not with the logs; and the outcome is the
// same in whatever order these are read.
package visits
