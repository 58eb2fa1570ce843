// Package verify requests the pages of a deployed site as crawlers do, and compares what they read
// with the decisions.
//
// [Against] requests every URL of a snapshot, [Sitemaps] those that a site's sitemaps list, of
// which nothing is known but that they should be indexed. The hosts are those of the snapshot,
// unless the caller states one. That one may be another, such as a preview's, which is a note and
// no error. Each URL is asked with GET: servers answer HEAD carelessly, and some answer a range
// with other headers. A body that is not HTML is not read.
//
// The most restrictive directive of header and page holds, by package policy, as when a site is
// built. Effects are compared, not texts: noindex has the effect of "noindex, nosnippet". Words
// without a comma between them, "noindex; nofollow", may restrict, but no crawler promises to read
// them. So they are [Stricter] if that was not decided, and [Looser] if it was. The same goes for a
// meta after the first 2 MB of a page, where Googlebot stops reading.
//
// A page that should be in the index and is not is [Stricter], and an error of the run (S3): a
// deployment that is noindex throughout would pass. This counts for the crawlers of the options, by
// default everyone, Googlebot and Bingbot, since others may be excluded on purpose.
//
// Up to ten redirects are followed on the URL's host, as Google's crawlers do
// (https://developers.google.com/crawling/docs/troubleshooting/http-status-codes). One to the same page, /p.html to /p
// or http to https, is ignored. A URL that leads to another page, by its status or by a refresh
// without delay, is [Redirected], since crawlers read that page instead. If more than half of a
// host's URLs lead off it, or to a single page of it, a login or a wrong host is likelier than
// moved pages, and that is an error.
//
// A crawler reads neither header nor tag of a URL that robots.txt disallows. A noindex there is
// [Unreachable] for it, and a page that may be indexed is [Stricter]. A URL is requested if one of
// the crawlers of the options may fetch it, and never under the name of one that may not.
//
// Before pages, the robots.txt of each host is compared with the built one by what both mean, if
// the snapshot knows it. It is the one file that is looked for on other hosts too, where redirects
// lead to it, without a secret. A few URLs are asked again under the names of crawlers that
// robots.txt lets in, since an edge may refuse them.
//
// A second host, such as project.pages.dev, may serve the site too. [Report.AskSecondHosts] asks
// for a few URLs there: one that may be indexed and does not name the site as canonical is an
// error, unless another site may have that name.
//
// Requests are limited in number, rate and time. An answer of 429 or 503 delays all of them, and a
// host with no other answers is given up after a while. No cookie is stored, no link is followed.
// [Transport] connects to public addresses alone. A header or a user may be a secret: it is sent to
// the host of the options, never to those of a snapshot.
//
// # Words of this package
//
//   - A base is the URL of a folder of the publish root at its host. A root is such a folder with its base; most sites
//     have one, those with a host for each language have several. The own hosts of a site are those of the bases, and
//     those that the snapshot was made for.
//   - A server is a host that is asked. It is down if it cannot be reached, shut if its robots.txt cannot be read, so that
//     crawlers fetch nothing, and gone if it left too many requests in a row without an answer.
//   - A target is one URL that is asked, with what was decided for it. Its address is the path from the publish root, its
//     page the URL that the snapshot has for it: a page that rewrites serve elsewhere has several targets.
//   - A stratum is the targets that are alike, by decision and first folder; a sample takes one of each in turn.
//   - The crawlers of a run are those that each target is answered for. Everyone, "robots" in a result, is among them as
//     the crawler that has no name of its own.
//   - A response is what one request brought, an answer what came of asking a target, after all redirects. It leads away
//     if it leads off the host, or to another page by a refresh without delay. It has moved if redirects end at another
//     page of the host.
//   - Of an answer, path is the URLs that were asked in turn, and status that of the last of them
//     that answered. away is
//     where it leads, if it leads away, and awayText how. err is why crawlers get no page: nothing
//     was answered, an error status such as 404, or redirects that lead to nothing. It is nil if
//     they get one, and if the answer leads away.
//   - A statement is directives of one tag or header line. What is stated is all statements of an answer; a reading is what
//     one crawler makes of them. Of that, sure is what is also stated as engines document it.
//   - A comparison makes the result, a [seen.Answer], of one crawler at a target. Its judgement is the verdict, what the
//     crawler got, and why that is not what was wanted. A page is hidden if it should be in an index and is kept out.
//   - A ban is the line of robots.txt that keeps a crawler from a URL. The built robots.txt is the one of the snapshot, the
//     served one that of the host; something else that is answered in its place, such as a page, is a substitute.
//   - A twin of a base is another host with the same pages: the production site whose URLs the sitemaps of a test server
//     list. A second host is another name under which the site itself may be served.
package verify
