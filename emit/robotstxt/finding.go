package robotstxt

import (
	"fmt"

	"metarobots/policy"
)

// findings are collected one after another.
type findings []policy.Finding

func (f *findings) add(id string, severity policy.Severity, line int, format string, args ...any) {
	*f = append(*f, policy.Finding{ID: id, Severity: severity, Line: line, Message: fmt.Sprintf(format, args...)})
}

// warn adds a warning about a line.
func (f *findings) warn(id string, line int, format string, args ...any) {
	f.add(id, policy.Warning, line, format, args...)
}

// fail adds an error about what is no line.
func (f *findings) fail(id, format string, args ...any) { f.add(id, policy.Error, 0, format, args...) }

// IDs of the findings about a robots.txt or a [Policy]; internal/findings says what each means. Line is a line of the
// robots.txt, from 1; the caller adds the file and its URL.
const (
	IDUnread          = "robotstxt-unread-line"
	IDUnknown         = "robotstxt-unknown-line"
	IDNoindex         = "robotstxt-noindex-line"
	IDTypo            = "robotstxt-typo"
	IDBOM             = "robotstxt-bom"
	IDEncoding        = "robotstxt-encoding"
	IDTooBig          = "robotstxt-too-big"
	IDLongLine        = "robotstxt-long-line"
	IDNoGroup         = "robotstxt-rule-before-group"
	IDVoidsStar       = "robotstxt-group-voids-star"
	IDAgent           = "robotstxt-agent"
	IDPath            = "robotstxt-path"
	IDPathCase        = "robotstxt-path-case"
	IDSitemap         = "robotstxt-sitemap"
	IDCrawlDelay      = "robotstxt-crawl-delay"
	IDContentSignal   = "robotstxt-content-signal"
	IDContentUsage    = "robotstxt-content-usage"
	IDPlace           = "robotstxt-place"
	IDHidesNoindex    = "robotstxt-hides-noindex"
	IDHidesDirectives = "robotstxt-hides-directives"
	IDPolicy          = "robotstxt-policy"
	IDMayIgnore       = "robotstxt-may-ignore"
	IDOutweighed      = "robotstxt-outweighed"
	IDLeftOut         = "robotstxt-left-out"
)
