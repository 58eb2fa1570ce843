// Package verify asks a deployed site what it tells crawlers, and holds the answers against what was decided.
//
// # What is asked
//
// [Against] asks every URL of a snapshot, [Sitemaps] those that a site's sitemaps list and of which nothing is known
// but that they are there to be indexed. A snapshot names the hosts that it was made for, one or, by folders of the
// publish root, several. They are asked where nobody names a host. A preview has another host than production, so one
// that is named need not be among them: that is told, and no error.
//
// Each URL is asked with GET, as crawlers do: servers answer HEAD carelessly, and some answer a range with other
// headers. Of what is no HTML the body is not read.
//
// A crawler reads the header and the page together, and of all that it reads the most restrictive holds; both go
// through package policy, as they do when a site is made. What two texts come to is compared, not how they are written:
// a noindex says all that "noindex, nosnippet" says. Words that no comma parts, "noindex; nofollow", restrict as far as
// a crawler may read them: that is [Stricter] where it was not decided, and [Looser] where it was, since no crawler
// promises to. The same goes for a meta behind the first 2 MB of a page, where Googlebot stops reading.
//
// A page that is out of the index and was to be in it is [Stricter], and an error of the whole, as with the guard of a
// build (S3): a deployment that is noindex throughout otherwise passes as a careful one. It counts for the crawlers
// that are asked for, everyone, Googlebot and Bingbot by default: others may be kept away on purpose.
//
// # Redirects
//
// Up to ten hops are followed, as Google's crawlers do
// (https://developers.google.com/crawling/docs/troubleshooting/http-status-codes), and on the URL's host alone. A
// host's own redirect to the same page, /p.html to /p or http to https, is passed over; the page is judged where it
// lies. What leads to another page is [Redirected], be it by a status, or by a meta or a header that says refresh
// without delay: crawlers judge that page. Where more than half of a host's URLs lead off it, or to one and the same
// page of it, a login or a wrong host is likelier than a moved page, and the whole is an error.
//
// # robots.txt
//
// What robots.txt keeps a crawler from, that crawler does not read, neither header nor tag. A noindex there is
// [Unreachable] for it; a page that may be indexed is [Stricter] than was decided. A URL is asked where one of the
// crawlers in question may fetch it, and never under the name of one that may not.
//
// # Politeness and safety
//
// Requests are limited in number, rate and time; an answer of 429 or 503 holds all of them back, and a host that gives
// nothing else, or no answer at all, is asked no more after a while. Nothing is sent but the asked headers, no cookie
// is kept, no link is followed. [Transport] connects to public addresses alone, whoever names them. What may be a
// secret goes to a host that somebody names, and never to those of a snapshot.
package verify
