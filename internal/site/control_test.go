package site

import "testing"

// L3: names of error templates that hosts document, at the root and at a language's; a page about a number is none.
func TestHosts_ErrorFilesByName(t *testing.T) {
	for name, want := range map[string]bool{
		"404.html": true, "404/index.html": true, "40x.html": true, "403.html": true, "50x.html": true,
		"500.html":    true,
		"de/404.html": true, "pt-br/404/index.html": true, "zh_Hans/500.html": true,
		"404": false, "4044.html": false, "a404.html": false, "300.html": false, "blog/404.html": false,
		"de/at/404.html":   false,
		"404/a/index.html": false, "404.htm": false,
		"500/index.html": true, "403/index.html": true, "de/410/index.html": true, "4xx.html": true, "5XX.html": true,
		"4xx/index.html": true, "5xx/index.html": true, "50x/index.html": true, "en/5xx/index.html": true,
		"error.html":             true,
		"numbers/500/index.html": false, "numbers/500.html": false, "499/index.html": false, "300/index.html": false,
		"600/index.html": false, "5xx/a.html": false, "50xx.html": false, "errors.html": false,
		"error/index.html": false,
		"blog/error.html":  false, "500/500/index.html": false,
	} {
		if got := IsErrorFile(name, nil, false); got != want {
			t.Errorf("IsErrorFile(%q) = %v", name, got)
		}
	}
	if IsErrorFile("api/404.html", nil, false) || IsErrorFile("de/404.html", []string{"en", "fr"}, false) ||
		!IsErrorFile("eng/404.html", []string{"eng"}, false) {
		t.Error("languages are the site's own where they are known")
	}
}

// L3: a content file makes an error page where its name says that nothing was found; /508/ may be a page about a number.
func TestHouse_ErrorFilesOfContent(t *testing.T) {
	for name, want := range map[string]bool{"404.html": true, "404/index.html": true, "de/404.html": true,
		"pt-br/404/index.html": true, "508/index.html": false, "500.html": false, "error.html": false,
		"blog/404.html": false} {
		if got := IsErrorFile(name, nil, true); got != want {
			t.Errorf("IsErrorFile(%q) = %v with a content file", name, got)
		}
	}
}

// L6: files that speak to crawlers or hosts.
func TestGoogle_ControlFilesByName(t *testing.T) {
	for name, want := range map[string]bool{
		"robots.txt": true, "de/robots.txt": true, "sitemap.xml": true, "sitemap-posts.xml": true,
		"sitemap_index.xml.gz": true,
		"en/sitemap.xml":       true, "_headers": true, "_redirects": true, ".well-known/security.txt": true,
		"ads.txt":     true,
		"app-ads.txt": true, "google0123456789abcdef.html": true, "yandex_0123456789abcdef.html": true,
		"pinterest-a1b2c3.html": true, "BingSiteAuth.xml": true,
		"google.html": false, "google0123456789ABCDEF.html": false, "de/google0123456789abcdef.html": false,
		"docs/_headers": false, "docs/ads.txt": false, "sitemap.html": false, "mysitemap.xml": false, "feed.xml": false,
	} {
		if got := IsControlFile(name); got != want {
			t.Errorf("IsControlFile(%q) = %v", name, got)
		}
	}
}

// X: url is the encoded path from the publish root.
func TestHouse_URLsAreServedAndEscapedPaths(t *testing.T) {
	for name, want := range map[string]string{
		"index.html": "/", "a/index.html": "/a/", "a.html": "/a.html", "menü/ö.pdf": "/men%C3%BC/%C3%B6.pdf",
		"a b/100%.txt": "/a%20b/100%25.txt", "what?.html": "/what%3F.html", "it's (wow)!.pdf": "/it's%20(wow)!.pdf",
		"a/notindex.html": "/a/notindex.html",
	} {
		if got := URL(name); got != want {
			t.Errorf("URL(%q) = %q, want %q", name, got, want)
		}
	}
}
