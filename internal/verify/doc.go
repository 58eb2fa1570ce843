// Package verify requests the pages of a deployed site as crawlers do, and compares what they read with the decisions.
//
// [Against] requests every URL of a snapshot, [Sitemaps] those that a site's sitemaps list, of which nothing is known
// but that they should be indexed. The hosts are those of the snapshot, unless the caller states one. That one may be
// another, such as a preview's, which is a note and no error. Each URL is asked with GET: servers answer HEAD
// carelessly, and some answer a range with other headers. A body that is not HTML is not read.
//
// The most restrictive directive of header and page holds, by package policy, as when a site is built. Effects are
// compared, not texts: noindex has the effect of "noindex, nosnippet". Words without a comma between them, "noindex;
// nofollow", may restrict, but no crawler promises to read them. So they are [Stricter] if that was not decided, and
// [Looser] if it was. The same goes for a meta after the first 2 MB of a page, where Googlebot stops reading.
//
// A page that should be in the index and is not is [Stricter], and an error of the run (S3): a deployment that is
// noindex throughout would pass. This counts for the crawlers of the options, by default everyone, Googlebot and
// Bingbot, since others may be excluded on purpose.
//
// Up to ten redirects are followed on the URL's host, as Google's crawlers do
// (https://developers.google.com/crawling/docs/troubleshooting/http-status-codes). One to the same page, /p.html to /p
// or http to https, is ignored. A URL that leads to another page, by its status or by a refresh without delay, is
// [Redirected], since crawlers read that page instead. If more than half of a host's URLs lead off it, or to a single
// page of it, a login or a wrong host is likelier than moved pages, and that is an error.
//
// A crawler reads neither header nor tag of a URL that robots.txt disallows. A noindex there is [Unreachable] for it,
// and a page that may be indexed is [Stricter]. A URL is requested if one of the crawlers of the options may fetch it,
// and never under the name of one that may not.
//
// Before pages, the robots.txt of each host is compared with the built one by what both mean, if the snapshot knows it. It
// is the one file that is looked for on other hosts too, where redirects lead to it, without a secret. A few URLs are
// asked again under the names of crawlers that robots.txt lets in, since an edge may refuse them.
//
// A second host, such as project.pages.dev, may serve the site too. [Report.AskSecondHosts] asks for a few URLs there:
// one that may be indexed and does not name the site as canonical is an error, unless another site may have that name.
//
// Requests are limited in number, rate and time. An answer of 429 or 503 delays all of them, and a host with no other
// answers is given up after a while. No cookie is stored, no link is followed. [Transport] connects to public addresses
// alone. A header or a user may be a secret: it is sent to the host of the options, never to those of a snapshot.
package verify
