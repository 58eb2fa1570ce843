//go:build e2e && linux

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"metarobots/internal/tables"
)

// What each run on a hostile site may take.
const (
	hostileTime   = 20 * time.Second
	hostileMemory = 300 << 10 // KB
)

// outsideSecret stands in each file that a link of a hostile site leads to, and must never be
// printed.
const outsideSecret = "OUTSIDE-SECRET-4711"

const hostilePage = `<!doctype html><html><head><meta charset="utf-8"><title>A page</title></head>` +
	`<body>Text</body></html>`

// inHead is a page with a tag in its head, inBody one with something in its body.
func inHead(tag string) string  { return strings.Replace(hostilePage, "<title>", tag+"<title>", 1) }
func inBody(html string) string { return strings.Replace(hostilePage, "Text", html, 1) }

// UTF-16 and UTF-32 of a text, with the mark at its beginning.
func inUTF16(text string) string {
	b := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}
func inUTF32(text string) string {
	b := []byte{0xFF, 0xFE, 0, 0}
	for _, r := range text {
		b = append(b, byte(r), byte(r>>8), byte(r>>16), 0)
	}
	return string(b)
}

const hostilePolicy = `[site]
generator = "html"
destination = "public"
[robots]
headers.targets = ["portable", "apache"]
guard.noindex = 1.0
visibility.sections = { club = false }
`

// Everything hostile and unlucky that once got through lies in one folder. Every command on it ends
// soon, with true findings alone.
func TestHostileSite_EveryCommandEnds(t *testing.T) {
	t.Parallel()
	needEverything(t, "it takes long")
	const noindex = `<meta name="robots" content="noindex">`
	s := newHostileSite(t, hostilePolicy)
	long := strings.Repeat("n", 250) + ".html"
	var words, dates strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&words, "word%d ", i)
		fmt.Fprintf(&dates, "unavailable_after: 20%02d-01-01,  ", 70+i%30)
	}
	tables.Write(t, s.publish, map[string]string{
		"index.html": hostilePage,
		"club/index.html": strings.Replace(inBody(`<meta name="metarobots" content='{"section":"blog"}'>`), "<title>",
			`<meta name="metarobots" content='{"section":"club"}'><title>`, 1),
		"robot.html":          inHead(`<meta name="ROBOT" content="noindex">`),
		"curly.html":          inHead(`<meta name="robots" content=“noindex”>`),
		"property.html":       inHead(`<meta property="robots" content="noindex">`),
		"equiv.html":          inHead(`<meta http-equiv="X-Robots-Tag" content="noindex">`),
		"utf16.html":          inUTF16(inHead(noindex)),
		"utf32.html":          inUTF32(inHead(noindex)),
		"jis.html":            strings.Replace(inHead(noindex), "utf-8", "iso-2022-jp", 1),
		"500/index.html":      inHead(noindex),
		"4xx.html":            inHead(noindex),
		"50x.html":            inHead(noindex),
		"a.pdf":               "%PDF-1.7",
		".htaccess":           "<Files ~ \"\\.pdf$\">\n  Header set X-Robots-Tag \"noindex, nofollow\"\n</Files>\n",
		"robots.txt":          "User-agent: *\nDisallow: /shut/\nSitemap: https://example.org/sitemap.xml\n",
		"shut/nosnippet.html": inHead(`<meta name="robots" content="nosnippet">`),
		"shut/noindex.html":   inHead(noindex),
		"sitemap.xml": `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` +
			`<url><loc>https://example.org/</loc></url><url><loc>https://example.org/shut/nosnippet.html</loc></url></urlset>`,
		"words.html":           inHead(`<meta name="robots" content="` + words.String() + `">`),
		"dates.html":           inHead(`<meta name="robots" content="` + dates.String() + `">`),
		"open.html":            inBody(strings.Repeat("<div>", 100_000) + noindex),
		"svg.html":             inBody(`<svg><title><![CDATA[` + noindex + `]]></title></svg>`),
		"mi.html":              inBody(`<math><mi><![CDATA[` + noindex + `]]></mi></math>`),
		long:                   hostilePage,
		"new\nline.html":       hostilePage,
		"es\x1b[31mc.html":     hostilePage,
		"::error::.html":       hostilePage,
		"\n::error::line.html": hostilePage,
		"over\u202Elmth.html":  hostilePage,
		"inv\xff\xfealid.html": inHead(noindex),
	})
	s.sparse(t, "big.html", inHead(noindex), 65<<20)
	s.sparse(t, "sitemap-1.xml", "<urlset>", 1<<40)
	s.bomb(t, "sitemap-2.xml.gz")
	s.special(t, "pipe.html", "socket.html")
	s.linkOut(t, "public/out.html")

	want := []string{
		"encoding public/jis.html",
		"encoding public/utf16.html",   // and utf32.html, which begins as UTF-16 does
		"header-name public/.htaccess", // no line of Apache can name inv\xff\xfealid.html
		"header-preview public/_headers",
		"header-value public/_headers",   // the words of words.html
		"long-content public/dates.html", // and words.html
		"meta-in-body public/open.html",
		"mistaken-tag public/curly.html",
		"mistaken-tag public/equiv.html",
		"mistaken-tag public/property.html",
		"mistaken-tag public/robot.html",
		"not-read public/pipe.html",
		"not-read public/socket.html",
		"page-metadata-in-body public/club/index.html",
		"page-too-large public/big.html",
		"robotstxt-hides-directives public/robots.txt",
		"robotstxt-hides-noindex public/robots.txt",
		"sitemap public/sitemap-1.xml", // and sitemap-2.xml.gz
		"sitemap-lists-disallowed public/robots.txt",
		"symlink public/out.html",
		"unknown-directive public/words.html", // no comma, so it is one word
	}
	decisions := s.every(t, 1, want)
	for _, url := range []string{"/club/", "/robot.html", "/curly.html", "/property.html", "/equiv.html", "/utf16.html",
		"/utf32.html", "/jis.html", "/shut/noindex.html", "/open.html", "/a.pdf", "/inv%FF%FEalid.html"} {
		has(t, decisions[url], "noindex")
	}
	for _, url := range []string{"/", "/svg.html", "/mi.html", "/" + long, "/%3A%3Aerror%3A%3A.html"} {
		if d, found := decisions[url]; found && strings.Contains(d, "noindex") {
			t.Errorf("%s is noindex: %q", url, d)
		}
	}
	for _, name := range []string{"500/index.html", "4xx.html", "50x.html"} {
		if strings.Contains(read(t, s.publish, name), "robots") {
			t.Errorf("%s keeps its tag", name)
		}
	}
	has(t, read(t, s.publish, long), `<meta name="robots" content="index`)
	s.damage(t)
	equal(t, "how often a damaged state is told", strings.Count(s.run(t, 1, "apply").stderr, "(state)"), 1)
	s.unchanged(t, "public/out.html")
}

