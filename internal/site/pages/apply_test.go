package pages_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metarobots/internal/check"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/result"
	"metarobots/internal/site/pages"
	"metarobots/internal/write"
	"metarobots/policy"
)

// folder is a site on the disk.
type folder string

func (dir folder) write(t testing.TB, name, text string) {
	t.Helper()
	file := filepath.Join(string(dir), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (dir folder) read(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(string(dir), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// apply plans, and writes what changes.
func (dir folder) apply(t testing.TB, publish string) *plan.Plan {
	t.Helper()
	generators := pages.Generators()
	p, err := project.Open(context.Background(), project.Options{WorkDir: string(dir), Dir: publish,
		Getenv: func(string) string { return "" }, Log: io.Discard}, generators...)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	plan, err := plan.New(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if err := write.Apply(context.Background(), plan); err != nil {
		t.Fatal(err)
	}
	return plan
}

func ids(plan *plan.Plan, severity policy.Severity) string {
	var all []string
	for _, f := range check.Run(plan).Findings {
		if f.Severity == severity {
			all = append(all, f.ID)
		}
	}
	return strings.Join(all, " ")
}

const quiet = "[robots]\ndefault = \"\"\nheaders.targets = [\"none\"]\n"

// M7: page metadata is taken out of the page, and holds in every run after it.
func TestHouse_PageMetaIsTakenOutAndRemembered(t *testing.T) {
	dir := folder(t.TempDir())
	dir.write(t, "metarobots.toml", quiet)
	dir.write(t, "out/index.html", "<html><head><title>x</title></head></html>")
	const before, after = "<html><head><title>x</title>", "</head><body>x</body></html>"
	dir.write(t, "out/a/index.html",
		before+`<meta name="metarobots" content='{"robots": "noindex", "source": "a.txt", "line": 3, "kind": "page", "section": "s", "type": "t"}'>`+after)
	for run := range 3 {
		applied := dir.apply(t, "out")
		if got, want := dir.read(t, "out/a/index.html"),
			before+`<meta name="robots" content="noindex, follow" />`+after; got != want {
			t.Fatalf("run %d\n got %s\nwant %s", run, got, want)
		}
		if changed, _ := applied.Differing(); (len(changed) > 0) != (run == 0) {
			t.Errorf("run %d: changed %q", run, changed)
		}
		r := result.PageOf(applied, applied.Page("a/index.html"))
		why := result.Why{Layer: policy.LayerPage, File: "a.txt", Line: 3, Key: "robots", States: "noindex",
			Decides: true}
		if r.Kind != "page" || r.Section != "s" || r.Type != "t" || len(r.Why) != 1 || r.Why[0] != why {
			t.Errorf("run %d: %+v", run, r)
		}
	}
	// Made anew without it, the page is open again.
	dir.write(t, "out/a/index.html", before+after)
	dir.apply(t, "out")
	if got := dir.read(t, "out/a/index.html"); got != before+after {
		t.Errorf("made anew: %s", got)
	}
}

// Page metadata that cannot be read is an error: it may be what keeps a page private.
func TestHouse_FaultyPageMetaIsAnError(t *testing.T) {
	for content, want := range map[string]string{
		`{"robots": "noindex"`:       "page-metadata",
		`[]`:                         "page-metadata",
		`{"robots": "noindx"}`:       "page-metadata",
		`{"robot": "noindex"}`:       "page-metadata",
		`{"line": "3"}`:              "page-metadata",
		`{} {}`:                      "page-metadata",
		`{"robots": "noindex"}`:      "",
		`{"params": {"any": "key"}}`: "",
		`{}`:                         "",
	} {
		dir := folder(t.TempDir())
		dir.write(t, "metarobots.toml", quiet+"guard.noindex = 1\n")
		dir.write(t, "out/index.html", "<html><head></head></html>")
		dir.write(t, "out/a.html", "<html><head><meta name=metarobots content='"+content+"'></head></html>")
		plan := dir.apply(t, "out")
		if got := ids(plan, policy.Error); got != want {
			t.Errorf("%s: %q, want %q", content, got, want)
		}
		if got := dir.read(t, "out/a.html"); strings.Contains(got, "metarobots") {
			t.Errorf("%s: %s", content, got)
		}
	}
}

// [site.content] leads to pages that no rule of the generator's finds, and auto knows the generator.
func TestHouse_OwnersPermalinksLeadToPages(t *testing.T) {
	dir := folder(t.TempDir())
	dir.write(t, "eleventy.config.js", "export default { dir: { input: 'src' } }")
	dir.write(t, "src/notes/2026-01-02-a.md", "---\nrobots: noindex\neleventyComputed: { permalink: \"{{ x }}\" "+
		"}\n---\n")
	dir.write(t, "_site/index.html", "<html><head></head></html>")
	dir.write(t, "_site/n/2026/a/index.html", "<html><head></head></html>")
	dir.write(t, "metarobots.toml", quiet)
	if got := ids(dir.apply(t, ""), policy.Error); got != "no-page" {
		t.Errorf("without: %q", got)
	}
	dir.write(t, "metarobots.toml",
		"[site.content]\npermalinks = { \"src/notes\" = \"/n/:year/:slug/\" }\n"+quiet+"guard.noindex = 1\n")
	if got := ids(dir.apply(t, ""), policy.Error); got != "" {
		t.Errorf("with: %q", got)
	}
	if got := dir.read(t, "_site/n/2026/a/index.html"); !strings.Contains(got, "noindex") {
		t.Errorf("%s", got)
	}
}

// Every generator of this package may be named in the configuration.
func TestHouse_EveryGeneratorHasAName(t *testing.T) {
	for _, g := range pages.Generators() {
		dir := folder(t.TempDir())
		dir.write(t, "metarobots.toml", "[site]\ngenerator = \""+g.Name()+"\"\n")
		dir.write(t, "out/index.html", "<html><head></head></html>")
		if plan := dir.apply(t, "out"); len(plan.Pages) < 1 {
			t.Errorf("%s: no pages", g.Name())
		}
	}
}

// C: faults of [site.content] are named with their lines.
func TestHouse_FaultsOfContent(t *testing.T) {
	for text, want := range map[string]string{
		"pattern = \"/:slgu/\"":            `metarobots.toml:2: site.content.pattern: unknown placeholder "slgu" (did you mean "slug"?)`,
		"pattern = \":slug\"":              "metarobots.toml:2: site.content.pattern: \":slug\" is not a URL of this site",
		"permalinks = { \"a/b\" = \"b\" }": "metarobots.toml:2: site.content.permalinks.a/b: \"b\" is not a URL",
		"folder = [\"a\"]": "metarobots.toml:2: site.content.folder: unknown key \"folder\" (did you " +
			"mean \"folders\"?)",
		"folders = 5": "metarobots.toml:2: site.content.folders: 5 is not a list of texts",
	} {
		dir := folder(t.TempDir())
		dir.write(t, "metarobots.toml", "[site.content]\n"+text+"\n")
		dir.write(t, "out/index.html", "")
		_, err := project.Open(context.Background(), project.Options{WorkDir: string(dir), Dir: "out",
			Getenv: func(string) string { return "" }, Log: io.Discard}, pages.HTML)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// L4: the tag of a redirect page is told of where its generator does not put it there.
func TestHouse_TagsOfRedirects(t *testing.T) {
	for config, want := range map[string]string{"astro.config.mjs": "", "mkdocs.yml": "", ".eleventy.js": "redirect"} {
		dir := folder(t.TempDir())
		dir.write(t, "metarobots.toml", quiet+"guard.noindex = 1\n")
		dir.write(t, config, "")
		dir.write(t, "out/index.html", "<html><head></head></html>")
		dir.write(t, "out/old/index.html", `<html><head><meta http-equiv="refresh" content="0;url=/">`+
			`<meta name="robots" content="noindex"></head></html>`)
		if got := ids(dir.apply(t, "out"), policy.Warning); got != want {
			t.Errorf("%s: %q, want %q", config, got, want)
		}
	}
}

// A generator's copies of a page carry what restricts the page by header, wherever that is stated: in the page, by a
// rule. Other files do not.
func TestHouse_CopiesOfAPage(t *testing.T) {
	dir := folder(t.TempDir())
	dir.write(t, "metarobots.toml", "[robots]\nguard.noindex = 1\nvisibility.sections.docs = false\n")
	const meta = `<html><head><meta name="robots" content="noindex"></head></html>`
	for name, text := range map[string]string{
		"index.html": meta, "index.txt": "", "docs/a.html": "<html><head></head></html>", "docs/a.txt": "",
		"docs/a.md": "", "docs/a.html.md": "", "docs/a.markdown": "", "docs/a.MD": "",
		"open.html": "<html><head></head></html>", "open.txt": "", "open.md": "", "robots.txt": "User-agent: *\n",
		"other.txt": "", "docs/b.txt": "",
		"__next._full.txt": "", "docs/a/__next._full.txt": "", "open/__next._full.txt": "",
		"_next/x.js": "", "_next/data/b1/docs/a.json": "", "_next/data/b1/index.json": "", "_next/data/b1/open.json": "", "_payload.json": "", "page-data/index/page-data.json": "",
		"page-data/docs/a/page-data.json": "", "llms.txt": "",
	} {
		dir.write(t, "out/"+name, text)
	}
	hidden := map[string]bool{"index.txt": true, "docs/a.txt": true, "docs/a.md": true, "docs/a.html.md": true,
		"docs/a.markdown": true, "docs/a.MD": true,
		"__next._full.txt": true, "docs/a/__next._full.txt": true, "_payload.json": true, "_next/data/b1/docs/a.json": true, "_next/data/b1/index.json": true,
		"page-data/index/page-data.json": true, "page-data/docs/a/page-data.json": true}
	for _, pg := range dir.apply(t, "out").Pages {
		if !pg.File.HTML && pg.Decision.NoIndex() != hidden[pg.File.Name] {
			t.Errorf("%s: %v", pg.File.Name, pg.Header())
		}
	}
}

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
