package pages

import (
	"context"
	"strings"
	"testing"

	"metarobots/emit/head"
	"metarobots/internal/site"
	"metarobots/internal/tables"
)

// What cannot be read between marks of more than three characters is an error.
func TestHexo_FaultsBetweenLongMarks(t *testing.T) {
	r := readerOf(dialect{Long: true})
	if _, err := r.frontMatter("source/a.md", ".md", []byte("-----\ntitle: [\n-----\n")); err == nil {
		t.Error("what cannot be read between long marks is no error")
	}
}

// What Pelican would read to another end than the mark stays an error, where it is no YAML either.
// https://docs.getpelican.com/en/stable/content.html#file-metadata
func TestPelican_LinesBeyondMarks(t *testing.T) {
	for _, text := range []string{
		"---\ntitle: Oil: a guide\n\nrobots: noindex\n---\n",
		"---\ntitle: Oil: a guide\ntags:\n- a\nrobots: noindex\n---\n",
		"---\ntitle: Oil\nrobots: noindex\n",
	} {
		r := readerOf(dialect{Closing: []string{"..."}, Lines: true, Marked: true})
		if h, err := r.frontMatter("a.md", ".md", []byte(text)); err == nil {
			t.Errorf("%q: %s", text, &h)
		}
	}
}

// What is put online has its address in another file, which imports the first and goes before it.
// https://docs.getpelican.com/en/stable/publish.html#deployment
func TestPelican_AddressOfWhatIsPublished(t *testing.T) {
	for _, local := range []string{"", "SITEURL = ''\n", "SITEURL = 'http://localhost:8000'\n"} {
		root := t.TempDir()
		write(t, root, "pelicanconf.py", local+"PATH = 'content'")
		write(t, root, "publishconf.py", "from pelicanconf import *\nSITEURL = 'https://a.example'")
		s := tables.Value(generatorOf(root).Open(context.Background(), site.Options{Source: root}))(t)
		if got := s.Settings().BaseURL; got != "https://a.example" {
			t.Errorf("%q: %q", local, got)
		}
	}
}

// Numbers are pagers where a route's parameter is a page, and where they go on from 2 without a gap; those of things
// are none. https://docs.astro.build/en/guides/routing/#pagination
func TestAstro_NumberedPagers(t *testing.T) {
	m := laid(t, map[string]string{"astro.config.mjs": "export default {}",
		"src/pages/products/index.astro": "x", "src/pages/products/[id].astro": "x", "src/pages/items/[id].astro": "x",
		"src/pages/blog/[...page].astro": "x", "src/pages/else/[page].astro": "x",
		"src/pages/news/[page].astro": "x", "src/pages/tags/[tag]/[...page].astro": "x",
		"src/pages/[...slug].astro": "x",
		"src/pages/lamp2.astro":     "x", "src/pages/bulb/2/index.astro": "x"},
		slashed(strings.Fields("index.html products/index.html products/7/index.html products/12/index.html products/31/index.html "+
			"items/index.html items/2/index.html items/3/index.html blog/index.html blog/2/index.html "+
			"blog/3/index.html blog/2026/index.html "+
			"news/index.html news/1/index.html news/2/index.html tags/a/index.html tags/a/2/index.html flat.html "+
			"flat/2.html flat/3.html "+
			"else/index.html else/2/index.html else/4/index.html both/index.html both/1/index.html both/2/index.html "+
			"lamp.html lamp2.html bulb.html bulb/2/index.html"))...)
	want := map[string]int{"blog/2/index.html": 2, "blog/3/index.html": 3, "news/2/index.html": 2,
		"tags/a/2/index.html": 2, "else/2/index.html": 2}
	for _, name := range m.published.names {
		if f := m.File(name); f.Pager != want[name] {
			t.Errorf("%s is pager %d, want %d", name, f.Pager, want[name])
		}
	}
}

// What was said of a page outright stays, whatever its template names beside it, or its language says.
func TestHouse_ExplicitStatementsStay(t *testing.T) {
	m := laid(t, map[string]string{".eleventy.js": "", "a.md": "---\nrobots: nofollow\n---\n",
		"b.md": "---\nrobots: noarchive\n---\n", "c.md": "---\npermalink: /b/\nrobots: nosnippet\n---\n",
		"metarobots.json": `[
  {"url": "/else/", "robots": "noindex"},
  {"url": "/it/x/", "section": "hidden", "kind": "term"},
  {"url": "/y/", "language": "xx"},
  {"url": "/list/", "section": "hidden", "language": "xx"},
  {"url": "/named/", "source": "a.md"}
]`}, "/index.html", "/a/index.html", "/else/index.html", "/it/index.html", "/it/x/index.html", "/y/index.html",
		"/list/index.html", "/list/page/2/index.html", "/list/x/index.html", "/named/index.html", "/b/index.html")
	read := func(name, src string, metadata ...site.PageMeta) site.File {
		f := m.File(name)
		facts := new(head.Scanner).Scan([]byte(src), func([]byte) head.Kind { return head.None })
		m.ReadPage(&f, facts.Language, metadata)
		return f
	}
	noarchive := tables.Value(site.ParsePageMeta(`{"robots": "noarchive"}`, testOptions))(t)
	for _, c := range []struct {
		name, src string
		metadata  []site.PageMeta
		want      string
	}{
		{"else/index.html", "", []site.PageMeta{{Source: "a.md"}}, "else/index.html < a.md: nofollow (a.md:2), " +
			"noindex (metarobots.json:2)"},
		{"else/index.html", "<html lang=en>", []site.PageMeta{noarchive, {Source: "a.md"}},
			"else/index.html < a.md: nofollow (a.md:2), noindex (metarobots.json:2), noarchive ()"},
		// two files of one page
		{"b/index.html", "", []site.PageMeta{{Source: "b.md"}}, "b/index.html < b.md: noarchive (b.md:2), nosnippet " +
			"(c.md:3)"},
		{"b/index.html", "", []site.PageMeta{{Source: "a.md"}}, "b/index.html < a.md: nofollow (a.md:2)"},
	} {
		if got := describe(read(c.name, c.src, c.metadata...)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	const english = "<html lang=en>"
	for name, want := range map[string]string{
		"it/x/index.html":        "page term section=hidden language=en format=html",
		"y/index.html":           "page page section= language=xx format=html",
		"list/index.html":        "page section section=hidden language=xx format=html",
		"list/page/2/index.html": "page section section=hidden language=xx format=html pager 2 of /list/index.html",
		"list/x/index.html":      "page page section=list language=en format=html",
	} {
		f := read(name, english)
		if got := facts(f); got != want {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
		if f.Of != nil && f.Of.Facts.Section != "hidden" {
			t.Errorf("%s is a pager of %+v", name, f.Of.Facts)
		}
	}
}

// Of what slugify and slug make of a title the letters are known; what stands between them each writes in a way of its
// own. https://www.11ty.dev/docs/filters/slugify/ https://www.11ty.dev/docs/filters/slug/
func TestEleventy_SlugsMatchBothFilters(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/slugs.txt") {
		for _, page := range []string{c["slugify"], c["slug"]} {
			if place := slugOf(c["title"]); place != page && !placePattern(place).MatchString(page) {
				t.Errorf("%q: %q is not %q", c["title"], place, page)
			}
		}
	}
}
