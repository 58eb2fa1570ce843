package pages

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/head"
	"metarobots/internal/site"
)

// What cannot be read between marks of more than three characters is an error.
func TestHexo_FaultsBetweenLongMarks(t *testing.T) {
	r := readerOf(dialect{Long: true})
	if _, err := r.frontMatter("source/a.md", ".md", []byte("-----\ntitle: [\n-----\n")); err == nil {
		t.Error("what cannot be read between long marks is no error")
	}
}

// What Jekyll 4.3.1 makes of each of these files was seen in its own build of them: which are read, and the one file
// that a permalink leads to.
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/entry_filter.rb (include, exclude)
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/drops/url_drop.rb (placeholders)
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/page.rb (destination)
func TestJekyll_WhatItPublishes(t *testing.T) {
	front := func(line string) string { return "---\n" + line + "\nrobots: noindex\n---\nx\n" }
	files := map[string]string{
		"_layouts/default.html": "",
		"_config.yml": `include: [.hid, "_pages/"]
exclude: [sec, "*.bak.md"]
permalink: /:categories/:slugified_categories/:title
collections:
  tools: {output: true, permalink: "/tools/:name/:path"}
  docs: {output: true}
defaults:
  - scope: {path: "", type: posts}
    values: {robots: noindex, categories: [base]}
  - scope: {path: note}
    values: {robots: noarchive}
`,
		"team/index.html": "static",
		// None of these is read, or each is excluded.
		"sub/_und/u.md": front(""), "_posts/_und/2026-01-05-u.md": front(""), "_posts/README.md": "text",
		"_tools/_und/t1.md": front(""), "_tools/_t4.md": front(""),
		"secret.md": front(""), "sec.md": front(""), "k.bak.md": front(""), "vendor/bundle/w.md": front(""),
		"liq.html": "{% raw %}x{% endraw %}", "tsconfig.json": "{\n // c\n \"a\": 1 }",
		"data.json": `{"robots": "noindex"}`,
	}
	// By their content files; what states something else than noindex, and elsewhere, is below.
	pages := map[string]string{
		"staff.md": "team.html", "ver.md": "v1.0", "vphp.md": "x.php", "dirp.md": "where/index.html",
		"esc.md": "a b.html", "unk.md": "q/:title/y.html", "pretty.md": "pretty.html",
		".hid/page.md": ".hid/page.html", ".hidden/page.md": ".hidden/page.html",
		"sub/.hid/page.md": "sub/.hid/page.html", "_pages/p.md": "_pages/p.html",
		"_posts/2026-01-02-one.md":  "base/a b/c/base/a-b/c/one.html",
		"_posts/2026-01-03-two.md":  "base/x/y/z q/base/x/y/z-q/two.html",
		"_posts/2026-01-08-v1.0.md": "base/base/v1.0.html", "_posts/sub/_und/2026-01-06-su.md": "base/base/su.html",
		"a/_posts/2026-01-07-ab.md": "a/base/n&m/a/base/n-m/ab.html",
		"_tools/t2.md":              "tools/t2/t2.html", "_tools/sub/.d/t3.md": "tools/t3/sub/.d/t3.html",
		"_docs/x/index.md": "docs/x/index.html", "_docs/y.md": "docs/y.html",
		"vendor/x/v.md": "vendor/x/v.html", "h.htm": "h.htm", "hh/index.htm": "hh/index.htm",
		"feed.json": "feed/index.json", "search.json": "search.json",
	}
	says := map[string]string{
		"staff.md": "permalink: /team", "ver.md": "permalink: /v1.0", "vphp.md": "permalink: /x.php",
		"dirp.md": "permalink: /where/", "esc.md": `permalink: "/a%20b"`, "unk.md": "permalink: /q/:title/y",
		"pretty.md": "permalink: pretty", "_posts/2026-01-02-one.md": "categories: [A B, c]",
		"a/_posts/2026-01-07-ab.md": "categories: [a, N&M]", "feed.json": "permalink: /feed/",
	}
	want := map[string]string{"team/index.html": ""}
	published := []string{"_site/liq.html", "_site/tsconfig.json", "_site/data.json", "_site/base/base/bare.html",
		"_site/notes.html", "_site/dots.html", "_site/team/index.html"}
	for source, page := range pages {
		files[source] = front(says[source])
		published = append(published, "_site/"+page)
		want[page] = source + ": noindex (" + source + ":3)"
		if !site.IsHTML(page) {
			delete(want, page) // which file it came from is asked below
		}
	}
	files["_posts/2026-01-03-two.md"] = "---\ncategories: X Y\ncategory: Z Q\nrobots: noindex\n---\n"
	want["base/x/y/z q/base/x/y/z-q/two.html"] = "_posts/2026-01-03-two.md: noindex (_posts/2026-01-03-two.md:4)"
	files["_posts/2026-01-04-bare.md"] = "no front matter, and yet a post"
	want["base/base/bare.html"] = "_posts/2026-01-04-bare.md: noindex (_config.yml:9)"
	files["notes.md"] = "---\na: b\n---\n"
	want["notes.html"] = "notes.md: noarchive (_config.yml:11)" // a scope is what a path begins with
	files["dots.md"] = "---\nrobots: noindex\n...\ntext\n"
	want["dots.html"] = "dots.md: noindex (dots.md:2)"
	m := laid(t, files, published...)
	holds(t, m, want)
	for source, page := range pages {
		if got := m.reader.sources[source]; got == nil || !slices.Equal(got.claimed, []string{page}) {
			t.Errorf("%s: %+v, want %s", source, got, page)
		}
	}
	for _, source := range slices.Sorted(maps.Keys(m.reader.sources)) {
		if c := m.reader.sources[source]; len(c.claimed) == 0 && !c.unpublished {
			t.Errorf("%s is looked for at %q", source, c.places)
		}
	}
}

