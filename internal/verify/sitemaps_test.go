package verify

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/sitemap"
)

func sitemapOf(locs ...string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, loc := range locs {
		fmt.Fprintf(&b, "<url><loc>%s</loc></url>", loc)
	}
	return b.String() + "</urlset>"
}

func indexOf(locs ...string) string {
	text := sitemapOf(locs...)
	return strings.NewReplacer("urlset", "sitemapindex", "<url>", "<sitemap>", "</url>", "</sitemap>").Replace(text)
}

func packed(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return b.String()
}

// What a sitemap lists asks to be indexed: it should be there, not redirected, not disallowed and
// not noindex.
func TestHouse_SitemapsAreAudited(t *testing.T) {
	o, _ := options(t, host{
		"/robots.txt": text200("User-agent: *\nDisallow: /off/\nSitemap: https://example.org/map.xml\n"),
		"/map.xml": text200(sitemapOf(origin+"/", origin+"/hidden/", origin+"/x", origin+"/off/", origin+"/gone",
			origin+"/less/", origin+"/both/", "https://EXAMPLE.ORG/big")), // the same host, which the test does not serve
		"/":            page(""),
		"/hidden/":     page("noindex"),
		"/x":           moved("/x/"),
		"/x/":          page(""),
		"/off/":        page(""),
		"/less/":       page("nosnippet"),
		"/both/":       page("index, follow", "X-Robots-Tag: noindex"),
		"/sitemap.xml": page(""), // what a single-page application answers everywhere
	})
	r, err := Sitemaps(t.Context(), o)
	want := "/ robots match; /big robots unreachable; /both/ robots stricter; /gone robots unreachable; " +
		"/hidden/ robots stricter; /less/ robots match; /off/ robots stricter; /x robots redirected"
	if got := outcome(r.Results); err != nil || got != want {
		t.Errorf("%v: %s\nwant %s", err, got, want)
	}
	if hidden := find(t, r, "/hidden/", Everyone); hidden.Want != "indexable" ||
		hidden.Why != `noindex by <meta name="robots" content="noindex" /> in line 1, and it is to be indexed` {
		t.Errorf("%+v", hidden)
	}
	if both := find(t, r, "/both/", Everyone); !slices.Equal(both.Notes, []string{"the header says noindex, the page " +
		"index"}) {
		t.Errorf("%+v", both)
	}
	if len(r.Summary.Warnings) > 0 || r.Summary.Source != "sitemaps" {
		t.Errorf("%+v", r.Summary)
	}
}

// Index files, compressed files and plain lists are read; what is not of the host is told and not
// asked.
// https://www.sitemaps.org/protocol.html
func TestSitemapsOrg_Forms(t *testing.T) {
	files := host{
		"/robots.txt": text200("Sitemap: https://example.org/index.xml\nSitemap: " +
			"https://other.example/map.xml\nSitemap: list.txt\nSitemap: https://example.org/gone.xml\nSitemap: " +
			"https://example.org/broken.xml\nSitemap: https://example.org/page.xml\n"),
		"/":         page(""),
		"/page.xml": page(""),
		"/index.xml": text200(indexOf(origin+"/a.xml.gz", origin+"/index.xml", origin+"/away.xml",
			"https://me:secret@other.example/b.xml")),
		"/a.xml.gz": {header: []string{"Content-Type: application/gzip"},
			body: packed(sitemapOf(origin+"/a?b&amp;c=d", "http://example.org/http", "https://other.example/x",
				origin+"/a?b&amp;c=d#twice"))},
		"/away.xml":   moved("https://other.example/away.xml"),
		"/list.txt":   text200("\ufeffhttps://example.org/listed\r\n\r\nhttps://example.org/ä\n\n"),
		"/broken.xml": text200("<urlset><url>"),
	}
	for _, path := range []string{"/a?b&c=d", "/listed", "/%C3%A4"} {
		files[path] = page("")
	}
	o, w := options(t, files)
	w.hosts["http://example.org"] = host{"/http": page("")}
	r, err := Sitemaps(t.Context(), o)
	want := "/ robots match; /%C3%A4 robots match; /a?b&c=d robots match; /listed robots match; " +
		"http://example.org/http robots match"
	if got := outcome(r.Results); err != nil || got != want {
		t.Errorf("%v: %s\nwant %s", err, got, want)
	}
	warnings := strings.Join(r.Summary.Warnings, "\n")
	for _, part := range []string{"robots.txt:2: the sitemap https://other.example/map.xml lies on another host",
		"gone.xml: status 404", "broken.xml: line 1: unexpected EOF",
		"page.xml: an HTML page, not a sitemap", "away.xml: it leads to https://other.example/away.xml, which is another host and not requested",
		"1 of the listed URLs is not below https://example.org/ and not requested, https://other.example/x for one",
		"https://other.example/b.xml lies on another host"} {
		if !strings.Contains(warnings, part) {
			t.Errorf("%s\nlacks %q", warnings, part)
		}
	}
	if strings.Contains(warnings, "secret") {
		t.Errorf("a password is shown: %s", warnings)
	}
}

