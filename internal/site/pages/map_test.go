package pages

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"metarobots/internal/site"
	"metarobots/policy"
)

func facts(f site.File) string {
	s := fmt.Sprintf("%s %s section=%s language=%s format=%s", f.Role, f.Facts.Kind, f.Facts.Section,
		f.Facts.Language, f.Facts.Format)
	if f.Pager > 1 {
		s += fmt.Sprintf(" pager %d of %s", f.Pager, f.Of.Path.File)
	}
	if len(f.Taxonomies) > 0 {
		s += " of " + strings.Join(f.Taxonomies, " ")
	}
	return s
}

// What a page is, by what is published alone: kinds, sections, pagers and archives as Hugo names them.
func TestHouse_FactsOfPages(t *testing.T) {
	names := map[string]string{
		"index.html":                  "page home section= language= format=html",
		"page/2/index.html":           "page home section= language= format=html pager 2 of /index.html",
		"about/index.html":            "page page section= language= format=html",
		"imprint.html":                "page page section= language= format=html",
		"blog/index.html":             "page section section=blog language= format=html",
		"blog/a/index.html":           "page page section=blog language= format=html",
		"blog/b.html":                 "page page section=blog language= format=html",
		"blog/page/2/index.html":      "page section section=blog language= format=html pager 2 of /blog/index.html",
		"blog/page3/index.html":       "page section section=blog language= format=html pager 3 of /blog/index.html",
		"blog/page/4.html":            "page section section=blog language= format=html pager 4 of /blog/index.html",
		"lone/page/2/index.html":      "page page section=lone language= format=html",
		"guide.html":                  "page section section=guide language= format=html",
		"guide/x.html":                "page page section=guide language= format=html",
		"2026/01/02/x/index.html":     "page page section= language= format=html",
		"tags/index.html":             "page taxonomy section=tags language= format=html of tags",
		"tags/a/index.html":           "page term section=tags language= format=html of tags",
		"tags/a/page/2/index.html":    "page term section=tags language= format=html pager 2 of /tags/a/index.html of tags",
		"blog/categories/index.html":  "page taxonomy section=blog language= format=html of categories",
		"authors.html":                "page taxonomy section= language= format=html of authors",
		"de/index.html":               "page home section= language=de format=html",
		"de/blog/index.html":          "page section section=blog language=de format=html",
		"de/blog/x.html":              "page page section=blog language=de format=html",
		"de/tags/x.html":              "page term section=tags language=de format=html of tags",
		"de/404.html":                 "error 404 section= language=de format=html",
		"it/x.html":                   "page page section=it language= format=html",
		"404.html":                    "error 404 section= language= format=html",
		"404/index.html":              "error 404 section=404 language= format=html",
		"500.html":                    "error 404 section= language= format=html",
		"blog/404.html":               "page page section=blog language= format=html",
		"feed.xml":                    "output  section= language= format=rss",
		"blog/atom.xml":               "output  section=blog language= format=atom",
		"feeds/all.atom.xml":          "output  section=feeds language= format=atom",
		"feed.json":                   "output  section= language= format=json",
		"index.json":                  "static  section= language= format=",
		"data.json":                   "static  section= language= format=",
		"a.pdf":                       "static  section= language= format=",
		"robots.txt":                  "control  section= language= format=",
		"sitemap.xml":                 "control  section= language= format=",
		"metarobots.json":             "control  section= language= format=",
		"google0123456789abcdef.html": "control  section= language= format=",
	}
	files := map[string]string{}
	for name := range names {
		files["public/"+name] = ""
	}
	files["public/metarobots.json"] = "[]"
	m := laid(t, files)
	for name, want := range names {
		f := m.File(name)
		if got := facts(f); got != want {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
		if f.Name != name || f.Path != policy.PathOf(name) || f.HTML != site.IsHTML(name) || f.Unknown {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if f := m.Findings(); len(f) != 1 || f[0].ID != "page-metadata-published" {
		t.Errorf("findings %v", f)
	}
}

// Pagers that are only numbered are known where the generator makes such; a page of its own with a number is none.
func TestHouse_NumberedPagers(t *testing.T) {
	m := laid(t, nil, "/index.html", "/index2.html", "/index4.html", "/blog/index.html", "/blog/2/index.html",
		"/blog/2026/index.html", "/tag/a.html", "/tag/a2.html", "/tag/a3.html")
	if f := m.File("index2.html"); f.Pager != 0 {
		t.Errorf("%s", facts(f))
	}
	m.reader.site.layout.numbered = true
	for name, want := range map[string]int{"index.html": 0, "index2.html": 2, "index4.html": 0, "blog/2/index.html": 2,
		"blog/2026/index.html": 0, "tag/a2.html": 2, "tag/a3.html": 3} {
		if f := m.File(name); f.Pager != want {
			t.Errorf("%s: %s", name, facts(f))
		}
	}
}

// L5: a pager takes what its list's content file states; L3: a 404 page is an error page, with a content file too.
func TestHouse_ContentBehindPagersAndErrorPages(t *testing.T) {
	m := laid(t, map[string]string{"_config.yml": "", "Gemfile": "", "blog/index.html": "---\nrobots: noarchive\n---\n",
		"404.md": "---\npermalink: /404.html\nrobots: noindex\n---\n"},
		"/blog/index.html", "/blog/page2/index.html", "/blog/x.html", "/404.html")
	f := m.File("blog/page2/index.html")
	if f.Pager != 2 || len(f.Page) != 1 || len(f.Of.Statements) != 1 || f.Page[0].States() != "noarchive" {
		t.Errorf("%s %v", facts(f), f.Page)
	}
	if f := m.File("404.html"); f.Role != policy.RoleError || len(f.Page) != 1 {
		t.Errorf("%s %v", facts(f), f.Page)
	}
}

// A page that a content file of its own makes is no pager of another one's list, though it is called so; nor is one of
// Astro's own files. A list's own pages are, whoever names their source.
func TestHouse_PagesCalledAsPagers(t *testing.T) {
	const noindex = "---\nrobots: noindex\n---\n"
	for _, c := range []struct {
		files     map[string]string
		published []string
		pagers    string
	}{
		{map[string]string{".vitepress/config.js": "", "guide/index.md": noindex, "guide/page-2.md": "# Two"},
			[]string{".vitepress/dist/guide/index.html", ".vitepress/dist/guide/page-2.html"}, ""},
		{map[string]string{"mkdocs.yml": "", "docs/guide/README.md": noindex, "docs/guide/page2.md": "# Two"},
			[]string{"site/guide/index.html", "site/guide/page2/index.html"}, ""},
		{map[string]string{"astro.config.mjs": "x", "src/pages/guide/index.astro": "",
			"src/pages/guide/page-2.astro": "", "src/pages/blog/index.md": noindex,
			"src/pages/blog/page/[page].astro": ""},
			[]string{"dist/guide/index.html", "dist/guide/page-2/index.html", "dist/blog/index.html",
				"dist/blog/page/2/index.html"}, "blog/page/2/index.html"},
		{map[string]string{".eleventy.js": "", "blog.njk": "---\npagination: {data: a, size: 1}\npermalink: " +
			"\"/blog/{% if pagination.pageNumber > 0 %}page-{{ pagination.pageNumber }}/{% endif %}\"\nrobots: " +
			"noindex\n---\n"},
			[]string{"_site/blog/index.html", "_site/blog/page-2/index.html"}, "blog/page-2/index.html"},
		{map[string]string{"_config.yml": "", "Gemfile": "", "blog/index.html": noindex,
			"metarobots.json": `[{"url": "/blog/page2/", "source": "blog/index.html"}]`},
			[]string{"_site/blog/index.html", "_site/blog/page2/index.html"}, "blog/page2/index.html"},
	} {
		m := laid(t, c.files, c.published...)
		var pagers []string
		for _, name := range m.published.html {
			f := m.File(name)
			if f.Pager > 1 {
				pagers = append(pagers, name)
			} else if strings.Contains(name, "page") && len(f.Page) > 0 {
				t.Errorf("%s", describe(f))
			}
		}
		if got := strings.Join(pagers, " "); got != c.pagers {
			t.Errorf("pagers %q, want %q", got, c.pagers)
		}
	}
}

// Of two content files of one page what both state counts, and an error says so, or a warning if they state the same. Each remedy that the message names ends the finding.
func TestHouse_TwoPagesAreAnErrorWhereTheyDiffer(t *testing.T) {
	const page = "---\npermalink: /a/\nrobots: "
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"alike":    {map[string]string{"b.md": page + "noindex\n---\n"}, "warning two-pages"},
		"differ":   {map[string]string{"b.md": page + "nofollow\n---\n"}, "error two-pages"},
		"one only": {map[string]string{"b.md": "---\npermalink: /a/\n---\n"}, "error two-pages"},
		"neither":  {map[string]string{"a.md": "# A", "b.md": "---\npermalink: /a/\n---\n"}, ""},
		"named": {map[string]string{"b.md": "---\npermalink: /a/\n---\n",
			"metarobots.json": `{"url": "/a/", "source": "a.md"}`}, ""},
		"the other is named, and what the one says is not lost": {map[string]string{"b.md": "---\npermalink: /a/\n---\n",
			"metarobots.json": `{"url": "/a/", "source": "b.md"}`}, "error no-page"},
	} {
		files := map[string]string{".eleventy.js": "", "a.md": page + "noindex\n---\n"}
		maps.Copy(files, c.files)
		m, got := laid(t, files, "_site/a/index.html"), []string(nil)
		for _, f := range m.Findings() {
			got = append(got, fmt.Sprint(f.Severity, " ", f.ID))
		}
		if f := m.File("a/index.html"); name == "differ" && len(f.Page) != 2 {
			t.Errorf("what both state does not count: %v", f.Page)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	m := laid(t, map[string]string{"astro.config.mjs": "x", "src/pages/about.astro": "<Layout/>",
		"src/content/spec/about.md": "---\nrobots: noindex\n---\n"}, "dist/about/index.html")
	if f := m.Findings(); len(f) != 0 {
		t.Errorf("a route that renders an entry: %v", f)
	}
}

// What reading two thousand content files and finding their pages costs.
func BenchmarkList(b *testing.B) {
	root := b.TempDir()
	write(b, root, "mkdocs.yml", "")
	for i := range 2000 {
		write(b, root, fmt.Sprintf("docs/s%d/p%d.md", i%20, i), "---\ntitle: x\nrobots: noarchive\n---\ntext\n")
		write(b, root, fmt.Sprintf("site/s%d/p%d/index.html", i%20, i), "<html>")
	}
	b.ReportAllocs()
	for b.Loop() {
		s, err := generatorOf(root).Open(context.Background(), site.Options{Source: root})
		if err != nil {
			b.Fatal(err)
		}
		m, err := s.List(context.Background(), testOptions, walked(s))
		if err != nil {
			b.Fatal(err)
		}
		for i := range 2000 {
			m.File(fmt.Sprintf("s%d/p%d/index.html", i%20, i))
		}
	}
}
