package site

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	errorFile    = regexp.MustCompile(`^(?:404|40x|4[0-9]{2}|50x|5[0-9]{2})\.html$`)
	languageCode = regexp.MustCompile(`^[A-Za-z]{2}(?:[-_][A-Za-z0-9]{2,8})*$`)
	verification = regexp.MustCompile(`^(?:google[0-9a-f]{16}|yandex_[0-9a-f]{16}|pinterest-[0-9a-f]+)\.html$|^BingSiteAuth\.xml$`)
	sitemapFile  = regexp.MustCompile(`^sitemap[^/]*\.xml(?:\.gz)?$`)
)

// IsErrorFile reports whether a file that no page stands behind is an error template by its name: 404.html,
// 404/index.html, 40x.html, 4dd.html, 50x.html or 5dd.html at the site's or a language's root (L3). languages are the
// folders of the site's; nil takes every folder named by a code of two letters for one, with or without a region.
func IsErrorFile(name string, languages []string) bool {
	if dir, rest, ok := strings.Cut(name, "/"); ok && dir != "404" {
		if languages == nil && languageCode.MatchString(dir) || slices.ContainsFunc(languages, func(l string) bool { return strings.EqualFold(l, dir) }) {
			name = rest
		}
	}
	return name == "404/index.html" || errorFile.MatchString(name)
}

// IsSitemap reports whether a file is a sitemap by its name.
func IsSitemap(name string) bool { return sitemapFile.MatchString(path.Base(name)) }

// IsHeld reports whether a file goes through [Hooks].Write by its name.
func IsHeld(name string) bool {
	return IsHTML(name) || path.Base(name) == "_headers" || IsSitemap(name)
}

// IsControlFile reports whether a file speaks to crawlers or hosts and never gets a policy (L6); name is from the root
// of its host. For a page of the generator the name of a verification file says nothing: ask for the page first.
func IsControlFile(name string) bool {
	switch {
	case path.Base(name) == "robots.txt" || IsSitemap(name):
		return true
	case strings.HasPrefix(name, ".well-known/"):
		return true
	}
	switch name {
	case "_headers", "_redirects", "ads.txt", "app-ads.txt":
		return true
	}
	return verification.MatchString(name)
}