// Below a path, what lies elsewhere on the host is not of the site.
func TestHouse_SitemapBelowAPath(t *testing.T) {
	o, w := optionsAt(t, origin+"/sub", host{"/sub/sitemap.xml": text200(sitemapOf(origin+"/sub/", origin+"/sub/a",
		origin+"/subway", origin+"/b")), "/sub/": page(""), "/sub/a": page("")})
	r, err := Sitemaps(t.Context(), o)
	if got := outcome(r.Results); err != nil || got != "/ robots match; /a robots match" {
		t.Errorf("%v: %s", err, got)
	}
	if got := w.asked(); !slices.Equal(got[:3], []string{"GET /robots.txt", "GET /sub/sitemap.xml",
		"GET /sitemap.xml"}) {
		t.Errorf("asked %q", got)
	}
}

// Where no sitemap lists a URL there, nobody is left to think that all is well: a sitemap that
// breaks off is told of also where nobody names it, and so is a robots.txt that cannot be had,
// which may name some. A page that is served for any address is no sitemap.
func TestHouse_NoSitemap(t *testing.T) {
	for _, c := range []struct {
		files   host
		warning string
	}{
		{host{}, ""},
		{host{"/sitemap.xml": text200(sitemapOf())}, ""},
		{host{"/sitemap.xml": text200("<!doctype html><title>x</title>")}, ""},
		{host{"/sitemap.xml": text200(sitemapOf("https://a.example/", "https://b.example/"))}, "2 of the listed URLs are not below"},
		{host{"/sitemap.xml": text200("<urlset><url><loc>" + origin + "/a")}, "sitemap.xml: line 1"},
		{host{"/robots.txt": {status: 503, body: "Sitemap: https://example.org/map.xml"},
			"/map.xml": text200(sitemapOf(origin))}, "robots.txt answers 503: whether it names sitemaps is not known"},
	} {
		o, _ := options(t, c.files)
		r, err := Sitemaps(t.Context(), o)
		got := strings.Join(r.Summary.Warnings, "\n")
		if !errors.Is(err, ErrNoSitemap) || !strings.Contains(got, c.warning) || c.warning == "" && got != "" {
			t.Errorf("%v: %v, warnings %q", c.files, err, got)
		}
	}
	o, w := options(t, host{})
	w.hosts = nil
	if _, err := Sitemaps(t.Context(), o); !errors.Is(err, ErrDown) {
		t.Errorf("error %v", err)
	}
}

// An index that names indexes for ever ends.
func TestHouse_SitemapsWithoutEnd(t *testing.T) {
	o, w := options(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimSuffix(r.URL.Path, ".xml")
		text200(indexOf(origin+path+"a.xml", origin+path+"b.xml")).serve(w)
	}))
	_, err := Sitemaps(t.Context(), o)
	if !errors.Is(err, ErrNoSitemap) || len(w.requests) > maxSitemaps+10 {
		t.Errorf("error %v after %d requests", err, len(w.requests))
	}
}

// A sitemap that unpacks to more than the protocol allows, or that lists more, is an error.
func TestHouse_SitemapsAreUnpackedWithinLimits(t *testing.T) {
	var bomb bytes.Buffer
	z, _ := gzip.NewWriterLevel(&bomb, gzip.BestSpeed)
	blanks := bytes.Repeat([]byte("\n"), 1<<20)
	for range maxSitemap>>20 + 1 {
		z.Write(blanks)
	}
	z.Close()
	line := "https://example.org/\n"
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"bomb": {bomb.Bytes(), "longer than 50 MB"},
		"list": {[]byte(strings.Repeat(line, sitemap.MaxEntries+1)), "50,000"},
		"xml": {[]byte("<urlset>" + strings.Repeat("<url><loc>"+line+"</loc></url>", sitemap.MaxEntries+1) +
			"</urlset>"), "50,000"},
	} {
		if locs, _, err := locations(c.data); err == nil || !strings.Contains(err.Error(),
			c.want) || len(locs) > 0 {
			t.Errorf("%s: %d, %v", name, len(locs), err)
		}
	}
}