// In _posts and in collections Jekyll follows links to files, and none to folders; _posts itself may be one. What such a
// folder states has no page, and is said.
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/reader.rb (get_entries)
func TestJekyll_LinksInPostsAndCollections(t *testing.T) {
	m := laid(t, map[string]string{
		"_config.yml": "permalink: pretty\ncollections: {tools: {output: true}}", "Gemfile": "", "../.git/HEAD": "",
		"../shared/2026-01-02-a.md": front, "../shared/sub/2026-01-03-b.md": front,
		"../shared/_posts/2026-01-04-c.md":                       front,
		"_posts/2026-01-02-a.md -> ../../shared/2026-01-02-a.md": "", "_posts/more -> ../../shared/sub": "",
		"_tools/a.md -> ../../shared/2026-01-02-a.md": "",
		"news/_posts -> ../../shared/sub":             "", "old -> ../shared": "",
	}, "_site/2026/01/02/a/index.html", "_site/tools/a/index.html", "_site/news/2026/01/03/b/index.html",
		"_site/old/2026/01/04/c/index.html",
		"_site/old/2026-01-02-a/index.html", "_site/old/sub/2026-01-03-b/index.html")
	holds(t, m, map[string]string{
		"2026/01/02/a/index.html":         "_posts/2026-01-02-a.md: noindex (_posts/2026-01-02-a.md:2)",
		"tools/a/index.html":              "_tools/a.md: noindex (_tools/a.md:2)",
		"news/2026/01/03/b/index.html":    "news/_posts/2026-01-03-b.md: noindex (news/_posts/2026-01-03-b.md:2)",
		"old/2026/01/04/c/index.html":     "old/_posts/2026-01-04-c.md: noindex (old/_posts/2026-01-04-c.md:2)",
		"old/sub/2026-01-03-b/index.html": "old/sub/2026-01-03-b.md: noindex (old/sub/2026-01-03-b.md:2)",
	}, "error no-page _posts/more/2026-01-03-b.md:2")
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
		s, err := generatorOf(root).Open(context.Background(), site.Options{Source: root})
		if err != nil {
			t.Fatal(err)
		}
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
	noarchive, err := site.ParsePageMeta(`{"robots": "noarchive"}`, testOptions)
	if err != nil {
		t.Fatal(err)
	}
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
	for _, c := range []struct{ title, slugify, slug string }{
		{"Don't Panic", "dont-panic", "don't-panic"},
		{"The cat's ears'", "the-cats-ears", "the-cat's-ears'"},
		{"rock 'n' roll", "rock-n-roll", "rock-'n'-roll"},
		{"I'd say it'sx", "i-d-say-it-sx", "i'd-say-it'sx"},
		{"Third & Last", "third-and-last", "third-and-last"},
		{" a_b  c.d/e - 100% ", "a-b-c-d-e-100", "a_b-c.de-100percent"},
		{"Größe — ja", "groesse-ja", "groesse-ja"},
		{"♥ you", "love-you", "love-you"},
		{"Don’t", "don-t", "dont"},
	} {
		for _, page := range []string{c.slugify, c.slug} {
			if place := slugOf(c.title); place != page && !placePattern(place).MatchString(page) {
				t.Errorf("%q: %q is not %q", c.title, place, page)
			}
		}
	}
}
