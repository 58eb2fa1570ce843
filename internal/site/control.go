package site

import (
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"metarobots/internal/lazyregexp"
)

var languageCode = lazyregexp.New(`^[A-Za-z]{2}(?:[-_][A-Za-z0-9]{2,8})*$`)

// errorName is an error template that hosts, servers and generators document, by its name from the
// root.
//
// The code: GitHub Pages, Cloudflare Pages, Netlify, Firebase and Vercel serve 404.html, Vercel
// 500.html too. Any code may be configured: Caddy's {err.status_code}.html, Apache's ErrorDocument,
// Azure's responseOverrides.
// https://docs.github.com/en/pages/getting-started-with-github-pages
// https://developers.cloudflare.com/pages/configuration/serving-pages/#not-found-behavior
// https://docs.netlify.com/manage/routing/redirects/redirect-options/#custom-404-page-handling
// https://firebase.google.com/docs/hosting/full-config#404
// https://vercel.com/docs/custom-error-pages
// https://caddyserver.com/docs/caddyfile/directives/handle_errors
// https://httpd.apache.org/docs/2.4/mod/core.html#errordocument
// https://learn.microsoft.com/en-us/azure/static-web-apps/configuration#response-overrides
//
// A range of codes: 50x.html in the configuration that comes with nginx, 40x.html in that of its
// packages, 4xx.html and 5xx.html of 4D.
// https://nginx.org/en/docs/http/ngx_http_core_module.html#error_page
// https://developer.4d.com/docs/WebServer/errorPages
//
// error.html: Amazon S3, as its own command has it.
// https://docs.aws.amazon.com/cli/latest/reference/s3/website.html
//
// The group is a code as the name of a folder, which generators make of 500.md.
var errorName = lazyregexp.New(`^(?:[45]\d\d\.html|(?:40|50|4[xX]|5[xX])[xX](?:\.html|/index\.html)|error\.html|` +
	`([45]\d\d)/index\.html)$`)

// IsErrorFile reports whether a file is an error page by its name, at the site's or a language's
// root (L3); of one that a content file makes, only a 404 page is. A folder is one only where its
// number is a code of HTTP that is in use: /499/ may be a page about a number. languages are the
// folders of the site's; nil takes every folder named by a code of two letters for one, with or
// without a region.
func IsErrorFile(name string, languages []string, hasContent bool) bool {
	dir, rest, ok := strings.Cut(name, "/")
	if len(rest) > len("50x/index.html") { // as of nearly every page: no pattern is asked
		return false
	}
	if ok && (languages == nil && languageCode.MatchString(dir) ||
		slices.ContainsFunc(languages, func(language string) bool { return strings.EqualFold(language, dir) })) {
		name = rest
	}
	if hasContent { // every host serves 404, whatever makes it; other codes may be what a page is about
		return name == "404.html" || name == "404/index.html"
	}
	m := errorName.FindStringSubmatch(name)
	if m == nil || m[1] == "" {
		return m != nil
	}
	code, _ := strconv.Atoi(m[1])
	return http.StatusText(code) != ""
}

// IsSitemap reports whether a file is a sitemap by its name.
func IsSitemap(name string) bool {
	return strings.HasPrefix(path.Base(name), "sitemap") && strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".xml")
}

// IsTextSitemap reports whether a file is a sitemap by its name, if it is a list of addresses.
func IsTextSitemap(name string) bool {
	return strings.HasPrefix(path.Base(name), "sitemap") && strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".txt")
}

// IsHeld reports whether a file goes through [Hooks].Write by its name.
func IsHeld(name string) bool {
	return IsHTML(name) || path.Base(name) == "_headers" || IsSitemap(name)
}

// controlName is a control file at the root of a host, beside those in .well-known.
var controlName = lazyregexp.New(`^(?:_headers|_redirects|(?:app-)?ads\.txt|` +
	`(?:google[0-9a-f]{16}|yandex_[0-9a-f]{16}|pinterest-[0-9a-f]+)\.html|BingSiteAuth\.xml)$`)

// IsControlFile reports whether a file speaks to crawlers or hosts and never gets a policy (L6);
// name is from the root of its host. For a page of the generator the name of a verification file
// says nothing: ask for the page first.
func IsControlFile(name string) bool {
	return path.Base(name) == "robots.txt" || IsSitemap(name) || strings.HasPrefix(name, ".well-known/") ||
		!strings.Contains(name, "/") && controlName.MatchString(name)
}

// feedName is what generators and their plugins call a feed by default.
var feedName = lazyregexp.New(
	`(?:^|[/.])(?:feed|rss|atom|index)\.(?:xml|rss|atom)$|\.(?:atom|rss)(?:\.xml)?$|(?:^|/)feed\.json$`)

// FeedFormat is the output format of a feed; empty for what is none.
func FeedFormat(name string) string {
	switch {
	case !feedName.MatchString(name) || IsSitemap(name):
		return ""
	case strings.HasSuffix(name, ".json"):
		return "json"
	case strings.Contains(path.Base(name), "atom"):
		return "atom"
	}
	return "rss"
}
