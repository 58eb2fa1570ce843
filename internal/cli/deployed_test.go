package cli

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstxt"
	"metarobots/internal/findings"
	"metarobots/internal/report"
	"metarobots/internal/seen"
	"metarobots/internal/verify"
)

// X23b: what cannot be read is not called indexable. A status of 4xx keeps a URL out; 5xx, 429 and
// silence tell nothing.
// https://developers.google.com/crawling/docs/troubleshooting/http-status-codes
func TestGoogle_StatusesOfDeployedPages(t *testing.T) {
	base := &url.URL{Scheme: "https", Host: "example.org", Path: "/"}
	for _, c := range []struct {
		answer     seen.Answer
		shut, want string
	}{
		{seen.Answer{Status: 404, Why: "status 404"}, "", "Not in search results: it answers with status 404."},
		{seen.Answer{Status: 403, Why: "status 403"}, "", "Not in search results: it answers with status 403."},
		{seen.Answer{Status: 429, Why: "status 429"}, "", "Not known: status 429."},
		{seen.Answer{Status: 503, Why: "status 503"}, "", "Not known: status 503."},
		{seen.Answer{Why: "connection refused"}, "", "Not known: connection refused."},
		{seen.Answer{Status: 200, Got: "redirect", Verdict: seen.Redirected, Location: "https://other.example/"}, "",
			"Not in search results: crawlers go by the page that it redirects to, https://other.example/."},
		{seen.Answer{Got: seen.Disallowed}, "robots.txt answers 503", "May be in search results, by its address alone: " +
			"robots.txt answers 503, so crawlers read nothing of this host."},
		{seen.Answer{Status: 200, Got: "all"}, "", "In search results: nothing keeps it out."},
		{seen.Answer{Status: 200, Got: "noindex", Header: []string{"noindex"}}, "",
			"Not in search results: noindex by X-Robots-Tag: noindex."},
		{seen.Answer{Status: 200, Got: "nosnippet", Meta: []seen.Meta{{Name: "robots", Content: "nosnippet", Line: 3}}}, "",
			`In search results, with limits: nosnippet by <meta name="robots" content="nosnippet" /> in line 3.`},
	} {
		c.answer.URL, c.answer.Crawler = "/a?b=1", seen.Everyone
		r := &verify.Report{Results: []seen.Answer{c.answer}, Shut: c.shut}
		pg := deployedPages(r, base, nil)[0]
		if got := pg.searchAnswer(r.Shut); got != c.want || pg.url().String() != "https://example.org/a?b=1" {
			t.Errorf("%+v: %s, at %s\nwant %s", c.answer, got, pg.url(), c.want)
		}
	}
}

// X23f: a report of a deployed site counts each of its URLs once, and has a finding for what a
// sitemap lists and nobody finds.
func TestHouse_ReportOfADeployedSiteCountsItsURLs(t *testing.T) {
	tag := func(content string) []seen.Meta { return []seen.Meta{{Name: "robots", Content: content, Line: 1}} }
	results := []seen.Answer{
		{URL: "/", Status: 200, Got: "all", Crawler: seen.Everyone},
		{URL: "/a.pdf", Status: 200, Got: "nosnippet", Header: []string{"nosnippet"}, Crawler: seen.Everyone},
		{URL: "/closed/", Got: seen.Disallowed, Why: "robots.txt:2: Disallow: /closed/", Crawler: seen.Everyone},
		{URL: "/gone/", Status: 404, Why: "status 404", Crawler: seen.Everyone},
		{URL: "/old", Status: 200, Got: "redirect", Verdict: seen.Redirected, Location: "https://example.org/new", Crawler: seen.Everyone},
		{URL: "/tags/", Status: 200, Got: "noindex", Meta: tag("noindex"), Crawler: seen.Everyone},
	}
	for source, want := range map[string]string{
		verify.FromSitemaps: "sitemap-lists-disallowed deployed-unreachable deployed-redirect sitemap-lists-noindex",
		verify.FromURLs:     "deployed-unreachable deployed-redirect",
	} {
		data, err := deployedData(&verify.Report{Results: results, Summary: verify.Summary{Base: "https://example.org/",
			Source: source, Asked: len(results)}}, report.HTML)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, f := range data.Findings {
			ids = append(ids, f.ID)
		}
		s := data.Summary
		if got := strings.Join(ids, " "); got != want || s.Files != 6 || s.Pages != 2 || s.Indexable != 1 || s.Noindex != 1 ||
			s.OtherRestricted != 2 || s.Redirects != 1 || s.Errors != 1 || len(data.Vendors) == 0 {
			t.Errorf("%s: %s, %+v", source, got, s)
		}
	}
}

// X23p: each kind of finding that a report of a deployed site says it looked for is one that is
// explained.
func TestHouse_KindsOfADeployedReportAreRegistered(t *testing.T) {
	kinds := checkedKinds(&verify.Report{Host: seen.Host{Robots: robotstxt.Parse(nil)},
		Summary: verify.Summary{Source: verify.FromSitemaps}})
	if !slices.Contains(kinds, "sitemap-lists-noindex") || slices.Contains(kinds, "deployed-unexpected") {
		t.Errorf("of sitemaps: %s", kinds)
	}
	for _, id := range slices.Concat(kinds, ownKinds) {
		if _, ok := findings.Of(id); !ok {
			t.Errorf("%s is no kind of finding", id)
		}
	}
}