// What authors write into content, on a site of Hugo's.
func TestHostileSite_Hugo(t *testing.T) {
	t.Parallel()
	needEverything(t, "it takes long")
	s := newHostileSite(t, "[robots]\nheaders.targets = [\"portable\"]\nguard.noindex = 1.0\n"+
		"visibility.sections = { club = false }\n")
	tables.Write(t, s.dir, map[string]string{
		"hugo.toml": "baseURL = \"https://example.org/\"\ndisableKinds = [\"taxonomy\", \"term\", \"rss\"]\n" +
			"markup.goldmark.renderer.unsafe = true\n",
		"layouts/all.html": inBody("{{ .Content }}"),
		"content/map.md":   "---\nrobots: {noindex, nofollow}\n---\nText\n",
		"content/seo.md":   "---\nseo: noindex\n---\nText\n",
		"content/meta.md":  "---\nmeta: {robots: noindex}\n---\nText\n",
		"content/bing.md":  "---\nbing: noindex\n---\nText\n",
		"content/club/body.md": "---\ntitle: A page\n---\n<meta name=\"metarobots\" " +
			"content='{\"section\":\"blog\"}'>\n",
		"static/4xx.html":         inHead(`<meta name="robots" content="noindex">`),
		"static/es\x1b[31mc.html": inHead(`<meta name="robots" content="noindex">`),
	})
	s.linkOut(t, "content/out.md", "static/out.html")
	s.run(t, 0, "build")
	want := []string{"mistyped-key content/bing.md", "noindex-for-one content/bing.md",
		"page-metadata-in-body public/club/body/index.html"}
	r := s.run(t, 0, "build", "--json")
	expect(t, "build", r.said(t), want)
	for _, name := range []string{"map", "seo", "meta", "club/body"} {
		has(t, read(t, s.publish, name, "index.html"), `content="noindex`)
	}
	has(t, read(t, s.publish, "bing", "index.html"), `name="bingbot" content="noindex`)
	s.unchanged(t, "content/out.md", "static/out.html")
}
