package pages

import (
	"context"
	"testing"

	"metarobots/emit/head"
	"metarobots/internal/site"
	"metarobots/internal/tables"
)

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

// What was said of a page outright stays, whatever its template names beside it, or its language
// says.
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

// Of what slugify and slug make of a title the letters are known; what stands between them each
// writes in a way of its own. https://www.11ty.dev/docs/filters/slugify/
// https://www.11ty.dev/docs/filters/slug/
func TestEleventy_SlugsMatchBothFilters(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/slugs.txt") {
		for _, page := range []string{c["slugify"], c["slug"]} {
			if place := slugOf(c["title"]); place != page && !placePattern(place).MatchString(page) {
				t.Errorf("%q: %q is not %q", c["title"], place, page)
			}
		}
	}
}
