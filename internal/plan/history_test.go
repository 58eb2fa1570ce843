package plan_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/project"
	"metarobots/internal/tables"
)

// historySite has one of everything that a run changes, each as a generator might leave it.
func historySite() map[string]string {
	const top, listed = "<!doctype html><html><head>", "https://example.org"
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	fmt.Fprintf(w, "<urlset><url><loc>%s/a.html</loc></url><url><loc>%s/b.html</loc></url></urlset>", listed, listed)
	w.Close()
	return map[string]string{
		"index.html": top + "<title>Home</title></head><p><a href=https://other.example/>x</a><p class=quiet>y",
		"a.html": top + "<META content='noarchive' NAME=robots>\r\n<title>A</title></head><p><a rel=me " +
			"href=https://other.example/>x</a>",
		"b.html": top + "<title>B</title><meta name=googlebot content=nosnippet></head><p>x<meta name=robots " +
			"content=noai>y",
		"c.html":        top + `<meta name="metarobots" content='{"robots": "nofollow"}'><title>C</title></head>x`,
		"d.html":        top + "<svg><meta name=robots content=nosnippet>x</svg>",
		"404.html":      top + "<meta name=robots content=nofollow><title>Not found</title></head>",
		"moved.html":    top + "<meta http-equiv=refresh content='0; url=/a.html'><meta name=robots content=noindex>",
		"fragment.html": "<p>x",
		"feed.xml":      "<rss></rss>",
		"a.pdf":         "%PDF",
		"sitemap.xml": "<urlset>\n <url><loc>" + listed + "/</loc></url>\n <url><loc>" + listed + "/a.html</loc></url>\n" +
			" <url><loc>" + listed + "/404.html</loc></url>\n <url><loc>" + listed + "/b.html</loc></url>\n</urlset>\n",
		"sitemap-2.xml.gz":  packed.String(),
		"sitemap_index.xml": "<sitemapindex><sitemap><loc>" + listed + "/sitemap-2.xml.gz</loc></sitemap></sitemapindex>",
		"robots.txt":        "User-agent: *\r\nDisallow: /search/",
		"_headers":          "/feed.xml\n  Cache-Control: no-store\n/a.html\n  X-Robots-Tag: noimageindex",
		".htaccess":         "Options -Indexes",
		"v1/index.html":     top + "<title>V1</title></head>x",
		"v1/b.html":         top + "<meta name=robots content=nosnippet><title>B</title></head>x",
		"v1/b.pdf":          "%PDF",
		"v1/sitemap.xml":    "<urlset><url><loc>" + listed + "/latest/b.html</loc></url></urlset>",
	}
}

// historyPolicies are lines of which each policy has some.
var historyPolicies = []string{
	"found = \"replace\"", "default = \"\"", "errorPages = \"keep\"", "redirects = \"clean\"", "none = true",
	"sitemap.filter = false", "visibility.formats = {rss = false}", "agents = {bingbot = \"nocache\"}",
	"headers.targets = [\"portable\", \"apache\"]", "headers.targets = [\"cloudflare\", \"nginx\"]",
	"headers.targets = [\"netlify\", \"vercel\"]", "headers.targets = [\"none\"]",
	"txt = {block = [\"ai-training\"]}", "txt = {write = \"replace\", block = [\"ai-training\"]}", "txt = {write = false}",
	"links = {nosnippet = [\"quiet\"], rules = [{rel = \"nofollow\"}]}", "links = {rules = [{rel = \"ugc\"}]}",
	"rules = [{match = [\"/a.html\", \"/feed.xml\"], robots = \"noindex\"}]",
	"rules = [{match = [\"/*.html\"], robots = \"noindex\"}]",
	"rules = [{match = [\"/v1/**\"], robots = \"noindex\"}]",
	"rules = [{match = [\"/latest/b*\"], robots = \"noindex\"}]",
	"rules = [{match = [\"/{b,d}.html\", \"/*.pdf\"], robots = \"nosnippet\", agents = {googlebot = \"noindex\"}}]",
}

// historyPolicy draws a policy.
func historyPolicy(r *rand.Rand) string {
	lines, has := "[site]\ngenerator = \"html\"\ndestination = \"out\"\n[robots]\nguard.noindex = 1.0\n", map[string]bool{}
	for _, i := range r.Perm(len(historyPolicies))[:r.IntN(8)] {
		line := historyPolicies[i]
		if key, _, _ := strings.Cut(line, " ="); !has[key] {
			has[key], lines = true, lines+line+"\n"
		}
	}
	return lines
}

// writeSite writes the site of the tests, and the symlinks in it.
func writeSite(t *testing.T, dir string) {
	tables.Write(t, filepath.Join(dir, "out"), historySite())
	link(t, "a.html", filepath.Join(dir, "out/linked.html"))
	link(t, "v1", filepath.Join(dir, "out/latest"))
}

// applied applies a policy to a site, and returns what is then published.
func applied(t *testing.T, dir, policy string, environment string) map[string]string {
	tables.Write(t, dir, map[string]string{"metarobots.toml": policy})
	apply(t, plannedWith(t, project.Options{WorkDir: dir, Environment: environment, BaseURL: "https://example.org/",
		Now: "2026-01-01"}))
	return tables.Tree(t, filepath.Join(dir, "out"))
}

// M7a, M7b, M7e: what was applied before leaves no trace: the bytes are those of one run over what
// the generator left.
func TestLaw_HistoryDoesNotMatter(t *testing.T) {
	for seed := range uint64(tables.Cases(5, 10)) {
		r := rand.New(rand.NewPCG(seed, 0))
		used, history := t.TempDir(), ""
		writeSite(t, used)
		for range 1 + r.IntN(4) {
			policy, environment := historyPolicy(r), []string{"", "", "staging"}[r.IntN(3)]
			history += policy + "environment " + environment + "\n"
			once := t.TempDir()
			writeSite(t, once)
			want := applied(t, once, policy, environment)
			for range 2 {
				got := applied(t, used, policy, environment)
				for _, name := range slices.Sorted(maps.Keys(historySite())) {
					if got[name] != want[name] {
						t.Fatalf("seed %d, after\n%s\n%s is\n%q, want\n%q", seed, history, name, got[name], want[name])
					}
				}
				if !maps.Equal(got, want) {
					t.Fatalf("seed %d, after\n%s\nfiles %q, want %q", seed, history, slices.Sorted(maps.Keys(got)),
						slices.Sorted(maps.Keys(want)))
				}
			}
		}
	}
}
