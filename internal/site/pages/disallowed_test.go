package pages_test

import (
	"strings"
	"testing"

	"metarobots/internal/check"
	"metarobots/internal/plan"
)

// said are the findings of some ids: "id line message".
func said(p *plan.Plan, ids ...string) string {
	var all []string
	for _, f := range check.Run(p).Findings {
		for _, id := range ids {
			if f.ID == id {
				all = append(all, string(f.Severity)+" "+id+": "+f.Message)
			}
		}
	}
	return strings.Join(all, "\n")
}

// S2: what a crawler is told and may not read is a finding, for every crawler that is told something, once a rule.
func TestGoogle_DisallowedPagesCannotBeObeyed(t *testing.T) {
	const ids = "robotstxt-hides-directives"
	for _, c := range []struct{ name, policy, robots, want string }{
		{"snippets", `rules = [{ match = ["/a/**"], robots = "nosnippet" }]`, "User-agent: *\nDisallow: /a/\n",
			`warning ` + ids +
				`: "Disallow: /a/" keeps googlebot and bingbot from reading what /a/ and one more says to crawlers (nosnippet)`},
		{"a date", `rules = [{ match = ["/b/"], robots = "unavailable_after: 2090-01-01" }]`,
			"User-agent: *\nDisallow: /b\n",
			`"Disallow: /b" keeps googlebot and bingbot from reading what /b/ says to crawlers (unavailable_after: 2090-01-01T00:00:00Z)`},
		{"one crawler", `agents = { applebot = "nofollow" }`, "User-agent: applebot\nDisallow: /b/\n",
			`keeps applebot from reading what /b/ says to crawlers (nofollow)`},
		{"another crawler is kept away", `agents = { applebot = "nofollow" }`, "User-agent: bingbot\nDisallow: /b/\n",
			""},
		{"nothing restricts", `agents = { applebot = "index" }`, "User-agent: *\nDisallow: /\n", ""},
		{"nothing is disallowed", `rules = [{ match = ["/**"], robots = "nosnippet" }]`, "User-agent: *\nDisallow:\n",
			""},
		{"noindex is another finding", `rules = [{ match = ["/b/"], robots = "noindex" }]`,
			"User-agent: *\nDisallow: /b/\n", ""},
	} {
		dir := folder(t.TempDir())
		dir.write(t, "metarobots.toml", quiet+c.policy+"\n")
		for _, name := range []string{"index.html", "a/index.html", "a/x/index.html", "b/index.html"} {
			dir.write(t, "out/"+name, "<html><head></head></html>")
		}
		dir.write(t, "out/robots.txt", c.robots)
		p := dir.decide(t)
		if got := said(p, ids); !strings.Contains(got, c.want) || (c.want == "") != (got == "") ||
			strings.Count(got, "\n") > 0 {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// S2: a sitemap that lists what robots.txt disallows is a finding, once a rule; noindex pages leave it anyway.
func TestGoogle_SitemapListsWhatRobotsTxtDisallows(t *testing.T) {
	dir := folder(t.TempDir())
	dir.write(t, "metarobots.toml",
		quiet+"guard.noindex = 1\nrules = [{ match = [\"/gone/\"], robots = \"noindex\" }]\n")
	var locs strings.Builder
	for _, name := range []string{"", "a/", "a/x/", "b/", "gone/"} {
		dir.write(t, "out/"+name+"index.html", "<html><head></head></html>")
		locs.WriteString("<url><loc>/" + name + "</loc></url>")
	}
	dir.write(t, "out/robots.txt",
		"User-agent: *\nDisallow: /a/\nDisallow: /gone/\n\nUser-agent: bingbot\nDisallow: /b/\n")
	dir.write(t, "out/sitemap.xml",
		`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`+locs.String()+"</urlset>")
	want := `warning sitemap-lists-disallowed: "Disallow: /a/" keeps googlebot from /a/ and one more, which the sitemap lists: allow crawling, or leave it out of the sitemap
warning sitemap-lists-disallowed: "Disallow: /b/" keeps bingbot from /b/, which the sitemap lists: allow crawling, or leave it out of the sitemap`
	if got := said(dir.decide(t), "sitemap-lists-disallowed"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Links of every page to one hidden language are one finding, with their count.
func TestHouse_LinksToAHiddenLanguageAreOneFinding(t *testing.T) {
	dir := folder(t.TempDir())
	dir.write(t, "metarobots.toml", quiet+"guard.noindex = 1\nvisibility.languages.de = false\n")
	for _, name := range []string{"", "a/", "b/"} {
		links := `<link rel="alternate" hreflang="de" href="/de/` + name +
			`"><link rel="alternate" hreflang="en" href="/` + name + `">`
		dir.write(t, "out/"+name+"index.html", "<html><head>"+links+"</head></html>")
		dir.write(t, "out/de/"+name+"index.html", "<html><head>"+links+"</head></html>")
	}
	want := "warning hreflang-to-noindex: its hreflang link names /de/a/, which is noindex: crawlers ignore it; " +
		"3 links lead to noindex pages of the language de"
	if got := said(dir.decide(t), "hreflang-to-noindex"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
