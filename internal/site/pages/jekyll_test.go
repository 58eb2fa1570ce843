package pages

import (
	"maps"
	"slices"
	"testing"

	"metarobots/internal/site"
)

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

// A folder of collections is not followed, which is said; [site.content] answers it.
// https://jekyllrb.com/docs/collections/#setup
func TestJekyll_FolderOfCollections(t *testing.T) {
	files := map[string]string{"_config.yml": "collections_dir: col\ncollections: {tools: {output: true}}\n",
		"Gemfile": "", "col/_tools/a.md": front}
	holds(t, laid(t, files, "_site/tools/a.html"), nil, "warning config-computed _config.yml")
	files["_site/tools/a.html"] = ""
	m, err := owned(t, site.Content{Folders: []string{"col/_tools"}, Pattern: "/tools/:name"}, files)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, m, map[string]string{"tools/a.html": "col/_tools/a.md: noindex (col/_tools/a.md:2)"})
}

// A configuration that is spread from elsewhere loses nothing where every page is that of a content file.
func TestHouse_ComputedConfigurationOfMatchedPages(t *testing.T) {
	files := map[string]string{".vitepress/config.ts": "export default defineConfig({ ...sharedConfig, lang: 'en' })",
		"a.md": front, "index.md": ""}
	holds(t, laid(t, files, ".vitepress/dist/a.html", ".vitepress/dist/index.html", ".vitepress/dist/404.html"),
		map[string]string{"a.html": "a.md: noindex (a.md:2)"})
	holds(t, laid(t, files, ".vitepress/dist/a.html", ".vitepress/dist/b.html"),
		map[string]string{"a.html": "a.md: noindex (a.md:2)"}, "warning config-computed .vitepress/config.ts")
}

// What the configuration takes from the environment, or from another file, is not known, and is said.
// https://www.mkdocs.org/user-guide/configuration/#configuration-inheritance
func TestMkDocs_ConfigurationFromElsewhere(t *testing.T) {
	for text, files := range map[string]string{
		"docs_dir: !ENV DOCS":                  "DOCS/x.md", // is no folder's name
		"docs_dir: !ENV [DOCS, docs]":          "docs/a.md",
		"INHERIT: ../base.yml":                 "docs/a.md",
		"INHERIT: !ENV [BASE, base.yml]":       "docs/a.md",
		"exclude_docs: !ENV HIDDEN":            "docs/a.md",
		"use_directory_urls: !ENV [PRETTY, 1]": "docs/a.md",
	} {
		m := laid(t, map[string]string{"mkdocs.yml": text, files: ""}, "site/a/index.html", "site/b/index.html")
		holds(t, m, nil, "warning config-computed mkdocs.yml")
	}
}

// Three dots close YAML in MkDocs and Pelican too.
func TestGenerators_ThreeDotsCloseFrontMatter(t *testing.T) {
	const dots = "---\ntitle: A\nrobots: noindex\n...\n\ntext\n"
	holds(t, laid(t, map[string]string{"mkdocs.yml": "", "docs/a.md": dots}, "site/a/index.html"),
		map[string]string{"a/index.html": "docs/a.md: noindex (docs/a.md:3)"})
	holds(t, laid(t, map[string]string{"pelicanconf.py": "PATH = 'content'", "content/a.md": dots}, "output/a.html"),
		map[string]string{"a.html": "content/a.md: noindex (content/a.md:3)"})
}

// Posts are a collection, which may have a permalink of its own; pages have that of the site. Sass is published as CSS.
// https://jekyllrb.com/docs/permalinks/#collections
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/converters/scss.rb (output_ext)
func TestJekyll_PermalinkOfThePostsCollection(t *testing.T) {
	holds(t, laid(t, map[string]string{
		"_config.yml": "permalink: pretty\ncollections:\n  posts:\n    permalink: /news/:year/:title\n",
		"index.md":    "---\n---\n", "about.md": "---\n---\n",
		"_posts/2026-01-02-a.md": "---\nrobots: noindex\n---\n",
		"css/site.scss":          "---\nrobots: noindex\n---\n",
	}, "_site/index.html", "_site/about/index.html", "_site/news/2026/a.html", "_site/css/site.css"), map[string]string{
		"index.html": "index.md", "about/index.html": "about.md",
		"news/2026/a.html": "_posts/2026-01-02-a.md: noindex (_posts/2026-01-02-a.md:2)",
		"css/site.css":     "css/site.scss: noindex (css/site.scss:2)",
	})
}
